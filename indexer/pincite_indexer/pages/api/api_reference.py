"""Rewrite the description of a web API to plain HTML: operations to titles, parameters and responses to table rows.

Tools for OpenAPI show an operation and its parameters with boxes, badges and buttons. The rewritten content has the
same text in nearly the same order, so that everything that reads a content needs no further rule. Names of columns,
and what is added to a title, stand in `alt` elements, because a reader cannot select them on the page.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.api.api_field_boxes import find_fields
from pincite_indexer.pages.api.api_fields import rewrite_fields
from pincite_indexer.pages.api.api_markup import BADGES, has_block, take_out
from pincite_indexer.pages.api.api_operations import Operation, find_operations, rewrite_operations
from pincite_indexer.pages.api.api_responses import find_responses, rewrite_examples, rewrite_responses
from pincite_indexer.pages.elements import HEADING_TAGS

__all__ = ("ApiReference", "find_api", "may_describe_api")

_METHOD = re.compile(rb">(?:GET|POST|PUT|PATCH|DELETE|get|post|put|patch|delete)\b")
_BRACKET = re.compile(r"\s*(?:Array )?[\[\]{}]+,?\s*")


def may_describe_api(source: bytes) -> bool:
    """Return whether a page's source may describe a web API; a quick test, because most pages do not."""
    return _METHOD.search(source) is not None or any(mark in source for mark in MERGED.api_marks)


def find_api(root: etree._Element) -> "ApiReference | None":
    """Return the description of a web API in a content; None if there is none."""
    operations = find_operations(root)
    fields = find_fields(root, by_structure=bool(operations))
    found = ApiReference(root, operations, fields, find_responses(root))
    return found if found.operations or found.fields or found.responses else None


@dataclass(frozen=True, slots=True)
class ApiReference:
    """The description of a web API in a content."""

    root: etree._Element
    operations: list[Operation]
    fields: Mapping[etree._Element, etree._Element]
    responses: list[etree._Element]

    def rewrite(self) -> None:
        """Rewrite the description in place."""
        rewrite_operations(self.operations, self.root)
        rewrite_responses(self.responses)
        rewrite_fields(self.fields)
        _separate_badges(self.root)
        _read_tabs(self.root)
        if self.operations:
            rewrite_examples(self.root)
            _take_blocks_out_of_headings(self.root)
        if self.fields:
            _remove_brackets(self.root)


def _take_blocks_out_of_headings(root: etree._Element) -> None:
    """Put the description in a heading after it, as in headings of tags; a version is a part of the title."""
    for heading in list(root.iter(*HEADING_TAGS)):
        for version in heading.iter("pre"):
            version.tag = "span"
        for part in reversed([part for part in heading[1:] if has_block(part)]):
            heading.addnext(take_out(part))
            part.tag = "div"


def _separate_badges(root: etree._Element) -> None:
    """Put a blank before a badge that stands directly after a word: `Body` and `required`."""
    for badge in root.iter("strong", "span"):
        before, parent = badge.getprevious(), badge.getparent()
        if parent is None or (badge.text or "").casefold() not in BADGES:
            continue
        if before is None:
            parent.text = _ended_word(parent.text or "")
        else:
            before.tail = _ended_word(before.tail or "")


def _ended_word(text: str) -> str:
    return f"{text} " if text[-1:].isalnum() else text


def _read_tabs(root: etree._Element) -> None:
    """Keep the labels of the tabs whose panels are in the page, if a script adds a panel when a reader opens its tab.

    The IDs of such panels are new in each build, so that the operation's own ID is the better one.
    """
    panels = [part for part in root.iter("div") if part.get("role") == "tabpanel" and part.get("aria-labelledby")]
    made_anew: set[str] = set()
    labelled = {panel.attrib["aria-labelledby"] for panel in panels}
    for tabs in [part for part in root.iter("ul", "div") if panels and part.get("role") == "tablist"]:
        labels = {label: next((tab for tab in label.iter() if tab.get("role") == "tab"), label) for label in tabs}
        some_are_known = not labelled.isdisjoint(tab.get("id") or "" for tab in labels.values())
        for label, tab in labels.items():
            if some_are_known and tab.get("id") not in labelled:
                tabs.remove(label)
                made_anew.update(tab.get("id") or "" for tab in labels.values())
            elif tab is not label:
                tab.tag = "span"  # the text of a button is none
    for panel in panels:
        if panel.attrib["aria-labelledby"] in made_anew:
            panel.attrib.pop("id", None)


def _remove_brackets(root: etree._Element) -> None:
    """Remove the brackets around the fields of an object; they are no text once each field is a row."""
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, part in walker:
        if event == "end":
            if part is not root and part.tail and _BRACKET.fullmatch(part.tail):
                part.tail = " "
        elif part.tag in {"pre", "code"}:
            walker.skip_subtree()
        elif part.text and _BRACKET.fullmatch(part.text):
            part.text = None
