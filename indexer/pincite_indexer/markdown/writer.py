"""Convert plain HTML to Markdown (CommonMark with tables) that parses back to the same words."""

import re
from typing import Any

from bs4.element import NavigableString, Tag
from lxml import etree
from markdownify import ATX, MarkdownConverter

from pincite_indexer.markdown.page_text import LANGUAGE, LINE_START
from pincite_indexer.pages.code.code_blocks import fenced
from pincite_indexer.pages.elements import BLOCK_TAGS, HEADING_TAGS

__all__ = ("markdown_of",)

_ALWAYS = re.compile(r"[\\`*]|~(?=~)|<(?=[a-zA-Z/!?])|&(?=#?\w+;)|\](?=[(:\[])|!$")
_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")  # inside a word it has no meaning in Markdown
_PIPE = re.compile(r"(?<!\\)\|")
_BLANK_LINES = re.compile(r"\n{3,}")
_URL_SIGNS = {ord(" "): "%20", ord("("): "%28", ord(")"): "%29", ord("<"): "%3C", ord(">"): "%3E"}


def markdown_of(content: etree._Element) -> str:
    """Return reduced content as Markdown with a final line break; empty if there is no content.

    Raises:
        RecursionError: The content is nested more deeply than any page that a person wrote.
    """
    html = etree.tostring(content, encoding="unicode", method="html", with_tail=False)
    written = str(_Writer().convert(html)).replace(LINE_START, "")
    lines = "\n".join(line.rstrip() if not line.endswith("\\") else line for line in written.split("\n"))
    return f"{lines.strip()}\n" if lines.strip() else ""


_Library: Any = MarkdownConverter  # the library's types do not declare the conversion methods


class _Writer(_Library):  # type: ignore[misc] # of no type
    """Markdown converter with its own rules for escapes, code fences and table cells."""

    class Options(_Library.DefaultOptions):  # type: ignore[misc] # as above
        autolinks = False
        bs4_options = "lxml"
        bullets = "-"
        heading_style = ATX
        newline_style = "backslash"

    def escape(self, text: str, parent_tags: set[str]) -> str:
        text = _UNDERSCORE.sub(r"\\_", _ALWAYS.sub(r"\\\g<0>", text))
        return text.replace(LINE_START, "\\")

    def convert_pre(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """Write code as a fenced block; inside a table cell, on one line."""
        code = el.get_text()
        if "_inline" in parent_tags:
            return " " + " ".join(self.convert_code(el, line.strip(), set()) for line in code.splitlines()) + " "
        return f"\n\n{fenced(code, str(el.get(LANGUAGE) or ''))}\n\n" if code else ""

    def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """Write a link; escape special characters of its URL."""
        el["href"] = str(el.get("href") or "").translate(_URL_SIGNS)
        del el["title"]
        return str(super().convert_a(el, text, parent_tags))

    def convert_br(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """Write a line break, unless the line ends there anyway."""
        after = el.next_sibling
        while isinstance(after, NavigableString) and not after.strip():
            after = after.next_sibling
        ends = after is None or (isinstance(after, Tag) and (after.name in BLOCK_TAGS or after.name in HEADING_TAGS))
        return "" if ends else str(super().convert_br(el, text, parent_tags))

    def convert_img(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        alt = self.escape(" ".join(str(el.get("alt") or "").split()), parent_tags)
        return f"![{alt}]({str(el.get('src') or '').translate(_URL_SIGNS)})"

    def convert_td(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """Write a table cell; escape pipes in it, even in code."""
        return str(super().convert_td(el, _PIPE.sub(r"\\|", text), parent_tags))

    def convert_th(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return str(super().convert_th(el, _PIPE.sub(r"\\|", text), parent_tags))

    def convert_list(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f" {text.strip()} " if "_inline" in parent_tags else str(super().convert_list(el, text, parent_tags))

    def convert_li(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return f" {text.strip()} " if "_inline" in parent_tags else str(super().convert_li(el, text, parent_tags))

    convert_ul: Any = convert_list
    convert_ol: Any = convert_list
