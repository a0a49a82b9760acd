"""Describes a language model's work as text, for one answer and for an evaluation."""

from collections.abc import Iterator

import click

from pincite_server.evaluation.writing import Writing
from pincite_server.reply.records import CheckReason

__all__ = ("CHECK_WORDS", "QUOTED", "writing_lines")

QUOTED = click.option("--quoted", is_flag=True, help="Quote the docs, though a language model is configured.")
"""The option of commands that answer questions."""

CHECK_WORDS: dict[CheckReason, str] = {
    "missing_citation": "without a source",
    "low_overlap": "not what their source says",
    "unsupported_number": "with a number that their source does not have",
    "missing_uncertainty_no_context": "without a section that supports them",
    "hedging": "with more doubt than the docs have",
    "invalid_reference": "with a source that the docs do not have",
    "doubtful": "not fully proved",
    "not_confirmed": "not confirmed at a second look",
    "stands_alone": "that say nothing by themselves",
    "announces_nothing": "that announce what is not there",
    "incomplete": "broken off",
    "sentences_dropped": "after which others were dropped",
    "doubtful_claims": "beside doubtful ones",
}
"""Maps each reason for dropping a statement to its description."""


def writing_lines(writing: Writing) -> Iterator[str]:
    """Yield the lines about a language model's work; none if the model was not asked."""
    if writing.asked:
        words = {str(code): told for code, told in CHECK_WORDS.items()}
        reasons = ", ".join(f"{count} {words.get(reason, reason)}" for reason, count in writing.reasons.items())
        dropped = f"{writing.dropped} dropped" + (f" ({reasons})" if reasons else "")
        if writing.shown or writing.dropped:
            yield f"Statements written: {writing.shown} shown, {writing.doubtful} of them doubtful; {dropped}"
        yield f"Tokens: {writing.tokens_read:,} read, {writing.tokens_written:,} written"
        yield from (f"  {line}" for line in _purpose_lines(writing))
        if writing.asked > 1:
            yield f"Seconds a reply: {writing.median_seconds:.1f} (median), {writing.slow_seconds:.1f} (95 % of them)"
        else:
            yield f"Seconds: {writing.median_seconds:.1f}"


def _purpose_lines(writing: Writing) -> Iterator[str]:
    """Yield a line for each purpose of requests, with its share of all tokens."""
    total = max(1, sum(one.tokens_read + one.tokens_written for one in writing.purposes.values()))
    for purpose, one in writing.purposes.items():
        share = (one.tokens_read + one.tokens_written) / total
        requests = f"{one.requests} request{'s' if one.requests != 1 else ''}"
        yield f"{purpose}: {requests}, {share:.0%} of the tokens, {one.median_seconds:.1f} s (median)"
