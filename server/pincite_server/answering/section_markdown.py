"""Render a section as Markdown for agents and language models: complete code blocks, tables, and links at their words.

The Markdown of quoted answers is in `corpus.render`, which never changes the text of a unit.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from pincite_core.quoting.unit_facts import CONTINUED
from pincite_core.quoting.unit_text import cell_spans, cells_of
from pincite_core.types import Chunk, TextLink, Unit
from pincite_core.units import rejoin_lines
from pincite_server.answering.corpus.compose import Statement
from pincite_server.answering.markdown import item_mark, with_links

__all__ = ("LinkWriter", "MarkdownBlock", "join_blocks", "section_blocks")

LinkWriter = Callable[[TextLink, str], str]
"""Return the Markdown of a link with its words, which contain code marks."""

_APART = "\n\n"


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """A paragraph, list item, table, code block or label of a section as Markdown.

    Attributes:
        text: The Markdown.
        units: The citable units in the block, in order; none for a label.
    """

    text: str
    units: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class _Piece:
    """A label, or the units of one paragraph, item, row, term or code block. `text` is Markdown."""

    kind: str
    text: str
    units: tuple[Statement, ...] = ()
    note: bool = False
    cells: Mapping[str, str] = field(default_factory=dict)  # of a row, by column


def section_blocks(
    chunks: Sequence[Chunk], units: Sequence[Unit], link: LinkWriter | None = None
) -> list[MarkdownBlock]:
    """Return the blocks of one section, in order. Each unit is in exactly one block.

    Args:
        chunks: The chunks that contain the units.
        units: Units of the section, in order.
        link: Writes links. By default links are left out.
    """
    write = link or (lambda _, words: words)
    texts = {chunk.chunk_id: chunk for chunk in chunks}
    blocks: list[MarkdownBlock] = []
    for note, group in groupby(_pieces(texts, units, write), lambda piece: piece.note):
        run = list(group)
        blocks.extend(map(_quote, _admonitions(run)) if note else _plain(run))
    return blocks


def join_blocks(blocks: Sequence[MarkdownBlock]) -> str:
    """Return the blocks as one text.

    Items of a list are on consecutive lines. Other blocks have an empty line between them.
    """
    parts = [block.text for block in blocks[:1]]
    for one, other in pairwise(blocks):
        parts.extend(("\n" if _is_item(one) and _is_item(other) else _APART, other.text))
    return "".join(parts)


def _is_item(block: MarkdownBlock) -> bool:
    return bool(block.units) and block.units[0].unit.mark != ""


def _pieces(chunks: Mapping[int, Chunk], units: Sequence[Unit], write: LinkWriter) -> Iterator[_Piece]:
    tab, indent = ("", ""), 0
    for (chunk_id, _), group in groupby(units, lambda unit: (unit.chunk_id, unit.block)):
        run, chunk = list(group), chunks[chunk_id]
        first = run[0]
        if first.tab and (first.tab, first.first_tab) != tab:
            yield _Piece("label", f"**{first.tab}** (tab)")
        tab = (first.tab, first.first_tab)
        yield from (_Piece("label", f"**{label}**", note=first.admonition) for label in first.labels)
        links = [
            link._replace(start=unit.start + link.start, end=unit.start + link.end)
            for unit in run
            for link in unit.links
        ]
        text = with_links(chunk.text, (first.start, run[-1].end), links, write)
        cells: dict[str, str] = {}
        if first.kind == "row":
            cells = _cells(chunk.text, first, links, write)
        elif first.kind == "item":
            indent = len(first.mark) or indent
            text = (item_mark(first.mark) or " " * indent) + text
        elif first.kind == "term" and "*" not in text:
            text = f"**{text}**"
        statements = tuple(
            Statement(chunk.text[unit.start : unit.end], unit.kind, unit.target_id, chunk, unit.start, unit)
            for unit in run
        )
        yield _Piece(first.kind, text, statements, first.admonition, cells)


def _cells(text: str, row: Unit, links: Sequence[TextLink], write: LinkWriter) -> dict[str, str]:
    """Return the cells of a row as Markdown; empty if a cell has no column of its own, except the first one."""
    names = [name for name, _ in cells_of(text[row.start : row.end], row.cells)]
    if not any(names) or not all(names[1:]) or len(set(names)) < len(names):
        return {}
    spans = ((row.start + start, row.start + end) for start, end in cell_spans(row.cells))
    return {name: with_links(text, span, links, write) for name, span in zip(names, spans, strict=True)}


def _admonitions(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Yield the pieces of each admonition; a label starts a new admonition."""
    group: list[_Piece] = []
    for piece in pieces:
        if group and piece.kind == "label" and group[-1].kind != "label":
            yield group
            group = []
        group.append(piece)
    yield group


def _quote(pieces: Sequence[_Piece]) -> MarkdownBlock:
    inner = list(_plain(pieces))
    text = "\n".join(f"> {line}".rstrip() for line in join_blocks(inner).split("\n"))
    return MarkdownBlock(text, tuple(unit for block in inner for unit in block.units))


def _plain(pieces: Sequence[_Piece]) -> Iterator[MarkdownBlock]:
    """Yield the blocks of pieces that are in the same admonition, or outside of all admonitions."""
    group: list[_Piece] = []
    for piece in pieces:
        if group and not _continues(group, piece):
            yield _block(group)
            group = []
        group.append(piece)
    if group:
        yield _block(group)


def _continues(group: Sequence[_Piece], piece: _Piece) -> bool:
    """Whether a piece belongs to the code block or table before it."""
    if piece.kind == "code":
        return group[-1].kind == "code" and piece.units[0].unit.has("goes_on")
    columns = {name for row in group for name in row.cells if name}
    return not columns.isdisjoint(piece.cells)


def _block(pieces: Sequence[_Piece]) -> MarkdownBlock:
    text = pieces[0].text
    if pieces[0].kind == "code":
        text = _whole_code(pieces)
    elif pieces[0].cells:
        text = _table(pieces)
    return MarkdownBlock(text, tuple(unit for piece in pieces for unit in piece.units))


def _whole_code(parts: Sequence[_Piece]) -> str:
    """Return a code block with one fence, as on its page. Lines that the indexer split are joined again."""
    opening, *_, closing = parts[0].text.split("\n")
    lines = [line for part in parts for line in part.text.split("\n")[1:-1]]
    return "\n".join((opening.removesuffix(CONTINUED), *rejoin_lines(lines), closing))


def _table(rows: Sequence[_Piece]) -> str:
    """Return a Markdown table. A row of the index omits empty cells."""
    columns: list[str] = []
    for row in rows:
        at = 0
        for name in row.cells:
            if name not in columns:
                columns.insert(at, name)
            at = columns.index(name) + 1
    body = [[row.cells.get(name, "") for name in columns] for row in rows]
    return "\n".join(map(_table_line, [columns, ["---"] * len(columns), *body]))


def _table_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
