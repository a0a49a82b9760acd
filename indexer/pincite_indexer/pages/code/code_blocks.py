"""Read blocks of code: which elements are code, its language, and the Markdown for it.

The text of the code is read by `code_text`, and the labels of diagrams by `diagrams`.
"""

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

import msgspec
from lxml import etree

from pincite_core.strip_invisible import strip_invisible
from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.code.code_prompts import CALLOUT, without_callouts
from pincite_indexer.pages.code.code_text import read_code
from pincite_indexer.pages.code.diagrams import diagram_labels
from pincite_indexer.pages.markup import has_class, one_line

__all__ = (
    "CODE_TAGS",
    "CodePart",
    "code_parts",
    "code_span",
    "code_spans",
    "embedded_files",
    "fenced",
    "is_code_block",
    "is_code_table",
    "is_gutter",
)

CODE_TAGS = frozenset({"div", "table", "code"})
"""Elements other than `pre` that may be a block of code."""

_LANGUAGE = re.compile(r"(?:language|highlight-source|highlight|lang|brush:?)-([\w+#.-]+)")
_NO_LANGUAGE = frozenset({"default", "notranslate", "text", "none", "plaintext", "plain", "txt", "nohighlight", ""})
_ANCESTORS = 3  # generators declare the language on `pre`, its `code`, or up to three levels above
_CLASS_ATTRIBUTES = 4096  # distinct attributes in the cache; a site has a few hundred
_COPIED = frozenset({"data-code", "data-clipboard-text", "data-snippet-clipboard-copy-content", "data-copy"})
_LINE_BREAK = "\x7f"  # Expressive Code's line break in the attribute of its copy button
_SESSIONS = frozenset("console shell-session".split())
_SHELLS = frozenset("bash sh shell shellscript zsh".split())
_COPY_BUTTON_CLASS = frozenset({"copy"})
_ANNOTATION = re.compile(r"\((\d{1,2})\)!?(?=[ \t]*(?:-->|\*/)?[ \t]*$)", re.MULTILINE)
_BLOCK_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*block|white-space\s*:\s*pre\b(?!-line))", re.I)
_NUMBER_LENGTH = 7  # digits of a line number; a longer number is data
_NUMBERED_ROWS = 2  # rows that a table of code must have at least; one row may be data
_BLOCK_CLASSES = MERGED.code_blocks | MERGED.diagrams
_DIAGRAM_LANGUAGES = frozenset({"mermaid", "plantuml", "puml", "graphviz"})
_FORMULA_LANGUAGES = frozenset({"math"})
_SVG_TEXTS = ("text", "foreignobject", "foreignObject")
_TEXT = etree.XPath("string()", smart_strings=False)
_SNACK_FILES = "data-snack-files"  # React Native's runnable examples have their code only in this attribute
_BLANKS = re.compile(r"\s+")


class CodePart(NamedTuple):
    """Part of a block of code, its language (empty if unknown), and whether readers see it as code, not as text."""

    text: str
    language: str = ""
    is_code: bool = True


def is_code_block(element: etree._Element, tag: str) -> bool:
    """Return whether an element other than `pre` is a block of code: by its class or style, or as numbered rows."""
    if tag == "table":
        return _has_numbered_lines(element)
    if tag == "code":
        style = element.get("style")
        return (style is not None and _BLOCK_STYLE.search(style) is not None) or (
            len(element) > 0 and element.find("br") is not None and _stands_alone(element)
        )
    return has_class(element, _BLOCK_CLASSES)


def code_parts(element: etree._Element) -> list[CodePart]:
    """Return the code of an element as its reader types it, and then the output that is shown with it.

    The source of a diagram is its labels, and the source of a formula is text.
    """
    language = _language(element)
    if language in _DIAGRAM_LANGUAGES or any(
        has_class(one, MERGED.diagrams) for one in (element, *element.iterfind("code"))
    ):
        parts = [CodePart(strip_invisible(_labels(element)), is_code=False)]
    elif language in _FORMULA_LANGUAGES:
        parts = [CodePart(one_line(read_code(element).typed), is_code=False)]
    else:
        lines = read_code(element, language, has_shell_prompts=_copies_without_prompts(element, language))
        typed, output = (strip_invisible(text).strip("\n") for text in (lines.typed, lines.output))
        typed = typed.replace("\xa0", " ")  # by which references lay out signatures; nobody types it
        typed = _without_annotations(element, typed)
        if typed[:1].isdecimal() and any(is_gutter(cell) for cell in element.iterancestors("td")):
            return []
        parts = [CodePart(_with_blanks_of_copy(element, typed), language), CodePart(output)]
    return [part for part in parts if part.text.strip()]


def _labels(diagram: etree._Element) -> str:
    drawn = [one_line(_TEXT(text)) for picture in diagram.iter("svg") for text in picture.iter(*_SVG_TEXTS)]
    return "; ".join(dict.fromkeys(filter(None, drawn))) or diagram_labels(_TEXT(diagram))


def _stands_alone(code: etree._Element) -> bool:
    """Return whether nothing but code is in the block around an element."""
    parent = code.getparent()
    if parent is None or (parent.text or "").strip():
        return False
    return all(child.tag in {"code", "br"} and not (child.tail or "").strip() for child in parent)


def _language(element: etree._Element) -> str:
    for one in (element, *element.iterfind("code"), *islice(element.iterancestors(), _ANCESTORS)):
        if (names := one.get("class")) and (language := _language_of_class(names)):
            return language
        named = one.get("data-language") or one.get("data-lang") or ""
        if named not in _NO_LANGUAGE:
            return named
    return ""


@lru_cache(_CLASS_ATTRIBUTES)
def _language_of_class(attribute: str) -> str:
    matches = (_LANGUAGE.fullmatch(name) for name in attribute.split())
    return next((match[1] for match in matches if match and match[1] not in _NO_LANGUAGE), "")


def _copies_without_prompts(element: etree._Element, language: str) -> bool:
    """Return whether the markup is that of a copy button that leaves out the prompts in the text of a block."""
    if language in _SESSIONS:
        return element.find("code[@data-lang]") is not None
    parent = element.getparent()
    return language in _SHELLS and parent is not None and has_class(parent.find("button"), _COPY_BUTTON_CLASS)


def _without_annotations(element: etree._Element, code: str) -> str:
    """Return code without the numbers in comments that stand for the items of the list after it."""
    numbers = {int(number) for number in _ANNOTATION.findall(code)}
    block = element if element.getparent() is None or element.getnext() is not None else element.getparent()
    notes = None if block is None or not numbers else block.getnext()
    if notes is None or notes.tag != "ol" or numbers != set(range(1, len(notes) + 1)):
        return code
    return without_callouts(_ANNOTATION.sub(CALLOUT, code))


def _with_blanks_of_copy(element: etree._Element, code: str) -> str:
    """Return the text that a copy button holds in an attribute, if it differs from the code in white space only."""
    bare = ""
    for copied in _copied_texts(element):
        bare = bare or _BLANKS.sub("", code)
        if _BLANKS.sub("", copied) == bare:
            return copied.strip("\n")
    return code


def _copied_texts(element: etree._Element) -> list[str]:
    """Return the texts for copy buttons in attributes of the code, of two elements around it, and of buttons beside."""
    around = [element, *islice(element.iterancestors(), 2)]
    beside = [one for one in (around[1] if len(around) > 1 else ()) if one is not element]
    buttons = [button for one in beside if one.tag == "div" for button in one]
    found = [
        value
        for holder in (*around, *beside, *buttons)
        for name, value in (holder.items() if isinstance(holder.tag, str) else ())
        if name in _COPIED or (name == "value" and holder.tag == "clipboard-copy")
    ]
    return [strip_invisible(value.replace(_LINE_BREAK, "\n")) for value in found]


def is_code_table(element: etree._Element) -> bool:
    """Return whether a table shows code beside a column of line numbers, and is not a data table."""
    if element.tag != "table":
        return False
    if has_class(element, MERGED.code_tables):
        return True
    rows = list(islice(element.iter("tr"), 2))
    return len(rows) == 1 and len(rows[0]) == 2 and is_gutter(rows[0][0])


def is_gutter(cell: etree._Element) -> bool:
    """Return whether a cell before a cell with code has nothing but line numbers."""
    beside = cell.getnext()
    if beside is None or next(beside.iter("pre"), None) is None:
        return False
    lines = "\n".join(cell.itertext()).split()
    if len(lines) == 1 and next(cell.iter("pre"), None) is None:  # the number of a row
        return False
    numbers = [int(line) for line in lines if line.isdecimal() and len(line) < _NUMBER_LENGTH]
    return len(numbers) == len(lines) > 0 and numbers == list(range(numbers[0], numbers[0] + len(lines)))


def _has_numbered_lines(table: etree._Element) -> bool:
    """Return whether each row of a table is a line number and a line of code."""
    rows = list(table.iter("tr"))
    if len(rows) < _NUMBERED_ROWS or next(table.iter("th", "pre"), None) is not None:
        return False
    return all(len(row) == 2 and row[0].get("data-line-number") is not None for row in rows)


def fenced(code: str, language: str) -> str:
    """Return code as a fenced Markdown block whose fence is longer than any backtick run in the code."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


def code_span(code: str) -> str:
    """Return one line of code as a Markdown code span whose marks are longer than any backtick run in the code."""
    runs = {len(run) for run in re.findall(r"`+", code)}
    mark = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    blank = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{mark}{blank}{code}{blank}{mark}"


def code_spans(code: str) -> str:
    """Return code as one code span for each line, for text that cannot hold a block, such as a table cell."""
    return " ".join(code_span(" ".join(line.split())) for line in code.split("\n") if line.strip())


def embedded_files(element: etree._Element) -> list[tuple[str, str]]:
    """Return (code, language) of the files in the attribute of an interactive example."""
    raw = element.get(_SNACK_FILES)
    if not raw:
        return []
    try:
        files = msgspec.json.decode(unquote(raw), type=dict[str, dict[str, object]])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []
    contents = ((name, file.get("contents")) for name, file in files.items())
    return [(strip_invisible(str(code)).strip("\n"), name.rpartition(".")[2]) for name, code in contents if code]
