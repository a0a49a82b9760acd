"""Escape text of the docs so that Markdown renders exactly that text."""

import re

__all__ = ("escape_prose",)

_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)", re.DOTALL)
_ALWAYS = re.compile(r"[\\*<>\[\]`~]")
_EDGE_UNDERSCORE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")  # an underscore inside a word is no emphasis
_ENTITY = re.compile(r"&(?=#?\w+;)")
_LINE_START = re.compile(r"^(\s*)([#+=|-]|\d+(?=[.)]))", re.MULTILINE)


def escape_prose(text: str) -> str:
    """Return Markdown that renders as `text`; `code spans` stay code spans.

    No part of the text can become a tag, a link, emphasis, a list or a heading.
    """
    parts: list[str] = []
    cursor = 0
    for match in _CODE_SPAN.finditer(text):
        parts.extend((_escape(text[cursor : match.start()]), match.group()))
        cursor = match.end()
    parts.append(_escape(text[cursor:]))
    return _LINE_START.sub(_escape_line_start, "".join(parts))


def _escape(text: str) -> str:
    escaped = _ALWAYS.sub(lambda match: "\\" + match.group(), text)
    escaped = _EDGE_UNDERSCORE.sub(r"\\_", escaped)
    return _ENTITY.sub("&amp;", escaped)


def _escape_line_start(match: re.Match[str]) -> str:
    indent, mark = match.groups()
    return f"{indent}{mark}\\" if mark.isdigit() else f"{indent}\\{mark}"
