"""Optional log of questions and votes: one JSON line each, without reader, session or address."""

import datetime
import logging
from pathlib import Path
from typing import Literal

import msgspec

from pincite_server.answering.outcome import Outcome
from pincite_server.question.question import MAX_QUERY, Question
from pincite_server.reply.records import Mode, Refusal

__all__ = ("LoggedQuestion", "LoggedSection", "LoggedVote", "QuestionLog", "Vote", "VoteReason")

Vote = Literal["up", "down"]
VoteReason = Literal["wrong", "incomplete", "misunderstood", "in_docs"]
"""Why a reply did not help. `in_docs` is for a refusal although the docs hold the answer."""

logger = logging.getLogger("pincite")

_OWNER_ONLY = 0o600  # file mode, because people paste secrets into questions


class LoggedSection(msgspec.Struct, frozen=True):
    """A section that an answer cites, or that is nearest to a refused question."""

    stable_id: str
    heading_path: tuple[str, ...]
    url: str | None


class LoggedQuestion(msgspec.Struct, frozen=True):
    """The log line of a question. `code` is a refusal's code; `sections` are the cited or the nearest sections."""

    at: datetime.datetime
    question: str
    answered: bool
    code: str | None
    mode: Mode
    locale: str
    version: str | None
    page: str | None
    evidence: float
    passed: bool | None
    sections: tuple[LoggedSection, ...]
    index_id: str
    message_id: str = ""


class LoggedVote(msgspec.Struct, frozen=True):
    """The log line of a vote on the reply to a message. A later line for the same message replaces it."""

    at: datetime.datetime
    message_id: str
    vote: Vote
    reason: VoteReason | None = None
    comment: str | None = None


class QuestionLog:
    """Appends to a file that is opened for each line, so that it can be rotated at any time."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def write(self, question: Question, outcome: Outcome) -> None:
        """Append a question. If the file cannot be written, log a warning; the answer is not affected."""
        reply = outcome.reply
        if isinstance(reply, Refusal):
            code, sections = reply.code, reply.nearest
        else:
            code, sections = None, tuple(citation for citation in reply.citations if citation.used)
        row = LoggedQuestion(
            at=datetime.datetime.now(datetime.UTC),
            question=question.query[:MAX_QUERY],
            answered=code is None,
            code=code,
            mode=reply.mode,
            locale=reply.scope.locale,
            version=reply.scope.version,
            page=question.page_url,
            evidence=reply.evidence,
            passed=outcome.checked.passed if outcome.checked else None,
            sections=tuple(LoggedSection(one.stable_id, one.heading_path, one.url) for one in sections),
            index_id=reply.index_id,
            message_id=question.message_id,
        )
        self._append(row)

    def write_vote(self, message_id: str, vote: Vote, reason: VoteReason | None, comment: str | None) -> None:
        """Append a vote, with the same error handling as `write`."""
        self._append(LoggedVote(datetime.datetime.now(datetime.UTC), message_id, vote, reason, comment or None))

    def _append(self, row: LoggedQuestion | LoggedVote) -> None:
        try:
            self._file.touch(_OWNER_ONLY)
            with self._file.open("ab") as stream:
                stream.write(msgspec.json.encode(row) + b"\n")
        except OSError as error:
            kind = "vote" if isinstance(row, LoggedVote) else "question"
            logger.warning("A %s could not be written to %s (%s). Check the file.", kind, self._file, error.strerror)
