"""Select how much of a section to quote: a short section whole; of a longer one the opening and the nearest part."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.types import UnitRole
from pincite_server.answering.corpus.listings import run_around
from pincite_server.answering.corpus.quotable import ScoredUnit
from pincite_server.answering.corpus.whole import code_for, enough, is_entry, opening_of, warnings_near, whole_passage

__all__ = ("Room", "points_elsewhere", "quoted")

_THE_ROW = 0.2  # a row that scores higher than the next by this margin is quoted alone
_FEW_ROWS = 6  # rows of a table that is quoted as a whole
_NEAR = 8  # units from a section's opening to the end of a passage that is joined with it
_BEATS_OPENING = 0.12  # margin by which another passage must score higher to replace the section's opening
_SAY_NOTHING: frozenset[UnitRole] = frozenset({"asks", "refers", "fragment"})


@dataclass(frozen=True, slots=True)
class Room:
    """The limits of a quotation.

    A section within both limits is quoted as a whole. From a longer section, a further passage is quoted with the
    opening if its score exceeds that of the opening by `nearer`.

    Attributes:
        words: The maximum number of words outside code.
        lines: The maximum number of lines of code.
        nearer: The margin for a further passage.
    """

    words: int
    lines: int
    nearer: float


_BRIEF = Room(words=100, lines=0, nearer=0.0)  # for a definition: a longer text may be the text after the list


def quoted(units: Sequence[ScoredUnit], room: Room, shows: bool, task: bool) -> list[int]:
    """Return the positions of the units to quote from a section, in order; empty if the section says nothing.

    Args:
        units: The section's units, in document order.
        room: The limits of the quotation.
        shows: Whether the question asks how, so that a passage without code gets a code block.
        task: Whether the question only names a task, which a code block with its words may answer.
    """
    found = _best(units)
    best = _without_other_rows(units, found)
    if not best or points_elsewhere(units, best):
        return best
    if best == found and _fits(units, room):
        return _without_ends(units, _without_links(units, best))
    best = _definition(units, best, room)
    chosen = sorted({*best, *code_for(units, best, named=not shows)}) if shows or task else best
    if is_entry(units[chosen[0]]):
        chosen = _with_other_term(units, chosen, room)
    elif opening_of(units) in chosen:
        chosen = sorted({*chosen, *_definition(units, _further(units, chosen, room.nearer), room)})
    return sorted({*chosen, *warnings_near(units, chosen)})


def points_elsewhere(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> bool:
    """Whether a passage only refers to other pages, or is mostly a list of links."""
    refers = sum(units[at].role == "refers" for at in chosen)
    told = any(units[at].role != "refers" and units[at].kind != "item" for at in chosen)
    return refers * 2 >= len(chosen) and not told


def _fits(units: Sequence[ScoredUnit], room: Room) -> bool:
    words = sum(len(unit.text.split()) for unit in units if unit.kind != "code")
    lines = sum(unit.text.count("\n") - 1 for unit in units if unit.kind == "code")
    rows = sum(unit.kind == "row" for unit in units)
    return words <= room.words and lines <= room.lines and rows <= _FEW_ROWS


def _without_links(units: Sequence[ScoredUnit], best: Sequence[int]) -> list[int]:
    """Return all units except questions, references, and lists that mostly consist of these."""
    kept: list[int] = []
    for at, unit in enumerate(units):
        run = run_around(units, at, (unit.kind,)) if unit.kind == "item" else [at]
        idle = sum(units[one].role in {"asks", "refers"} for one in run)
        if at in best or idle * 2 < len(run):
            kept.append(at)
    return kept


def _without_ends(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> list[int]:
    """Return the units without lead-ins to content that is not quoted, such as a list of links."""
    kept: list[int] = []
    for at in reversed(chosen):
        if units[at].role != "announces" or (kept and kept[-1] == at + 1):
            kept.append(at)
    return kept[::-1]


def _best(units: Sequence[ScoredUnit]) -> list[int]:
    """Return the section's opening, or a passage that is clearly nearer to the question."""
    at = opening_of(units)
    opening = whole_passage(units, at) if at is not None else []
    told = max((units[one].score for one in opening if units[one].kind != "code"), default=-1.0)
    others = (one for one, unit in enumerate(units) if unit.kind != "code" and one not in opening)
    for one in sorted(others, key=lambda other: -units[other].score):
        if opening and units[one].score < told + _BEATS_OPENING:
            break
        if units[one].role not in _SAY_NOTHING and (passage := whole_passage(units, one)):
            return _read_from(units, opening, passage)
    return opening or [at for at, unit in enumerate(units) if unit.role == "refers"][:1]


def _definition(units: Sequence[ScoredUnit], best: list[int], room: Room) -> list[int]:
    """Extend a passage about one term of a definition list to the term and its whole definition, if that fits.

    Of the definition's notes, only those that were already chosen are included: most notes name a version.
    """
    terms = [at for at, unit in enumerate(units) if unit.kind == "term"]
    before = [at for at in terms if best and at <= best[0]]
    after = [at for at in terms if best and at > best[-1]]
    if not before or not is_entry(units[before[-1]]):
        return best
    first, begins = before[-1], before[-1] == best[0]
    if not (begins or after):
        return best
    while first - 1 in before:  # other names of the term, or the lines of a long term
        first -= 1
    end = after[0] if after else best[-1] + 1
    whole = [at for at in range(first, end) if at in best or not units[at].unit.admonition]
    fits = _fits([units[at] for at in whole], room if begins else _BRIEF)
    return _without_ends(units, whole) if fits else best


def _with_other_term(units: Sequence[ScoredUnit], chosen: list[int], room: Room) -> list[int]:
    """Return a term's definition with the next nearest one of the list, if both fit."""
    further = _further(units, chosen, room.nearer)
    if not further or not is_entry(units[further[0]]):
        return chosen
    both = sorted({*chosen, *_definition(units, further, room)})
    return both if _fits([units[at] for at in both], room) else chosen


def _further(units: Sequence[ScoredUnit], chosen: Sequence[int], nearer: float) -> list[int]:
    """Return the nearest other passage of a section, because the answer may be outside the opening."""
    told = max((units[at].score for at in chosen if units[at].kind != "code"), default=0.0)
    kinds = {"code", "row"} if any(units[at].kind == "row" for at in chosen) else {"code"}  # rows are chosen
    others = [at for at, unit in enumerate(units) if at not in chosen and unit.kind not in kinds]
    for at in sorted(others, key=lambda one: -units[one].score):
        if units[at].score < told + nearer:
            break
        further = [one for one in whole_passage(units, at) if one not in chosen]
        if units[at].role not in _SAY_NOTHING and at in further and units[further[-1]].role != "announces":
            return further
    return []


def _without_other_rows(units: Sequence[ScoredUnit], chosen: list[int]) -> list[int]:
    """Return a passage with only one row of its table, if that row scores much higher than all others."""
    rows = sorted((at for at in chosen if units[at].kind == "row"), key=lambda at: -units[at].score)
    if len(rows) < 2 or units[rows[0]].score < units[rows[1]].score + _THE_ROW:
        return chosen
    return [at for at in chosen if at not in rows[1:]]


def _read_from(units: Sequence[ScoredUnit], opening: Sequence[int], passage: list[int]) -> list[int]:
    """Return a passage from the section's opening on, if the opening is only a sentence or two before it."""
    if not opening or opening[0] > passage[0]:
        return passage
    whole = list(range(opening[0], passage[-1] + 1))
    added = {units[at].kind for at in set(whole) - set(passage)}
    fits = {"prose", "term", "code"} if units[opening[0]].kind == "code" else {"prose", "term"}
    return whole if not enough(units, whole[:-1]) and added <= fits and len(whole) <= _NEAR else passage
