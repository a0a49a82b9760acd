"""Read one file of the site into a `PageDraft`, in worker processes that cache only contents.

Versions and untranslated locales repeat most contents. A content is identified by its source, if the generator marks
the content in the source. The key ignores link targets, which are read for each page, and the titles of links beside
headings, which are boilerplate. The rest of the page, its shell, is parsed without the content and the menu. Some
sources are doubtful, for example if the parser must repair them. Such a page is parsed as a whole.
"""

import hashlib
import html
import re
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path

from lxml import etree
from msgspec import structs

from pincite_core.urls import join_url
from pincite_indexer.generators.known_generators import GENERATORS
from pincite_indexer.pages.api.api_reference import find_api, may_describe_api
from pincite_indexer.pages.author_marks import has_search_body, may_have_marks, remove_marked, whole_page_mark
from pincite_indexer.pages.decoding import decoded
from pincite_indexer.pages.extract import extract
from pincite_indexer.pages.markup import content_root, page_markup
from pincite_indexer.pages.page_draft import PageCut, PageDraft, cut_page, page_title, pieces_digest
from pincite_indexer.pages.page_edges import edge_pieces, is_edit_link, set_furniture_aside
from pincite_indexer.pages.page_facts import has_search_controls, is_search_file, read_facts
from pincite_indexer.pages.parsing import element_ids, parse, repeated_ids, svg_ids
from pincite_indexer.pages.records import Facts, LinkDraft, Piece
from pincite_indexer.pages.rendered_text import render_text
from pincite_indexer.pages.unread_parts import unread_parts
from pincite_indexer.pages.visible_letters import Around, around_content, visible_letters

__all__ = ("ContentCache", "content_element", "read_page")

_PLACEHOLDER = "pincite-content"  # ID of the empty element that replaces a page's content
_CACHED = 64  # contents; copies of a page are read one after another
_REPEATED = tuple(generator.repeated for generator in GENERATORS if generator.repeated)
_HEADING_LINKS = b"|".join(re.escape(marks.heading_link) for marks in _REPEATED)
_DOCUMENT = re.compile(rb"<(?:!doctype|html|head|title|body|main|article)\b", re.IGNORECASE)
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
_HREF = re.compile(rb"<a\s(?:[^>]*?\s)?href\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_ENTITY = re.compile(rb"&(?!(?:amp|quot|lt|gt|#39|#x27);)")  # entities that all parsers decode alike


def read_page(site: Path, file: str, *, with_edit_links: bool = False, with_unread: bool = False) -> PageDraft:
    """Read and extract one page; `file` is a POSIX path relative to the site's folder.

    With `with_edit_links`, the page's links to its own source are read too; with `with_unread`, the parts whose text
    cannot be read are counted.

    Raises:
        OSError: The file cannot be read.
        PageError: The parser gave up on the page.
    """
    data, problem = decoded((site / file).read_bytes())
    if not _DOCUMENT.search(data):  # for example a search engine's verification file
        return PageDraft(file, Facts())
    draft = None if with_unread else _read_split(file, data, with_edit_links)
    if draft is None:
        draft = _read_whole(file, data, with_edit_links, with_unread)
    return structs.replace(draft, garbled=problem) if problem else draft


def content_element(site: Path, file: str) -> etree._Element | None:
    """Return the element with a page's content, in a separate tree; None for a page without content.

    Raises:
        OSError: The file cannot be read.
        PageError: The parser gave up on the page.
    """
    data = decoded((site / file).read_bytes()).data
    tree = parse(data)
    root = None if tree is None else content_root(tree, data, page_markup(tree).articles)
    if root is not None and may_have_marks(data):
        remove_marked(root)
    api = find_api(root) if root is not None and may_describe_api(data) else None
    if api:
        api.rewrite()
    return root


@dataclass(frozen=True, slots=True)
class _Content:
    """Extracted content of a page; the IDs are known only if it was parsed from its own source."""

    pieces: tuple[Piece, ...]
    digest: bytes
    links: tuple[tuple[int, int, str], ...]  # index of the piece, index among the `a` elements with a target, text
    hrefs: int  # number of link targets
    letters: str  # that readers see
    edges: tuple[tuple[str, tuple[int, ...]], ...] = ()
    mark: str = ""  # by which the author keeps parts of it out
    search_body: bool = False
    ids: tuple[str, ...] = ()
    svg_ids: tuple[str, ...] = ()
    _cuts: dict[tuple[str, str], PageCut] = field(default_factory=dict)

    def draft(
        self, file: str, facts: Facts, hrefs: list[str], around: Around, ids: list[str], repeated: tuple[str, ...]
    ) -> PageDraft:
        """Return the draft of a page with this content, these link targets and these IDs."""
        beside = list(around.hrefs)
        if facts.base:
            hrefs, beside = ([_joined(facts.base, href) for href in found] for found in (hrefs, beside))
        links = tuple(LinkDraft(piece, hrefs[place], text) for piece, place, text in self.links)
        key = (page_title(file, facts, self.pieces, facts.plugin), facts.locale)
        if key not in self._cuts:
            self._cuts[key] = cut_page(self.pieces, *key)
        others = {*hrefs, *beside}.difference([link.href for link in links], [""])
        return PageDraft(
            file,
            facts,
            self.pieces,
            links,
            frozenset(ids),
            has_root=True,
            digest=self.digest,
            repeated_ids=repeated,
            cut=self._cuts[key],
            letters=around.before + self.letters + around.after,
            other_hrefs=tuple(sorted(others)),
            edges=self.edges,
        )


def _joined(base: str, href: str) -> str:
    joined = join_url(base, href)
    return href if joined is None else joined


def _read_whole(file: str, data: bytes, with_edit_links: bool, with_unread: bool) -> PageDraft:
    tree = parse(data)
    if tree is None:
        return PageDraft(file, Facts())
    page = page_markup(tree)
    facts = read_facts(tree, page, file, with_edit_links=with_edit_links)
    if facts.forwards_to:
        return PageDraft(file, facts)
    root = content_root(tree, data, page.articles)
    ids = element_ids(tree, data)
    if root is None:
        return PageDraft(file, facts, ids=frozenset(ids))
    repeated = repeated_ids(ids, lambda: svg_ids(tree))
    marked = may_have_marks(data)
    mark = whole_page_mark(root) if marked else ""
    if is_search_file(file):
        facts = structs.replace(facts, search_page=has_search_controls(root))
    content, hrefs = _extract_content(root, data, within=tree if marked and not mark else None)
    if marked:
        facts = _with_content_marks(_marked_facts(facts, tree, mark), content)
    unread = unread_parts(root) if with_unread else ()
    draft = content.draft(file, facts, hrefs, around_content(root), ids, repeated)
    return structs.replace(draft, unread=unread) if unread else draft


def _marked_facts(facts: Facts, tree: etree._Element, mark: str) -> Facts:
    """Return the facts with a mark on the whole page; `noindex` comes first."""
    return structs.replace(facts, noindex=facts.noindex or mark, search_body=has_search_body(tree))


def _with_content_marks(facts: Facts, content: _Content) -> Facts:
    """Return the facts with the marks inside the content; if nothing is left of it, the page is out as a whole."""
    if not content.mark and not content.search_body:
        return facts
    mark = "" if content.pieces else content.mark
    return structs.replace(facts, noindex=facts.noindex or mark, search_body=facts.search_body or content.search_body)


def _extract_content(root: etree._Element, source: bytes, within: etree._Element | None) -> tuple[_Content, list[str]]:
    """Return the extracted content of an element and its link targets; invisible parts of the element are emptied.

    `source` is the source of the element, or of more. The parts inside `within` that the author keeps out are emptied
    first.
    """
    linking = [element for element in root.iter("a") if element.get("href") is not None]
    hrefs = [element.get("href") or "" for element in linking]
    has_body = within is not None and has_search_body(within)
    mark = remove_marked(within) if within is not None else ""
    places = {element: place for place, element in enumerate(linking)}
    api = find_api(root) if may_describe_api(source) else None
    letters = visible_letters(deepcopy(root)) if api else ""  # the rewritten content has them in another order
    if api:
        api.rewrite()
    edges = () if api else set_furniture_aside(root)
    render_text(root)
    pieces, links = extract(root)
    of_edges = edge_pieces(edges, pieces)
    found = tuple((link.piece, places[link.element], link.text) for link in links)
    letters = letters or visible_letters(root)
    digest = pieces_digest(pieces)
    return _Content(pieces, digest, found, len(linking), letters, of_edges, mark, has_body), hrefs


class ContentCache:
    """Reader that parses contents from their source and caches the last ones."""

    def __init__(self) -> None:
        self._known: dict[bytes, _Content | None] = {}

    def read(self, source: bytes) -> tuple[_Content, list[str]] | None:
        """Return a content and its link targets; None if the whole page must be parsed."""
        key = hashlib.blake2b(_NOT_SHARED.sub(rb"\1\2\3*", source), digest_size=16).digest()
        hrefs = _hrefs_of(source)
        if b"edit" in source and any(map(is_edit_link, hrefs or ())):
            return None  # which is not content, although contents are compared without their link targets
        if key not in self._known:
            self._known[key] = _parse_content(source, hrefs)
            if len(self._known) > _CACHED:
                del self._known[next(iter(self._known))]
        content = self._known[key]
        if content is None or hrefs is None or len(hrefs) != content.hrefs:
            return None
        return content, hrefs


_CONTENTS = ContentCache()


def _read_split(file: str, data: bytes, with_edit_links: bool) -> PageDraft | None:
    """Read a page with the content cache; None if the result may differ from parsing the whole page."""
    parts = _split(data)
    if parts is None:
        return None
    shell, source = parts
    read = _CONTENTS.read(source)
    tree = parse(shell, allow_repair=False) if read else None
    if read is None or tree is None:
        return None
    content, hrefs = read
    page = page_markup(tree)
    facts = read_facts(tree, page, file, with_edit_links=with_edit_links)
    root = content_root(tree, shell, page.articles)
    if root is not None and may_have_marks(shell):
        mark = whole_page_mark(root)
        if not mark:
            remove_marked(tree)
        facts = _marked_facts(facts, tree, mark)
    facts = _with_content_marks(facts, content)
    if root is None or root.get("id") != _PLACEHOLDER or len(root) or not facts.canonical or facts.forwards_to:
        return None
    ids = element_ids(tree, shell)
    place = ids.index(_PLACEHOLDER)
    ids[place : place + 1] = content.ids
    repeated = repeated_ids(ids, lambda: (*svg_ids(tree), *content.svg_ids))
    return content.draft(file, facts, hrefs, around_content(root), ids, repeated)


def _split(data: bytes) -> tuple[bytes, bytes] | None:
    """Return a page's shell, with an empty element for the content, and the content; None without a single content.

    The shell lacks the menu, unless the menu has IDs or contains another menu.
    """
    for marks in _REPEATED:
        start = data.find(marks.opening)
        if start < 0 or data.find(marks.opening, start + 1) >= 0 or _PLACEHOLDER.encode() in data:
            continue
        depth = 0
        for tag in _DIV.finditer(data, start):
            depth += -1 if tag[1] else 1
            if depth == 0:
                break
        else:
            continue
        before = data[:start]
        menu_start = before.find(marks.menu)
        menu_end = before.find(marks.menu_end, menu_start) + len(marks.menu_end)
        menu = before[menu_start:menu_end]
        if (
            menu_start >= 0
            and menu.count(b"<aside") == 1
            and not any(mark in menu for mark in (b"id=", b"name=", b"<main", b"<article"))
        ):
            before = before[:menu_start] + before[menu_end:]
        empty = marks.opening[:-1] + f' id="{_PLACEHOLDER}">'.encode()
        return before + empty + data[tag.start() :], data[start + len(marks.opening) : tag.start()]
    return None


def _parse_content(source: bytes, hrefs: list[str] | None) -> _Content | None:
    if _UNSURE.search(source):
        return None
    tree = parse(b"<div>" + source + b"</div>", allow_repair=False)
    body = None if tree is None else tree.find("body")
    if body is None or len(body) != 1 or (body.text or body[0].tail or "").strip():
        return None
    ids, of_drawings = tuple(element_ids(body[0], source)), tuple(svg_ids(body[0]))
    content, parsed = _extract_content(body[0], source, within=body[0] if may_have_marks(source) else None)
    return replace(content, ids=ids, svg_ids=of_drawings) if parsed == hrefs else None


def _hrefs_of(source: bytes) -> list[str] | None:
    """Return the link targets in a content's source; None if only a parser can find them."""
    found = [quoted or apostrophed or bare for quoted, apostrophed, bare in _HREF.findall(source)]
    joined = b"\n".join(found)
    if _ENTITY.search(joined) or joined.count(b"\n") >= len(found) > 0:
        return None
    try:
        return html.unescape(joined.decode()).split("\n") if found else []
    except UnicodeDecodeError:
        return None
