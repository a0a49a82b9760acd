"""Rewrite the parameters of an operation, and the fields of its bodies, to the rows of tables.

Each tool shows a field as a box with its name, type and labelled values. A field of an object is named with its path
(`address.street`), because its row is read without the rows around it. A row stands where the field stood, so that it
stays in its tab and its details element.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.api.api_markup import (
    BADGES,
    BLOCKS,
    CONTROLS,
    FIELD_TAGS,
    cleared,
    has_block,
    shown,
    table_of,
    take_out,
)
from pincite_indexer.pages.markup import has_class, is_furniture, is_hidden

__all__ = ("rewrite_fields",)

_NAME, _PLACE, _TYPE, _REQUIRED, _DEFAULT, _DESCRIPTION = "Name", "In", "Type", "Required", "Default", "Description"
_DEPRECATED = "Deprecated"
_TABLE_PARTS = ("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup", "col")
_LISTS = frozenset({"ul", "ol", "menu"})
_PROSE = frozenset("p ul ol dl pre blockquote table h1 h2 h3 h4 h5 h6".split())
_TRAITS = frozenset({"nullable", "read-only", "readonly", "read only", "write-only", "writeonly", "write only"})
"""Badges that belong to the type."""
_VALUE_LABELS = re.compile(
    r"default(?: value)?s?|(?:possible|available|allowed|accepted) values|enum|examples?|constraints?|pattern|format",
    re.IGNORECASE,
)
"""Labels of a value. In a description, another bold word with a colon is text."""
_KEYWORD = re.compile(r"([A-Za-z][\w ]{0,30}):\s+(.+)")  # a keyword of JSON Schema: `maxLength: 40`
_LABEL_LENGTH = 40


def rewrite_fields(fields: Mapping[etree._Element, etree._Element]) -> None:
    """Replace fields by tables, in place."""
    paths: dict[etree._Element, str] = {}
    rows: dict[etree._Element, _Row] = {}
    for one, name in fields.items():
        rows[one] = row = _Row(one, name, fields)
        around = next((paths[outer] for outer in _outer(one) if outer in paths), "")
        paths[one] = f"{around}.{row.name}" if around else row.name
        row.cells[_NAME] = paths[one]
    for one in fields:
        _unwrap(one)
    for run in _runs(rows):
        _replace(run, rows)


def _outer(field: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements that may be the field around a field; a row's fields may be in the row after it."""
    for outer in field.iterancestors():
        yield outer
        before = outer.getprevious() if outer.tag == "tr" else None
        if before is not None:
            yield before


class _Row:
    """Cells of a field, read from its markup; what is read is removed from the page's content."""

    def __init__(self, field: etree._Element, name: etree._Element, fields: Container[etree._Element]) -> None:
        self.cells: dict[str, str | Sequence[etree._Element]] = {_NAME: ""}  # in the order of the page
        self.anchor = field.get("id") or ""
        self.has_fields = False
        self._description: list[etree._Element] = []
        self._types: list[str] = []
        self._read: list[etree._Element] = []
        self._around_name = frozenset(name.iterancestors())
        for part in (field, name):
            if has_class(part, MERGED.api_required):
                self.cells[_REQUIRED] = "required"
            if has_class(part, MERGED.api_deprecated):
                self.cells[_DEPRECATED] = _DEPRECATED
        self.name = self._read_name(field, name)
        self._walk(field, name, fields)
        if self._types:
            self.cells[_TYPE] = " ".join(self._types)
        for part in self._read:
            if next(part.iterancestors("summary"), None) is None:  # a summary labels what it opens
                cleared(part)

    def _read_name(self, field: etree._Element, name: etree._Element) -> str:
        """Return a field's name, without the badges and marks beside it."""
        given = field.get("data-param-name") or (name.get("title") if name.tag == "td" else None)
        if given:
            return given
        own = (name.text or "").strip() or next((text.strip() for text in name.itertext() if text.strip()), "")
        return own or shown(name)

    def _walk(self, field: etree._Element, name: etree._Element, fields: Container[etree._Element]) -> None:
        """Read the parts of a field up to the first field in it."""
        walker = etree.iterwalk(field, events=("start",))
        holder: etree._Element | None = None  # the element around the field's own fields
        next(walker)
        for _, part in walker:
            if part in fields:
                self.has_fields = True
                break
            if part.tag in CONTROLS or is_hidden(part) or self._takes(part, name, inside=holder is not None):
                walker.skip_subtree()
            elif holder is None and part is not name and part not in self._around_name:
                holder = part if any(inner in fields for inner in part.iterdescendants(*FIELD_TAGS)) else None

    def _takes(self, part: etree._Element, name: etree._Element, *, inside: bool) -> bool:
        """Read an element as a part of the row; return False to read its children.

        `inside` says whether the element is beside the field's own fields, where other text belongs to all of them.
        """
        if part is name:
            self._read.append(part)
            return not has_block(part)
        if part in self._around_name:
            return False
        if is_furniture(part) and (part.tag != "button" or has_class(part, MERGED.furniture)):
            return True  # other buttons open a field's own fields, and may show its type
        if self._takes_value(part):
            self._read.append(part)
            return True
        if part.tag in _PROSE:
            return self._takes_prose(part, inside=inside)
        has_parts = has_block(part) or any(has_class(inner, MERGED.api_types) for inner in part.iterdescendants())
        if inside or has_parts or not (text := shown(part)):
            return False
        if not self._types or part.tag not in BLOCKS:
            self._add_type(text)
            self._read.append(part)
        else:
            self._add_to_description(part)
        return True

    def _add_type(self, text: str) -> None:
        self._types.append(text)
        self.cells.setdefault(_TYPE, "")  # its place among the cells

    def _add_to_description(self, part: etree._Element) -> None:
        self._description.append(part)
        self.cells[_DESCRIPTION] = self._description

    def _takes_value(self, part: etree._Element) -> bool:
        """Read a type, a badge or a labelled value; return whether the element is one."""
        text = "" if has_block(part) else shown(part)
        flag = text.casefold()
        if has_class(part, MERGED.api_types) or flag in _TRAITS:
            self._add_type(shown(part))
        elif has_class(part, MERGED.api_places):
            self.cells[_PLACE] = text.strip("()")
        elif flag in BADGES:
            self.cells[BADGES[flag]] = text.capitalize() if flag == "deprecated" else text
        elif (value := _labelled(part)) is not None:
            self.cells.setdefault(*value)
        else:
            return False
        return True

    def _takes_prose(self, part: etree._Element, *, inside: bool) -> bool:
        """Read an element of the description; return False to read its children."""
        if shown(part) and (not inside or part.tag == "p"):
            self._add_to_description(part)
            cell = next(part.iterancestors("td"), None)
            label = None if cell is None else cell.getprevious()
            if label is not None and shown(label).endswith(":"):
                self._read.append(label)
            return True
        return not shown(part)


def _labelled(part: etree._Element) -> tuple[str, str] | None:
    """Return the column and the value of an element such as `Default: 25`; None if it has no label."""
    if has_class(part, MERGED.api_values):
        return _value_of(part)
    if has_block(part):
        return None
    text = shown(part)
    label = next((child for child in part if isinstance(child.tag, str) and shown(child)), None)
    if label is None or (part.text or "").strip() or label.tag in {"a", "code"}:
        found = _KEYWORD.fullmatch(text) if part.tag == "span" else None
        return (_column(found[1]), found[2]) if found else None
    name = shown(label)
    if name.endswith((":", "：")):
        name = name[:-1].rstrip()
    elif not (label.tail or "").lstrip().startswith((":", "：")):
        return None
    value = text[len(shown(label)) :].lstrip(" :：")
    if not name or not value or len(name) > _LABEL_LENGTH:
        return None
    if part.tag in _PROSE and not _VALUE_LABELS.fullmatch(name):
        return None
    return _column(name), value


def _value_of(box: etree._Element) -> tuple[str, str] | None:
    """Return the column and the value of a box whose label has a class; the values of a list lose their numbers."""
    label = next((part for part in box.iter() if has_class(part, MERGED.api_labels)), None)
    values = [part for part in box.iter() if has_class(part, MERGED.api_data)]
    if label is None or not values:
        return None
    return _column(shown(label)), ", ".join(shown(part) for part in values)


def _column(label: str) -> str:
    if label.casefold() in {"default", "default value"}:
        return _DEFAULT
    return label.capitalize() if label.islower() else label  # a keyword such as `maxLength` stays as it is


def _runs(rows: dict[etree._Element, _Row]) -> Iterator[list[etree._Element]]:
    """Yield the runs of fields that follow each other; a field with fields of its own ends a run."""
    run: list[etree._Element] = []
    for field, row in rows.items():
        if run and _next_element(run[-1]) is not field:
            yield run
            run = []
        run.append(field)
        if row.has_fields:
            yield run
            run = []
    if run:
        yield run


def _next_element(element: etree._Element) -> etree._Element | None:
    return next((one for one in element.itersiblings() if isinstance(one.tag, str)), None)


def _replace(run: list[etree._Element], rows: dict[etree._Element, _Row]) -> None:
    """Put one table before a run of fields; what is left of these are the fields in them, and their labels."""
    cells = [(rows[field].cells, rows[field].anchor) for field in run]
    table = table_of(cells, _columns([row for row, _ in cells]))
    first, parent = run[0], run[0].getparent()
    if parent is not None:
        parent.insert(parent.index(first), table)
    for field in run:
        field.attrib.pop("id", None)


def _columns(rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the columns of some rows, in the order of the rows' cells, so that a quoted row is found on its page."""
    columns: list[str] = []
    for row in rows:
        place = 0
        for name in row:
            if name not in columns:
                columns.insert(place, name)
            place = columns.index(name) + 1
    return columns


def _unwrap(field: etree._Element) -> None:
    """Make a field, and the tables and list that it is part of, plain boxes, because a table takes its place."""
    parent = field.getparent()
    holders = [*field.iterancestors("table"), *([parent] if parent is not None and parent.tag in _LISTS else ())]
    for holder in holders:
        rows = [row for part in holder if part.tag in _TABLE_PARTS for row in (part, *part)]
        for part in [holder, *holder, *rows, *(cell for row in rows if row.tag == "tr" for cell in row)]:
            if part.tag == "thead":
                take_out(part)
            elif part.tag in _TABLE_PARTS or part.tag in _LISTS or part.tag == "li":
                part.tag = "p" if part.tag == "caption" else "div"
    field.tag = "div"
