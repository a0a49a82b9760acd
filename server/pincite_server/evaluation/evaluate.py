"""Evaluates an index with a file of questions, compares two builds, and checks thresholds for CI."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_core.errors import InputError
from pincite_server.answering.sync_answerer import SyncAnswerer
from pincite_server.evaluation.judge import JudgedQuestion, Verdict, expected_places, judge
from pincite_server.evaluation.measures import MEASURES, measure_all
from pincite_server.evaluation.questions import EvalQuestion
from pincite_server.evaluation.shares import Share
from pincite_server.evaluation.writing import Writing
from pincite_server.indexes.registry import IndexSet

__all__ = (
    "ANY_LEAK",
    "Change",
    "ChangeKind",
    "Evaluation",
    "Failure",
    "evaluate",
    "find_changes",
    "find_failures",
    "require_places",
)

_NAMED = 5  # unknown places that an error message lists


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The judged questions in the file's order, and the measures over all of them."""

    rows: tuple[JudgedQuestion, ...]
    measures: dict[str, Share]

    @property
    def writing(self) -> Writing:
        """Statistics of the language model's work on the replies."""
        return Writing.of(row.asked for row in self.rows if row.asked)


def evaluate(
    indexes: IndexSet,
    questions: Sequence[EvalQuestion],
    asker: SyncAnswerer,
    advance: Callable[[], None] = lambda: None,
) -> Evaluation:
    """Ask every question through `asker` and judge the replies; `advance` is called after each."""
    rows = []
    for question in questions:
        rows.append(judge(asker, indexes.choose(question.locale).answerer, question))
        advance()
    return Evaluation(tuple(rows), measure_all(rows))


def require_places(indexes: IndexSet, questions: Sequence[EvalQuestion]) -> None:
    """Check that the index has every place, version and language of the questions.

    Raises:
        InputError: One is missing; the message names the lines.
    """
    wrong: list[str] = []
    for question in questions:
        try:
            expected = expected_places(indexes.choose(question.locale).answerer, question)
        except InputError as error:
            wrong.append(f"line {question.line}: {error}")
        else:
            wrong.extend(f"line {question.line}: there is no {place} in its scope." for place in expected.unknown)
    if wrong:
        more = f" And {len(wrong) - _NAMED} more." if len(wrong) > _NAMED else ""
        message = f"The questions do not fit the index: {' '.join(wrong[:_NAMED])}{more} Correct these rows."
        raise InputError(message)


ChangeKind = Literal["gained", "lost", "refused now", "answered now", "other section", "other words"]
_WORTH: dict[Verdict, int] = {"right": 2, "right page": 1}  # all other verdicts are worth 0


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose reply changed. The verdict of `gained` is better, of `lost` worse, of other kinds equal."""

    kind: ChangeKind
    before: JudgedQuestion
    after: JudgedQuestion


def find_changes(before: Evaluation, after: Evaluation) -> list[Change]:
    """Return every question whose reply changed, in the file's order."""
    pairs = zip(before.rows, after.rows, strict=True)
    return [Change(kind, old, new) for old, new in pairs if (kind := _kind(old, new))]


def _kind(old: JudgedQuestion, new: JudgedQuestion) -> ChangeKind | None:
    was, now = _WORTH.get(old.verdict, 0), _WORTH.get(new.verdict, 0)
    if was != now:
        return "gained" if now > was else "lost"
    if old.refused != new.refused:
        return "refused now" if new.refused else "answered now"
    if new.refused or (old.cited, old.text) == (new.cited, new.text):
        return None
    return "other words" if old.cited == new.cited else "other section"


ANY_LEAK = {"leaks": 0.0}
"""The bound that always applies: no answer may come from another version or language."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A measure that misses its bound, with the questions that count against it."""

    measure: str
    bound: float
    share: Share
    rows: tuple[JudgedQuestion, ...]


def find_failures(evaluation: Evaluation, bounds: Mapping[str, float]) -> list[Failure]:
    """Return the measures that miss their bound: below it, or above it if less is better.

    A measure without any counted question cannot fail.

    Args:
        evaluation: The evaluation.
        bounds: The bound of each measure, a share from 0 to 1.
    """
    return [
        Failure(name, bound, evaluation.measures[name], tuple(MEASURES[name].missed(evaluation.rows)))
        for name, bound in bounds.items()
        if not _holds(name, evaluation.measures[name].value, bound)
    ]


def _holds(name: str, value: float | None, bound: float) -> bool:
    if value is None:
        return True
    return value >= bound if MEASURES[name].good else value <= bound
