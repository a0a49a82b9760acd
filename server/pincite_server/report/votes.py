"""Summarises readers' votes: counts, reasons, and the replies that did not help."""

import datetime
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pincite_server.observe.question_log import LoggedQuestion, LoggedVote, Vote, VoteReason

__all__ = ("REASONS", "VoteReport", "VotedReply", "build_votes")

REASONS: dict[VoteReason, str] = {
    "wrong": "it is wrong",
    "incomplete": "something is missing",
    "misunderstood": "not what was asked",
    "in_docs": "the docs do say it",
}


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
    """Summary of the last vote on each reply.

    Attributes:
        up: The number of helpful replies.
        down: The number of unhelpful replies.
        reasons: The reasons of unhelpful votes with their counts, most frequent first.
        listed: The unhelpful or commented replies, newest first.
    """

    up: int = 0
    down: int = 0
    reasons: tuple[tuple[VoteReason, int], ...] = ()
    listed: tuple[VotedReply, ...] = ()


def build_votes(votes: Iterable[LoggedVote], questions: Iterable[LoggedQuestion]) -> VoteReport:
    """Return the summary of votes on the replies to some questions."""
    last = {vote.message_id: vote for vote in sorted(votes, key=lambda vote: vote.at)}
    asked = {question.message_id: question for question in questions}
    counts = Counter(vote.vote for vote in last.values())
    reasons = Counter(vote.reason for vote in last.values() if vote.reason and vote.vote == "down")
    listed = [_voted(vote, asked.get(vote.message_id)) for vote in last.values() if vote.vote == "down" or vote.comment]
    return VoteReport(counts["up"], counts["down"], tuple(reasons.most_common()), tuple(reversed(listed)))


def _voted(vote: LoggedVote, question: LoggedQuestion | None) -> VotedReply:
    return VotedReply(
        date=vote.at.date(),
        vote=vote.vote,
        reason=vote.reason,
        comment=vote.comment or "",
        question=question.question if question else "",
        answered=question.answered if question else False,
    )
