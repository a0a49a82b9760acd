"""The measures of an evaluation, such as recall@5, false refusals and leaks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from pincite_server.evaluation.judge import JudgedQuestion
from pincite_server.evaluation.shares import Share

__all__ = ("MEASURES", "Measure", "measure_all")


@dataclass(frozen=True, slots=True)
class Measure:
    """A share of questions: `outcome` is None for a question that does not count; `good` is the desired outcome."""

    name: str
    label: str
    outcome: Callable[[JudgedQuestion], bool | None]
    good: bool = True

    def share(self, rows: Iterable[JudgedQuestion]) -> Share:
        """Return the share of counted questions whose outcome is True."""
        return Share.of(outcome for row in rows if (outcome := self.outcome(row)) is not None)

    def missed(self, rows: Iterable[JudgedQuestion]) -> list[JudgedQuestion]:
        """Return the questions with the undesired outcome."""
        return [row for row in rows if self.outcome(row) is (not self.good)]


def measure_all(rows: Sequence[JudgedQuestion]) -> dict[str, Share]:
    """Return every measure's share by the measure's name."""
    return {name: measure.share(rows) for name, measure in MEASURES.items()}


def _of_docs(outcome: Callable[[JudgedQuestion], bool | None]) -> Callable[[JudgedQuestion], bool | None]:
    return lambda row: None if row.question.passage is not None else outcome(row)


def _of_passages(answerable: bool) -> Callable[[JudgedQuestion], bool | None]:
    """Return an outcome function over passages with this `answerable`; it is True for a wrong reply."""
    return lambda row: (
        None
        if row.question.passage is None or row.verdict == "not there" or row.question.answerable != answerable
        else row.refused == answerable
    )


def _page_within(k: int) -> Callable[[JudgedQuestion], bool | None]:
    return lambda row: None if row.question.must_refuse else _is_within(row.page_rank, k)


def _section_within(k: int) -> Callable[[JudgedQuestion], bool | None]:
    return lambda row: None if row.section_cited is None else _is_within(row.section_rank, k)


def _is_within(rank: int | None, k: int) -> bool:
    return rank is not None and rank <= k


def _when_answered(read: Callable[[JudgedQuestion], bool | None]) -> Callable[[JudgedQuestion], bool | None]:
    return lambda row: None if row.question.must_refuse or row.refused else read(row)


_ALL = (
    *(Measure(f"page_recall_{k}", f"right page among the first {k}", _page_within(k)) for k in (1, 5, 10)),
    *(Measure(f"section_recall_{k}", f"right section among the first {k}", _section_within(k)) for k in (1, 5, 10)),
    Measure(
        "context_recall",
        "right section among those the model read",
        lambda row: None if row.question.must_refuse else row.context_recalled,
    ),
    Measure("page_cited", "right page cited", _when_answered(lambda row: row.page_cited)),
    Measure("section_cited", "right section cited", _when_answered(lambda row: row.section_cited)),
    Measure("section_first", "right section cited first", _when_answered(lambda row: row.section_first)),
    Measure(
        "false_refusals", "wrongly refused", lambda row: None if row.question.must_refuse else row.refused, good=False
    ),
    Measure("refused", "rightly refused", lambda row: row.refused if row.question.must_refuse else None),
    Measure("useful", "graded useful (2 or 3)", lambda row: row.grade.is_useful if row.grade else None),
    Measure("good", "graded good (3)", lambda row: row.grade.is_good if row.grade else None),
    Measure("leaks", "leaks of another version or language", lambda row: bool(row.leaks), good=False),
)

_SELECTION = (
    Measure("false_negative_rate", "passages that answer, refused", _of_passages(answerable=True), good=False),
    Measure("false_positive_rate", "passages that do not, answered", _of_passages(answerable=False), good=False),
)

MEASURES = {
    **{measure.name: replace(measure, outcome=_of_docs(measure.outcome)) for measure in _ALL},
    **{measure.name: measure for measure in _SELECTION},
}
"""All measures by name.

Page and section recall measure search, over every question with an answer. Citation measures count answered questions.
Context recall counts questions with an answer that a language model was asked for, refused ones too. Grade measures
count every graded question with an answer, and a refusal is not useful. Questions about passages count for the last two
measures alone (METRIC-1).
"""
