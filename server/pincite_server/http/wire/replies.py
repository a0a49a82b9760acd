"""The replies of the routes beside the chat, and of errors."""

from typing import Literal

from msgspec import Struct

from pincite_server.http.wire.parts import CitationObject

__all__ = (
    "PageQuestions",
    "ProblemObject",
    "ResolvedId",
    "SearchReply",
    "SearchResult",
    "SelectedTextReply",
    "SelectedTextScores",
    "SelectedTextSource",
)


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
    related: tuple[CitationObject, ...]
    provenance: Literal["proved", "unproved"]
    validation: SelectedTextScores | None


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
    nearest: SearchResult | None = None
