"""Verify that a passage comes from a given page, and find the target that contains it.

The comparison ignores whitespace, inline markup, punctuation and letter case, because a browser's selection does not
keep them. Words must match: every piece of the passage must be on the page, in order and near the others. All visible
text of the page counts, including menus and labels, because readers select these too.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from pincite_core.budget import check_budget
from pincite_core.index.read import Index
from pincite_core.index.schema import SHOWN_ON
from pincite_core.index.shown_text import ShownPart, letters, read_shown
from pincite_core.rules import PROVENANCE
from pincite_core.types import Chunk, Page, Target, Unit

__all__ = ("PageText", "PassagePlace", "locate_passage", "read_page_text")

_MAX_SPREAD = 3  # the pieces may spread over this multiple of the passage's length (hidden tabs, line numbers)
_SPREAD_ALLOWANCE = 200  # additional letters, for short passages
_HIDDEN_ALLOWANCE = 3000  # letters instead of these, for closed tabs and details between longer lines
_LINE = 12  # average letters of a line; lines from this length on are more than single words
_MIN_MATCH = 4  # letters; a shorter match of a part of a unit may be a coincidence


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """The position of a passage: its page, the innermost target that contains all of it, and the chunk it starts in."""

    page: Page
    target: Target
    chunk_id: int | None


class _Run(NamedTuple):
    """A run of letters, with its target and chunk if it has any."""

    text: str
    target_id: int | None
    chunk_id: int | None


@dataclass(frozen=True, slots=True)
class PageText:
    """The letters of a page in page order, the runs that they consist of, and the position of each run."""

    letters: str
    runs: Sequence[_Run]
    starts: Sequence[int]

    def targets_between(self, start: int, end: int) -> tuple[list[int], int | None]:
        """Return the distinct targets of the letters from `start` to `end`, and the first chunk among their runs."""
        found = self.runs[bisect_right(self.starts, start) - 1 : bisect_left(self.starts, end)]
        targets = dict.fromkeys(run.target_id for run in found if run.target_id is not None)
        return list(targets), next((run.chunk_id for run in found if run.chunk_id is not None), None)


def locate_passage(index: Index, text: str, page_url: str | None) -> PassagePlace | None:
    """Return the position of a passage on a page; None if the page is unknown or does not show the passage."""
    page = index.page_at(page_url) if page_url else None
    wanted = letters(text)
    if page is None or len(wanted) < PROVENANCE.min_letters:
        return None
    visible = read_page_text(index, page)
    start = visible.letters.find(wanted)
    if start >= 0:
        span = start, start + len(wanted)
    else:  # the passage's lines and cells in order, with hidden text of the page between them
        pieces = [piece for part in PROVENANCE.piece_break.split(text) if (piece := letters(part))]
        allowance = _HIDDEN_ALLOWANCE if len(wanted) >= _LINE * len(pieces) else _SPREAD_ALLOWANCE
        found = _find_in_order(visible.letters, pieces, len(wanted) * _MAX_SPREAD + allowance)
        if found is None:
            return None
        span = found
    target_ids, chunk_id = visible.targets_between(*span)
    targets = {target.target_id: target for target in index.targets_of_page(page.page_id)}
    return PassagePlace(page, _common_target(target_ids, targets), chunk_id)


def _find_in_order(visible: str, pieces: Sequence[str], limit: int) -> tuple[int, int] | None:
    """Find pieces in order around the longest piece, which is the rarest, each as near to it as possible."""
    longest = max(range(len(pieces)), key=lambda number: len(pieces[number]), default=0)
    if len(pieces) < 2 or len(pieces[longest]) < PROVENANCE.min_piece:
        return None
    before, after = pieces[:longest][::-1], pieces[longest:]
    place = visible.find(after[0])
    while place >= 0:
        check_budget()
        start = place
        for piece in before:
            start = visible.rfind(piece, max(0, place - limit), start) if start >= 0 else start
        end = place if start >= 0 else -1
        for piece in after:
            found = visible.find(piece, end, start + limit) if end >= 0 else -1
            end = found + len(piece) if found >= 0 else -1
        if end >= 0:
            return start, end
        place = visible.find(after[0], place + 1)
    return None


def _common_target(target_ids: Sequence[int], targets: dict[int, Target]) -> Target:
    """Return the innermost target that contains all given targets; the page itself if none are given."""
    common: list[int] = []
    for number, target_id in enumerate(target_ids):
        path: list[int] = []
        current: int | None = target_id
        while current is not None and current in targets:
            path.insert(0, current)
            current = targets[current].parent_id
        common = [one for one, other in zip(common, path, strict=False) if one == other] if number else path
    return targets[common[-1]] if common else next(target for target in targets.values() if not target.anchor)


def read_page_text(index: Index, page: Page) -> PageText:
    """Return the letters that a page shows.

    If the index has no visible text of the page, return the letters of its headings and chunks.
    """
    chunks = index.chunks_of_page(page.page_id)
    body = [run for run in _body(index, chunks) if run.text]
    shown = read_shown(index.meta(f"{SHOWN_ON}{page.url}"), sum(len(run.text) for run in body))
    runs = list(_visible_runs(shown, body)) if shown else list(_with_headings(index, chunks, body))
    return PageText("".join(run.text for run in runs), runs, _starts(runs))


def _starts(runs: Sequence[_Run]) -> list[int]:
    return list(accumulate((len(run.text) for run in runs[:-1]), initial=0))


def _body(index: Index, chunks: Sequence[Chunk]) -> Iterator[_Run]:
    """Yield all letters of the chunks, those of units and those between units."""
    units: dict[int, list[Unit]] = {}
    for unit in index.units_of_chunks(chunk.chunk_id for chunk in chunks):
        units.setdefault(unit.chunk_id, []).append(unit)
    for chunk in chunks:
        end = 0
        for unit in units.get(chunk.chunk_id, []):
            yield _Run(letters(chunk.text[end : unit.start]), chunk.target_id, chunk.chunk_id)
            yield _Run(letters(chunk.text[max(end, unit.start) : unit.end]), unit.target_id, chunk.chunk_id)
            end = max(end, unit.end)
        yield _Run(letters(chunk.text[end:]), chunk.target_id, chunk.chunk_id)


def _visible_runs(shown: Sequence[ShownPart], body: Sequence[_Run]) -> Iterator[_Run]:
    starts = _starts(body)
    for part in shown:
        if isinstance(part, str):
            yield _Run(part, None, None)
            continue
        start, end = part
        for number in range(bisect_right(starts, start) - 1, bisect_left(starts, end)):
            run, first = body[number], starts[number]
            text = run.text[max(0, start - first) : end - first]
            by_chance = len(text) < _MIN_MATCH and text != run.text
            yield _Run(text, None, None) if by_chance else run._replace(text=text)


def _with_headings(index: Index, chunks: Sequence[Chunk], body: Sequence[_Run]) -> Iterator[_Run]:
    """Yield the runs of the chunks, with each section's heading before them."""
    targets = index.targets_by_id(chunk.target_id for chunk in chunks)
    first = {chunk.chunk_id: chunk.target_id for chunk in chunks if chunk.ordinal == 0}
    for run in body:
        if run.chunk_id is not None and (target_id := first.pop(run.chunk_id, None)) is not None:
            yield _Run(letters(targets[target_id].title), target_id, None)
        yield run
