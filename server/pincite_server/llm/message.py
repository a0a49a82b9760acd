"""What goes to a language model, and what comes back."""

from typing import Literal, TypedDict

import msgspec

__all__ = ("Message", "Piece", "Usage")


class Message(TypedDict):
    """One message of a request."""

    role: Literal["system", "user"]
    content: str


class Usage(msgspec.Struct, frozen=True):
    """Tokens as the endpoint counted them."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Piece(msgspec.Struct, frozen=True):
    """What one event brought: text (often "", as while a model reasons), why it ended, what was used."""

    text: str = ""
    finish_reason: str | None = None
    usage: Usage | None = None
