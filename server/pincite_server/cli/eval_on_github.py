"""Shows an evaluation on GitHub: annotations at the lines of the questions, and the run's summary."""

from collections.abc import Sequence
from pathlib import Path

from pincite_core.github_run import Annotation, Level, summary_items
from pincite_server.evaluation.evaluate import Change, ChangeKind, Evaluation, Failure
from pincite_server.evaluation.measures import MEASURES

__all__ = ("evaluation_annotations", "evaluation_summary")

_LEVELS: dict[ChangeKind, Level] = {"lost": "warning", "gained": "notice"}
_HEADINGS: dict[ChangeKind, str] = {
    "lost": "Answers lost",
    "gained": "Answers gained",
    "other section": "Answers that cite another section",
    "other words": "Answers in other words",
    "answered now": "Answered now, as wrong as before",
    "refused now": "Refused now, as wrong as before",
}


def evaluation_annotations(
    file: Path, failures: Sequence[Failure], changes: Sequence[Change] | None
) -> list[Annotation]:
    """Return an annotation for each answer that was lost or gained, and for each measure that misses its bound."""
    missed = [
        Annotation("error", "Pincite: a measure misses its bound", _failure(failure), file.as_posix())
        for failure in failures
    ]
    changed = [
        Annotation(level, f"Pincite: answer {change.kind}", _told(change), file.as_posix(), change.after.question.line)
        for change in changes or ()
        if (level := _LEVELS.get(change.kind))
    ]
    return [*missed, *changed]


def evaluation_summary(evaluation: Evaluation, failures: Sequence[Failure], changes: Sequence[Change] | None) -> str:
    """Return the summary in Markdown; `changes` is None without an index to compare with."""
    told = "There is no earlier index to compare with."
    if changes is not None:
        counts = "; ".join(f"{heading}: {len(_of(kind, changes)):,}" for kind, heading in _HEADINGS.items())
        told = f"Against the deployed index. {counts}."
    lists = [
        summary_items(heading, [_told(one) for one in _of(kind, changes or ())]) for kind, heading in _HEADINGS.items()
    ]
    missed = summary_items("Measures that miss their bound", [_failure(failure) for failure in failures])
    parts = ["## Pincite: answers", told, missed, *lists, _table(evaluation)]
    return "\n\n".join(filter(None, parts))


def _of(kind: ChangeKind, changes: Sequence[Change]) -> list[Change]:
    return [change for change in changes if change.kind == kind]


def _told(change: Change) -> str:
    before, after = change.before, change.after
    return (
        f"line {after.question.line}: {after.question.question} "
        f"(was {before.verdict}: {', '.join(before.cited) or 'nothing cited'}; "
        f"now {after.verdict}: {', '.join(after.cited) or 'nothing cited'})"
    )


def _failure(failure: Failure) -> str:
    measure = MEASURES[failure.measure]
    lines = ", ".join(str(row.question.line) for row in failure.rows)
    bound = f"{'at least' if measure.good else 'at most'} {failure.bound:.0%}"
    share = "-" if failure.share.value is None else f"{failure.share.value:.0%}"
    return f"{measure.label}: {share}, wanted {bound}" + (f" (lines {lines})" if lines else "")


def _table(evaluation: Evaluation) -> str:
    rows = []
    for name, share in evaluation.measures.items():
        if share.total:
            low, high = share.interval
            rows.append(f"| {MEASURES[name].label} | {share.hits} of {share.total} | {low:.0%} to {high:.0%} |")
    return "\n".join(["| share of questions | count | 95 % interval |", "|---|---|---|", *rows])
