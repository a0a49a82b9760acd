"""Read what the index has of a page: its headings, blocks, table cells and labels of tabs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.rendered_text.tokens import cleaned, tokens_of

from pincite_indexer.pages.records import Block, Heading, Piece

__all__ = ("IndexWord", "index_words")

_OPERATION = re.compile(r"(.*?)((?:^| — )[A-Z]{3,7} /\S*)", re.DOTALL)  # method and path, at the end of a title


_FIELD_COLUMNS = frozenset("Name In Type Required Default Description".split())
"""Columns that the index gives to the parameters of an operation, which pages show without a header."""


@dataclass(frozen=True, slots=True)
class IndexWord:
    """Word of the index.

    The index may repeat a `repeated` word, such as a column's name in each row. A page need not show an `optional`
    word, such as the language of code.
    """

    text: str
    context: str
    repeated: bool = False
    optional: bool = False


def index_words(pieces: Sequence[Piece]) -> list[IndexWord]:
    """Return the words of a page in the index, in order."""
    return [word for piece in pieces for word in _words_of(piece)]


def _words_of(piece: Piece) -> Iterator[IndexWord]:
    for landing in piece.landing:
        if landing.kind == "tab":
            yield from _words(landing.label, repeated=True)
    if isinstance(piece, Heading):
        found = _OPERATION.fullmatch(piece.text)
        title, operation = found.groups() if found else (piece.text, "")
        yield from _words(title)
        yield from _words(operation, repeated=True)
    elif piece.cells:
        yield from _cell_words(piece)
    elif piece.kind == "code":
        fence, *lines = piece.text.split("\n")
        yield from _words(fence, optional=True)
        yield from _words("\n".join(lines[:-1]))
    else:
        yield from _words(piece.text)


def _cell_words(row: Block) -> Iterator[IndexWord]:
    for column, text in row.cells:
        yield from _words(column, repeated=True, optional=column in _FIELD_COLUMNS)
        yield from _words(text)


def _words(text: str, *, repeated: bool = False, optional: bool = False) -> Iterator[IndexWord]:
    text = cleaned(text)
    for token in tokens_of(text):
        around = text[max(0, token.start - 60) : token.start + 60]
        yield IndexWord(token.text, around, repeated, optional)
