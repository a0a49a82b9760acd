"""The questions, when the operator asks for them: one JSON line each, with no reader, session or address."""

import datetime
import logging
from pathlib import Path

import msgspec

from pincite_server.answering.outcome import Outcome
from pincite_server.answering.question import MAX_QUERY, Question
from pincite_server.reply.records import Answer, Citation, Mode, Refusal

__all__ = ("LoggedQuestion", "LoggedSection", "QuestionLog")

logger = logging.getLogger("pincite")

_OWNER_ONLY = 0o600  # people paste secrets into questions


class LoggedSection(msgspec.Struct, frozen=True):
    """A section that an answer cites, or that is nearest to what was not answered."""

    stable_id: str
    heading_path: tuple[str, ...]
    url: str | None


class LoggedQuestion(msgspec.Struct, frozen=True):
    """One line. `code` is a refusal's; `sections` are those cited, or the nearest ones."""

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


class QuestionLog:
    """Appends to a file, which is opened for each line, so that it can be rotated at any time."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def write(self, question: Question, outcome: Outcome) -> None:
        """Append a question; a file that cannot be written costs a line in the server's log, never an answer."""
        line = msgspec.json.encode(_row(question, outcome)) + b"\n"
        try:
            self._file.touch(_OWNER_ONLY)
            with self._file.open("ab") as stream:
                stream.write(line)
        except OSError as error:
            logger.warning("A question could not be written to %s (%s). Check the file.", self._file, error.strerror)


def _row(question: Question, outcome: Outcome) -> LoggedQuestion:
    reply = outcome.reply
    refusal = reply if isinstance(reply, Refusal) else None
    return LoggedQuestion(
        at=datetime.datetime.now(datetime.UTC),
        question=question.query[:MAX_QUERY],
        answered=refusal is None,
        code=refusal.code if refusal else None,
        mode=reply.mode,
        locale=reply.scope.locale,
        version=reply.scope.version,
        page=question.page_url,
        evidence=reply.evidence,
        passed=outcome.checked.passed if outcome.checked else None,
        sections=tuple(map(_section, _sections(reply))),
        index_id=reply.index_id,
    )


def _sections(reply: Answer | Refusal) -> tuple[Citation, ...]:
    if isinstance(reply, Refusal):
        return reply.nearest
    return tuple(citation for citation in reply.citations if citation.used)


def _section(citation: Citation) -> LoggedSection:
    return LoggedSection(citation.stable_id, citation.heading_path, citation.url)
