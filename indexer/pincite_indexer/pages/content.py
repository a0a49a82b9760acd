"""Parse and chunk a page's content once for all pages that repeat it.

Versions and untranslated locales repeat most contents. A content is identified by its source, if the generator marks
the content in the source. The key ignores link targets, which are read for each page, and the titles of links beside
headings, which are boilerplate. The rest of the page, its shell, is parsed without the content and the menu. Some
sources are doubtful, for example if the parser must repair them. Such a page is parsed as a whole.
"""

import hashlib
import html
import re
from dataclasses import dataclass, field, replace

from lxml import etree

from pincite_core.urls import join_url
from pincite_indexer.generators.generator import RepeatedContent
from pincite_indexer.generators.known_generators import GENERATORS
from pincite_indexer.pages.extract import extract
from pincite_indexer.pages.page_draft import PageCut, PageDraft, cut_page, page_title, pieces_digest
from pincite_indexer.pages.parsing import drawn_ids, element_ids, parse
from pincite_indexer.pages.records import Facts, LinkDraft, Piece
from pincite_indexer.pages.shown_letters import Around, shown_letters

__all__ = ("PLACE", "Content", "ContentReader", "Parts", "read_content", "split_page")

PLACE = "pincite-content"
"""ID of the empty element that replaces a page's content."""

_REMEMBERED = 64  # contents; copies of a page are read one after another
_REPEATED = tuple(generator.repeated for generator in GENERATORS if generator.repeated)
_HEADING_LINKS = b"|".join(re.escape(marks.heading_link) for marks in _REPEATED)
_DIV = re.compile(rb"<(/?)div\b")
_UNSURE = re.compile(
    rb"<(?![^<>]*+>)"  # in an attribute or a comment, where no element starts
    rb"|<(?:script|style|textarea|title|iframe|noscript|template|xmp|plaintext|noembed|noframes|!\[CDATA)"
    rb"|<(?:article|nav|footer)\b"  # landmarks, from which facts about the page are read
    rb"|<!--(?!(?s:.*?)-->)",  # a comment that extends beyond the content
    re.IGNORECASE,
)
_NOT_SHARED = re.compile(
    rb"(<a )(?:"
    rb'(href="?#[^\s">]+"? class="?(?:' + _HEADING_LINKS + rb')"?) [^>]*'
    rb"|((?:[^>]*? )?href=)(?:\"(?!#)[^\"<>]+\"|(?!#)[^\s\"'<>]+(?=[\s>]))"
    rb")"
)
_GOAL = re.compile(rb"<a\s(?:[^>]*?\s)?href\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_ENTITY = re.compile(rb"&(?!(?:amp|quot|lt|gt|#39|#x27);)")  # entities that all parsers decode alike


@dataclass(frozen=True, slots=True)
class Parts:
    """Source of a page in two parts: the shell with an empty element for the content, and the content."""

    shell: bytes
    content: bytes


@dataclass(frozen=True, slots=True)
class Content:
    """Extracted content of a page.

    Attributes:
        pieces: Headings and blocks, in document order.
        digest: Hash of the pieces.
        links: (index of the piece, index among the `a` elements with a target, text) of each link.
        goals: Number of link targets.
        shown: Letters that readers see.
        ids: IDs of the elements; only for a content that was parsed from its own source.
        drawn: IDs of parts of drawings; likewise.
    """

    pieces: tuple[Piece, ...]
    digest: bytes
    links: tuple[tuple[int, int, str], ...]
    goals: int
    shown: str = ""
    ids: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    _cuts: dict[tuple[str, str], PageCut] = field(default_factory=dict)

    def draft(self, file: str, facts: Facts, goals: list[str], around: Around) -> PageDraft:
        """Return the draft of a page with this content and these link targets; the page's IDs are added later."""
        beside = list(around.goals)
        if facts.base:
            goals, beside = ([_joined(facts.base, goal) for goal in found] for found in (goals, beside))
        links = tuple(LinkDraft(piece, goals[place], text) for piece, place, text in self.links)
        key = (page_title(file, facts, self.pieces, facts.plugin), facts.locale)
        if key not in self._cuts:
            self._cuts[key] = cut_page(self.pieces, *key)
        others = {*goals, *beside}.difference([link.href for link in links], [""])
        return PageDraft(
            file,
            facts,
            self.pieces,
            links,
            has_root=True,
            digest=self.digest,
            cut=self._cuts[key],
            shown=around.before + self.shown + around.after,
            goals=tuple(sorted(others)),
        )


def _joined(base: str, goal: str) -> str:
    joined = join_url(base, goal)
    return goal if joined is None else joined


def read_content(root: etree._Element) -> tuple[Content, list[str]]:
    """Return the extracted content of an element and its link targets; invisible parts of the element are emptied."""
    pieces, links = extract(root)
    linking = [element for element in root.iter("a") if element.get("href") is not None]
    places = {element: place for place, element in enumerate(linking)}
    found = tuple((link.piece, places[link.element], link.text) for link in links)
    goals = [element.get("href") or "" for element in linking]
    return Content(pieces, pieces_digest(pieces), found, len(linking), shown_letters(root)), goals


def split_page(data: bytes) -> Parts | None:
    """Split a page's source at its content; None if there is not exactly one content."""
    return next((parts for marks in _REPEATED if (parts := _split(data, marks))), None)


def _split(data: bytes, marks: RepeatedContent) -> Parts | None:
    start = data.find(marks.opening)
    if start < 0 or data.find(marks.opening, start + 1) >= 0 or PLACE.encode() in data:
        return None
    inner = start + len(marks.opening)
    depth = 0
    for tag in _DIV.finditer(data, start):
        depth += -1 if tag[1] else 1
        if depth == 0:
            empty = marks.opening[:-1] + f' id="{PLACE}">'.encode()
            shell = _without_menu(data[:start], marks) + empty + data[tag.start() :]
            return Parts(shell, data[inner : tag.start()])
    return None


def _without_menu(data: bytes, marks: RepeatedContent) -> bytes:
    """Return the source before the content without the menu; keep a menu with IDs or a nested menu."""
    start = data.find(marks.menu)
    end = data.find(marks.menu_end, start) + len(marks.menu_end)
    menu = data[start:end]
    if (
        start < 0
        or menu.count(b"<aside") != 1
        or any(mark in menu for mark in (b"id=", b"name=", b"<main", b"<article"))
    ):
        return data
    return data[:start] + data[end:]


class ContentReader:
    """Reader that parses contents from their source and caches the last ones."""

    def __init__(self) -> None:
        self._known: dict[bytes, Content | None] = {}

    def read(self, source: bytes) -> tuple[Content, list[str]] | None:
        """Return a content and its link targets; None if the whole page must be parsed."""
        key = hashlib.blake2b(_NOT_SHARED.sub(rb"\1\2\3*", source), digest_size=16).digest()
        goals = _goals(source)
        if key not in self._known:
            self._known[key] = _content(source, goals)
            if len(self._known) > _REMEMBERED:
                del self._known[next(iter(self._known))]
        content = self._known[key]
        if content is None or goals is None or len(goals) != content.goals:
            return None
        return content, goals


def _content(source: bytes, goals: list[str] | None) -> Content | None:
    if _UNSURE.search(source):
        return None
    tree = parse(b"<div>" + source + b"</div>", mended=False)
    body = None if tree is None else tree.find("body")
    if body is None or len(body) != 1 or (body.text or body[0].tail or "").strip():
        return None
    content, parsed = read_content(body[0])
    if parsed != goals:
        return None
    return replace(content, ids=tuple(element_ids(body[0], source)), drawn=tuple(drawn_ids(body[0])))


def _goals(source: bytes) -> list[str] | None:
    """Return the link targets in a content's source; None if only a parser can find them."""
    found = [quoted or apostrophed or bare for quoted, apostrophed, bare in _GOAL.findall(source)]
    joined = b"\n".join(found)
    if _ENTITY.search(joined) or joined.count(b"\n") >= len(found) > 0:
        return None
    try:
        return html.unescape(joined.decode()).split("\n") if found else []
    except UnicodeDecodeError:
        return None
