"""Read one file of the site into a `PageDraft`, in worker processes that cache only contents."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

from lxml import etree
from msgspec.structs import replace

from pincite_indexer.pages.content import PLACE, ContentReader, Parts, read_content, split_page
from pincite_indexer.pages.markup import content_root, page_markup
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.page_facts import read_facts
from pincite_indexer.pages.parsing import drawn_ids, element_ids, parse, repeated_ids
from pincite_indexer.pages.records import Facts
from pincite_indexer.pages.shown_letters import around_content

__all__ = ("content_element", "read_page")

_CONTENTS = ContentReader()
_DOCUMENT = re.compile(rb"<(?:!doctype|html|head|title|body|main|article)\b", re.IGNORECASE)


def read_page(site: Path, file: str, *, with_edit_links: bool = False) -> PageDraft:
    """Read and extract one page.

    Args:
        site: The site's folder.
        file: The page, relative to the site's folder, as a POSIX path.
        with_edit_links: Whether to read the page's links to its own source.

    Raises:
        OSError: The file cannot be read.
        PageError: The parser gave up on the page.
    """
    data = _utf8((site / file).read_bytes())
    if not _DOCUMENT.search(data):  # for example a search engine's verification file
        return PageDraft(file, Facts())
    parts = split_page(data)
    return (parts and _read_parts(file, parts, with_edit_links)) or _read_whole(file, data, with_edit_links)


def content_element(site: Path, file: str) -> etree._Element | None:
    """Return the element with a page's content, in a separate tree; None for a page without content.

    Raises:
        OSError: The file cannot be read.
        PageError: The parser gave up on the page.
    """
    tree = parse(_utf8((site / file).read_bytes()))
    return None if tree is None else content_root(tree, page_markup(tree).articles)


def _utf8(data: bytes) -> bytes:
    """Return a page in UTF-8, converted from UTF-16 if it has such a byte order mark, and without null bytes.

    A null byte would end the C string, and so the page.
    """
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    return data.replace(b"\0", b"")


def _read_parts(file: str, parts: Parts, with_edit_links: bool) -> PageDraft | None:
    """Read a page with the content cache; None if the result may differ from parsing the whole page."""
    read = _CONTENTS.read(parts.content)
    tree = parse(parts.shell, mended=False) if read else None
    if read is None or tree is None:
        return None
    content, goals = read
    page = page_markup(tree)
    facts = read_facts(tree, page, file, with_edit_links=with_edit_links)
    root = content_root(tree, page.articles)
    if root is None or root.get("id") != PLACE or len(root) or not facts.canonical or facts.forwards_to:
        return None
    ids = element_ids(tree, parts.shell)
    place = ids.index(PLACE)
    ids[place : place + 1] = content.ids
    repeated = repeated_ids(ids, lambda: (*drawn_ids(tree), *content.drawn))
    draft = content.draft(file, facts, goals, around_content(root))
    return replace(draft, ids=frozenset(ids), repeated_ids=repeated)


def _read_whole(file: str, data: bytes, with_edit_links: bool) -> PageDraft:
    tree = parse(data)
    if tree is None:
        return PageDraft(file, Facts())
    page = page_markup(tree)
    facts = read_facts(tree, page, file, with_edit_links=with_edit_links)
    if facts.forwards_to:
        return PageDraft(file, facts)
    root = content_root(tree, page.articles)
    ids = element_ids(tree, data)
    if root is None:
        return PageDraft(file, facts, ids=frozenset(ids))
    content, goals = read_content(root)
    repeated = repeated_ids(ids, lambda: drawn_ids(tree))
    draft = content.draft(file, facts, goals, around_content(root))
    return replace(draft, ids=frozenset(ids), repeated_ids=repeated)
