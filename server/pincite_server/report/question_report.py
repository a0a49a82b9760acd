"""Reads logs of questions and votes. Groups unanswered questions by their nearest section, and summarises the votes."""

import datetime
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from pincite_core.errors import InputError
from pincite_core.search.terms import content_terms
from pincite_server.observe.question_log import LoggedQuestion, LoggedSection, LoggedVote, Vote, VoteReason
from pincite_server.reply.records import RefusalCode

__all__ = (
    "REASONS",
    "AskedQuestion",
    "Day",
    "Logged",
    "QuestionReport",
    "SectionGap",
    "VoteReport",
    "VotedReply",
    "build_report",
    "read_log",
)

REASONS: dict[VoteReason, str] = {
    "wrong": "it is wrong",
    "incomplete": "something is missing",
    "misunderstood": "not what was asked",
    "in_docs": "the docs do say it",
}

_UNANSWERED: frozenset[RefusalCode] = frozenset({"no_evidence", "not_in_selection", "empty_index"})
"""Refusals because the docs lack the answer. Other refusals are for requests that no docs page could answer."""

_NO_SECTION = LoggedSection("", (), None)


@dataclass(frozen=True, slots=True)
class Logged:
    """The rows of some logs, in order. `unreadable` counts invalid lines, such as one cut off by a killed process."""

    questions: list[LoggedQuestion] = field(default_factory=list)
    votes: list[LoggedVote] = field(default_factory=list)
    unreadable: int = 0


def read_log(files: Sequence[Path]) -> Logged:
    """Return the questions and votes of some logs.

    Raises:
        InputError: A file cannot be read.
    """
    questions: list[LoggedQuestion] = []
    votes: list[LoggedVote] = []
    unreadable = 0
    for file in files:
        try:
            lines = file.read_bytes().splitlines()
        except OSError as error:
            message = f"{file} cannot be read ({error.strerror}). Name a file of `pincite serve --log-questions`."
            raise InputError(message) from error
        for line in filter(None, lines):
            try:
                fields = msgspec.json.decode(line, type=dict[str, object])
                if "vote" in fields:  # only votes have this field
                    votes.append(msgspec.convert(fields, LoggedVote))
                else:
                    questions.append(msgspec.convert(fields, LoggedQuestion))
            except msgspec.MsgspecError:
                unreadable += 1
    return Logged(questions, votes, unreadable)


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
class VotedReply:
    """A reply that did not help or has a comment; `question` is "" if the logs do not contain it."""

    date: datetime.date
    vote: Vote
    reason: VoteReason | None
    comment: str
    question: str
    answered: bool


@dataclass(frozen=True, slots=True)
class VoteReport:
    """Summary of the last vote on each reply: counts of helpful and unhelpful replies.

    `reasons` for unhelpful votes have their counts, most frequent first. `listed` has the unhelpful or commented
    replies, newest first.
    """

    up: int = 0
    down: int = 0
    reasons: tuple[tuple[VoteReason, int], ...] = ()
    listed: tuple[VotedReply, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionReport:
    """The data of a report. `days` are consecutive; `gaps` are most frequent first; `unreadable` counts log lines.

    The docs do not answer `unanswered` questions. `declined` questions are beyond any docs: out of scope, or a request
    to write code or to know the present.
    """

    days: tuple[Day, ...]
    gaps: tuple[SectionGap, ...]
    votes: VoteReport
    answered: int
    unanswered: int
    declined: int
    unreadable: int

    @property
    def total(self) -> int:
        """Number of all questions."""
        return self.answered + self.unanswered + self.declined


def build_report(logged: Logged) -> QuestionReport:
    """Return the report of a log."""
    groups: dict[LoggedSection, list[LoggedQuestion]] = {}
    for row in logged.questions:
        if row.code in _UNANSWERED:
            groups.setdefault(row.sections[0] if row.sections else _NO_SECTION, []).append(row)
    gaps = [SectionGap(section, _merged(rows)) for section, rows in groups.items()]
    gaps.sort(key=lambda gap: (-gap.count, gap.section == _NO_SECTION, gap.section.heading_path))
    days, votes = _days(logged.questions), _vote_report(logged.votes, logged.questions)
    return QuestionReport(
        days,
        tuple(gaps),
        votes,
        answered=sum(day.answered for day in days),
        unanswered=sum(day.unanswered for day in days),
        declined=sum(day.declined for day in days),
        unreadable=logged.unreadable,
    )


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
        kind = "answered" if row.answered else "unanswered" if row.code in _UNANSWERED else "declined"
        counts.setdefault(row.at.date(), Counter())[kind] += 1
    first, last = min(counts), max(counts)
    dates = (first + datetime.timedelta(days=number) for number in range((last - first).days + 1))
    found = ((date, counts.get(date, Counter())) for date in dates)
    return tuple(Day(date, day["answered"], day["unanswered"], day["declined"]) for date, day in found)


def _vote_report(votes: Iterable[LoggedVote], questions: Iterable[LoggedQuestion]) -> VoteReport:
    last = {vote.message_id: vote for vote in sorted(votes, key=lambda vote: vote.at)}
    asked = {question.message_id: question for question in questions}
    counts = Counter(vote.vote for vote in last.values())
    reasons = Counter(vote.reason for vote in last.values() if vote.reason and vote.vote == "down")
    listed = []
    for vote in last.values():
        if vote.vote == "down" or vote.comment:
            question = asked.get(vote.message_id)
            text, answered = (question.question, question.answered) if question else ("", False)
            listed.append(VotedReply(vote.at.date(), vote.vote, vote.reason, vote.comment or "", text, answered))
    return VoteReport(counts["up"], counts["down"], tuple(reasons.most_common()), tuple(reversed(listed)))
