"""Select the part of a section to quote: a whole short section, or the opening and the part nearest to the question.

The passage of each unit is stored in the index (`pincite_indexer.rows.passages`).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set

from pincite_core.quoting.unit_text import sentence_count
from pincite_core.rules import PASSAGES, QuoteBudget
from pincite_server.answering.corpus.unit_scoring import ScoredUnit

__all__ = ("points_elsewhere", "quoted")


def quoted(units: Sequence[ScoredUnit], budget: QuoteBudget, shows: bool, task: bool) -> list[int]:
    """Return the positions of the units to quote from a section, in order; empty if the section says nothing.

    Args:
        units: The section's units, in document order.
        budget: The limits of the quotation.
        shows: Whether the question asks how, so that a passage without code gets a code block.
        task: Whether the question only names a task, which a code block with its words may answer.
    """
    openings = (at for at, unit in enumerate(units) if unit.unit.has("opening"))
    opening = max(openings, key=lambda at: units[at].score, default=None)
    found = _best(units, [] if opening is None else _passage(units, opening))
    best = _without_other_rows(units, found)
    if not best or points_elsewhere(units, best):
        return best
    if best == found and _fits(units, budget):
        kept = (at for at, unit in enumerate(units) if at in best or not unit.unit.has("navigation"))
        return _without_ends(units, list(kept))
    chosen = _definition(units, best, budget)
    if shows or task:
        chosen = sorted({*chosen, *_code_for(units, chosen, named=not shows)})
    if units[chosen[0]].unit.has("entry"):
        chosen = _with_other_term(units, chosen, budget)
    elif opening in chosen:
        chosen = sorted({*chosen, *_definition(units, _further(units, chosen, budget.nearer), budget)})
    return sorted({*chosen, *_warnings_near(units, chosen)})


def points_elsewhere(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> bool:
    """Whether a passage only refers to other pages, or is mostly a list of links."""
    refers = sum(units[at].role == "refers" for at in chosen)
    told = any(units[at].role != "refers" and units[at].kind != "item" for at in chosen)
    return refers * 2 >= len(chosen) and not told


def _passage(units: Sequence[ScoredUnit], at: int) -> list[int]:
    """Return the positions of a unit's passage, in order; of a long list or table only the best items or rows.

    In a long section, a passage may end outside of the parts that were read. It then ends before a lead-in.
    """
    own, passage = units[at].unit.unit_id, units[at].passage
    ranges = [
        range(
            bisect_left(units, own + first, key=lambda unit: unit.unit.unit_id),
            bisect_right(units, own + last, key=lambda unit: unit.unit.unit_id),
        )
        for first, last in zip(passage[::2], passage[1::2], strict=False)
    ]
    if ranges and units[at].unit.has("picks"):
        return [*(one for part in ranges[:-1] for one in part), *_picked(units, ranges[-1], at)]
    chosen = [one for part in ranges for one in part]
    is_cut = bool(chosen) and units[chosen[-1]].unit.unit_id < own + passage[-1]
    while is_cut and chosen and units[chosen[-1]].role == "announces":
        chosen.pop()
    return chosen


def _picked(units: Sequence[ScoredUnit], run: Sequence[int], at: int) -> list[int]:
    """Return the best item or row of a long list with others that score nearly as high, each with its nested items."""
    best = units[at].score - PASSAGES.near_best
    near = sorted((one for one in run if units[one].score >= best), key=lambda one: -units[one].score)
    blocks = {units[one].unit.block for one in (at, *near[: PASSAGES.picked])}
    blocks |= {units[one].unit.block for one in _above(units, run, blocks)}
    kept: list[int] = []
    indent: int | None = None
    for one in run:
        unit = units[one].unit
        deeper = indent is not None and (not unit.mark or unit.indent > indent)
        if not deeper:
            indent = unit.indent if unit.block in blocks else None
        if indent is not None:
            kept.append(one)
    fits = sum(len(units[one].text) for one in kept) <= PASSAGES.longest_list
    return kept if fits else [one for one in kept if units[one].unit.block in blocks]


def _above(units: Sequence[ScoredUnit], run: Sequence[int], blocks: Set[int]) -> Iterator[int]:
    """Yield the parent items of some blocks of a list."""
    least: int | None = None
    for one in reversed(run):
        unit = units[one].unit
        if unit.block in blocks:
            least = unit.indent if least is None else min(least, unit.indent)
        elif unit.mark and least is not None and unit.indent < least:
            least = unit.indent
            yield one


def _best(units: Sequence[ScoredUnit], opening: Sequence[int]) -> list[int]:
    """Return the section's opening, or a passage that is clearly nearer to the question."""
    told = max((units[one].score for one in opening if units[one].kind != "code"), default=-1.0)
    others = (one for one, unit in enumerate(units) if unit.kind != "code" and one not in opening)
    for one in sorted(others, key=lambda other: -units[other].score):
        if opening and units[one].score < told + PASSAGES.beats_opening:
            break
        if units[one].role not in PASSAGES.say_nothing and (passage := _passage(units, one)):
            return _read_from(units, opening, passage)
    return list(opening) or [at for at, unit in enumerate(units) if unit.role == "refers"][:1]


def _read_from(units: Sequence[ScoredUnit], opening: Sequence[int], passage: list[int]) -> list[int]:
    """Return a passage from the section's opening on, if the opening is only a sentence or two before it."""
    if not opening or opening[0] > passage[0]:
        return passage
    whole = list(range(opening[0], passage[-1] + 1))
    added = {units[at].kind for at in set(whole) - set(passage)}
    fits = {"prose", "term", "code"} if units[opening[0]].kind == "code" else {"prose", "term"}
    return whole if not _is_enough(units, whole[:-1]) and added <= fits and len(whole) <= PASSAGES.near else passage


def _without_other_rows(units: Sequence[ScoredUnit], chosen: list[int]) -> list[int]:
    """Return a passage with only one row of its table, if that row scores much higher than all others."""
    rows = sorted((at for at in chosen if units[at].kind == "row"), key=lambda at: -units[at].score)
    if len(rows) < 2 or units[rows[0]].score < units[rows[1]].score + PASSAGES.the_row:
        return chosen
    return [at for at in chosen if at not in rows[1:]]


def _fits(units: Sequence[ScoredUnit], budget: QuoteBudget) -> bool:
    words = sum(len(unit.text.split()) for unit in units if unit.kind != "code")
    lines = sum(unit.text.count("\n") - 1 for unit in units if unit.kind == "code")
    rows = sum(unit.kind == "row" for unit in units)
    return words <= budget.words and lines <= budget.lines and rows <= PASSAGES.few_rows


def _is_enough(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> bool:
    return sentence_count((units[at].unit, units[at].text) for at in chosen) >= PASSAGES.sentences


def _without_ends(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> list[int]:
    """Return the units without lead-ins to content that is not quoted, such as a list of links."""
    kept: list[int] = []
    for at in reversed(chosen):
        if units[at].role != "announces" or (kept and kept[-1] == at + 1):
            kept.append(at)
    return kept[::-1]


def _definition(units: Sequence[ScoredUnit], best: list[int], budget: QuoteBudget) -> list[int]:
    """Extend a passage about one term of a definition list to the term and its whole definition, if that fits.

    Of the definition's notes, only those that were already chosen are included: most notes name a version.
    """
    terms = [at for at, unit in enumerate(units) if unit.kind == "term"]
    before = [at for at in terms if best and at <= best[0]]
    after = [at for at in terms if best and at > best[-1]]
    if not before or not units[before[-1]].unit.has("entry"):
        return best
    first, begins = before[-1], before[-1] == best[0]
    if not (begins or after):
        return best
    while first - 1 in before:  # other names of the term, or the lines of a long term
        first -= 1
    end = after[0] if after else best[-1] + 1
    whole = [at for at in range(first, end) if at in best or not units[at].unit.admonition]
    fits = _fits([units[at] for at in whole], budget if begins else PASSAGES.definition)
    return _without_ends(units, whole) if fits else best


def _with_other_term(units: Sequence[ScoredUnit], chosen: list[int], budget: QuoteBudget) -> list[int]:
    """Return a term's definition with the next nearest one of the list, if both fit."""
    further = _further(units, chosen, budget.nearer)
    if not further or not units[further[0]].unit.has("entry"):
        return chosen
    both = sorted({*chosen, *_definition(units, further, budget)})
    return both if _fits([units[at] for at in both], budget) else chosen


def _further(units: Sequence[ScoredUnit], chosen: Sequence[int], nearer: float) -> list[int]:
    """Return the nearest other passage of a section, because the answer may be outside the opening."""
    told = max((units[at].score for at in chosen if units[at].kind != "code"), default=0.0)
    kinds = {"code", "row"} if any(units[at].kind == "row" for at in chosen) else {"code"}  # rows are chosen
    others = [at for at, unit in enumerate(units) if at not in chosen and unit.kind not in kinds]
    for at in sorted(others, key=lambda one: -units[one].score):
        if units[at].score < told + nearer:
            break
        further = [one for one in _passage(units, at) if one not in chosen]
        if units[at].role not in PASSAGES.say_nothing and at in further and units[further[-1]].role != "announces":
            return further
    return []


def _code_for(units: Sequence[ScoredUnit], chosen: Sequence[int], named: bool) -> list[int]:
    """Return the code block that illustrates a passage, with its lead-in; empty if the passage already has one.

    The block is the one with most of the question's words and of the passage's names in inline code. Of equal blocks,
    the next one after the passage is chosen. The block must contain one of the names, or be close to the passage.

    Args:
        units: The section's units.
        chosen: The passage.
        named: Whether a block without any of the names must be closer to the passage.
    """
    starts = [at for at, unit in enumerate(units) if unit.kind == "code" and not unit.goes_on]
    told = (units[at].text for at in chosen if units[at].kind != "code")
    names = {name for text in told for name in PASSAGES.name.findall(text)}

    def fitness(at: int) -> float:
        named = min(PASSAGES.enough_names, sum(name in units[at].text for name in names))
        return units[at].share + PASSAGES.named * named

    shown = max((fitness(at) for at in chosen if at in starts), default=-1.0)
    end = chosen[-1]
    for at in sorted(starts, key=lambda start: (-round(fitness(start), 2), start < end, abs(start - end))):
        if at in chosen or fitness(at) < shown + PASSAGES.fits_better:
            break
        close = end < at <= end + PASSAGES.close_by if named else abs(at - end) <= PASSAGES.around
        if not close and not any(name in units[at].text for name in names):
            continue
        passage, last = _passage(units, at), at
        while last + 1 < len(units) and units[last + 1].goes_on:
            last += 1
        few = not _is_enough(units, chosen)
        if passage and (few or at > end):
            first = passage[0] if few and at - 1 not in chosen else at
            return [one for one in passage if first <= one <= last]
    return []


def _warnings_near(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> list[int]:
    """Return the units of nearby admonitions that warn of a danger or a deprecation.

    A warning behind another term is about that term.
    """
    first, last = chosen[0], chosen[-1]
    found: list[int] = []
    for at in range(max(0, first - PASSAGES.around), min(len(units), last + PASSAGES.around + 1)):
        between = range(at, first) if at < first else range(last + 1, at + 1)
        is_near = at not in chosen and not any(units[one].kind == "term" for one in between)
        if is_near and units[at].unit.has("warning"):
            found.append(at)
    return found[: PASSAGES.sentences]
