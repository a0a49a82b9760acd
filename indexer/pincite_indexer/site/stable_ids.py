"""Assign stable IDs `module/chapter#section`, which identify a citation when pages move (design patterns, pattern 3).

An ID identifies one target for each locale and version. It is an author ID if front matter and source set it
explicitly. Any other ID is generated, and may change when a file or heading is renamed.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pincite_core.errors import DuplicateIdError
from pincite_core.types import IdKind

__all__ = ("PageIdentity", "PagePrefix", "assign_prefixes", "section_id")


@dataclass(frozen=True, slots=True)
class PageIdentity:
    """Facts that determine a page's part of an ID."""

    locale: str
    version: str | None  # None for an unversioned page
    module: str  # module of the ID, unless the author set one
    path: str  # document ID or route; its last parts give the chapter
    module_id: str  # module that the author set; empty if none
    chapter_id: str  # chapter that the author set; empty if none
    doc_id_is_set: bool  # whether the front matter's `id` sets the last part of the document ID
    source: str  # the page's source or file, for messages


@dataclass(frozen=True, slots=True)
class PagePrefix:
    """A page's part of its targets' IDs; `collided` means that a longer prefix than usual was needed."""

    text: str
    kind: IdKind
    collided: bool


def assign_prefixes(pages: Iterable[PageIdentity]) -> list[PagePrefix]:
    """Return one prefix for each page, in order.

    Raises:
        DuplicateIdError: Two pages of one locale and version have the same explicit `module_id/chapter_id`.
    """
    pages = list(pages)
    taken: dict[tuple[str, str | None, str], PageIdentity] = {}
    for page in pages:
        if not page.module_id or not page.chapter_id:
            continue
        text = f"{page.module_id}/{page.chapter_id}"
        other = taken.setdefault((page.locale, page.version, text), page)
        if other is not page:
            where = f"version {page.version}" if page.version else "the unversioned pages"
            message = (
                f"The stable ID {text!r} is set by two pages of {where} in locale {page.locale!r}: "
                f"{other.source} and {page.source}. Give one of them another `chapter_id` in its front matter."
            )
            raise DuplicateIdError(message)
    explicit = set(taken)
    return [_prefix(page, taken, explicit) for page in pages]


def section_id(prefix: PagePrefix, anchor: str, explicit: frozenset[str]) -> tuple[str, IdKind]:
    """Return a target's ID and its kind; an empty anchor stands for the page itself."""
    if not anchor:
        return prefix.text, prefix.kind
    return f"{prefix.text}#{anchor}", "author" if prefix.kind == "author" and anchor in explicit else "auto"


def _prefix(
    page: PageIdentity,
    taken: dict[tuple[str, str | None, str], PageIdentity],
    explicit: set[tuple[str, str | None, str]],
) -> PagePrefix:
    folders, _, last = page.path.rpartition("/")
    module, chapter = page.module_id or page.module, page.chapter_id or last or "index"
    text = f"{module}/{chapter}"
    if page.module_id and page.chapter_id and (page.locale, page.version, text) in explicit:
        return PagePrefix(text, "author", collided=False)
    kind: IdKind = "author" if page.chapter_id or page.doc_id_is_set else "auto"
    steps = [step for step in folders.split("/") if step]
    collided = False
    while (page.locale, page.version, text) in taken:
        kind, collided = "auto", True
        head, mark, number = chapter.rpartition("~")
        if steps:
            chapter = f"{steps.pop()}/{chapter}"
        else:
            chapter = f"{head}~{int(number) + 1}" if mark and number.isdecimal() else f"{chapter}~2"
        text = f"{module}/{chapter}"
    taken[page.locale, page.version, text] = page
    return PagePrefix(text, kind, collided=collided)
