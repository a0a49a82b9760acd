"""Whether a passage stands on the page it is said to come from, and which target holds it.

Whitespace, inline markup, punctuation and letter case are forgiven, because a browser's selection has none of the
source's; words are not: every piece of the passage must stand on the page, in order and near the others.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite_core.index.read import Index
from pincite_core.types import Chunk, Page, Sentence, Target

__all__ = ("PassagePlace", "locate_passage")

_BLANK = re.compile(r"[\W_]+")
_PIECE_BREAK = re.compile(r"[\n\t\r|…]+|\.\.\.")
_MAX_SPREAD = 3  # the pieces may lie this many times the passage's length apart (hidden tabs, table headers)
_SPREAD_ALLOWANCE = 200  # characters on top of that, for short passages
_MIN_LETTERS = 12  # fewer could stand anywhere
_MIN_PIECE = 6  # the longest piece of a broken passage must have this many letters, so that it names its place


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """Where a passage stands: its page, the innermost target that holds all of it, and the chunk it starts in."""

    page: Page
    target: Target
    chunk_id: int | None


@dataclass(frozen=True, slots=True)
class _Unit:
    """A stretch of a page's text with the target that holds it."""

    text: str
    target_id: int
    chunk_id: int | None


def locate_passage(index: Index, text: str, page_url: str | None) -> PassagePlace | None:
    """Return where a passage stands on a page; None when the page is unknown or does not hold it."""
    page = index.page_at(page_url) if page_url else None
    letters = _letters(text)
    if page is None or len(letters) < _MIN_LETTERS:
        return None
    targets = {target.target_id: target for target in index.targets_of_page(page.page_id)}
    units = list(_page_units(index, page, targets))
    starts, body = _join(units)
    span = _find_whole(body, letters) or _find_pieces(body, text, len(letters))
    if span is None:
        return None
    held = units[bisect_right(starts, span[0]) - 1 : bisect_right(starts, span[1] - 1)]
    target = _common_target([unit.target_id for unit in held], targets)
    chunk_id = next((unit.chunk_id for unit in held if unit.chunk_id), None)
    return PassagePlace(page, target, chunk_id)


def _page_units(index: Index, page: Page, targets: dict[int, Target]) -> Iterator[_Unit]:
    """Yield headings and sentences in the order of the page."""
    chunks = index.chunks_of_page(page.page_id)
    sentences: dict[int, list[Sentence]] = {}
    for sentence in index.sentences_of_chunks(chunk.chunk_id for chunk in chunks):
        sentences.setdefault(sentence.chunk_id, []).append(sentence)
    for chunk in chunks:
        if chunk.ordinal == 0:
            yield _Unit(targets[chunk.target_id].title, chunk.target_id, None)
        yield from _chunk_units(chunk, sentences.get(chunk.chunk_id, []))


def _chunk_units(chunk: Chunk, sentences: Sequence[Sentence]) -> Iterator[_Unit]:
    for sentence in sentences:
        yield _Unit(chunk.text[sentence.start : sentence.end], sentence.target_id, chunk.chunk_id)
    if not sentences:
        yield _Unit(chunk.text, chunk.target_id, chunk.chunk_id)


def _join(units: Sequence[_Unit]) -> tuple[list[int], str]:
    """Return where each unit starts in the joined letters, and the letters."""
    letters = [_letters(_without_fence(unit.text)) for unit in units]
    starts = [0]
    for text in letters[:-1]:
        starts.append(starts[-1] + len(text))
    return starts, "".join(letters)


def _without_fence(text: str) -> str:
    return re.sub(r"^```[^\n]*\n|\n?```$", "", text) if text.startswith("```") else text


def _letters(text: str) -> str:
    return _BLANK.sub("", text).casefold()


def _find_whole(body: str, letters: str) -> tuple[int, int] | None:
    start = body.find(letters)
    return (start, start + len(letters)) if start >= 0 else None


def _find_pieces(body: str, text: str, length: int) -> tuple[int, int] | None:
    """Find the passage's lines and cells one after another; text that is hidden on the page may lie between them."""
    limit = length * _MAX_SPREAD + _SPREAD_ALLOWANCE
    return _find_in_order(body, _pieces_of(text), limit) or _find_table(body, text, limit)


def _pieces_of(text: str) -> list[str]:
    return [letters for piece in _PIECE_BREAK.split(text) if (letters := _letters(piece))]


def _find_table(body: str, text: str, limit: int) -> tuple[int, int] | None:
    """Find a passage with tables whose header rows were selected: the index has these words in every row, not above."""
    heads, rest = _without_heads(text)
    cells = _pieces_of(heads)
    span = _find_in_order(body, _pieces_of(rest), limit) if cells else None
    if span is None:
        return None
    around = body[max(0, span[0] - sum(map(len, cells))) : span[1]]
    return span if all(cell in around for cell in cells) else None


def _without_heads(text: str) -> tuple[str, str]:
    """Return the header rows of a passage's tables, and everything else: the first of several rows of cells is one."""
    lines = [line for line in text.splitlines() if _letters(line)]
    rows = [False, *("\t" in line for line in lines), False]
    heads = {n for n in range(len(lines)) if rows[n + 1] and rows[n + 2] and not rows[n]}
    return "\n".join(lines[n] for n in heads), "\n".join(line for n, line in enumerate(lines) if n not in heads)


def _find_in_order(body: str, pieces: Sequence[str], limit: int) -> tuple[int, int] | None:
    if len(pieces) < 2 or max(map(len, pieces)) < _MIN_PIECE:
        return None
    first = body.find(pieces[0])
    while first >= 0:
        end = _follow(body, pieces, first, first + limit)
        if end is not None:
            return _tighten(body, pieces, first, end), end
        first = body.find(pieces[0], first + 1)
    return None


def _tighten(body: str, pieces: Sequence[str], start: int, end: int) -> int:
    """Return the last start from which the pieces still end in the same place, nearest to the rest of the passage."""
    while (later := body.find(pieces[0], start + 1, end)) >= 0 and _follow(body, pieces, later, end) == end:
        start = later
    return start


def _follow(body: str, pieces: Sequence[str], start: int, limit: int) -> int | None:
    position = start
    for piece in pieces:
        found = body.find(piece, position, limit)
        if found < 0:
            return None
        position = found + len(piece)
    return position


def _common_target(target_ids: Sequence[int], targets: dict[int, Target]) -> Target:
    """Return the innermost target that holds all of the given ones."""
    paths = [_ancestry(target_id, targets) for target_id in dict.fromkeys(target_ids)]
    common = paths[0]
    for path in paths[1:]:
        common = [target_id for target_id, other in zip(common, path, strict=False) if target_id == other]
    return targets[common[-1]] if common else next(target for target in targets.values() if not target.anchor)


def _ancestry(target_id: int, targets: dict[int, Target]) -> list[int]:
    """Return the row ids from the page down to a target."""
    path: list[int] = []
    current: int | None = target_id
    while current is not None and current in targets:
        path.append(current)
        current = targets[current].parent_id
    return path[::-1]
