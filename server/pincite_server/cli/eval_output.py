"""An evaluation as one JSON object, and for people: the shares, every question that went wrong, what changed."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincite_core.types import IndexInfo
from pincite_server.evaluation.evaluate import Change, Evaluation, Failure
from pincite_server.evaluation.judge import JudgedQuestion, Verdict
from pincite_server.evaluation.measures import MEASURES
from pincite_server.evaluation.shares import Share

__all__ = ("evaluation_record", "print_evaluation", "share_record")


def evaluation_record(
    info: IndexInfo, evaluation: Evaluation, failures: Sequence[Failure], changes: Sequence[Change] | None
) -> dict[str, Any]:
    """Return built-in types: `measures` by name, a row a question, what failed, and what changed if that was asked."""
    record = {
        "index": {"index_id": info.index_id, "title": info.title},
        "measures": {name: share_record(share) for name, share in evaluation.measures.items()},
        "rows": [_row(row) for row in evaluation.rows],
        "failed": [_failure(failure) for failure in failures],
    }
    return record if changes is None else {**record, "changes": [_change(change) for change in changes]}


def share_record(share: Share) -> dict[str, Any]:
    """Return a share with its counts and 95 % interval."""
    return {"hits": share.hits, "total": share.total, "share": share.value, "interval": share.interval}


def _row(row: JudgedQuestion) -> dict[str, Any]:
    asked = row.question
    return {
        "line": asked.line,
        "question": asked.question,
        "expect": asked.expect,
        "version": asked.version,
        "locale": asked.locale,
        "verdict": row.verdict,
        "refused": row.refused,
        "evidence": row.evidence,
        "cited": row.cited,
        "page_rank": row.page_rank,
        "section_rank": row.section_rank,
        "leaks": row.leaks,
    }


def _failure(failure: Failure) -> dict[str, Any]:
    lines = [row.question.line for row in failure.rows]
    return {"measure": failure.measure, "bound": failure.bound, **share_record(failure.share), "lines": lines}


def _change(change: Change) -> dict[str, Any]:
    before, after = change.before, change.after
    return {
        "line": after.question.line,
        "question": after.question.question,
        "change": change.kind,
        "before": {"verdict": before.verdict, "cited": before.cited},
        "after": {"verdict": after.verdict, "cited": after.cited},
    }


_WRONG: dict[Verdict, str] = {
    "refused": "Refused, though the docs answer",
    "wrong place": "Another page cited",
    "right page": "Right page cited, but another section",
    "answered": "Answered, though the docs do not say",
}
_STYLES = {"gained": "green", "lost": "red"}


def print_evaluation(
    console: Console,
    title: str,
    evaluation: Evaluation,
    failures: Sequence[Failure],
    changes: Sequence[Change] | None,
) -> None:
    """Print an evaluation; `changes` is None when nothing was compared."""
    console.print(_table(title, evaluation))
    for line in (*_wrong_lines(evaluation), *_change_lines(changes), *_failure_lines(failures)):
        console.print(line, soft_wrap=True)


def _table(title: str, evaluation: Evaluation) -> Table:
    table = Table(title=f"{len(evaluation.rows)} questions asked of {title}", title_justify="left", box=None)
    table.add_column("share of questions")
    for heading in ("", "count", "95 % interval"):
        table.add_column(heading, justify="right")
    for name, share in evaluation.measures.items():
        if share.total:
            low, high = share.interval
            count = f"{share.hits} of {share.total}"
            table.add_row(MEASURES[name].label, _percent(share), count, f"{low:.0%} to {high:.0%}")
    return table


def _wrong_lines(evaluation: Evaluation) -> Iterator[Text]:
    for verdict, heading in _WRONG.items():
        rows = [row for row in evaluation.rows if row.verdict == verdict]
        if rows:
            yield Text(f"\n{heading}", style="bold")
        for row in rows:
            yield _question(row)
            if row.question.expect:
                yield Text(f"      expected {', '.join(row.question.expect)}", style="dim")
            instead = "nearest" if row.refused else "cited"
            yield Text(f"      {instead} {', '.join(row.cited) or 'nothing'}", style="dim")


def _change_lines(changes: Sequence[Change] | None) -> Iterator[Text]:
    if changes is None:
        return
    differ = "answer differs" if len(changes) == 1 else "answers differ"
    yield Text(f"\n{len(changes)} {differ} from the index compared with", style="bold")
    for change in changes:
        style = _STYLES.get(change.kind, "yellow")
        yield Text(f"  {change.kind:13} ", style=style).append(_question(change.after))
        if change.kind != "other words":
            yield Text(f"      was {_told(change.before)}", style="dim")
            yield Text(f"      now {_told(change.after)}", style="dim")


def _failure_lines(failures: Sequence[Failure]) -> Iterator[Text]:
    for failure in failures:
        measure = MEASURES[failure.measure]
        bound = f"{'at least' if measure.good else 'at most'} {failure.bound:.0%}"
        yield Text(f"\nFailed: {measure.label} {_percent(failure.share)}, wanted {bound}", style="bold red")
        for row in failure.rows:
            yield _question(row)


def _question(row: JudgedQuestion) -> Text:
    asked = row.question
    where = " ".join(filter(None, (asked.version, asked.locale)))
    return Text(f"  line {asked.line}: {asked.question}").append(f" ({where})" if where else "", style="dim")


def _told(row: JudgedQuestion) -> str:
    return f"{row.verdict}: {', '.join(row.cited) or 'nothing cited'}"


def _percent(share: Share) -> str:
    return "-" if share.value is None else f"{share.value:.0%}"
