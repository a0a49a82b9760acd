"""The requests, events and replies that only HTTP uses, one struct for each JSON object.

docs/http-api.md describes each field. Unknown fields of requests are ignored. Answers and refusals are in
`pincite_server.reply.records`, errors in `pincite_server.http.transport.problems`.
"""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from litestar.openapi.spec import Example
from msgspec import Meta, Struct, field

from pincite_server.observe.question_log import Vote, VoteReason
from pincite_server.reply.records import Citation, Mode, SearchHit, ShownClaim, ValidationInfo

__all__ = (
    "CHAT_EXAMPLE",
    "FEEDBACK_EXAMPLE",
    "RESOLVE_EXAMPLE",
    "SELECTED_TEXT_EXAMPLE",
    "AnswerDelta",
    "AnswerEnd",
    "ChatRequest",
    "FeedbackReply",
    "FeedbackRequest",
    "PageQuestions",
    "ResolveRequest",
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

# Longer than any real value, and short enough for a log line or a lookup. The schema loses the limits of a type that
# may be None, so they are repeated.
_URL, _NAME = Meta(max_length=4096), Meta(max_length=256)
OptionalUrl = Annotated[Annotated[str, _URL] | None, Meta(extra_json_schema={"extra": {"max_length": 4096}})]
OptionalName = Annotated[Annotated[str, _NAME] | None, Meta(extra_json_schema={"extra": {"max_length": 256}})]
# Enough for a small input field; nobody reads a longer comment in a report.
_COMMENT = 1000
OptionalComment = Annotated[
    Annotated[str, Meta(max_length=_COMMENT)] | None, Meta(extra_json_schema={"extra": {"max_length": _COMMENT}})
]
# Longer text than the pipeline reads is accepted; it is truncated, with a notice.
_MOST_TEXT = 200_000  # characters; a page of an API reference, selected as a whole
Text = Annotated[str, Meta(min_length=1, max_length=_MOST_TEXT, pattern=r"\S")]
OptionalText = Annotated[str, Meta(max_length=_MOST_TEXT)]
StableIds = Annotated[
    list[Annotated[str, Meta(max_length=1024)]],
    Meta(max_length=200, extra_json_schema={"description": "Each has at most 1,024 characters."}),
]  # 20 stored questions with five citations each, twice over

# The schema alone states this minimum: an embedding of any wrong length gets one problem that names the model.
_NUMBERS = "As many numbers as the model of the index has dimensions; any other count is `invalid_embedding`."
Embedding = Annotated[list[float], Meta(extra_json_schema={"description": _NUMBERS, "extra": {"min_items": 1}})]
_ROWS = "One row for each content token; any other shape is `invalid_embedding`."
EmbeddingTokens = Annotated[list[list[float]], Meta(extra_json_schema={"description": _ROWS})]


class SelectionRequest(Struct, frozen=True):
    """A passage that the reader highlighted."""

    text: Text
    page_url: OptionalUrl = None
    captured_at: datetime | None = None


class ScopeRequest(Struct, frozen=True):
    """The version and language of the reader's page, or the language that the reader has chosen."""

    version: OptionalName = None
    locale: OptionalName = None
    locale_chosen: bool = False


class TurnRequest(Struct, frozen=True):
    """An earlier question and the answer that the reader still sees."""

    query: OptionalText
    answer: OptionalText


class ChatRequest(Struct, frozen=True):
    """The body of `POST /api/chat`."""

    message_id: UUID
    query: OptionalText = ""  # required without an `embedding`
    session_id: OptionalName = None
    mode: Mode = "corpus"
    selection: SelectionRequest | None = None
    scope: ScopeRequest | None = None
    page_url: OptionalUrl = None
    build_id: OptionalName = None
    turns: Annotated[list[TurnRequest], Meta(max_length=100)] = []
    embedding: Embedding | None = None
    embedding_tokens: EmbeddingTokens = []
    embedding_model: OptionalName = None


class SelectedTextRequest(Struct, frozen=True):
    """The body of `POST /query-selected-text`."""

    query: Text
    selected_text: Text
    session_id: OptionalName = None
    page_url: OptionalUrl = None


class ResolveRequest(Struct, frozen=True):
    """The body of `POST /api/resolve`."""

    ids: StableIds
    version: OptionalName = None
    locale: OptionalName = None


class FeedbackRequest(Struct, frozen=True):
    """The body of `POST /api/feedback`."""

    message_id: UUID
    vote: Vote
    reason: VoteReason | None = None
    comment: OptionalComment = None


class FeedbackReply(Struct, frozen=True):
    """The reply of `POST /api/feedback`; `comments_kept` tells whether comments are stored."""

    comments_kept: bool


class AnswerDelta(Struct, frozen=True):
    """The event `answer_delta`: the next piece of Markdown."""

    text: str


class Sources(Struct, frozen=True):
    """The event `sources`: the citations of an answer."""

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
    """The event `error`, which ends the stream."""

    code: str
    message: str


class SelectedTextSource(Struct, frozen=True, omit_defaults=True):
    """The passage as a source; `url` is set only if the passage was found on its page."""

    type: Literal["selected_text"]
    excerpt: str
    url: str | None = None


class SelectedTextScores(Struct, frozen=True):
    """The validation of an answer (METRIC-1): similarity to the passage, result and duration in milliseconds."""

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


_MESSAGE_ID = "7f1d3a52-9be0-4ce9-8a4e-1f1f1b1b1b1b"
_PASSAGE = "Run the image with docker run lantern. The image listens on port 8080."

CHAT_EXAMPLE = Example(
    summary="A question from a page",
    value={
        "message_id": _MESSAGE_ID,
        "session_id": "0e4c2a9e-6f0b-4c52-9a3c-5d9d3a1f6b11",
        "query": "Which port does the image listen on?",
        "mode": "corpus",
        "scope": {"version": "2.0", "locale": "en"},
        "page_url": "/kit/install",
    },
)
SELECTED_TEXT_EXAMPLE = Example(
    summary="A question about a passage",
    value={"query": "Which port?", "selected_text": _PASSAGE, "page_url": "/kit/install"},
)
RESOLVE_EXAMPLE = Example(summary="IDs of an old conversation", value={"ids": ["default/install#docker"]})
FEEDBACK_EXAMPLE = Example(summary="A good answer", value={"message_id": _MESSAGE_ID, "vote": "up"})
