"""A whole evaluation: every question asked of the index of its language."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite_core.errors import InputError
from pincite_server.evaluation.judge import JudgedQuestion, expected_places, judge
from pincite_server.evaluation.measures import measure_all
from pincite_server.evaluation.questions import EvalQuestion
from pincite_server.evaluation.shares import Share
from pincite_server.indexes.registry import IndexSet

__all__ = ("Evaluation", "evaluate", "require_places")

_NAMED = 5  # unknown places that an error spells out


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Every question with what became of it, in the file's order, and the shares over all of them."""

    rows: tuple[JudgedQuestion, ...]
    measures: dict[str, Share]


def evaluate(
    indexes: IndexSet, questions: Sequence[EvalQuestion], advance: Callable[[], None] = lambda: None
) -> Evaluation:
    """Ask every question; `advance` is called after each."""
    rows = []
    for question in questions:
        rows.append(judge(indexes.choose(question.locale).engine, question))
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
            expected = expected_places(indexes.choose(question.locale).engine, question)
        except InputError as error:
            wrong.append(f"line {question.line}: {error}")
        else:
            wrong.extend(f"line {question.line}: there is no {place} in its scope." for place in expected.unknown)
    if wrong:
        more = f" And {len(wrong) - _NAMED} more." if len(wrong) > _NAMED else ""
        message = f"The questions do not fit the index: {' '.join(wrong[:_NAMED])}{more} Correct these rows."
        raise InputError(message)
