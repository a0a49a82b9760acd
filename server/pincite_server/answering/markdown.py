"""Escape text of the docs so that Markdown renders exactly that text."""

import re

from pincite_core.rules import MARKDOWN

__all__ = ("escape_prose",)


def escape_prose(text: str) -> str:
    """Return Markdown that renders as `text`; `code spans` stay code spans.

    No part of the text can become a tag, a link, emphasis, a list or a heading.
    """
    parts: list[str] = []
    cursor = 0
    for match in MARKDOWN.code_span.finditer(text):
        parts.extend((_escape(text[cursor : match.start()]), match.group()))
        cursor = match.end()
    parts.append(_escape(text[cursor:]))
    return MARKDOWN.line_start.sub(_escape_line_start, "".join(parts))


def _escape(text: str) -> str:
    escaped = MARKDOWN.always.sub(lambda match: "\\" + match.group(), text)
    escaped = MARKDOWN.edge_underscore.sub(r"\\_", escaped)
    return MARKDOWN.entity.sub("&amp;", escaped)


def _escape_line_start(match: re.Match[str]) -> str:
    indent, mark = match.groups()
    return f"{indent}{mark}\\" if mark.isdigit() else f"{indent}\\{mark}"
