"""Whether a passage stands on the page it is said to come from, and which target holds it.

Whitespace, inline markup, punctuation and letter case are forgiven, because a browser's selection has none of the
source's; words are not: every piece of the passage must stand on the page, in order and near the others. The page
is all that it shows (`page_text`), furniture and labels included, because they are selected too.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.budget import check_budget
from pincite_core.index.read import Index
from pincite_core.index.shown_text import letters
from pincite_core.types import Page, Target
from pincite_server.answering.passage.page_text import read_page_text

__all__ = ("PassagePlace", "locate_passage")

_PIECE_BREAK = re.compile(r"[\n\t\r|…]+|\.\.\.")
_MAX_SPREAD = 3  # the pieces may lie this many times the passage's length apart (hidden tabs, numbers of lines)
_SPREAD_ALLOWANCE = 200  # letters on top of that, for short passages
_HIDDEN_ALLOWANCE = 3000  # letters instead, of closed tabs and details between lines that are more than single words
_LINE = 12  # letters of a line on average, from which on they are
_MIN_LETTERS = 12  # fewer could stand anywhere
_MIN_PIECE = 6  # the longest piece of a broken passage must have this many letters, so that it names its place


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """Where a passage stands: its page, the innermost target that holds all of it, and the chunk it starts in."""

    page: Page
    target: Target
    chunk_id: int | None


def locate_passage(index: Index, text: str, page_url: str | None) -> PassagePlace | None:
    """Return where a passage stands on a page; None when the page is unknown or does not show it."""
    page = index.page_at(page_url) if page_url else None
    wanted = letters(text)
    if page is None or len(wanted) < _MIN_LETTERS:
        return None
    shown = read_page_text(index, page)
    span = _find_whole(shown.letters, wanted) or _find_pieces(shown.letters, text, len(wanted))
    if span is None:
        return None
    held, chunk_id = shown.held_by(*span)
    targets = {target.target_id: target for target in index.targets_of_page(page.page_id)}
    return PassagePlace(page, _common_target(held, targets), chunk_id)


def _find_whole(shown: str, wanted: str) -> tuple[int, int] | None:
    start = shown.find(wanted)
    return (start, start + len(wanted)) if start >= 0 else None


def _find_pieces(shown: str, text: str, length: int) -> tuple[int, int] | None:
    """Find the passage's lines and cells one after another; text that is hidden on the page may lie between them."""
    pieces = [found for piece in _PIECE_BREAK.split(text) if (found := letters(piece))]
    allowance = _HIDDEN_ALLOWANCE if length >= _LINE * len(pieces) else _SPREAD_ALLOWANCE
    return _find_in_order(shown, pieces, length * _MAX_SPREAD + allowance)


def _find_in_order(shown: str, pieces: Sequence[str], limit: int) -> tuple[int, int] | None:
    """Find pieces one after another, as close together as they come around the longest, which occurs least often."""
    longest = max(range(len(pieces)), key=lambda number: len(pieces[number]), default=0)
    if len(pieces) < 2 or len(pieces[longest]) < _MIN_PIECE:
        return None
    before, after = pieces[:longest][::-1], pieces[longest:]
    place = shown.find(after[0])
    while place >= 0:
        check_budget()
        start = _lead(shown, before, place, place - limit)
        end = None if start is None else _follow(shown, after, place, start + limit)
        if start is not None and end is not None:
            return start, end
        place = shown.find(after[0], place + 1)
    return None


def _lead(shown: str, pieces: Sequence[str], end: int, limit: int) -> int | None:
    """Return where the last of some pieces begins, each looked for before the one given ahead of it."""
    position = end
    for piece in pieces:
        position = shown.rfind(piece, max(0, limit), position)
        if position < 0:
            return None
    return position


def _follow(shown: str, pieces: Sequence[str], start: int, limit: int) -> int | None:
    """Return where the last of some pieces ends, each looked for after the one given ahead of it."""
    position = start
    for piece in pieces:
        found = shown.find(piece, position, limit)
        if found < 0:
            return None
        position = found + len(piece)
    return position


def _common_target(target_ids: Sequence[int], targets: dict[int, Target]) -> Target:
    """Return the innermost target that holds all of the given ones; the page itself when none are given."""
    paths = [_ancestry(target_id, targets) for target_id in target_ids]
    common = paths[0] if paths else []
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
