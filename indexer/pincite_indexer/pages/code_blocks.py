"""Extract code blocks: keep line breaks, remove highlighting and copy buttons."""

import re
from itertools import islice
from urllib.parse import unquote

import msgspec
from lxml import etree

from pincite_core.strip_invisible import strip_invisible
from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.markup import classes, has_class, is_furniture

__all__ = ("code_text", "embedded_files", "fenced")

_LANGUAGE = re.compile(r"(?:language|highlight|lang)-([\w+#.-]+)")
_NO_LANGUAGE = frozenset({"default", "notranslate", "text", "none", "plaintext"})
_ANCESTORS = 3  # generators declare the language on `pre`, its `code`, or up to three levels above
_LINE_TAGS = frozenset({"div", "li", "p"})  # elements for lines; the text of each must end with a line break
_TEXT = etree.XPath("string()", smart_strings=False)
_SNACK_FILES = "data-snack-files"  # React Native's runnable examples have their code only in this attribute


def code_text(pre: etree._Element) -> tuple[str, str]:
    """Return the code of a `pre` element and its language (empty if unknown)."""
    declaring = (pre, *pre.iterfind("code"), *islice(pre.iterancestors(), _ANCESTORS))
    matches = (_LANGUAGE.fullmatch(name) for element in declaring for name in classes(element))
    language = next((match[1] for match in matches if match and match[1] not in _NO_LANGUAGE), "")
    code = pre.find("code")
    lines = list(pre if code is None else code)
    if all(
        has_class(line, MERGED.code_lines) for line in lines
    ):  # fast; highlighted tokens are a large share of all elements
        text = "\n".join(str(_TEXT(line)) for line in lines) or _walked_text(pre)
    else:
        text = _walked_text(pre)
    return "\n".join(line.rstrip() for line in strip_invisible(text).split("\n")).strip("\n"), language


def _walked_text(pre: etree._Element) -> str:
    parts: list[str] = []
    walker = etree.iterwalk(pre, events=("start", "end", "comment"))
    for event, node in walker:
        if event == "start":
            if is_furniture(node):
                walker.skip_subtree()
            elif node.tag == "br":
                parts.append("\n")
            elif node.text:
                parts.append(node.text)
        elif node is not pre:
            if node.tag in _LINE_TAGS and parts and not parts[-1].endswith("\n"):
                parts.append("\n")
            if node.tail:
                parts.append(node.tail)
    return "".join(parts)


def fenced(code: str, language: str) -> str:
    """Return code as a fenced Markdown block whose fence is longer than any backtick run in the code."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


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
