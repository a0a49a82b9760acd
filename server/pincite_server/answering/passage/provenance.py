"""Verify that a passage comes from a given page, and find the target that contains it.

The comparison ignores whitespace, inline markup, punctuation and letter case, because a browser's selection does not
keep them. Words must match: every piece of the passage must be on the page, in order and near the others. All visible
text of the page counts (`page_text`), including menus and labels, because readers select these too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.budget import check_budget
from pincite_core.index.read import Index
from pincite_core.index.shown_text import letters
from pincite_core.rules import PROVENANCE
from pincite_core.types import Page, Target
from pincite_server.answering.passage.page_text import read_page_text

__all__ = ("PassagePlace", "locate_passage")

_MAX_SPREAD = 3  # the pieces may spread over this multiple of the passage's length (hidden tabs, line numbers)
_SPREAD_ALLOWANCE = 200  # additional letters, for short passages
_HIDDEN_ALLOWANCE = 3000  # letters instead of these, for closed tabs and details between longer lines
_LINE = 12  # average letters of a line; lines from this length on are more than single words


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """The position of a passage: its page, the innermost target that contains all of it, and the chunk it starts in."""

    page: Page
    target: Target
    chunk_id: int | None


def locate_passage(index: Index, text: str, page_url: str | None) -> PassagePlace | None:
    """Return the position of a passage on a page; None if the page is unknown or does not show the passage."""
    page = index.page_at(page_url) if page_url else None
    wanted = letters(text)
    if page is None or len(wanted) < PROVENANCE.min_letters:
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
    """Find the passage's lines and cells in order; hidden text of the page may be between them."""
    pieces = [found for piece in PROVENANCE.piece_break.split(text) if (found := letters(piece))]
    allowance = _HIDDEN_ALLOWANCE if length >= _LINE * len(pieces) else _SPREAD_ALLOWANCE
    return _find_in_order(shown, pieces, length * _MAX_SPREAD + allowance)


def _find_in_order(shown: str, pieces: Sequence[str], limit: int) -> tuple[int, int] | None:
    """Find pieces in order around the longest piece, which is the rarest, each as near to it as possible."""
    longest = max(range(len(pieces)), key=lambda number: len(pieces[number]), default=0)
    if len(pieces) < 2 or len(pieces[longest]) < PROVENANCE.min_piece:
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
    """Return the start of the last piece, searching backwards for each piece before the previous one."""
    position = end
    for piece in pieces:
        position = shown.rfind(piece, max(0, limit), position)
        if position < 0:
            return None
    return position


def _follow(shown: str, pieces: Sequence[str], start: int, limit: int) -> int | None:
    """Return the end of the last piece, searching forwards for each piece after the previous one."""
    position = start
    for piece in pieces:
        found = shown.find(piece, position, limit)
        if found < 0:
            return None
        position = found + len(piece)
    return position


def _common_target(target_ids: Sequence[int], targets: dict[int, Target]) -> Target:
    """Return the innermost target that contains all given targets; the page itself if none are given."""
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
