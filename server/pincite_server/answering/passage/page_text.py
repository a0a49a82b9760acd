"""The visible text of a page as one string of letters in page order, with the target at each position."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from pincite_core.index.read import Index
from pincite_core.index.schema import SHOWN_ON
from pincite_core.index.shown_text import ShownPart, letters, read_shown
from pincite_core.types import Chunk, Page, Unit

__all__ = ("PageText", "read_page_text")

_LEAST_HELD = 4  # letters; a shorter match may be a coincidence


class _Unit(NamedTuple):
    """A run of letters, with its target and chunk if it has any."""

    text: str
    target_id: int | None
    chunk_id: int | None


@dataclass(frozen=True, slots=True)
class PageText:
    """The letters of a page, and its units.

    Attributes:
        letters: All letters of the page.
        units: The units that the letters consist of.
        starts: The position of each unit's first letter.
    """

    letters: str
    units: Sequence[_Unit]
    starts: Sequence[int]

    def held_by(self, start: int, end: int) -> tuple[list[int], int | None]:
        """Return the distinct targets of the letters from `start` to `end`, and the first chunk among their units."""
        held = self.units[bisect_right(self.starts, start) - 1 : bisect_left(self.starts, end)]
        targets = dict.fromkeys(unit.target_id for unit in held if unit.target_id is not None)
        return list(targets), next((unit.chunk_id for unit in held if unit.chunk_id is not None), None)


def read_page_text(index: Index, page: Page) -> PageText:
    """Return the letters that a page shows.

    If the index has no visible text of the page, return the letters of its headings and chunks.
    """
    chunks = index.chunks_of_page(page.page_id)
    body = [unit for unit in _body(index, chunks) if unit.text]
    shown = read_shown(index.meta(f"{SHOWN_ON}{page.url}"), sum(len(unit.text) for unit in body))
    units = list(_shown_units(shown, body)) if shown else list(_titled(index, chunks, body))
    starts = list(accumulate((len(unit.text) for unit in units[:-1]), initial=0))
    return PageText("".join(unit.text for unit in units), units, starts)


def _body(index: Index, chunks: Sequence[Chunk]) -> Iterator[_Unit]:
    """Yield all letters of the chunks, those of sentences and those between sentences."""
    sentences: dict[int, list[Unit]] = {}
    for sentence in index.units_of_chunks(chunk.chunk_id for chunk in chunks):
        sentences.setdefault(sentence.chunk_id, []).append(sentence)
    for chunk in chunks:
        end = 0
        for sentence in sentences.get(chunk.chunk_id, []):
            yield _Unit(letters(chunk.text[end : sentence.start]), chunk.target_id, chunk.chunk_id)
            yield _Unit(
                letters(chunk.text[max(end, sentence.start) : sentence.end]), sentence.target_id, chunk.chunk_id
            )
            end = max(end, sentence.end)
        yield _Unit(letters(chunk.text[end:]), chunk.target_id, chunk.chunk_id)


def _shown_units(shown: Sequence[ShownPart], body: Sequence[_Unit]) -> Iterator[_Unit]:
    starts = list(accumulate((len(unit.text) for unit in body), initial=0))
    for part in shown:
        if isinstance(part, str):
            yield _Unit(part, None, None)
            continue
        start, end = part
        for number in range(bisect_right(starts, start) - 1, bisect_left(starts, end)):
            unit, first = body[number], starts[number]
            text = unit.text[max(0, start - first) : end - first]
            by_chance = len(text) < _LEAST_HELD and text != unit.text
            yield _Unit(text, None, None) if by_chance else unit._replace(text=text)


def _titled(index: Index, chunks: Sequence[Chunk], body: Sequence[_Unit]) -> Iterator[_Unit]:
    """Yield the units of the chunks, with each section's heading before them."""
    targets = index.targets_by_id(chunk.target_id for chunk in chunks)
    first = {chunk.chunk_id: chunk.target_id for chunk in chunks if chunk.ordinal == 0}
    for unit in body:
        if unit.chunk_id is not None and (target_id := first.pop(unit.chunk_id, None)) is not None:
            yield _Unit(letters(targets[target_id].title), target_id, None)
        yield unit
