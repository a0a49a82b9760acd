"""The answer object, the events that carry it in parts, and the refusal."""

from typing import Literal

from msgspec import Struct

from pincite_server.http.wire.parts import CitationObject, ClaimObject, NoticeObject, ScopeObject, ValidationObject
from pincite_server.model import Composer, Mode, RefusalCode

__all__ = (
    "AnswerDelta",
    "AnswerEnd",
    "AnswerObject",
    "AnswerStart",
    "RefusalObject",
    "Sources",
    "StreamError",
)


class AnswerObject(Struct, frozen=True, kw_only=True):
    """A cited answer as one JSON object."""

    type: Literal["answer"] = "answer"
    message_id: str
    session_id: str
    index_id: str
    built_at: str | None
    mode: Mode
    composer: Composer
    scope: ScopeObject
    notices: tuple[NoticeObject, ...]
    answer: str
    citations: tuple[CitationObject, ...]
    claims: tuple[ClaimObject, ...]
    confidence_score: float
    evidence: float
    validation_info: ValidationObject
    learning_suggestions: tuple[str, ...]
    timings_ms: dict[str, float]


class RefusalObject(Struct, frozen=True, kw_only=True):
    """The docs do not hold the answer."""

    type: Literal["refusal"] = "refusal"
    message_id: str
    session_id: str
    index_id: str
    built_at: str | None
    mode: Mode
    scope: ScopeObject
    notices: tuple[NoticeObject, ...]
    code: RefusalCode
    message: str
    suggestions: tuple[str, ...]
    nearest: tuple[CitationObject, ...]
    evidence: float
    learning_suggestions: tuple[str, ...]
    timings_ms: dict[str, float]


class AnswerStart(Struct, frozen=True, kw_only=True):
    """The event `answer_start`: what is known before the first word."""

    type: Literal["answer"] = "answer"
    message_id: str
    session_id: str
    index_id: str
    built_at: str | None
    mode: Mode
    composer: Composer
    scope: ScopeObject
    notices: tuple[NoticeObject, ...]


class AnswerDelta(Struct, frozen=True):
    """The event `answer_delta`: the next piece of Markdown."""

    text: str


class Sources(Struct, frozen=True):
    """The event `sources`."""

    citations: tuple[CitationObject, ...]


class AnswerEnd(Struct, frozen=True):
    """The event `answer_end`."""

    message_id: str
    claims: tuple[ClaimObject, ...]
    confidence_score: float
    evidence: float
    validation_info: ValidationObject
    learning_suggestions: tuple[str, ...]
    timings_ms: dict[str, float]


class StreamError(Struct, frozen=True):
    """The event `error`: the stream ends here."""

    code: str
    message: str
