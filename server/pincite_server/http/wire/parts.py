"""What replies are made of."""

from typing import Literal

from msgspec import Struct

from pincite_server.model import CitationSource, Support

__all__ = (
    "CitationObject",
    "ClaimObject",
    "LandingObject",
    "NoticeObject",
    "ScopeObject",
    "ValidationObject",
)


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


class ClaimObject(Struct, frozen=True):
    """A statement of an answer, how far it is proved, and the docs' own words that prove it."""

    text: str
    support: Support
    citations: tuple[int, ...]
    quote: str
    landing: tuple[LandingObject, ...]


class ValidationObject(Struct, frozen=True):
    """The guards' verdict."""

    passed: bool
    reasons: tuple[str, ...]
    used_fallback: bool
    confidence_score: float
    context_docs_count: int
