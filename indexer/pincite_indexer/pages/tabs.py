"""Match tab labels to tab panels, so that a link to hidden content can open its tab."""

from lxml import etree

from pincite_core.types import Landing
from pincite_indexer.generators.known_generators import every
from pincite_indexer.pages.markup import classes, is_tab_panel, plain_text

__all__ = ("LABEL_LENGTH", "TabReader")

LABEL_LENGTH = 300  # characters of a label of a tab or details element that are stored with its content

_CONTAINERS = every(lambda generator: generator.tab_groups)
_LABEL_LISTS = every(lambda generator: generator.tab_labels)
_SINGLE_LABELS = every(lambda generator: generator.tab_label)
_PANELS_AROUND = every(lambda generator: generator.tab_panels_in)


class TabReader:
    """Reader that tracks nested tab groups: all labels before all panels, or a label before each panel."""

    def __init__(self) -> None:
        self._groups: list[list[str]] = []

    def labels(self, element: etree._Element) -> bool:
        """Read a tab label or a list of tab labels; return whether the element is one, and so not content."""
        if element.tag == "label" and self._is_label(element):
            self._groups.append([plain_text(element)[:LABEL_LENGTH]])
            return True
        if not self._is_label_list(element):
            return False
        found = [
            plain_text(child)[:LABEL_LENGTH]
            for child in element
            if isinstance(child.tag, str) and child.tag in {"li", "label", "button"}
        ]
        self._groups.append(found[::-1])
        return True

    def enter(self, element: etree._Element) -> Landing | None:
        """Return the tab of a panel that starts here; None if the element is not a panel or has no label."""
        if not is_tab_panel(element):
            return None
        while self._groups and not self._groups[-1]:
            self._groups.pop()
        return Landing("tab", self._groups[-1].pop()) if self._groups else None

    @staticmethod
    def _is_label(element: etree._Element) -> bool:
        parent = element.getparent()
        is_one = not _SINGLE_LABELS.isdisjoint(classes(element))
        return is_one and parent is not None and not _PANELS_AROUND.isdisjoint(classes(parent))

    @staticmethod
    def _is_label_list(element: etree._Element) -> bool:
        if element.get("role") == "tablist":
            return True
        if element.get("class") is None or _LABEL_LISTS.isdisjoint(classes(element)):
            return False
        parent = element.getparent()
        return parent is not None and not _CONTAINERS.isdisjoint(classes(parent))
