"""What a request to a language model is made of."""

from typing import Literal, TypedDict

__all__ = ("Message",)


class Message(TypedDict):
    """One message of a request."""

    role: Literal["system", "user"]
    content: str
