"""Collect IDs in document order, and choose the ID that identifies each block in a citation.

An empty anchor after a paragraph's text belongs to the next piece, not to the paragraph. An author may write such an
anchor above a heading and leave a paragraph open. Every parser then puts the anchor inside that paragraph, but a reader
who follows a link to it sees the heading. List items, terms and rows are exceptions, because an anchor after their text
often belongs to them.
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
"""Elements that are targets themselves, preferred to any ID inside them."""


_FOOTNOTE_REFERENCE = "fnref"  # Markdown's ID prefix for a footnote reference, on the element around it


class AnchorReader:
    """Collector of IDs that assigns them to the next piece and tracks open containers."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._pending: list[AnchorDraft] = []  # found since the last piece
        self._owners: list[tuple[etree._Element, str]] = []
        self._marks: set[str] = set()  # footnote marks; a paragraph is never cited by such an ID

    def meet(self, element: etree._Element, kind: TargetKind, landing: tuple[Landing, ...], *, inside: bool) -> None:
        """Record an element's ID if it is new; with `inside`, a container owns the blocks in it."""
        anchor = self.new(element.get("id") or (element.get("name") if element.tag == "a" else "") or "")
        if not anchor:
            return
        self._pending.append(AnchorDraft(anchor, kind, self.owner(), landing))
        if anchor.startswith(_FOOTNOTE_REFERENCE):
            self._marks.add(anchor)
        if element.tag in CONTAINER_TAGS and inside:
            self._owners.append((element, anchor))

    def meet_mark(self, element: etree._Element, kind: TargetKind, landing: tuple[Landing, ...]) -> None:
        """Record the ID of a footnote mark."""
        self.meet(element, kind, landing, inside=False)
        self._marks.add(element.get("id") or "")

    def new(self, anchor: str) -> str:
        """Return an ID if it is the first of its name on the page, else an empty string; browsers jump to the first."""
        if not anchor or anchor in self._seen:
            return ""
        self._seen.add(anchor)
        return anchor

    def lend(self, element: etree._Element, anchor: str) -> None:
        """Assign an element's blocks to another element's ID, such as a definition's blocks to its term."""
        self._owners.append((element, anchor))

    def close(self, element: etree._Element) -> None:
        """Close a container."""
        if self._owners and self._owners[-1][0] is element:
            self._owners.pop()

    def owner(self) -> str:
        """Return the ID of the innermost open container; empty if none is open."""
        return self._owners[-1][1] if self._owners else ""

    @property
    def pending(self) -> int:
        """Return the number of IDs found since the last piece."""
        return len(self._pending)

    def take(self) -> tuple[AnchorDraft, ...]:
        """Return the IDs found since the last piece and clear them."""
        taken = tuple(self._pending)
        self._pending.clear()
        return taken

    def best_of(self, anchors: tuple[AnchorDraft, ...]) -> str:
        """Return the ID that identifies a block best: the ID of its row, item or term, or else an ID inside it."""
        if self._owners and self._owners[-1][1] and self._owners[-1][0].tag in ROW_LIKE:
            return self._owners[-1][1]
        if not anchors:
            return self.owner()
        held = self._marks.union(owner for _, owner in self._owners)
        return next((item.anchor for item in anchors if item.anchor not in held), self.owner())

    def of_heading(self, heading: etree._Element) -> tuple[str, tuple[AnchorDraft, ...]]:
        """Return a heading's own ID and the other IDs around it.

        A heading without an ID takes the ID that its permalink names, or else the nearest one. Generators put this ID
        inside the heading or on the section around it, sometimes with labels in between. The following text then
        belongs to the heading, not to a container that started before it.
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
        """Return IDs to the pending ones, for the next piece."""
        self._pending = [*anchors, *self._pending]


class EndedParagraph(Struct, frozen=True, gc=False):
    """The last block without its trailing anchors, and these anchors, in case the next piece takes them."""

    without: Block
    late: tuple[AnchorDraft, ...]


def is_empty_anchor(element: etree._Element) -> bool:
    """Return whether an element's tag makes it an invisible anchor, apart from style sheets."""
    return element.tag in {"a", "span"} and element.get("href") is None
