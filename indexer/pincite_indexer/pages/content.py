"""A page's content, extracted and cut once for all pages that repeat it: versions and untranslated locales mostly do.

What is extracted from an element depends on nothing but its own markup, except that each page's links lead elsewhere.
So contents are told apart by their markup with the links' goals left out, and the goals are read for each page.
"""

import hashlib
import re
from dataclasses import dataclass, field

from lxml import etree
from msgspec import msgpack

from pincite_indexer.pages.cutting import PageCut, cut_page
from pincite_indexer.pages.extract import extract
from pincite_indexer.pages.page_draft import PageDraft, page_title
from pincite_indexer.pages.records import Facts, LinkDraft, Piece

__all__ = ("ContentReader",)

_REMEMBERED = 64  # contents; copies of a page are read one after another
_GOALS = re.compile(
    rb'(<a (?:[^<>]*? )?href=")(?!#)[^"<>]+(")'
)  # in serialised markup, which escapes < and > in values


@dataclass(slots=True)
class _Known:
    pieces: tuple[Piece, ...]
    digest: bytes
    links: tuple[tuple[int, int, str], ...]  # the piece it stands at, its place among the root's `a`, its text
    cuts: dict[tuple[str, str], PageCut] = field(default_factory=dict)


class ContentReader:
    """Reads pages' contents, and remembers the last of them."""

    def __init__(self) -> None:
        self._known: dict[bytes, _Known] = {}

    def read(self, root: etree._Element, file: str, facts: Facts) -> PageDraft:
        """Return the draft of a page; its ids are yet to be added.

        Args:
            root: The element that holds its content.
            file: The page, relative to the site.
            facts: What it says of itself.
        """
        known = self._content(root)
        hrefs = [link.get("href") or "" for link in root.iter("a")]
        links = tuple(LinkDraft(piece, hrefs[place], text) for piece, place, text in known.links)
        key = (page_title(file, facts, known.pieces, facts.plugin), facts.locale)
        if key not in known.cuts:
            known.cuts[key] = cut_page(known.pieces, *key)
        return PageDraft(file, facts, known.pieces, links, has_root=True, digest=known.digest, cut=known.cuts[key])

    def _content(self, root: etree._Element) -> _Known:
        markup = _GOALS.sub(rb"\1*\2", etree.tostring(root, encoding="utf-8", with_tail=False))
        key = hashlib.blake2b(markup, digest_size=16).digest()
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _extracted(root)
            if len(self._known) > _REMEMBERED:
                del self._known[next(iter(self._known))]
        return known


def _extracted(root: etree._Element) -> _Known:
    pieces, links = extract(root)
    places = {element: place for place, element in enumerate(root.iter("a"))}
    digest = hashlib.blake2b(msgpack.encode(pieces), digest_size=16).digest()
    return _Known(pieces, digest, tuple((link.piece, places[link.element], link.text) for link in links))
