"""The HTTP contract's fields, one struct a JSON object. What each means is told in docs/http-api.md.

Unknown fields of requests are ignored. Replies are written in the order of the fields.
"""

from pincite_server.http.wire.answers import (
    AnswerDelta,
    AnswerEnd,
    AnswerObject,
    AnswerStart,
    RefusalObject,
    Sources,
    StreamError,
)
from pincite_server.http.wire.parts import (
    CitationObject,
    LandingObject,
    NoticeObject,
    ScopeObject,
    ValidationObject,
)
from pincite_server.http.wire.replies import (
    PageQuestions,
    ProblemObject,
    ResolvedId,
    SearchReply,
    SearchResult,
    SelectedTextReply,
    SelectedTextScores,
    SelectedTextSource,
)
from pincite_server.http.wire.requests import (
    ChatRequest,
    FeedbackRequest,
    ResolveRequest,
    ScopeRequest,
    SelectedTextRequest,
    SelectionRequest,
    TurnRequest,
)

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
    "PageQuestions",
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
    "SelectedTextScores",
    "SelectedTextSource",
    "SelectionRequest",
    "Sources",
    "StreamError",
    "TurnRequest",
    "ValidationObject",
)
