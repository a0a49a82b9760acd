"""One file of the site: bytes in, a `PageDraft` out. Runs in worker processes, which remember nothing but contents."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from pathlib import Path

from lxml import etree
from msgspec.structs import replace

from pincite_indexer.pages.content import ContentReader
from pincite_indexer.pages.facts import read_facts
from pincite_indexer.pages.markup import content_root, landmarks
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.parser_limits import has_endless_tag
from pincite_indexer.pages.records import Facts

__all__ = ("PageError", "read_page")

_IDS = etree.XPath("//@id", smart_strings=False)
_NAMES = etree.XPath("//a[not(@id) or @id != @name]/@name", smart_strings=False)
_MAY_NAME = re.compile(rb"<a\s[^>]*\bname\b", re.IGNORECASE)
_CONTENTS = ContentReader()
_DOCUMENT = re.compile(rb"<(?:!doctype|html|head|title|body|main|article)\b", re.IGNORECASE)


class PageError(Exception):
    """A page cannot be read whole; it is left out and named rather than indexed in part."""


def read_page(site: Path, file: str) -> PageDraft:
    """Read and extract one page.

    Args:
        site: The site's folder.
        file: The page, relative to it, as a POSIX path.

    Raises:
        OSError: The file cannot be read.
        PageError: The parser gave up on it.
    """
    data = (site / file).read_bytes()
    tree = _parse(data)
    if tree is None:
        return PageDraft(file, Facts())
    marks = landmarks(tree)
    facts = read_facts(tree, marks, file)
    if facts.forwards_to:
        return PageDraft(file, facts)
    root = content_root(tree, marks.articles)
    ids = Counter(_ids(tree, data))
    if root is None:
        return PageDraft(file, facts, ids=frozenset(ids))
    draft = _CONTENTS.read(root, file, facts)
    return replace(draft, ids=frozenset(ids), repeated_ids=_repeated(tree, ids))


def _parse(data: bytes) -> etree._Element | None:
    """Parse HTML however broken; None when it is none, such as a search engine's verification file.

    Null bytes end a C string and so a page: they are dropped. Built sites are UTF-8; first bytes may say UTF-16.
    """
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    if not _DOCUMENT.search(data):
        return None
    if has_endless_tag(data):
        message = "one of its elements has thousands of attributes"
        raise PageError(message)
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_blank_text=False, collect_ids=False)
    try:
        tree = etree.fromstring(data.replace(b"\0", b""), parser)
    except etree.XMLSyntaxError:
        return None
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log.filter_from_fatals()):
        message = "its elements are nested too deeply"
        raise PageError(message)
    return tree if isinstance(tree, etree._Element) and tree.tag == "html" else None


def _repeated(tree: etree._Element, ids: Counter[str]) -> tuple[str, ...]:
    """Return the ids that several elements bear; parts of drawings do not count, as no places to go to."""
    repeated = [name for name, count in ids.items() if count > 1]
    drawn: Counter[object] = Counter(tree.xpath("//svg//@id") if repeated else ())
    return tuple(name for name in repeated if ids[name] - drawn[name] > 1)


def _ids(tree: etree._Element, data: bytes) -> list[str]:
    """Return the ids of all elements and the names of anchors, once an element."""
    return [*_IDS(tree), *(_NAMES(tree) if _MAY_NAME.search(data) else ())]
