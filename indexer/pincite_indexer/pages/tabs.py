"""Match the labels of tabs to their panels, so that a link to hidden content can open its tab."""

from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from pincite_core.types import Landing
from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.markup import LABEL_LENGTH, has_class, is_tab_panel, plain_text

__all__ = ("TabReader",)

_LABEL_TAGS = frozenset({"li", "label", "button", "a"})
_NAMES_PANEL = ("aria-controls", "data-bs-target", "data-target", "href")  # attributes of tabs with the ID of the panel


_LABEL_CLASSES = MERGED.tab_label | MERGED.tab_lists | MERGED.tab_labels
_CLASS_ATTRIBUTES = 4096  # distinct attributes in the cache; a site has a few hundred


@lru_cache(_CLASS_ATTRIBUTES)
def _may_be_labels(attribute: str) -> bool:
    return not _LABEL_CLASSES.isdisjoint(attribute.split())


@dataclass(frozen=True, slots=True)
class _Tab:
    label: str
    own_id: str
    panel_ids: frozenset[str]

    def opens(self, panel: etree._Element) -> bool:
        """Return whether the tab names the panel, or the panel names the tab."""
        return panel.get("id") in self.panel_ids or bool(self.own_id and self.own_id == panel.get("aria-labelledby"))


class TabReader:
    """Reader of tabs in document order.

    A tab and its panel may name each other by their IDs. Otherwise all labels precede all panels, or a label precedes
    each panel. Groups may be nested.
    """

    def __init__(self) -> None:
        self._groups: list[list[_Tab]] = []  # tabs without a panel so far, the next one last

    def read_labels(self, element: etree._Element) -> bool:
        """Read a tab label or a list of tab labels; return whether the element is one, and so not content."""
        names = element.get("class")
        if element.tag != "label" and element.get("role") != "tablist" and not (names and _may_be_labels(names)):
            return False
        if (
            element.tag == "label"
            and has_class(element.getparent(), MERGED.tab_panels_in)
            and (has_class(element, MERGED.tab_label) or _follows_its_button(element))
        ):
            tabs = [element]
        elif (
            element.get("role") == "tablist"
            or has_class(element, MERGED.tab_lists)
            or (has_class(element, MERGED.tab_labels) and has_class(element.getparent(), MERGED.tab_groups))
        ):
            tabs = _tabs_in(element)
        else:
            return False
        self._groups.append([_read_tab(tab) for tab in reversed(tabs)])
        return True

    def open_panel(self, element: etree._Element) -> Landing | None:
        """Return the tab of a panel that starts here; None if the element is not a panel or has no label."""
        if not self._groups or not is_tab_panel(element):
            return None
        for group in reversed(self._groups):
            for tab in group:
                if tab.opens(element):
                    group.remove(tab)
                    return Landing("tab", tab.label)
        while self._groups and not self._groups[-1]:
            self._groups.pop()
        return Landing("tab", self._groups[-1].pop().label) if self._groups else None


def _follows_its_button(label: etree._Element) -> bool:
    button = label.getprevious()
    return button is not None and button.get("type") == "radio" and button.get("id") == label.get("for")


def _tabs_in(tab_list: etree._Element) -> list[etree._Element]:
    """Return the tabs of a list: the elements with this role, or else the list's items."""
    tabs = [one for one in tab_list.iter() if isinstance(one.tag, str) and one.get("role") == "tab"]
    return tabs or [child for child in tab_list if child.tag in _LABEL_TAGS] or list(tab_list.iter("li"))


def _read_tab(tab: etree._Element) -> _Tab:
    ids = ((tab.get(name) or "").removeprefix("#") for name in _NAMES_PANEL)
    return _Tab(plain_text(tab)[:LABEL_LENGTH], tab.get("id") or "", frozenset(filter(None, ids)))
