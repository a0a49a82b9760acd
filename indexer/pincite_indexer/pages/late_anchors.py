"""Empty anchors after a paragraph's text: they name what follows, not the paragraph that they end.

Whoever writes `<a name="x"></a>` above a heading and closes no paragraphs has it inside the paragraph before, for every
parser and every browser; and a reader who is sent there sees the heading. List items, terms and rows are left alone:
there an anchor after the text is as often their own.
"""

from lxml import etree
from msgspec import Struct

from pincite_indexer.pages.records import AnchorDraft, Block

__all__ = ("EndedParagraph", "is_empty_anchor")


class EndedParagraph(Struct, frozen=True, gc=False):
    """The block emitted last: what it is without its late anchors, and those, in case that something takes them."""

    without: Block
    late: tuple[AnchorDraft, ...]


def is_empty_anchor(element: etree._Element) -> bool:
    """Tell whether an element is a place and nothing to see, as far as its tag says: style sheets draw links."""
    return element.tag in {"a", "span"} and element.get("href") is None
