"""The bodies of requests: checked by these types while they are decoded."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from pincite_server.model import Mode

__all__ = (
    "ChatRequest",
    "FeedbackRequest",
    "ResolveRequest",
    "ScopeRequest",
    "SelectedTextRequest",
    "SelectionRequest",
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
