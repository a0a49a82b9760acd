"""Render an answer as Markdown, in pieces of one block for streaming; citation markers are `[n]`."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from pincite_core.quoting.unit_facts import CONTINUED
from pincite_core.quoting.unit_text import cells_of
from pincite_core.rules import RENDERING
from pincite_core.types import TextLink
from pincite_server.answering.corpus.compose import Passage, Statement
from pincite_server.answering.markdown import escape_prose, item_mark, markdown_link, with_links

__all__ = ("PassageLinks", "markers_of", "render_passages", "title_of")

PassageLinks = Mapping[int, str]
"""The URL of each target that the passages link to."""

_APART = "\n\n"
_IN_LIST = frozenset({"item", "row"})

Block = list[Statement]
"""Statements of one paragraph, item or row; or a code block with all its parts."""


def render_passages(
    passages: Sequence[Passage],
    titles: Sequence[str],
    numbers: Mapping[int, int],
    links: PassageLinks,
) -> tuple[str, ...]:
    """Return the pieces of the answer; joined they are its Markdown.

    Args:
        passages: The passages, the answer first.
        titles: The title of each passage (`title_of`).
        numbers: The citation number of each target's row id.
        links: The links of the passages.
    """
    pieces: list[str] = []
    for passage, title in zip(passages, titles, strict=True):
        writer = _Writer(numbers, links)
        first, *rest = writer.pieces(passage.statements)  # the heading is in one piece with the first block
        pieces.extend((f"{_APART if pieces else ''}### {escape_prose(title)}{first}", *rest))
    return tuple(pieces)


def markers_of(passages: Sequence[Passage], numbers: Mapping[int, int]) -> tuple[int | None, ...]:
    """Return for each statement the position of its citation marker among all markers of the answer.

    Consecutive statements of a passage that cite the same place share one marker. The position is None for a statement
    whose place has no marker.
    """
    places: list[int | None] = []
    count = 0
    for passage in passages:
        blocks = list(_blocks(passage.statements))
        shown, at = _markers(blocks, numbers), dict[int, int]()
        for number, run in _runs(blocks, numbers):
            if any(shown[place] is not None for place in run):
                at[number] = count
                count += 1
            places.extend(at.get(number) for place in run for _ in blocks[place])
    return tuple(places)


def title_of(heading_path: Sequence[str]) -> str:
    """Return the title of a section for use outside its page: the page's title and the section's own."""
    path = list(dict.fromkeys(heading_path))
    return " › ".join(path if len(path) <= RENDERING.titles else (path[0], path[-1]))


class _Writer:
    """Renders one passage, with its links within this site."""

    def __init__(self, numbers: Mapping[int, int], links: PassageLinks) -> None:
        self._numbers = numbers
        self._links = links

    def pieces(self, statements: Sequence[Statement]) -> Iterator[str]:
        """Yield each block with the separator before it. Consecutive blocks that cite the same place get one marker."""
        blocks = list(_blocks(statements))
        least = min((block[0].unit.indent for block in blocks if block[0].unit.mark), default=0)
        before: Block | None = None
        for block, number in zip(blocks, _markers(blocks, self._numbers), strict=True):
            yield _gap(before, block) + self._block(block, least, number)
            before = block

    def _block(self, block: Block, least: int, number: int | None) -> str:
        first = block[0]
        marker = "" if number is None else f" [{number}]"
        if first.kind == "code":
            return _labels(first) + _listing(block) + (f"\n[{number}]" if number else "")
        if first.kind == "row":
            return f"{_labels(first)}- {_row(first)}{marker}"
        if first.kind == "term":
            return f"{_labels(first)}**{escape_prose(first.text)}**{marker}"
        parted = (_between(one, after) + self._linked(after) for one, after in pairwise(block))
        text = "".join((self._linked(first), *parted)) + marker
        if first.kind == "item":
            # Below "10. ", a nested list needs an indent of four spaces.
            mark = " " * max(0, 2 * (first.unit.indent - least)) + (item_mark(first.unit.mark.strip()) or " ")
            text = f"{mark} {text}"
        if first.unit.admonition:
            return f"> {_note_label(first)}{text}"
        return _labels(first) + text

    def _linked(self, statement: Statement) -> str:
        """Return a sentence as Markdown, with its links within this site."""
        links = [link for link in statement.unit.links if link.to in self._links]
        return with_links(statement.text, (0, len(statement.text)), links, self._link, escape_prose)

    def _link(self, link: TextLink, words: str) -> str:
        return markdown_link(escape_prose(words), self._links[link.to]) if isinstance(link.to, int) else words


def _between(one: Statement, after: Statement) -> str:
    """Return the separator of two statements of a block: "" if the docs have nothing between them."""
    return "" if one.chunk.chunk_id == after.chunk.chunk_id and one.start + len(one.text) == after.start else " "


def _markers(blocks: Sequence[Block], numbers: Mapping[int, int]) -> list[int | None]:
    """Return the citation number to show after each block.

    A number is shown after the last text block of its place, or after the last code block if there is no text.
    """
    shown: list[int | None] = [None] * len(blocks)
    for number, places in _runs(blocks, numbers):
        text = [at for at in places if blocks[at][0].kind not in {"code", "term"}]
        if text or number not in shown:
            shown[(text or places)[-1]] = number
    return shown


def _runs(blocks: Sequence[Block], numbers: Mapping[int, int]) -> Iterator[tuple[int, list[int]]]:
    """Yield each citation number with the positions of consecutive blocks that have it."""
    for number, run in groupby(range(len(blocks)), lambda at: numbers[blocks[at][0].target_id]):
        yield number, list(run)


def _blocks(statements: Sequence[Statement]) -> Iterator[Block]:
    block: Block = []
    for statement in statements:
        apart = block and statement.unit.block != block[-1].unit.block
        if apart and not statement.unit.has("goes_on"):
            yield block
            block = []
        block.append(statement)
    if block:
        yield block


def _gap(before: Block | None, block: Block) -> str:
    if before is None:
        return "\n\n"
    one, other = before[0], block[0]
    if one.unit.admonition != other.unit.admonition or other.unit.labels:
        return _APART
    if one.kind == other.kind and one.kind in _IN_LIST:
        return "\n"
    return "\n>\n" if one.unit.admonition else _APART


def _labels(statement: Statement) -> str:
    return "".join(f"**{escape_prose(label)}**\n\n" for label in statement.unit.labels)


def _note_label(statement: Statement) -> str:
    label = ": ".join(label[:1].upper() + label[1:] for label in statement.unit.labels)
    if not label:
        return ""
    return f"**{escape_prose(label)}**" + ("\n>\n> " if statement.kind == "item" else " ")


def _listing(block: Block) -> str:
    """Return the parts of a code block as one block."""
    opening, *lines, closing = block[0].text.split("\n")
    for part in block[1:]:
        lines.extend(part.text.split("\n")[1:-1])
    return "\n".join((opening.removesuffix(CONTINUED), *lines, closing))


def _row(statement: Statement) -> str:
    """Return a row as its first cell, its other cells with their column names, and then its description.

    All cells without a column name in front of named ones are headers: of a group of rows, or of the row.
    """
    cells = cells_of(statement.text, statement.unit.cells)
    named = next((at for at, (column, _) in enumerate(cells) if column), 0)
    names, rest = cells[: named or 1], cells[named or 1 :]
    told = [text for column, text in rest if not column or RENDERING.tells.fullmatch(column)]
    facts = [f"{column}: {text}" for column, text in rest if column and not RENDERING.tells.fullmatch(column)]
    head = " › ".join(name if name.startswith("`") else f"**{escape_prose(name)}**" for _, name in names)
    brief = f" ({'; '.join(map(escape_prose, facts))})" if facts and told else ""
    after = told or facts
    return f"{head}{brief}" + (f" – {'; '.join(map(escape_prose, after))}" if after else "")
