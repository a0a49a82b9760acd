"""Rewrite the responses of an operation to table rows with code and description, and folded JSON to code blocks."""

import json
import re
from collections.abc import Sequence

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.api.api_markup import Cells, cleared, shown, table_of, take_out
from pincite_indexer.pages.markup import has_class

__all__ = ("find_responses", "rewrite_examples", "rewrite_responses")

_CODE = re.compile(r"[1-5](?:\d\d|XX)|default", re.IGNORECASE)
_COLUMNS = ("Code", "Description")


def find_responses(root: etree._Element) -> list[etree._Element]:
    """Return the heads of responses in a content: rows with a code, and buttons that show the response's body."""
    return [part for part in root.iter("tr", "button") if _is_row(part) or _is_button(part)]


def _is_row(part: etree._Element) -> bool:
    cells = part.findall("td") if part.tag == "tr" and part.get("data-code") is not None else []
    return len(cells) > 1 and len(cells[1]) > 0 and _CODE.fullmatch(shown(cells[0])) is not None


def _is_button(part: etree._Element) -> bool:
    code = part.find("strong") if part.tag == "button" else None
    return code is not None and _CODE.fullmatch(shown(code)) is not None


def rewrite_responses(found: Sequence[etree._Element]) -> None:
    """Replace the head of each response by a table row, in place; the fields of its body follow the table."""
    for part in found:
        if part.tag == "tr":
            _rewrite_row(part)
        else:
            _rewrite_button(part)


def _rewrite_row(row: etree._Element) -> None:
    """Rewrite a row whose second cell has the description, and then the body."""
    code, *cells = row.findall("td")
    texts: Cells = {_COLUMNS[0]: shown(code), _COLUMNS[1]: [cells[0][0]]}
    for empty in (code, *(cell for cell in cells[1:] if [part.tag for part in cell] == ["i"])):  # `No links`
        cleared(empty)
    for outer in row.iterancestors("table", "tbody"):
        for head in outer.findall("thead"):
            take_out(head)
        outer.tag = "div"
    for part in (row, code, *cells):
        part.tag = "div"
    row.insert(0, table_of([(texts, "")], _COLUMNS))


def _rewrite_button(button: etree._Element) -> None:
    """Rewrite a button with the code and the description."""
    code = next(button.iterchildren("strong"))
    texts: Cells = {_COLUMNS[0]: shown(code), _COLUMNS[1]: list(code.itersiblings("*"))}
    table = table_of([(texts, "")], _COLUMNS)
    cleared(button)
    button.tag = "div"
    button.insert(0, table)


def rewrite_examples(root: etree._Element) -> None:
    """Make each tree of JSON a code block, in place."""
    for tree in [part for part in root.iter("div") if has_class(part, MERGED.api_json)]:
        for button in list(tree.iter("button")):
            cleared(button)
        text = _indented("".join(tree.itertext()))
        for part in list(tree):
            tree.remove(part)
        tree.tag, tree.text = "pre", None
        etree.SubElement(tree, "code", {"class": "language-json"}).text = text


def _indented(text: str) -> str:
    """Return JSON as its copy button gives it."""
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except ValueError:
        return text
