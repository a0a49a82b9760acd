"""A whole evaluation: every question asked, what changed between two builds, and what must be reached for CI."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_core.errors import InputError
from pincite_server.answering.asker import Asker
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

_NAMED = 5  # unknown places that an error spells out


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Every question with what became of it, in the file's order, and the shares over all of them."""

    rows: tuple[JudgedQuestion, ...]
    measures: dict[str, Share]

    @property
    def writing(self) -> Writing:
        """What a language model did for the replies."""
        return Writing.of(row.asked for row in self.rows if row.asked)


def evaluate(
    indexes: IndexSet, questions: Sequence[EvalQuestion], asker: Asker, advance: Callable[[], None] = lambda: None
) -> Evaluation:
    """Ask every question through `asker`; `advance` is called after each."""
    rows = []
    for question in questions:
        rows.append(judge(asker, indexes.choose(question.locale).answerer, question))
        advance()
    return Evaluation(tuple(rows), measure_all(rows))


def require_places(indexes: IndexSet, questions: Sequence[EvalQuestion]) -> None:
    """Check that every place, version and language that the questions name is there.

    Raises:
        InputError: One is not; the message names the lines.
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
_WORTH: dict[Verdict, int] = {"right": 2, "right page": 1}  # every other verdict is as bad as the next: 0


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose reply changed. `gained` and `lost` are better and worse verdicts; the others weigh the same."""

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
"""No site wants to be answered from another version: this holds without being asked for."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A measure that misses its bound, and the questions that weigh against it."""

    measure: str
    bound: float
    share: Share
    rows: tuple[JudgedQuestion, ...]


def find_failures(evaluation: Evaluation, bounds: Mapping[str, float]) -> list[Failure]:
    """Return the measures that are below their bound (or above it, where less is better).

    A measure that no question counts for cannot fail.

    Args:
        evaluation: What was measured.
        bounds: A share, 0 to 1, by measure.
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
