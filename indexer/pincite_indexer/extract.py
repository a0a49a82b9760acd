"""One pass over a page's content, in document order: headings, blocks, anchors and links.

The tree is walked, never navigated by siblings: minified HTML omits end tags, and libxml2 then nests block elements
inside `<p>`, but the order of tags and texts is always right. Nothing here knows of files, IDs or vectors.
"""

from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from pincite_core.types import Landing, TargetKind, UnitKind
from pincite_indexer.code_blocks import code_text, embedded_files, fenced
from pincite_indexer.markup import (
    BLOCK_TAGS,
    CONTAINER_TAGS,
    HEADING_TAGS,
    classes,
    is_footnote_mark,
    is_furniture,
    is_label,
    plain_text,
    whole_number,
)
from pincite_indexer.records import AnchorDraft, Block, Heading, LinkDraft, Piece
from pincite_indexer.tables import TableReader
from pincite_indexer.tabs import TabReader

__all__ = ("extract",)

_LIST_TAGS = frozenset({"ul", "ol", "menu", "li", "dl", "dt", "dd"})
_TABLE_TAGS = frozenset({"table", "tr", "td", "th"})
_MAX_LANDINGS = 16  # tabs and details inside one another; deeper ones are hostile, and each costs every block in it
_KINDS: dict[str, TargetKind] = {
    "tr": "row",
    "td": "row",
    "th": "row",
    "li": "item",
    "dt": "term",
    "details": "details",
}


def extract(root: etree._Element) -> tuple[tuple[Piece, ...], tuple[LinkDraft, ...]]:
    """Return the pieces of a content root, in document order, and the links in them."""
    walk = _Walk()
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start":
            if not walk.start(element):
                walker.skip_subtree()
        elif event == "end":
            walk.end(element)
        if event != "start" and element is not root and element.tail:
            walk.text(element.tail)
    return walk.finish()


@dataclass(slots=True)
class _Term:
    """The term of a definition list that is being defined: its id, and whether a definition has begun."""

    anchor: str = ""
    defined: bool = False


class _Walk:
    """The state of one pass."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.links: list[LinkDraft] = []
        self.seen: set[str] = set()
        self.skipped: etree._Element | None = None
        self.buffer: list[str] = []
        self.pending: list[AnchorDraft] = []  # ids met since the last piece
        self.owners: list[tuple[etree._Element, str]] = []
        self.landings: list[tuple[etree._Element, Landing]] = []
        self.lists: list[list[int] | None] = []  # a counter for each ordered list, None for a bullet list
        self.prefix = ""
        self.heading: etree._Element | None = None
        self.code: etree._Element | None = None
        self.tables = TableReader()
        self.tabs = TabReader()
        self.terms: list[_Term] = []
        self.marks: set[str] = set()  # ids of footnote marks: no place to send a reader of their paragraph to
        self.link: etree._Element | None = None
        self.kind: UnitKind = "prose"
        self.label: etree._Element | None = None

    # -- events -------------------------------------------------------------------------------------------------

    def start(self, element: etree._Element) -> bool:
        """Open an element; False leaves its subtree out."""
        if self.tabs.labels(element) or is_furniture(element):
            self.skipped = element
            return False
        tag = str(element.tag)
        if is_footnote_mark(element):
            self._anchor(element)
            self.marks.add(element.get("id") or "")
            self.skipped = element
            return False
        if self.heading is None and (tag in BLOCK_TAGS or tag in HEADING_TAGS):
            self._break(tag)
        if tag == "pre":
            self._anchor(element)
            self._emit_code(element)
            self.skipped = element
            return False
        for code, language in embedded_files(element):
            self._emit("code", fenced(code, language))
        self._open(element, tag)
        if element.text:
            self.text(element.text)
        return True

    def end(self, element: etree._Element) -> None:
        """Close an element."""
        if element is self.skipped:
            self.skipped = None
            return
        tag = str(element.tag)
        if element is self.heading:
            self._emit_heading(element)
        elif tag in BLOCK_TAGS and self.heading is None:
            self._close_block(element, tag)
        elif element is self.code:
            self._close_code()
        elif element is self.link:
            self._link(element)
        if element is self.label:
            self.label, self.kind = None, "prose"
        if self.owners and self.owners[-1][0] is element:
            self.owners.pop()
        if self.landings and self.landings[-1][0] is element:
            self.landings.pop()

    def text(self, text: str) -> None:
        """Take a piece of text as it stands in the markup."""
        self.buffer.append(text)

    def finish(self) -> tuple[tuple[Piece, ...], tuple[LinkDraft, ...]]:
        """Flush what is left and return everything."""
        self._flush()
        if self.pending:  # ids after the last text: they belong to it
            self._attach_to_last()
        return tuple(self.pieces), tuple(self.links)

    # -- opening and closing ------------------------------------------------------------------------------------

    def _break(self, tag: str) -> None:
        """End the text before a block; inside a table cell a block is only a blank."""
        if self.tables.in_row and (self.tables.nested or tag not in {"tr", "td", "th"}):
            self.buffer.append(" ")
        else:
            self._flush()

    def _open(self, element: etree._Element, tag: str) -> None:
        if is_label(element) and self.label is None:
            self.label, self.kind = element, "heading"
        if len(self.landings) < _MAX_LANDINGS and (landing := self.tabs.enter(element) or _details(element)):
            self.landings.append((element, landing))
        if tag in HEADING_TAGS and not self.tables.in_row and self.heading is None:
            self.heading = element
            return
        self._anchor(element)
        if tag in _LIST_TAGS:
            self._open_list_part(element, tag)
        elif tag in _TABLE_TAGS:
            self._open_table_part(element, tag)
        elif tag == "code" and self.code is None and self.heading is None:
            self.code = element
            self.buffer.append("`")
        elif tag in {"br", "img"}:
            self.buffer.append(" ")
        elif tag == "a" and element.get("href") and self.link is None:
            self.link = element

    def _open_list_part(self, element: etree._Element, tag: str) -> None:
        if tag == "li":
            self._open_item()
        elif tag == "dt":
            self._open_term(element)
        elif tag == "dd":
            self._open_definition(element)
        elif tag == "dl":
            self.terms.append(_Term())
        else:
            self.lists.append([whole_number(element, "start", 1)] if tag == "ol" else None)

    def _close_block(self, element: etree._Element, tag: str) -> None:
        if tag in {"td", "th"} and self.tables.in_row and not self.tables.nested:
            self.tables.close_cell(self._take_text(), element)
            return
        if tag == "tr":
            self._emit_row()
            return
        self._break(tag)
        if tag in {"ul", "ol", "menu"} and self.lists:
            self.lists.pop()
        elif tag == "table":
            self._close_table()
        elif tag == "dl" and self.terms:
            self.terms.pop()
        elif tag in {"dt", "dd", "li"}:
            self.kind = "prose"

    def _close_code(self) -> None:
        """End inline code; an empty one leaves no backticks behind."""
        if self.buffer[-1:] == ["`"]:
            self.buffer.pop()
        else:
            self.buffer.append("`")
        self.code = None

    def _open_item(self) -> None:
        counter = self.lists[-1] if self.lists else None
        indent = "  " * max(0, len(self.lists) - 1)
        if counter is None:
            self.prefix = f"{indent}- "
        else:
            self.prefix = f"{indent}{counter[0]}. "
            counter[0] += 1
        self.kind = "item"

    def _open_term(self, element: etree._Element) -> None:
        """Begin a term; terms in a row share one definition, which the first id among them names."""
        self.kind = "term"
        if self.terms and (self.terms[-1].defined or not self.terms[-1].anchor):
            self.terms[-1] = _Term(element.get("id") or "")

    def _open_definition(self, element: etree._Element) -> None:
        self.kind = "prose"
        if self.terms:
            self.terms[-1].defined = True
            if self.terms[-1].anchor:
                self.owners.append((element, self.terms[-1].anchor))

    def _open_table_part(self, element: etree._Element, tag: str) -> None:
        if tag == "table":
            self.tables.open_table()
        elif tag == "tr":
            self.tables.open_row()
        elif tag in {"td", "th"}:
            self.tables.open_cell(element)

    # -- anchors and links --------------------------------------------------------------------------------------

    def _anchor(self, element: etree._Element) -> None:
        anchor = self._new(element.get("id") or (element.get("name") if element.tag == "a" else "") or "")
        if not anchor:
            return
        kind = self._target_kind(element)
        self.pending.append(AnchorDraft(anchor, kind, self._owner(), self._landing()))
        if element.tag in CONTAINER_TAGS and self.heading is None:
            self.owners.append((element, anchor))

    def _new(self, anchor: str) -> str:
        """Return an id when it is the page's first of that name, else nothing: browsers land on the first."""
        if not anchor or anchor in self.seen:
            return ""
        self.seen.add(anchor)
        return anchor

    def _target_kind(self, element: etree._Element) -> TargetKind:
        if "list-anchor-link" in classes(element):
            return "option"
        if element.tag in _KINDS:
            return _KINDS[element.tag]
        if self.tables.in_row:
            return "row"
        return "item" if self.lists and self.kind == "item" else "other"

    def _link(self, element: etree._Element) -> None:
        self.links.append(LinkDraft(len(self.pieces), element.get("href") or "", plain_text(element)))
        self.link = None

    # -- emitting -----------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        text = self._take_text()
        if not text:
            return
        if self.kind == "item" and self.prefix:
            text, self.prefix = self.prefix + text, ""
        self._emit(self.kind, text)

    def _emit(self, kind: UnitKind, text: str) -> None:
        anchors = tuple(self.pending)
        self.pending.clear()
        self.pieces.append(Block(kind, text, self._innermost(anchors), self._landing(), anchors))

    def _innermost(self, anchors: tuple[AnchorDraft, ...]) -> str:
        """Return the id that a reader of the block is best sent to: its row, item or term, else an id inside it."""
        if self.owners and self.owners[-1][1] and self.owners[-1][0].tag in _KINDS:
            return self.owners[-1][1]
        held = self.marks.union(owner for _, owner in self.owners)
        return next((item.anchor for item in anchors if item.anchor not in held), self._owner())

    def _emit_row(self) -> None:
        text = self.tables.close_row()
        if text:
            self._emit("row", text)

    def _close_table(self) -> None:
        text = self.tables.close_table()
        if text:
            self._emit("row", text)

    def _emit_code(self, element: etree._Element) -> None:
        code, language = code_text(element)
        if self.tables.in_row:
            self.buffer.append(f" `{' '.join(code.split())}` ")
        elif code.strip():
            self._emit("code", fenced(code, language))
        if self.owners and self.owners[-1][0] is element:
            self.owners.pop()

    def _emit_heading(self, element: etree._Element) -> None:
        self.buffer.clear()
        anchors = list(self.pending)
        self.pending.clear()
        own = self._new(element.get("id") or "")
        if not own and anchors:
            own = anchors.pop(_own_anchor(element, anchors)).anchor
        text = plain_text(element)
        if not own and not text:
            self.pending = anchors
            self.heading = None
            return
        if own:  # what follows belongs to the heading, not to a container that began before it
            self.owners = [(holder, "") for holder, _ in self.owners]
        self.pieces.append(
            Heading(
                HEADING_TAGS[str(element.tag)],
                own,
                text,
                "tsd-panel-header" in classes(element),
                self._landing(),
                tuple(anchors),
            )
        )
        self.heading = None

    def _attach_to_last(self) -> None:
        if not self.pieces:
            return
        last = self.pieces[-1]
        anchors = (*last.anchors, *self.pending)
        if isinstance(last, Block):
            self.pieces[-1] = Block(last.kind, last.text, last.owner, last.landing, anchors)
        else:
            self.pieces[-1] = Heading(last.level, last.anchor, last.text, last.member, last.landing, anchors)

    def _take_text(self) -> str:
        text = " ".join("".join(self.buffer).replace("\u200b", "").split())
        self.buffer.clear()
        return text

    def _owner(self) -> str:
        return self.owners[-1][1] if self.owners else ""

    def _landing(self) -> tuple[Landing, ...]:
        return tuple(landing for _, landing in self.landings)


def _details(element: etree._Element) -> Landing | None:
    if element.tag != "details":
        return None
    summary = element.find("summary")
    return Landing("details", plain_text(summary) if summary is not None else "")


def _own_anchor(heading: etree._Element, anchors: list[AnchorDraft]) -> int:
    """Return which of the ids around a heading is its own: the one its permalink names, else the nearest.

    TypeDoc's is inside the heading; Sphinx's is on the section around it, perhaps with labels in between.
    """
    named = {unquote(link.get("href") or "").removeprefix("#") for link in heading.iter("a")}
    return next((i for i, anchor in enumerate(anchors) if anchor.anchor in named), -1)
