"""The record of a citation and the function that makes it.

Replies over HTTP and MCP, events, the output of commands, the files for browsers and the table in docs/http-api.md
derive from the record. A new field needs three lines here: its name and type with a default, its description, and its
value in `cite`. A field that has its default is not sent.
"""

from typing import Literal

from msgspec import Struct

from pincite_core.types import Page, SourceType, Target
from pincite_core.urls import join_fragment

__all__ = ("Citation", "CitationSource", "cite", "module_of")

CitationSource = SourceType | Literal["selected_text"]


class Citation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A cited or related place in the site."""

    n: int | None
    """the citation's number in the answer; null for a qualifying section that the answer does not use"""
    used: bool
    """whether the answer quotes it"""
    stable_id: str
    """stays the same when the section moves; see [`GET /c/{stable id}`](#get-cstable-id)"""
    title: str
    """the page's title, after its module if there is one: `Module: Chapter`"""
    heading_path: tuple[str, ...]
    """the headings from the page's title to the section's own"""
    section: str
    """the section's own title; empty for a whole page"""
    page: str
    """the page's title"""
    url: str | None
    """the section's URL; null only for an unproved selection"""
    anchor: str | None
    """the raw id; null for a whole page"""
    chunk_id: int | None
    """the index's row"""
    source_type: CitationSource
    """`guide`, `api`, `example`, `blog`, `page` or `selected_text`"""
    excerpt: str
    """the words that support the answer"""
    verified: bool
    """whether the section contains these words"""
    site: str | None = None
    """the title of the section's site, which is also the first entry of `heading_path`; only if
    [several sites](scale.md#one-question-across-sites) are asked at once"""


def cite(
    page: Page, target: Target, *, n: int | None = None, excerpt: str = "", chunk_id: int | None = None
) -> Citation:
    """Return the citation of a target; `n` is None when no statement of the answer uses it."""
    module = module_of(page)
    return Citation(
        n=n,
        used=n is not None,
        stable_id=target.stable_id,
        title=f"{module}: {page.title}" if module else page.title,
        heading_path=target.heading_path,
        section=target.title if target.anchor else "",
        page=page.title,
        url=join_fragment(page.url, target.anchor),
        anchor=target.anchor or None,
        chunk_id=chunk_id,
        source_type=page.source_type,
        excerpt=excerpt,
        verified=True,
    )


def module_of(page: Page) -> str:
    """Return the module in a citation's title (`Module: Chapter`); "" if the page is not below one."""
    return next((crumb for crumb in page.breadcrumbs if crumb != page.title), "")
