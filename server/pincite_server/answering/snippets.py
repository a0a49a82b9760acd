"""Select the snippet of a search result: whole sentences of its section, starting at the one nearest to the query.

Excerpts of citations are in `citations`: they start at the words that an answer quotes.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_server.answering.citations import excerpt_of, section_excerpt
from pincite_server.answering.corpus.unit_scoring import ScoredUnit, UnitScorer

__all__ = ("Snippets",)

_LONGEST = 300  # characters; two or three sentences
_LEAST = 80  # characters; the shortest useful part of code or a list, also allowed beyond the limit after a lead-in
_NEAREST_BONUS = 0.12  # for the sentence that the search found nearest
_LEANS_PENALTY = 0.05  # "It also does this" says little without the sentence before it
_MORE = " …"
_TRIED = 3  # start units; the next one is tried if a snippet would end with a lead-in


class Snippets:
    """Selects the snippets of one search.

    Args:
        index: The searched index.
        vector: The query's unit vector, shape (dimension,).
        result: The sections that the search found.
    """

    def __init__(self, index: Index, vector: npt.NDArray[np.float32], result: SearchResult) -> None:
        self._quotables = UnitScorer(index, vector, result)

    def of(self, section: RankedSection) -> str:
        """Return a section's snippet on one line, about 300 characters at most."""
        units = self._quotables.of(section)
        found = [_snippet(units, start) for start in _starts(units, section)[:_TRIED]]
        complete = next((text for text, is_complete in found if is_complete), None)
        return complete or next((text for text, _ in found), None) or section_excerpt(section)


def _starts(units: Sequence[ScoredUnit], section: RankedSection) -> list[int]:
    """Return the possible start units of a snippet, best first: the row or item of a hit, else the nearest unit."""
    nearest = section.unit.unit_id if section.unit else None
    lands = section.landing_id != section.target_id

    def nearness(at: int) -> tuple[bool, bool, bool, float]:
        unit = units[at]
        is_nearest = unit.unit.unit_id == nearest
        score = unit.score + _NEAREST_BONUS * is_nearest - _LEANS_PENALTY * unit.leans
        in_best_part = unit.chunk.chunk_id == section.chunk.chunk_id
        return lands and is_nearest, unit.kind not in {"code", "term"}, in_best_part, score

    return sorted(range(len(units)), key=nearness, reverse=True)


def _snippet(units: Sequence[ScoredUnit], start: int) -> tuple[str, bool]:
    """Return the text from a unit on, and whether it contains the content that its lead-in announces."""
    run = list(_run(units, start))
    parts: list[str] = []
    room = _LONGEST
    for unit in run:
        text = " ".join(_lines(unit))
        if len(text) > room:
            break
        parts.append(text)
        room -= len(text) + 1
    while parts and run[len(parts) - 1].role == "announces":
        left = max(room, _LEAST) if len(parts) == 1 else room
        begun = _beginning(run[len(parts)], left) if len(parts) < len(run) else ""
        if begun or len(parts) == 1:
            return " ".join(filter(None, (*parts, begun))), bool(begun)
        room += len(parts.pop()) + 1
    return " ".join(parts) or _beginning(run[0], _LONGEST), True


def _run(units: Sequence[ScoredUnit], start: int) -> Iterator[ScoredUnit]:
    """Yield the units from `start` on, up to a gap between chunks or another tab."""
    yield units[start]
    for before, unit in pairwise(units[start:]):
        same_tab = (unit.unit.tab, unit.unit.first_tab) == (before.unit.tab, before.unit.first_tab)
        if not same_tab or not unit.follows(before):
            return
        yield unit


def _lines(unit: ScoredUnit) -> list[str]:
    """Return a unit's lines: code without its fence, an item with its mark."""
    if unit.kind == "code":
        return [line.strip() for line in unit.text.split("\n")[1:-1] if line.strip()]
    return [f"{unit.unit.mark.strip()} {unit.text}".strip()]


def _beginning(unit: ScoredUnit, room: int) -> str:
    """Return the first whole lines of a unit that fit, or words of its first line; "" if the room is too small."""
    if room < _LEAST:
        return ""
    lines = _lines(unit)
    sizes = accumulate(len(line) + 1 for line in lines)
    whole = lines[: sum(size <= room - len(_MORE) for size in sizes)]
    if not whole:
        return excerpt_of(" ".join(lines[:1]), room - len(_MORE))
    return " ".join(whole) + (_MORE if len(whole) < len(lines) else "")
