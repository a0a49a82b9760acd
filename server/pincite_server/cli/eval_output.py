"""Formats an evaluation as JSON, and as text: shares, wrong answers and changes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincite_core.types import IndexInfo
from pincite_server.answering.outcome import ReadingTrace
from pincite_server.cli.writing_lines import writing_lines
from pincite_server.evaluation.agreement import Agreement
from pincite_server.evaluation.evaluate import Change, Evaluation, Failure
from pincite_server.evaluation.judge import JudgedQuestion, Verdict
from pincite_server.evaluation.measures import MEASURES
from pincite_server.evaluation.shares import Share
from pincite_server.evaluation.writing import Writing
from pincite_server.reply.records import Answer

__all__ = ("evaluation_record", "print_evaluation", "share_record")


def evaluation_record(
    info: IndexInfo,
    evaluation: Evaluation,
    failures: Sequence[Failure],
    changes: Sequence[Change] | None,
    agreement: Agreement | None = None,
) -> dict[str, Any]:
    """Return built-in types: `measures` by name, a row for each question, the failures and the changes.

    `changes` is included if an index was compared, `written` if a language model was asked, and `agreement` if its
    grades were compared with people's.
    """
    record: dict[str, Any] = {
        "index": {"index_id": info.index_id, "title": info.title},
        "measures": {name: share_record(share) for name, share in evaluation.measures.items()},
        "rows": [_row(row) for row in evaluation.rows],
        "failed": [_failure(failure) for failure in failures],
    }
    if changes is not None:
        record["changes"] = [_change(change) for change in changes]
    if evaluation.writing.asked:
        record["written"] = _writing(evaluation.writing)
    if agreement is not None:
        record["agreement"] = _agreement(agreement)
    return record


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
        **({"passage": asked.passage, "answerable": asked.answerable} if asked.passage is not None else {}),
        **_reply(row),
        **({"grade": row.grade.value, "cause": row.grade.cause} if row.grade else {}),
    }


def _reply(row: JudgedQuestion) -> dict[str, Any]:
    if row.asked is None:
        return {}
    reply, counters = row.asked.reply, row.asked.counters
    composer = {"composer": reply.composer} if isinstance(reply, Answer) else {}
    reading = {"reading": _reading(row, row.asked.trace)} if row.asked.trace else {}
    return {"ms": reply.timings_ms["total"], **composer, **({"counters": counters} if counters else {}), **reading}


def _reading(row: JudgedQuestion, trace: ReadingTrace) -> dict[str, Any]:
    """Return a language model's search queries, the sections that it read, and the cost of each request."""
    return {
        "queries": trace.queries,
        "read": row.read,
        "context_recalled": row.context_recalled,
        "requests": msgspec.to_builtins(trace.requests),
    }


def _writing(writing: Writing) -> dict[str, Any]:
    names = (name for name in Writing.__dataclass_fields__ if name not in {"seconds", "purposes"})
    seconds = {"median": round(writing.median_seconds, 3), "p95": round(writing.slow_seconds, 3)}
    purposes = msgspec.to_builtins(writing.purposes)
    return {**{name: getattr(writing, name) for name in names}, "purposes": purposes, "seconds": seconds}


def _agreement(agreement: Agreement) -> dict[str, Any]:
    shares = {"same": share_record(agreement.same), "same_use": share_record(agreement.same_use)}
    return {**shares, "kappa": agreement.kappa, "ungraded": agreement.ungraded}


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
    "passage refused": "Refused, though the passage answers",
    "passage exceeded": "Answered, though the passage does not say",
}
_STYLES = {"gained": "green", "lost": "red"}


def print_evaluation(
    console: Console,
    title: str,
    evaluation: Evaluation,
    failures: Sequence[Failure],
    changes: Sequence[Change] | None,
    agreement: Agreement | None = None,
) -> None:
    """Print an evaluation; `changes` and `agreement` are None if nothing was compared."""
    console.print(_table(title, evaluation))
    for line in (
        *_wrong_lines(evaluation),
        *_writing_lines(evaluation.writing),
        *_grade_lines(evaluation),
        *_agreement_lines(agreement),
        *_change_lines(changes),
        *_failure_lines(failures),
    ):
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
            if row.question.passage is None:
                instead = "nearest" if row.refused else "cited"
                yield Text(f"      {instead} {', '.join(row.cited) or 'nothing'}", style="dim")


def _writing_lines(writing: Writing) -> Iterator[Text]:
    if writing.asked:
        done, what = (writing.judged, "judged") if writing.judged or writing.unread else (writing.written, "written")
        yield Text(f"\n{done} of {writing.asked} replies {what} by the language model", style="bold")
        others = {
            "quoted as search has them because it did not judge every passage": writing.unread,
            "refused after the search queries, as nothing near was found": writing.foreign,
            "refused because it found no answer": writing.declined,
            "refused because nothing that it wrote held": writing.emptied,
            "quoted because it failed or its budget was spent": writing.failed,
        }
        yield from (Text(f"  {count} {what}") for what, count in others.items() if count)
        yield from (Text(f"  {line}") for line in writing_lines(writing))


def _grade_lines(evaluation: Evaluation) -> Iterator[Text]:
    graded = [row for row in evaluation.rows if row.grade and row.grade.value is not None]
    if not graded:
        return
    causes = Counter(row.grade.cause for row in graded if row.grade and row.grade.cause)
    named = ", ".join(f"{cause} {count}" for cause, count in causes.most_common())
    yield Text(f"\n{len(graded)} answers graded by the language model", style="bold")
    if named:
        yield Text(f"  main causes below 3: {named}")
    for row in graded:
        if row.grade and not row.grade.is_useful:
            yield _question(row).append(f"  graded {row.grade.value} {row.grade.cause}".rstrip(), style="dim")


def _agreement_lines(agreement: Agreement | None) -> Iterator[Text]:
    if agreement is None:
        return
    kappa = "-" if agreement.kappa is None else f"{agreement.kappa:.2f}"
    yield Text(f"\nThe grader on {len(agreement.pairs)} answers that people graded", style="bold")
    for what, share in (("the same grade", agreement.same), ("both useful, or both not", agreement.same_use)):
        low, high = share.interval
        yield Text(f"  {what}: {_percent(share)} ({low:.0%} to {high:.0%})")
    yield Text(f"  Cohen's kappa with quadratic weights: {kappa}")
    if agreement.ungraded:
        yield Text(f"  {agreement.ungraded} without a grade of its own")


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
