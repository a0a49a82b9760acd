"""Groups the unanswered questions of a log by their nearest section."""

import datetime
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.search.terms import content_terms
from pincite_server.observe.question_log import LoggedQuestion, LoggedSection
from pincite_server.reply.records import RefusalCode
from pincite_server.report.logs import Logged
from pincite_server.report.votes import VoteReport, build_votes

__all__ = ("AskedQuestion", "Day", "QuestionReport", "SectionGap", "build_report")

_UNANSWERED: frozenset[RefusalCode] = frozenset({"no_evidence", "not_in_selection", "empty_index"})
"""Refusals because the docs lack the answer. Other refusals are for requests that no docs page could answer."""

_NOWHERE = LoggedSection("", (), None)


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question in its most frequent wording, with its count, its last date and its highest `evidence`."""

    text: str
    count: int
    last: datetime.date
    evidence: float


@dataclass(frozen=True, slots=True)
class SectionGap:
    """A section with the unanswered questions nearest to it, most frequent first."""

    section: LoggedSection
    questions: tuple[AskedQuestion, ...]

    @property
    def count(self) -> int:
        """The number of unanswered questions, repetitions included."""
        return sum(question.count for question in self.questions)


@dataclass(frozen=True, slots=True)
class Day:
    """The numbers of questions of one day (UTC)."""

    date: datetime.date
    answered: int
    unanswered: int
    declined: int


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """The data of a report. `days` are consecutive; `gaps` are most frequent first; `unreadable` counts log lines."""

    days: tuple[Day, ...]
    gaps: tuple[SectionGap, ...]
    votes: VoteReport
    unreadable: int = 0

    @property
    def answered(self) -> int:
        """Number of questions with an answer."""
        return sum(day.answered for day in self.days)

    @property
    def unanswered(self) -> int:
        """Number of questions that the docs do not answer."""
        return sum(day.unanswered for day in self.days)

    @property
    def declined(self) -> int:
        """Number of questions beyond any docs: out of scope, or a request to write code or to know the present."""
        return sum(day.declined for day in self.days)

    @property
    def total(self) -> int:
        """Number of all questions."""
        return self.answered + self.unanswered + self.declined


def build_report(logged: Logged) -> QuestionReport:
    """Return the report of a log."""
    kept = logged.questions
    groups: dict[LoggedSection, list[LoggedQuestion]] = {}
    for row in filter(_is_unanswered, kept):
        groups.setdefault(row.sections[0] if row.sections else _NOWHERE, []).append(row)
    gaps = [SectionGap(section, _merged(asked)) for section, asked in groups.items()]
    gaps.sort(key=lambda gap: (-gap.count, gap.section == _NOWHERE, gap.section.heading_path))
    return QuestionReport(_days(kept), tuple(gaps), build_votes(logged.votes, kept), logged.unreadable)


def _is_unanswered(row: LoggedQuestion) -> bool:
    return row.code in _UNANSWERED


def _merged(rows: Sequence[LoggedQuestion]) -> tuple[AskedQuestion, ...]:
    """Return the questions, most frequent first; questions with the same words are merged."""
    same: dict[frozenset[str] | str, list[LoggedQuestion]] = {}
    for row in rows:
        same.setdefault(frozenset(content_terms(row.question)) or row.question, []).append(row)
    merged = [
        AskedQuestion(
            text=Counter(row.question for row in alike).most_common(1)[0][0],
            count=len(alike),
            last=max(row.at for row in alike).date(),
            evidence=max(row.evidence for row in alike),
        )
        for alike in same.values()
    ]
    return tuple(sorted(merged, key=lambda question: (-question.count, -question.evidence, question.text)))


def _days(rows: Sequence[LoggedQuestion]) -> tuple[Day, ...]:
    if not rows:
        return ()
    counts: dict[datetime.date, Counter[str]] = {}
    for row in rows:
        kind = "answered" if row.answered else "unanswered" if _is_unanswered(row) else "declined"
        counts.setdefault(row.at.date(), Counter())[kind] += 1
    first, last = min(counts), max(counts)
    dates = (first + datetime.timedelta(days=number) for number in range((last - first).days + 1))
    found = ((date, counts.get(date, Counter())) for date in dates)
    return tuple(Day(date, day["answered"], day["unanswered"], day["declined"]) for date, day in found)
