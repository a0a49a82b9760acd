"""An answer's Markdown: one piece a statement, so that it can be streamed; citation markers are `[n]`."""

import re
from collections.abc import Mapping, Sequence

from pincite_server.answering.corpus.compose import Statement
from pincite_server.answering.markdown import escape_prose

__all__ = ("render_statements",)

_LIST_MARK = re.compile(r"(?:[-*+]|\d+[.)])\s+")


def render_statements(statements: Sequence[Statement], numbers: Mapping[int, int]) -> tuple[str, ...]:
    """Return the pieces of the answer; joined they are its Markdown.

    Args:
        statements: The claims, in reading order.
        numbers: The citation number of each target's row id.
    """
    pieces: list[str] = []
    before: Statement | None = None
    for statement in statements:
        marker = f"[{numbers[statement.target_id]}]"
        pieces.append(_gap(before, statement) + _body(statement, marker))
        before = statement
    return tuple(pieces)


def _body(statement: Statement, marker: str) -> str:
    if statement.kind == "code":
        return f"{statement.text}\n{marker}"
    if statement.kind == "prose":
        return f"{escape_prose(statement.text)} {marker}"
    return f"- {escape_prose(_LIST_MARK.sub('', statement.text, count=1))} {marker}"


def _gap(before: Statement | None, statement: Statement) -> str:
    if before is None:
        return ""
    kinds = {before.kind, statement.kind}
    if kinds == {"prose"}:
        return " " if before.chunk.page_id == statement.chunk.page_id else "\n\n"
    return "\n\n" if kinds & {"code", "prose"} else "\n"
