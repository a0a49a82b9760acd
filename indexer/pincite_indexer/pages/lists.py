"""Convert lists to text: the mark of each item, with the state of a task, and the definitions of each term."""

from dataclasses import dataclass

from lxml import etree

from pincite_core.types import UnitKind
from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.list_numbering import BULLET, Numbering
from pincite_indexer.pages.markup import classes, has_class

__all__ = ("LIST_TAGS", "ListReader", "list_part", "task_state")

LIST_TAGS = frozenset({"ul", "ol", "menu", "li", "dl", "dt", "dd"})
_ROLES = {"list": "ul", "listitem": "li"}  # ARIA roles of lists built from `div` elements
_DONE, _OPEN = "[x] ", "[ ] "  # of a task, as in Markdown
_TASK_SIGNS = {"✓": _DONE, "☑": _DONE, "✔": _DONE, "❏": _OPEN, "☐": _OPEN}  # in place of a checkbox


def list_part(element: etree._Element, tag: str) -> str:
    """Return the tag of the list part that an element is, by its tag or its ARIA role; empty if it is none."""
    if tag in LIST_TAGS:
        return tag
    role = element.get("role") if tag == "div" else None
    return _ROLES.get(role, "") if role else ""


def task_state(element: etree._Element, tag: str) -> str:
    """Return the state of a task if an element is its checkbox; otherwise an empty string."""
    if tag == "input":
        is_task = element.get("type") == "checkbox" and element.get("hidden") is None and not element.get("role")
        return "" if not is_task else _OPEN if element.get("checked") is None else _DONE
    if element.get("role") == "checkbox":
        return _DONE if element.get("aria-checked") == "true" else _OPEN
    if element.get("class") is None:
        return ""
    done = next((MERGED.task_marks[name] for name in classes(element) if name in MERGED.task_marks), None)
    return "" if done is None else _DONE if done else _OPEN


@dataclass(slots=True)
class _Term:
    anchor: str = ""
    parent: etree._Element | None = None  # the list, or the `div` around one group of terms and definitions
    defined: bool = False  # whether a definition has started


@dataclass(slots=True)
class _List:
    numbering: Numbering
    is_checklist: bool


class ListReader:
    """Reader that tracks nested lists in document order."""

    def __init__(self) -> None:
        self._lists: list[_List] = []
        self._terms: list[_Term] = []
        self._mark = ""  # of an item without text so far

    @property
    def open(self) -> bool:
        """Return whether a list is open."""
        return bool(self._lists)

    @property
    def awaits_text(self) -> bool:
        """Return whether an item is open that has no text so far."""
        return bool(self._mark)

    def start(self, element: etree._Element, tag: str) -> UnitKind | None:
        """Open a list or a list part; return the kind of the following text, or None if it does not change."""
        if tag == "li":
            own = self._lists[-1].numbering.next_mark(element) if self._lists else BULLET
            self._mark = f"{'  ' * (len(self._lists) - 1)}{own} "
            return "item"
        if tag == "dt":  # consecutive terms share one definition and the first ID among them
            if self._terms and not self.is_synonym(element):
                self._terms[-1] = _Term(element.get("id") or "", element.getparent())
            return "term"
        if tag == "dd":
            if self._terms:
                self._terms[-1].defined = True
            return "prose"
        if tag == "dl":
            self._terms.append(_Term())
        else:
            self._lists.append(_List(Numbering.of(element, tag), has_class(element, MERGED.checklists)))
        return None

    def end(self, tag: str) -> UnitKind | None:
        """Close a list or a list part; return the kind of the following text, or None if it does not change."""
        if tag in {"li", "dt", "dd"}:
            self._mark = ""
            return "prose"
        if tag == "dl":
            if self._terms:
                self._terms.pop()
        elif self._lists:
            self._lists.pop()
        return None

    def set_task(self, state: str) -> None:
        """Add the state of a task to the open item's mark; an empty state changes nothing."""
        if not self._mark.endswith("] "):
            self._mark += state

    def take_mark(self, text: str) -> tuple[str, str]:
        """Return the mark of an item's first block, and the block's text; its other blocks have no mark."""
        if self._mark and self._lists and self._lists[-1].is_checklist and text[:1] in _TASK_SIGNS:
            self.set_task(_TASK_SIGNS[text[0]])
            text = text[1:].lstrip()
        mark, self._mark = self._mark, ""
        return mark, text

    def is_synonym(self, term: etree._Element) -> bool:
        """Return whether another term of the same group has no definition so far, so that both name the next one."""
        last = self._terms[-1] if self._terms else _Term()
        return bool(last.anchor) and not last.defined and term.getparent() is last.parent

    def term(self) -> str:
        """Return the ID of the current term; empty if there is none."""
        return self._terms[-1].anchor if self._terms else ""
