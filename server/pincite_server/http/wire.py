"""What HTTP alone has: requests, events, and the replies of the routes beside the chat; one struct a JSON object.

What each field means is told in docs/http-api.md. Unknown fields of requests are ignored. Answers and refusals are in
`pincite_server.reply.records`.
"""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from pincite_server.reply.records import Citation, Mode, SearchHit, ShownClaim, ValidationInfo

__all__ = (
    "AnswerDelta",
    "AnswerEnd",
    "ChatRequest",
    "FeedbackRequest",
    "PageQuestions",
    "ProblemObject",
    "ResolveRequest",
    "ResolvedId",
    "ScopeRequest",
    "SearchReply",
    "SelectedTextReply",
    "SelectedTextRequest",
    "SelectedTextScores",
    "SelectedTextSource",
    "SelectionRequest",
    "Sources",
    "StreamError",
    "TurnRequest",
)

# Longer than any real one, short enough that a log line or a lookup with it stays small.
Url = Annotated[str, Meta(max_length=4096)]
Name = Annotated[str, Meta(max_length=256)]
Text = Annotated[str, Meta(min_length=1, pattern=r"\S")]
StableIds = Annotated[
    list[Annotated[str, Meta(max_length=1024)]], Meta(max_length=200)
]  # 20 kept questions of five citations each, twice over

# The schema only says it: whatever does not fit the model has one problem, which names the model.
Embedding = Annotated[
    list[float],
    Meta(
        extra_json_schema={
            "description": "As many numbers as the index's model gives; any other count is `invalid_embedding`.",
            "extra": {"min_items": 1},
        }
    ),
]


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
    embedding: Embedding | None = None
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


class AnswerDelta(Struct, frozen=True):
    """The event `answer_delta`: the next piece of Markdown."""

    text: str


class Sources(Struct, frozen=True):
    """The event `sources`."""

    citations: tuple[Citation, ...]


class AnswerEnd(Struct, frozen=True, kw_only=True):
    """The event `answer_end`: the fields of an answer that are known at its end."""

    message_id: str
    claims: tuple[ShownClaim, ...]
    confidence_score: float
    evidence: float
    validation: ValidationInfo = field(name="validation_info")
    learning_suggestions: tuple[str, ...]
    timings_ms: dict[str, float]


class StreamError(Struct, frozen=True):
    """The event `error`: the stream ends here."""

    code: str
    message: str


class SelectedTextSource(Struct, frozen=True, omit_defaults=True):
    """The passage itself as a source; `url` only when it was found on the page it names."""

    type: Literal["selected_text"]
    excerpt: str
    url: str | None = None


class SelectedTextScores(Struct, frozen=True):
    """The checks on one answer (ADR-003): how like the passage it is, whether it passed, and how long that took."""

    response_similarity_score: float
    keyword_overlap_ratio: float
    validation_passed: bool
    latency_validation_ms: float


class SelectedTextReply(Struct, frozen=True):
    """The reply of `POST /query-selected-text`."""

    response: str
    in_selected_text: bool
    sources: tuple[SelectedTextSource, ...]
    session_id: str
    truncation_warning: str | None
    reasons: tuple[str, ...]
    related: tuple[Citation, ...]
    provenance: Literal["proved", "unproved"]
    validation: SelectedTextScores | None


class SearchReply(Struct, frozen=True):
    """The reply of `GET /api/search`."""

    index_id: str
    results: tuple[SearchHit, ...]
    ms: float


class PageQuestions(Struct, frozen=True):
    """The reply of `GET /api/questions`."""

    index_id: str
    questions: tuple[str, ...]


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
    nearest: SearchHit | None = None
