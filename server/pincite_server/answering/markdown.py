"""Write text of the docs as Markdown: escaped, so that it renders exactly as that text, and with its links."""

import re
from collections.abc import Callable, Sequence

from pincite_core.rules import MARKDOWN
from pincite_core.types import TextLink

__all__ = ("escape_prose", "item_mark", "markdown_link", "with_links")


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


def with_links(
    text: str,
    span: tuple[int, int],
    links: Sequence[TextLink],
    link: Callable[[TextLink, str], str],
    plain: Callable[[str], str] = str,
) -> str:
    """Return a span of a text with its links written.

    Args:
        text: The text.
        span: The positions of the first character and after the last one.
        links: Links, in order, with positions in the whole text.
        link: Writes a link with its words.
        plain: Writes the text between links.
    """
    cursor, end = span
    parts: list[str] = []
    for one in links:
        if cursor <= one.start < one.end <= end:
            parts.extend((plain(text[cursor : one.start]), link(one, text[one.start : one.end])))
            cursor = one.end
    return "".join((*parts, plain(text[cursor:end])))


def item_mark(mark: str) -> str:
    """Return the mark of a list item as Markdown.

    Markdown has no letters or Roman numerals as marks. Such a mark follows a bullet, which the chat does not show.
    """
    own = mark.lstrip()
    if not own or MARKDOWN.item_mark.match(own):
        return mark
    return f"{mark[: -len(own)]}- {escape_prose(own)}"


def markdown_link(words: str, url: str) -> str:
    """Return a link as Markdown; parentheses in the URL are encoded."""
    return f"[{words}]({url.replace('(', '%28').replace(')', '%29')})"


def _escape(text: str) -> str:
    escaped = MARKDOWN.always.sub(lambda match: "\\" + match.group(), text)
    escaped = MARKDOWN.edge_underscore.sub(r"\\_", escaped)
    return MARKDOWN.entity.sub("&amp;", escaped)


def _escape_line_start(match: re.Match[str]) -> str:
    indent, mark = match.groups()
    return f"{indent}{mark}\\" if mark.isdigit() else f"{indent}\\{mark}"
