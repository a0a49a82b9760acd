"""The HTTP contract's fields, one struct a JSON object. What each means is told in docs/http-api.md.

Requests are checked by these types while they are decoded; unknown fields are ignored. Replies are written in the
order of the fields.
"""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from pincite_server.model import CitationSource, Mode, RefusalCode

__all__ = (
    "AnswerDelta",
    "AnswerEnd",
    "AnswerObject",
    "AnswerStart",
    "ChatRequest",
    "CitationObject",
    "FeedbackRequest",
    "LandingObject",
    "NoticeObject",
    "ProblemObject",
    "RefusalObject",
    "ResolveRequest",
    "ResolvedId",
    "ScopeObject",
    "ScopeRequest",
    "SearchReply",
    "SearchResult",
    "SelectedTextReply",
    "SelectedTextRequest",
    "SelectedTextSource",
    "SelectionRequest",
    "Sources",
    "StreamError",
    "TurnRequest",
    "ValidationObject",
)

# Longer than any real one, short enough that a log line or a lookup with it stays small.
Url = Annotated[str, Meta(max_length=4096)]
Name = Annotated[str, Meta(max_length=256)]
Text = Annotated[str, Meta(min_length=1, pattern=r"\S")]
StableIds = Annotated[
    list[Annotated[str, Meta(max_length=1024)]], Meta(max_length=200)
]  # 20 kept questions of five citations each, twice over


# -- requests -------------------------------------------------------------------------------------------------------


class SelectionRequest(Struct, frozen=True):
    """A passage the reader highlighted."""

    text: Text
    page_url: Url | None = None
    captured_at: datetime | None = None


class ScopeRequest(Struct, frozen=True):
    """What the reader's page says of its version and language."""

    version: Name | None = None
    locale: Name | None = None


class TurnRequest(Struct, frozen=True):
    """An earlier question and the answer that the reader still sees."""

    query: str
    answer: str


class ChatRequest(Struct, frozen=True):
    """The body of `POST /api/chat`."""

    message_id: UUID
    query: Text
    session_id: Name | None = None
    mode: Mode = "corpus"
    selection: SelectionRequest | None = None
    scope: ScopeRequest | None = None
    page_url: Url | None = None
    build_id: Name | None = None
    turns: list[TurnRequest] = []
    embedding: list[float] | None = None
    embedding_model: Name | None = None


class SelectedTextRequest(Struct, frozen=True):
    """The body of `POST /query-selected-text`."""

    query: Text
    selected_text: Text
    session_id: Name | None = None
    page_url: Url | None = None


class ResolveRequest(Struct, frozen=True):
    """The body of `POST /api/resolve`."""

    ids: StableIds
    version: Name | None = None
    locale: Name | None = None


class FeedbackRequest(Struct, frozen=True):
    """The body of `POST /api/feedback`."""

    message_id: UUID
    vote: Literal["up", "down"]


# -- parts of replies -----------------------------------------------------------------------------------------------


class ScopeObject(Struct, frozen=True):
    """The filter that the answer obeyed."""

    locale: str
    version: str | None
    version_label: str | None
    plugin_id: str | None


class NoticeObject(Struct, frozen=True):
    """Something the reader should know of how the question was treated."""

    code: str
    message: str


class LandingObject(Struct, frozen=True):
    """A tab or details element to open before a citation's target can be seen."""

    kind: Literal["tab", "details"]
    label: str


class CitationObject(Struct, frozen=True):
    """A place in the site; `n` is null for a section that only qualifies."""

    n: int | None
    used: bool
    stable_id: str
    title: str
    heading_path: tuple[str, ...]
    section: str
    page: str
    url: str | None
    anchor: str | None
    chunk_id: int | None
    source_type: CitationSource
    excerpt: str
    verified: bool
    landing: tuple[LandingObject, ...]


class ValidationObject(Struct, frozen=True):
    """The guards' verdict."""

    passed: bool
    reasons: tuple[str, ...]
    used_fallback: bool
    confidence_score: float
    context_docs_count: int


# -- the answer object and the events that carry it in parts ----------------------------------------------------------


class AnswerObject(Struct, frozen=True, kw_only=True):
    """A cited answer as one JSON object."""

    type: Literal["answer"] = "answer"
    message_id: str
    session_id: str
    index_id: str
    built_at: str | None
    mode: Mode
    composer: Literal["extractive", "llm"]
    scope: ScopeObject
    notices: tuple[NoticeObject, ...]
    answer: str
    citations: tuple[CitationObject, ...]
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
    composer: Literal["extractive", "llm"]
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
    confidence_score: float
    evidence: float
    validation_info: ValidationObject
    learning_suggestions: tuple[str, ...]
    timings_ms: dict[str, float]


class StreamError(Struct, frozen=True):
    """The event `error`: the stream ends here."""

    code: str
    message: str


# -- other replies --------------------------------------------------------------------------------------------------


class SelectedTextSource(Struct, frozen=True, omit_defaults=True):
    """The passage itself as a source; `url` only when it was found on the page it names."""

    type: Literal["selected_text"]
    excerpt: str
    url: str | None = None


class SelectedTextReply(Struct, frozen=True):
    """The reply of `POST /query-selected-text`."""

    response: str
    in_selected_text: bool
    sources: tuple[SelectedTextSource, ...]
    session_id: str
    truncation_warning: str | None
    reasons: tuple[str, ...]
    related: tuple[CitationObject, ...]
    provenance: Literal["proved", "unproved"]


class SearchResult(Struct, frozen=True):
    """One ranked target."""

    url: str
    anchor: str | None
    stable_id: str
    title: str
    heading_path: tuple[str, ...]
    score: float
    snippet: str


class SearchReply(Struct, frozen=True):
    """The reply of `GET /api/search`."""

    index_id: str
    results: tuple[SearchResult, ...]
    ms: float


class ProblemObject(Struct, frozen=True):
    """An error (RFC 9457); `code` does not change, `detail` is a sentence."""

    status: int
    type: str
    title: str
    detail: str
    code: str


class ResolvedId(Struct, frozen=True, omit_defaults=True):
    """What became of a stable ID; `nearest` only for a lost one."""

    url: str | None
    title: str | None
    status: Literal["current", "moved", "lost"]
    nearest: SearchResult | None = None
