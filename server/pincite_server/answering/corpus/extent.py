"""How much of a section is quoted: all of a short one; of a longer one its opening, and what is nearest beside it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.types import UnitRole
from pincite_server.answering.corpus.listings import run_around
from pincite_server.answering.corpus.quotable import ScoredUnit
from pincite_server.answering.corpus.whole import code_for, enough, is_entry, opening_of, warnings_near, whole_passage

__all__ = ("Room", "points_elsewhere", "quoted")

_THE_ROW = 0.2  # a row so much nearer than the next is the one that was asked about
_FEW_ROWS = 6  # of a table that is quoted as a whole
_NEAR = 8  # units from a section's opening to the end of what else is quoted of it
_BEATS_OPENING = 0.12  # by so much must other words be nearer to the question than the section's opening
_SAY_NOTHING: frozenset[UnitRole] = frozenset({"asks", "refers", "fragment"})


@dataclass(frozen=True, slots=True)
class Room:
    """What may stand on the screen: a section of no more `words` and `lines` of code is quoted as a whole.

    Of a longer one, what stands elsewhere in it comes with its opening when it is by `nearer` nearer to the question.
    """

    words: int
    lines: int
    nearer: float


_BRIEF = Room(words=100, lines=0, nearer=0.0)  # a definition: more may be what comes after the list


def quoted(units: Sequence[ScoredUnit], room: Room, shows: bool, task: bool) -> list[int]:
    """Return the places of a section's units that are quoted, in order; empty when it says nothing.

    Args:
        units: The section's, in document order.
        room: What may be quoted of it.
        shows: Whether the question wants to be shown, so that a passage without code gets some.
        task: Whether it only names what is to be done, and code about just that shows how.
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
    """Whether a passage only says where to read, or is a list of links for the most part."""
    refers = sum(units[at].role == "refers" for at in chosen)
    told = any(units[at].role != "refers" and units[at].kind != "item" for at in chosen)
    return refers * 2 >= len(chosen) and not told


def _fits(units: Sequence[ScoredUnit], room: Room) -> bool:
    words = sum(len(unit.text.split()) for unit in units if unit.kind != "code")
    lines = sum(unit.text.count("\n") - 1 for unit in units if unit.kind == "code")
    rows = sum(unit.kind == "row" for unit in units)
    return words <= room.words and lines <= room.lines and rows <= _FEW_ROWS


def _without_links(units: Sequence[ScoredUnit], best: Sequence[int]) -> list[int]:
    """Return all units but those that only ask or point elsewhere, and lists of which most do."""
    kept: list[int] = []
    for at, unit in enumerate(units):
        run = run_around(units, at, (unit.kind,)) if unit.kind == "item" else [at]
        idle = sum(units[one].role in {"asks", "refers"} for one in run)
        if at in best or idle * 2 < len(run):
            kept.append(at)
    return kept


def _without_ends(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> list[int]:
    """Return a whole section without lead-ins to what is not quoted of it, such as a list of links."""
    kept: list[int] = []
    for at in reversed(chosen):
        if units[at].role != "announces" or (kept and kept[-1] == at + 1):
            kept.append(at)
    return kept[::-1]


def _best(units: Sequence[ScoredUnit]) -> list[int]:
    """Return the section's opening, or what is clearly nearer to the question; as it is shown whole."""
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
    """Return a passage that is about one of a list's terms with the term and all that is said of it, where that fits.

    Of its notes those stay that were chosen: most say since which version it is so.
    """
    terms = [at for at, unit in enumerate(units) if unit.kind == "term"]
    before = [at for at in terms if best and at <= best[0]]
    after = [at for at in terms if best and at > best[-1]]
    if not before or not is_entry(units[before[-1]]):
        return best
    first, begins = before[-1], before[-1] == best[0]
    if not (begins or after):
        return best
    while first - 1 in before:  # other names of it, or the lines of a long one
        first -= 1
    end = after[0] if after else best[-1] + 1
    whole = [at for at in range(first, end) if at in best or not units[at].sentence.admonition]
    fits = _fits([units[at] for at in whole], room if begins else _BRIEF)
    return _without_ends(units, whole) if fits else best


def _with_other_term(units: Sequence[ScoredUnit], chosen: list[int], room: Room) -> list[int]:
    """Return a term's definition with the next nearest of the list, where there is room for both."""
    further = _further(units, chosen, room.nearer)
    if not further or not is_entry(units[further[0]]):
        return chosen
    both = sorted({*chosen, *_definition(units, further, room)})
    return both if _fits([units[at] for at in both], room) else chosen


def _further(units: Sequence[ScoredUnit], chosen: Sequence[int], nearer: float) -> list[int]:
    """Return the nearest of a section's other words, whole: what its opening leaves out may be what was asked."""
    told = max((units[at].score for at in chosen if units[at].kind != "code"), default=0.0)
    kinds = {"code", "row"} if any(units[at].kind == "row" for at in chosen) else {"code"}  # its rows are chosen
    others = [at for at, unit in enumerate(units) if at not in chosen and unit.kind not in kinds]
    for at in sorted(others, key=lambda one: -units[one].score):
        if units[at].score < told + nearer:
            break
        further = [one for one in whole_passage(units, at) if one not in chosen]
        if units[at].role not in _SAY_NOTHING and at in further and units[further[-1]].role != "announces":
            return further
    return []


def _without_other_rows(units: Sequence[ScoredUnit], chosen: list[int]) -> list[int]:
    """Return a passage with one row of its table alone, when that is much nearer to the question than all others."""
    rows = sorted((at for at in chosen if units[at].kind == "row"), key=lambda at: -units[at].score)
    if len(rows) < 2 or units[rows[0]].score < units[rows[1]].score + _THE_ROW:
        return chosen
    return [at for at in chosen if at not in rows[1:]]


def _read_from(units: Sequence[ScoredUnit], opening: Sequence[int], passage: list[int]) -> list[int]:
    """Return a passage, from the section's opening on where that is only a sentence or two away."""
    if not opening or opening[0] > passage[0]:
        return passage
    whole = list(range(opening[0], passage[-1] + 1))
    added = {units[at].kind for at in set(whole) - set(passage)}
    fits = {"prose", "term", "code"} if units[opening[0]].kind == "code" else {"prose", "term"}
    return whole if not enough(units, whole[:-1]) and added <= fits and len(whole) <= _NEAR else passage
