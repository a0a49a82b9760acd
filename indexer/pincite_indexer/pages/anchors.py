"""Ids in document order: which are new, which contain what follows, and which one a block is best cited by.

An empty anchor after a paragraph's text names what follows, not the paragraph that it ends. Whoever writes
`<a name="x"></a>` above a heading and closes no paragraphs has it inside the paragraph before, for every parser and
every browser; and a reader who is sent there sees the heading. List items, terms and rows are left alone: there an
anchor after the text is as often their own.
"""

from urllib.parse import unquote

from lxml import etree
from msgspec import Struct

from pincite_core.types import Landing, TargetKind
from pincite_indexer.pages.markup import CONTAINER_TAGS
from pincite_indexer.pages.records import AnchorDraft, Block

__all__ = ("ROW_LIKE", "AnchorReader", "EndedParagraph", "is_empty_anchor")

ROW_LIKE: dict[str, TargetKind] = {
    "tr": "row",
    "td": "row",
    "th": "row",
    "li": "item",
    "dt": "term",
    "details": "details",
}
"""Elements that are themselves what a reader is sent to, before any id inside them."""


_FOOTNOTE_REFERENCE = "fnref"  # Markdown's name for the place a footnote is referred from, on the element around it


class AnchorReader:
    """Collects ids until a piece takes them, and knows the containers that are open."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._pending: list[AnchorDraft] = []  # met since the last piece
        self._owners: list[tuple[etree._Element, str]] = []
        self._marks: set[str] = set()  # footnote marks: no place to send a reader of their paragraph to

    def meet(self, element: etree._Element, kind: TargetKind, landing: tuple[Landing, ...], *, inside: bool) -> None:
        """Note an element's id, if it has one that is new; with `inside` a container owns the blocks in it."""
        anchor = self.new(element.get("id") or (element.get("name") if element.tag == "a" else "") or "")
        if not anchor:
            return
        self._pending.append(AnchorDraft(anchor, kind, self.owner(), landing))
        if anchor.startswith(_FOOTNOTE_REFERENCE):
            self._marks.add(anchor)
        if element.tag in CONTAINER_TAGS and inside:
            self._owners.append((element, anchor))

    def meet_mark(self, element: etree._Element, kind: TargetKind, landing: tuple[Landing, ...]) -> None:
        """Note the id of a footnote's mark."""
        self.meet(element, kind, landing, inside=False)
        self._marks.add(element.get("id") or "")

    def new(self, anchor: str) -> str:
        """Return an id when it is the page's first of that name, else nothing: browsers land on the first."""
        if not anchor or anchor in self._seen:
            return ""
        self._seen.add(anchor)
        return anchor

    def lend(self, element: etree._Element, anchor: str) -> None:
        """Let an element's blocks belong to another's id: a definition's to its term's."""
        self._owners.append((element, anchor))

    def close(self, element: etree._Element) -> None:
        """End a container."""
        if self._owners and self._owners[-1][0] is element:
            self._owners.pop()

    def owner(self) -> str:
        """Return the id of the innermost open container, empty for none."""
        return self._owners[-1][1] if self._owners else ""

    @property
    def pending(self) -> int:
        """How many ids were met since the last piece."""
        return len(self._pending)

    def take(self) -> tuple[AnchorDraft, ...]:
        """Return the ids met since the last piece, which now takes them."""
        taken = tuple(self._pending)
        self._pending.clear()
        return taken

    def best_of(self, anchors: tuple[AnchorDraft, ...]) -> str:
        """Return the id that a block is best cited by: its row, item or term, else an id inside it."""
        if self._owners and self._owners[-1][1] and self._owners[-1][0].tag in ROW_LIKE:
            return self._owners[-1][1]
        if not anchors:
            return self.owner()
        held = self._marks.union(owner for _, owner in self._owners)
        return next((item.anchor for item in anchors if item.anchor not in held), self.owner())

    def of_heading(self, heading: etree._Element) -> tuple[str, tuple[AnchorDraft, ...]]:
        """Return a heading's own id and the others around it.

        Without an id of its own it takes the one that its permalink names, else the nearest: some generators have it
        inside the heading, some on the section around it, perhaps with labels in between. What follows belongs to the
        heading, not to a container that began before it.
        """
        anchors = list(self.take())
        own = self.new(heading.get("id") or "")
        if not own and anchors:
            named = {unquote(link.get("href") or "").removeprefix("#") for link in heading.iter("a")}
            own = anchors.pop(next((i for i, item in enumerate(anchors) if item.anchor in named), -1)).anchor
        if own:
            self._owners = [(holder, "") for holder, _ in self._owners]
        return own, tuple(anchors)

    def put_back(self, anchors: tuple[AnchorDraft, ...]) -> None:
        """Keep ids for the next piece after all."""
        self._pending = [*anchors, *self._pending]


class EndedParagraph(Struct, frozen=True, gc=False):
    """The block emitted last: what it is without its late anchors, and those, in case that something takes them."""

    without: Block
    late: tuple[AnchorDraft, ...]


def is_empty_anchor(element: etree._Element) -> bool:
    """Tell whether an element is a place and nothing to see, as far as its tag says: style sheets draw links."""
    return element.tag in {"a", "span"} and element.get("href") is None
