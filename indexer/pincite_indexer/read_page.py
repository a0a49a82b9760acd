"""One file of the site: bytes in, a `PageDraft` out. Runs in worker processes, so it keeps no state."""

import hashlib
import re
from collections import Counter
from pathlib import Path

from lxml import etree
from msgspec import msgpack

from pincite_indexer.extract import extract
from pincite_indexer.facts import read_facts
from pincite_indexer.markup import content_root
from pincite_indexer.records import Facts, PageDraft

__all__ = ("PageError", "read_page")

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
    facts = read_facts(tree, file)
    if facts.forwards_to:
        return PageDraft(file, facts)
    root = content_root(tree)
    ids = Counter(_ids(tree))
    if root is None:
        return PageDraft(file, facts, ids=frozenset(ids))
    pieces, links = extract(root)
    return PageDraft(
        file,
        facts,
        pieces,
        links,
        frozenset(ids),
        has_root=True,
        digest=hashlib.blake2b(msgpack.encode(pieces), digest_size=16).digest(),
        repeated_ids=_repeated(tree, ids),
    )


def _parse(data: bytes) -> etree._Element | None:
    """Parse HTML however broken; None when it is none, such as a search engine's verification file.

    Null bytes end a C string and so a page: they are dropped. Built sites are UTF-8.
    """
    if not _DOCUMENT.search(data):
        return None
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_blank_text=False)
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


def _ids(tree: etree._Element) -> list[str]:
    """Return the ids of all elements and the names of anchors, once an element."""
    found = [str(value) for value in tree.xpath("//@id")]
    return found + [str(value) for value in tree.xpath("//a[not(@id) or @id != @name]/@name")]
