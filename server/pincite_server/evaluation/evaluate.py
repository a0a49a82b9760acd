"""Evaluates an index: asks a file of questions, computes measures, compares two builds, and checks thresholds."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pincite_core.errors import InputError
from pincite_server.answering.sync_answerer import SyncAnswerer
from pincite_server.evaluation.judge import JudgedQuestion, Verdict, expected_places, judge
from pincite_server.evaluation.questions import EvalQuestion
from pincite_server.evaluation.shares import Share
from pincite_server.evaluation.writing import Writing
from pincite_server.indexes.registry import IndexSet

__all__ = (
    "ANY_LEAK",
    "MEASURES",
    "Change",
    "ChangeKind",
    "Evaluation",
    "Failure",
    "Measure",
    "evaluate",
    "find_changes",
    "find_failures",
    "require_places",
)

Outcome = Callable[[JudgedQuestion], bool | None]
ChangeKind = Literal["gained", "lost", "refused now", "answered now", "other section", "other words"]

ANY_LEAK = {"leaks": 0.0}
"""The bound that always applies: no answer may come from another version or language."""

_NAMED = 5  # unknown places that an error message lists
_POINTS: dict[Verdict, int] = {"right": 2, "right page": 1}  # all other verdicts have 0


@dataclass(frozen=True, slots=True)
class Measure:
    """A share of questions: `outcome` is None for a question that does not count; `good` is the desired outcome."""

    label: str
    outcome: Outcome
    good: bool = True

    def share(self, rows: Iterable[JudgedQuestion]) -> Share:
        """Return the share of counted questions whose outcome is True."""
        return Share.of(outcome for row in rows if (outcome := self.outcome(row)) is not None)

    def missed(self, rows: Iterable[JudgedQuestion]) -> list[JudgedQuestion]:
        """Return the questions with the undesired outcome."""
        return [row for row in rows if self.outcome(row) is (not self.good)]


def _of_docs(outcome: Outcome) -> Outcome:
    return lambda row: None if row.question.passage is not None else outcome(row)


def _of_passages(answerable: bool) -> Outcome:
    """Return an outcome function over passages with this `answerable`; it is True for a wrong reply."""
    return lambda row: (
        None
        if row.question.passage is None or row.verdict == "not there" or row.question.answerable != answerable
        else row.refused == answerable
    )


def _page_within(k: int) -> Outcome:
    return lambda row: None if row.question.must_refuse else (row.page_rank or math.inf) <= k


def _section_within(k: int) -> Outcome:
    return lambda row: None if row.section_cited is None else (row.section_rank or math.inf) <= k


def _when_answerable(name: str) -> Outcome:
    return lambda row: None if row.question.must_refuse else getattr(row, name)


def _when_answered(name: str) -> Outcome:
    return lambda row: None if row.question.must_refuse or row.refused else getattr(row, name)


_OF_DOCS = {
    **{f"page_recall_{k}": Measure(f"right page among the first {k}", _page_within(k)) for k in (1, 5, 10)},
    **{f"section_recall_{k}": Measure(f"right section among the first {k}", _section_within(k)) for k in (1, 5, 10)},
    "context_recall": Measure("right section among those the model read", _when_answerable("context_recalled")),
    "page_cited": Measure("right page cited", _when_answered("page_cited")),
    "section_cited": Measure("right section cited", _when_answered("section_cited")),
    "section_first": Measure("right section cited first", _when_answered("section_first")),
    "false_refusals": Measure("wrongly refused", _when_answerable("refused"), good=False),
    "refused": Measure("rightly refused", lambda row: row.refused if row.question.must_refuse else None),
    "useful": Measure("graded 2 or 3", lambda row: row.grade.is_useful if row.grade else None),
    "good": Measure("graded 3", lambda row: row.grade.value == 3 if row.grade else None),
    "leaks": Measure("leaks of another version or language", lambda row: bool(row.leaks), good=False),
}
MEASURES = {
    **{name: replace(measure, outcome=_of_docs(measure.outcome)) for name, measure in _OF_DOCS.items()},
    "false_negative_rate": Measure("passages that answer, refused", _of_passages(answerable=True), good=False),
    "false_positive_rate": Measure("passages that do not, answered", _of_passages(answerable=False), good=False),
}
"""All measures by name.

Page and section recall measure search, over every question with an answer. Citation measures count answered questions.
Context recall counts questions with an answer that a language model was asked for, refused ones too. Grade measures
count every graded question with an answer, and a refusal is not useful. Questions about passages count for the last two
measures alone, which have the names of ADR-003.
"""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The judged questions in the file's order."""

    rows: tuple[JudgedQuestion, ...]

    @property
    def measures(self) -> dict[str, Share]:
        """Every measure's share over the questions, by the measure's name."""
        return {name: measure.share(self.rows) for name, measure in MEASURES.items()}

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
    return Evaluation(tuple(rows))


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
    was, now = _POINTS.get(old.verdict, 0), _POINTS.get(new.verdict, 0)
    if was != now:
        return "gained" if now > was else "lost"
    if old.refused != new.refused:
        return "refused now" if new.refused else "answered now"
    if new.refused or (old.cited, old.text) == (new.cited, new.text):
        return None
    return "other words" if old.cited == new.cited else "other section"


@dataclass(frozen=True, slots=True)
class Failure:
    """A measure that misses its bound, with the questions that count against it."""

    measure: str
    bound: float
    share: Share
    rows: tuple[JudgedQuestion, ...]


def find_failures(evaluation: Evaluation, bounds: Mapping[str, float]) -> list[Failure]:
    """Return the measures that miss their bound: below it, or above it if less is better.

    A measure without any counted question cannot fail. `bounds` has the bound of each measure, from 0 to 1.
    """
    failures, shares = [], evaluation.measures
    for name, bound in bounds.items():
        measure, share = MEASURES[name], shares[name]
        if share.value is not None and (share.value < bound if measure.good else share.value > bound):
            failures.append(Failure(name, bound, share, tuple(measure.missed(evaluation.rows))))
    return failures
