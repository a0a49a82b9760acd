"""A page's content, extracted once for all pages that repeat it: versions and untranslated locales mostly do.

What is extracted from an element depends on nothing but its own markup, except that each page's links lead elsewhere.
So contents are told apart by their markup with the links' goals left out, and the goals are read for each page.
"""

import hashlib
import re

from lxml import etree
from msgspec import Struct, msgpack

from pincite_indexer.extract import extract
from pincite_indexer.records import LinkDraft, Piece

__all__ = ("Content", "ContentReader")

_REMEMBERED = 64  # contents; copies of a page are read one after another
_GOALS = re.compile(
    rb'(<a (?:[^<>]*? )?href=")(?!#)[^"<>]+(")'
)  # in serialised markup, which escapes < and > in values
_LINKS = etree.XPath("descendant::a[@href]")
_HREFS = etree.XPath("descendant::a/@href", smart_strings=False)


class Content(Struct, frozen=True, gc=False):
    """The pieces of a content root in document order, the links in it, and a hash of the pieces."""

    pieces: tuple[Piece, ...]
    links: tuple[LinkDraft, ...]
    digest: bytes


class _Known(Struct, frozen=True, gc=False):
    pieces: tuple[Piece, ...]
    digest: bytes
    links: tuple[tuple[int, int, str], ...]  # the piece it stands at, its place among the root's links, its text


class ContentReader:
    """Extracts content roots, and remembers the last of them."""

    def __init__(self) -> None:
        self._known: dict[bytes, _Known] = {}

    def read(self, root: etree._Element) -> Content:
        """Return the content of a page's root."""
        markup = _GOALS.sub(rb"\1*\2", etree.tostring(root, with_tail=False))
        key = hashlib.blake2b(markup, digest_size=16).digest()
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _extracted(root)
            if len(self._known) > _REMEMBERED:
                del self._known[next(iter(self._known))]
        hrefs = _HREFS(root)
        links = tuple(LinkDraft(piece, hrefs[place], text) for piece, place, text in known.links)
        return Content(known.pieces, links, known.digest)


def _extracted(root: etree._Element) -> _Known:
    pieces, links = extract(root)
    places = {element: place for place, element in enumerate(_LINKS(root))}
    digest = hashlib.blake2b(msgpack.encode(pieces), digest_size=16).digest()
    return _Known(pieces, digest, tuple((link.piece, places[link.element], link.text) for link in links))
