"""Render a section as Markdown for agents and language models: complete code blocks, tables, and links at their words.

The Markdown of quoted answers is in `corpus.render`, which never changes the text of a unit.
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import msgspec

from pincite_core.index.outside_links import OutsideLink
from pincite_core.index.read import Index
from pincite_core.quoting.unit_facts import CONTINUED, continues_code
from pincite_core.types import Chunk, Link
from pincite_core.units import rejoin_lines
from pincite_server.answering.corpus.compose import Statement
from pincite_server.answering.inline_links import LinkedText, linked
from pincite_server.answering.section_pieces import Piece, pieces_of
from pincite_server.answering.section_tables import table_texts

__all__ = ("MarkdownBlock", "join_blocks", "section_blocks")

_ITEM = re.compile(r"\s*(?:-|-?\d+\.) ")
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


def section_blocks(
    index: Index,
    chunks: Sequence[Chunk],
    link: Callable[[Link], str] | None = None,
    within: Set[int] | None = None,
    outside: Callable[[OutsideLink], str] | None = None,
) -> list[MarkdownBlock]:
    """Return the blocks of one section, in order. Each unit of the chunks is in exactly one block.

    Args:
        index: The index that contains the chunks.
        chunks: Parts of one section in document order. Units beyond the end of a cut text are left out.
        link: Returns the Markdown of a link. The link's `text` has the words of the block, with code marks. The
            Markdown replaces the first occurrence of these words. By default links are left out.
        within: Row ids of targets, such as a table row; only the pieces that contain one of their units are read.
        outside: Returns the Markdown of a link to another site, like `link`.
    """
    pieces = pieces_of(index, chunks)
    if within is not None:
        pieces = [piece for piece in pieces if any(unit.target_id in within for unit in piece.units)]
    blocks = list(_blocks(pieces))
    if link is None and outside is None:
        return blocks
    writers = _Writers(link or _words, outside or _words)
    return _with_links(blocks, _links(index, chunks), writers)


def join_blocks(blocks: Sequence[MarkdownBlock]) -> str:
    """Return the blocks as one text.

    Items of a list are on consecutive lines. Other blocks have an empty line between them.
    """
    parts = [block.text for block in blocks[:1]]
    for one, other in pairwise(blocks):
        parts.extend(("\n" if _is_item(one) and _is_item(other) else _APART, other.text))
    return "".join(parts)


def _is_item(block: MarkdownBlock) -> bool:
    return bool(block.units) and block.units[0].kind == "item" and _ITEM.match(block.text) is not None


def _blocks(pieces: Sequence[Piece]) -> Iterator[MarkdownBlock]:
    for note, run in groupby(pieces, lambda piece: piece.note):
        if note:
            yield from map(_quote, _admonitions(list(run)))
        else:
            yield from _plain(list(run))


def _admonitions(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Yield the pieces of each admonition; a label starts a new admonition."""
    group: list[Piece] = []
    for piece in pieces:
        if group and piece.kind == "label" and group[-1].kind != "label":
            yield group
            group = []
        group.append(piece)
    if group:
        yield group


def _quote(pieces: Sequence[Piece]) -> MarkdownBlock:
    inner = list(_plain(pieces))
    text = "\n".join(f"> {line}".rstrip() for line in join_blocks(inner).split("\n"))
    return MarkdownBlock(text, tuple(unit for block in inner for unit in block.units))


def _plain(pieces: Sequence[Piece]) -> Iterator[MarkdownBlock]:
    """Yield the blocks of pieces that are in the same admonition, or outside of all admonitions."""
    indent = 0
    for kind, group in groupby(pieces, lambda piece: piece.kind):
        run = list(group)
        if kind == "row":
            yield from (_block(text, rows) for text, rows in table_texts(run))
        elif kind == "code":
            yield from (_block(_whole_code(parts), parts) for parts in _listings(run))
        elif kind == "item":
            for piece in run:
                indent = len(piece.mark) or indent
                yield _block((piece.mark or " " * indent) + piece.text, [piece])
        else:
            yield from (_block(text, [piece]) for piece in run if (text := _line(piece)))


def _block(text: str, pieces: Sequence[Piece]) -> MarkdownBlock:
    return MarkdownBlock(text, tuple(unit for piece in pieces for unit in piece.units))


def _line(piece: Piece) -> str:
    """Return a paragraph, label, tab or term as one line; "" for the end of a group of tabs."""
    if piece.kind == "tab":
        return f"**{piece.text}** (tab)" if piece.text else ""
    if piece.kind == "term" and "*" not in piece.text:
        return f"**{piece.text}**"
    return piece.text


def _listings(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Yield the parts of each code block."""
    parts: list[Piece] = []
    for piece in pieces:
        if parts and not continues_code(piece.text):
            yield parts
            parts = []
        parts.append(piece)
    yield parts


def _whole_code(parts: Sequence[Piece]) -> str:
    """Return a code block with one fence, as on its page. Lines that the indexer split are joined again."""
    opening, *_, closing = parts[0].text.split("\n")
    lines = [line for part in parts for line in part.text.split("\n")[1:-1]]
    return "\n".join((opening.removesuffix(CONTINUED), *rejoin_lines(lines), closing))


@dataclass(frozen=True, slots=True)
class _Writers:
    """Functions that write links within the site and to other sites."""

    inside: Callable[[Link], str]
    outside: Callable[[OutsideLink], str]

    def written(self, link: Link | OutsideLink, words: str) -> str:
        if isinstance(link, Link):
            return self.inside(msgspec.structs.replace(link, text=words))
        return self.outside(link._replace(text=words))


def _words(link: Link | OutsideLink) -> str:
    return link.text


def _links(index: Index, chunks: Sequence[Chunk]) -> list[Link | OutsideLink]:
    """Return the links of a section in the order of the page."""
    sections = {chunk.target_id for chunk in chunks}
    links: list[Link | OutsideLink] = list(index.links_from(sections))
    outside = [link for page_id in {chunk.page_id for chunk in chunks} for link in index.outside_links(page_id)]
    for number, link in enumerate(link for link in outside if link.from_target_id in sections):
        links.insert(link.after + number, link)
    return links


def _with_links(
    blocks: Sequence[MarkdownBlock], links: Sequence[Link | OutsideLink], writers: _Writers
) -> list[MarkdownBlock]:
    """Return the blocks with links at their words.

    Links are placed in page order, so that equal words get their links in turn.
    """
    texts = [LinkedText(block.text) for block in blocks]
    prose = [text for block, text in zip(blocks, texts, strict=True) if any(one.kind != "code" for one in block.units)]
    for link in links:
        for text in prose:
            if place := text.place(link.text):
                start, end = place
                text.taken.append((start, end, writers.written(link, text.text[start:end])))
                break
    return [replace(block, text=text) for block, text in zip(blocks, linked(texts), strict=True)]
