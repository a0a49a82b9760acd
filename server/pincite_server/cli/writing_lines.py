"""What a language model did, for people: the same lines below one answer and below an evaluation."""

from collections.abc import Iterator

import click

from pincite_server.evaluation.writing import Writing

__all__ = ("QUOTED", "writing_lines")

QUOTED = click.option("--quoted", is_flag=True, help="Quote the docs, though a language model is configured.")
"""The option of the commands that answer."""


def writing_lines(writing: Writing) -> Iterator[str]:
    """Yield what there is to say; nothing when the model was asked for no reply."""
    if writing.asked:
        reasons = ", ".join(f"{reason} {count}" for reason, count in writing.reasons.items())
        dropped = f"{writing.dropped} dropped" + (f" ({reasons})" if reasons else "")
        yield f"Statements written: {writing.shown} shown, {writing.doubtful} of them doubtful; {dropped}"
        yield f"Tokens: {writing.tokens_read:,} read, {writing.tokens_written:,} written"
        if writing.asked > 1:
            yield f"Seconds a reply: {writing.median_seconds:.1f} (median), {writing.slow_seconds:.1f} (95 % of them)"
        else:
            yield f"Seconds: {writing.median_seconds:.1f}"
