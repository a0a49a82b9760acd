"""Formats an evaluation as JSON, as text, and for a run on GitHub (annotations and the summary)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincite_core.github_run import Annotation, Level, summary_items
from pincite_core.types import IndexInfo
from pincite_server.evaluation.evaluate import MEASURES, Change, ChangeKind, Evaluation, Failure
from pincite_server.evaluation.judge import JudgedQuestion, Verdict
from pincite_server.evaluation.shares import Agreement, Share
from pincite_server.evaluation.writing import Writing
from pincite_server.reply.records import Answer

__all__ = ("evaluation_annotations", "evaluation_record", "evaluation_summary", "print_evaluation", "share_record")

_LEVELS: dict[ChangeKind, Level] = {"lost": "warning", "gained": "notice"}
_CHANGES: dict[ChangeKind, str] = {
    "lost": "Answers lost",
    "gained": "Answers gained",
    "other section": "Answers that cite another section",
    "other words": "Answers in other words",
    "answered now": "Answered now, as wrong as before",
    "refused now": "Refused now, as wrong as before",
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
        "failed": [
            {
                "measure": failure.measure,
                "bound": failure.bound,
                **share_record(failure.share),
                "lines": [row.question.line for row in failure.rows],
            }
            for failure in failures
        ],
    }
    if changes is not None:
        record["changes"] = [
            {
                "line": change.after.question.line,
                "question": change.after.question.question,
                "change": change.kind,
                "before": {"verdict": change.before.verdict, "cited": change.before.cited},
                "after": {"verdict": change.after.verdict, "cited": change.after.cited},
            }
            for change in changes
        ]
    if (writing := evaluation.writing).asked:
        seconds = {"median": round(writing.median_seconds, 3), "p95": round(writing.slow_seconds, 3)}
        record["written"] = {**msgspec.to_builtins(writing), "seconds": seconds}
    if agreement is not None:
        shares = {"same": share_record(agreement.same), "same_use": share_record(agreement.same_use)}
        record["agreement"] = {**shares, "kappa": agreement.kappa, "ungraded": agreement.ungraded}
    return record


def share_record(share: Share) -> dict[str, Any]:
    """Return a share with its counts and 95 % interval."""
    return {"hits": share.hits, "total": share.total, "share": share.value, "interval": share.interval}


def _row(row: JudgedQuestion) -> dict[str, Any]:
    question = row.question
    record = {name: getattr(question, name) for name in ("line", "question", "expect", "version", "locale")}
    judged = ("verdict", "refused", "evidence", "cited", "page_rank", "section_rank", "leaks")
    record |= {name: getattr(row, name) for name in judged}
    if question.passage is not None:
        record |= {"passage": question.passage, "answerable": question.answerable}
    if row.asked is not None:
        reply, trace = row.asked.reply, row.asked.trace
        record["ms"] = reply.timings_ms["total"]
        if isinstance(reply, Answer):
            record["composer"] = reply.composer
        if row.asked.counters:
            record["counters"] = row.asked.counters
        if trace:
            record["reading"] = {
                "queries": trace.queries,
                "read": row.read,
                "context_recalled": row.context_recalled,
                "requests": msgspec.to_builtins(trace.requests),
            }
    if row.grade:
        record |= {"grade": row.grade.value, "cause": row.grade.cause}
    return record


def print_evaluation(
    console: Console,
    title: str,
    evaluation: Evaluation,
    failures: Sequence[Failure],
    changes: Sequence[Change] | None,
    agreement: Agreement | None = None,
) -> None:
    """Print an evaluation; `changes` and `agreement` are None if nothing was compared."""
    table = Table(title=f"{len(evaluation.rows)} questions asked of {title}", title_justify="left", box=None)
    table.add_column("share of questions")
    for heading in ("", "count", "95 % interval"):
        table.add_column(heading, justify="right")
    for name, share in evaluation.measures.items():
        if share.total:
            count = f"{share.hits} of {share.total}"
            table.add_row(MEASURES[name].label, _percent(share), count, _interval(share))
    console.print(table)
    for line in (
        *_wrong_lines(evaluation),
        *_writing_lines(evaluation.writing),
        *_grade_lines(evaluation),
        *_agreement_lines(agreement),
        *_change_lines(changes),
    ):
        console.print(line, soft_wrap=True)
    for failure in failures:
        console.print(Text(f"\nFailed: {_missed(failure)}", style="bold red"), soft_wrap=True)
        for row in failure.rows:
            console.print(_question(row), soft_wrap=True)


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
        judges = bool(writing.judged or writing.unread)
        count, verb = (writing.judged, "judged") if judges else (writing.written, "written")
        yield Text(f"\n{count} of {writing.asked} replies {verb} by the language model", style="bold")
        others = {
            "quoted in the order of search because it did not judge every passage": writing.unread,
            "refused after the search queries because nothing near was found": writing.foreign,
            "refused because it found no answer": writing.declined,
            "refused because no written statement passed the checks": writing.emptied,
            "quoted because it failed or its budget was spent": writing.failed,
        }
        yield from (Text(f"  {count} {outcome}") for outcome, count in others.items() if count)
        yield from (Text(f"  {line}") for line in writing.lines())


def _grade_lines(evaluation: Evaluation) -> Iterator[Text]:
    graded = [(row, row.grade) for row in evaluation.rows if row.grade and row.grade.value is not None]
    if not graded:
        return
    yield Text(f"\n{len(graded)} answers graded by the language model", style="bold")
    causes = Counter(grade.cause for _, grade in graded if grade.cause)
    if causes:
        yield Text(f"  main causes below 3: {', '.join(f'{cause} {count}' for cause, count in causes.most_common())}")
    for row, grade in graded:
        if not grade.is_useful:
            yield _question(row).append(f"  graded {grade.value} {grade.cause}".rstrip(), style="dim")


def _agreement_lines(agreement: Agreement | None) -> Iterator[Text]:
    if agreement is None:
        return
    kappa = "-" if agreement.kappa is None else f"{agreement.kappa:.2f}"
    yield Text(f"\nThe grader on {len(agreement.pairs)} answers that people graded", style="bold")
    for label, share in (("the same grade", agreement.same), ("both useful, or both not", agreement.same_use)):
        yield Text(f"  {label}: {_percent(share)} ({_interval(share)})")
    yield Text(f"  Cohen's kappa with quadratic weights: {kappa}")
    if agreement.ungraded:
        yield Text(f"  {agreement.ungraded} that the model did not grade")


def _change_lines(changes: Sequence[Change] | None) -> Iterator[Text]:
    if changes is None:
        return
    differ = "answer differs" if len(changes) == 1 else "answers differ"
    yield Text(f"\n{len(changes)} {differ} from the other index", style="bold")
    for change in changes:
        style = _STYLES.get(change.kind, "yellow")
        yield Text(f"  {change.kind:13} ", style=style).append(_question(change.after))
        if change.kind != "other words":
            yield Text(f"      was {_reply(change.before)}", style="dim")
            yield Text(f"      now {_reply(change.after)}", style="dim")


def _question(row: JudgedQuestion) -> Text:
    question = row.question
    scope = " ".join(filter(None, (question.version, question.locale)))
    return Text(f"  line {question.line}: {question.question}").append(f" ({scope})" if scope else "", style="dim")


def _reply(row: JudgedQuestion) -> str:
    return f"{row.verdict}: {', '.join(row.cited) or 'nothing cited'}"


def _percent(share: Share) -> str:
    return "-" if share.value is None else f"{share.value:.0%}"


def _interval(share: Share) -> str:
    return "{:.0%} to {:.0%}".format(*share.interval)


def _missed(failure: Failure) -> str:
    measure = MEASURES[failure.measure]
    bound = f"{'at least' if measure.good else 'at most'} {failure.bound:.0%}"
    return f"{measure.label} {_percent(failure.share)}, must be {bound}"


def evaluation_annotations(
    file: Path, failures: Sequence[Failure], changes: Sequence[Change] | None
) -> list[Annotation]:
    """Return an annotation for each answer that was lost or gained, and for each measure that misses its bound."""
    missed = [
        Annotation("error", "Pincite: a measure misses its bound", _missed_lines(failure), file.as_posix())
        for failure in failures
    ]
    changed = [
        Annotation(
            level, f"Pincite: answer {change.kind}", _change(change), file.as_posix(), change.after.question.line
        )
        for change in changes or ()
        if (level := _LEVELS.get(change.kind))
    ]
    return [*missed, *changed]


def evaluation_summary(evaluation: Evaluation, failures: Sequence[Failure], changes: Sequence[Change] | None) -> str:
    """Return the summary in Markdown; `changes` is None without an index to compare with."""
    lists = {
        heading: [_change(change) for change in changes or () if change.kind == kind]
        for kind, heading in _CHANGES.items()
    }
    compared = "There is no earlier index to compare with."
    if changes is not None:
        counts = "; ".join(f"{heading}: {len(items):,}" for heading, items in lists.items())
        compared = f"Against the deployed index. {counts}."
    table = ["| share of questions | count | 95 % interval |", "|---|---|---|"]
    for name, share in evaluation.measures.items():
        if share.total:
            table.append(f"| {MEASURES[name].label} | {share.hits} of {share.total} | {_interval(share)} |")
    missed = summary_items("Measures that miss their bound", [_missed_lines(failure) for failure in failures])
    changed = [summary_items(heading, items) for heading, items in lists.items()]
    return "\n\n".join(filter(None, ["## Pincite: answers", compared, missed, *changed, "\n".join(table)]))


def _change(change: Change) -> str:
    question = change.after.question
    return f"line {question.line}: {question.question} (was {_reply(change.before)}; now {_reply(change.after)})"


def _missed_lines(failure: Failure) -> str:
    lines = ", ".join(str(row.question.line) for row in failure.rows)
    return _missed(failure) + (f" (lines {lines})" if lines else "")
