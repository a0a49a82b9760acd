"""Stable IDs, `module/chapter#section`: what a citation is kept by when pages move (design patterns, pattern 3).

An ID names one target per locale and version. It is the author's when front matter and source show that the author
set it; any other is generated, and may change when a file or heading is renamed.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pincite_core.errors import DuplicateIdError
from pincite_core.types import IdKind

__all__ = ("PageIdentity", "PagePrefix", "assign_prefixes", "section_id")


@dataclass(frozen=True, slots=True)
class PageIdentity:
    """What a page's part of an ID is made from. `doc_id` or the route's last parts give the chapter.

    `explicit` is what the author wrote as `module_id` and `chapter_id`; `doc_id_is_set` that the front matter's `id`
    makes the last part of the doc id.
    """

    locale: str
    version: str | None
    module: str
    path: str
    module_id: str
    chapter_id: str
    doc_id_is_set: bool
    source: str


@dataclass(frozen=True, slots=True)
class PagePrefix:
    """A page's part of its targets' IDs. `collided` says that a longer one than usual had to be made."""

    text: str
    kind: IdKind
    collided: bool


def assign_prefixes(pages: Iterable[PageIdentity]) -> list[PagePrefix]:
    """Return one prefix a page, in order.

    Raises:
        DuplicateIdError: Two pages of one locale and version carry the same explicit `module_id/chapter_id`.
    """
    pages = list(pages)
    taken: dict[tuple[str, str | None, str], PageIdentity] = {}
    for page in pages:
        if page.module_id and page.chapter_id:
            _claim(taken, page)
    explicit = set(taken)
    return [_prefix(page, taken, explicit) for page in pages]


def section_id(prefix: PagePrefix, anchor: str, explicit: frozenset[str]) -> tuple[str, IdKind]:
    """Return a target's ID and whose it is; without an anchor it is the page's own."""
    if not anchor:
        return prefix.text, prefix.kind
    return f"{prefix.text}#{anchor}", "author" if prefix.kind == "author" and anchor in explicit else "auto"


def _claim(taken: dict[tuple[str, str | None, str], PageIdentity], page: PageIdentity) -> None:
    text = f"{page.module_id}/{page.chapter_id}"
    key = (page.locale, page.version, text)
    if key in taken:
        where = f"version {page.version}" if page.version else "the unversioned pages"
        message = (
            f"The stable ID {text!r} is set by two pages of {where} in locale {page.locale!r}: "
            f"{taken[key].source} and {page.source}. Give one of them another `chapter_id` in its front matter."
        )
        raise DuplicateIdError(message)
    taken[key] = page


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
        chapter = f"{steps.pop()}/{chapter}" if steps else _numbered(chapter)
        text = f"{module}/{chapter}"
    taken[page.locale, page.version, text] = page
    return PagePrefix(text, kind, collided=collided)


def _numbered(chapter: str) -> str:
    head, mark, number = chapter.rpartition("~")
    return f"{head}~{int(number) + 1}" if mark and number.isdecimal() else f"{chapter}~2"
