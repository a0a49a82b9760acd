"""Compare names of places: pages of any version, with or without `.html`, in any case, count as the same page."""

import re
from urllib.parse import unquote, urlsplit

__all__ = ("Place", "page_key", "section_key")

# Judgements were made on one version of the docs; the same page of another version is the same answer.
_VERSION = re.compile(r"^(/(?:docs|docs/[a-z-]+)?)/(?:next|\d+(?:\.(?:\d+|x))+|\d+\.x)(?=/|$)")

Place = tuple[str, str]
"""A URL, with or without a fragment, and the raw anchor ("" for a whole page)."""


def page_key(url: str) -> str:
    """Return the normal form of a page's URL, the same for all its spellings."""
    path = unquote(urlsplit(url).path) or "/"
    path = re.sub(r"\.html$", "", re.sub(r"/index\.html$", "/", path)).rstrip("/") or "/"
    return (_VERSION.sub(r"\1", path) or "/").lower()


def section_key(url: str, anchor: str | None) -> Place:
    """Return the normal form of a section, the same for all its spellings."""
    return page_key(url), unquote((anchor or "").lstrip("#")).lower()
