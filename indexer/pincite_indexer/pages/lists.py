"""Convert lists to text: track the mark of each item and the definitions of each term."""

from dataclasses import dataclass

from lxml import etree

from pincite_core.types import UnitKind
from pincite_indexer.pages.markup import whole_number

__all__ = ("LIST_TAGS", "ListReader")

LIST_TAGS = frozenset({"ul", "ol", "menu", "li", "dl", "dt", "dd"})
_LISTS = frozenset({"ul", "ol", "menu"})


@dataclass(slots=True)
class _Term:
    """Current term of a definition list: its ID, and whether a definition has started."""

    anchor: str = ""
    defined: bool = False


class ListReader:
    """Reader that tracks nested lists in document order."""

    def __init__(self) -> None:
        self._counters: list[int | None] = []  # next number of each ordered list; None for a bullet list
        self._terms: list[_Term] = []
        self._mark = ""

    @property
    def open(self) -> bool:
        """Return whether a list is open."""
        return bool(self._counters)

    def start(self, element: etree._Element, tag: str) -> UnitKind | None:
        """Open a list or a list part; return the kind of the following text, or None if it does not change."""
        if tag == "li":
            self._mark = self._next_mark()
            return "item"
        if tag == "dt":
            self._open_term(element)
            return "term"
        if tag == "dd":
            if self._terms:
                self._terms[-1].defined = True
            return "prose"
        if tag == "dl":
            self._terms.append(_Term())
        else:
            self._counters.append(whole_number(element, "start", 1) if tag == "ol" else None)
        return None

    def end(self, tag: str) -> UnitKind | None:
        """Close a list or a list part; return the kind of the following text, or None if it does not change."""
        if tag in _LISTS and self._counters:
            self._counters.pop()
        elif tag == "dl" and self._terms:
            self._terms.pop()
        return "prose" if tag in {"li", "dt", "dd"} else None

    def take_mark(self) -> str:
        """Return the mark of an item's first block; its other blocks have none."""
        mark, self._mark = self._mark, ""
        return mark

    @property
    def has_name(self) -> bool:
        """Return whether the open list has a term without a definition, so that another term is a synonym."""
        return bool(self._terms and self._terms[-1].anchor and not self._terms[-1].defined)

    def term(self) -> str:
        """Return the ID of the current term; empty if there is none."""
        return self._terms[-1].anchor if self._terms else ""

    def _next_mark(self) -> str:
        indent = "  " * max(0, len(self._counters) - 1)
        number = self._counters[-1] if self._counters else None
        if number is None:
            return f"{indent}- "
        self._counters[-1] = number + 1
        return f"{indent}{number}. "

    def _open_term(self, element: etree._Element) -> None:
        """Start a term; consecutive terms share one definition and the first ID among them."""
        if self._terms and (self._terms[-1].defined or not self._terms[-1].anchor):
            self._terms[-1] = _Term(element.get("id") or "")
