"""Group the units of a section into lists, tables, code blocks and definitions, and select the part to quote."""

from collections.abc import Iterator, Sequence, Set

from pincite_core.types import UnitKind
from pincite_server.answering.corpus.quotable import ScoredUnit

__all__ = (
    "announced",
    "attached",
    "beside",
    "code_block",
    "first_part",
    "items_around",
    "rows_around",
    "run_around",
)

_LONGEST_CODE = 50  # lines; longer code is too long for an answer
_SHORT_CODE = 25  # lines of code that may follow a sentence that is no lead-in
_WHOLE_LIST = 900  # characters of a list or table that is quoted whole
_WHOLE_ITEMS = 8
_WHOLE_ROWS = 6
_STEPS = 12  # items of a list that follows its lead-in or is asked for as a whole
_LONGEST_LIST = 1600  # characters
_NEAR_BEST = 0.06  # items and rows whose score is this near to the best one are quoted too
_MAX_PICKED = 3
_ANNOUNCED: dict[UnitKind, tuple[UnitKind, ...]] = {
    "item": ("item", "code"),
    "row": ("row",),
    "term": ("term", "prose"),
}
"""By the kind of its first unit: the kinds of units that a list, table or definition list consists of."""


def announced(units: Sequence[ScoredUnit], at: int) -> list[int]:
    """Return the content that a lead-in (a sentence that ends with a colon) announces; empty if it cannot be quoted."""
    if at >= len(units) or not units[at].follows(units[at - 1]):
        return []
    kind = units[at].kind
    if kind == "code":
        return code_block(units, at)
    if kind in _ANNOUNCED:
        return _cut_list(units, [one for one in run_around(units, at, _ANNOUNCED[kind]) if one >= at])
    if units[at].role == "announces":
        further = announced(units, at + 1)
        return [at, *further] if further else []
    return [at, *attached(units, at)]


def attached(units: Sequence[ScoredUnit], last: int) -> list[int]:
    """Return the short code, list or table that directly follows a passage."""
    at = last + 1
    if at >= len(units) or not beside(units, last, at) or (units[at].unit.labels and units[at].kind != "code"):
        return []
    kind = units[at].kind
    if kind == "code":
        return code_block(units, at, _SHORT_CODE)
    if kind in {"item", "row"}:
        run = run_around(units, at, (kind,))
        return run if _is_short(units, run) else []
    return []


def items_around(units: Sequence[ScoredUnit], at: int) -> list[int]:
    """Return the list around an item.

    A short list is returned whole. Of a long one, return the start, or the item with others that score nearly as high.
    """
    run = run_around(units, at, ("item", "code"))
    if _is_short(units, run):
        return run
    if at == run[0]:
        return _cut_list(units, run, _WHOLE_LIST)
    steps = _cut_list(units, run)
    if at in steps and units[run[0]].unit.mark.strip()[:1].isdigit():
        return steps
    return _picked(units, run, at) or run[:1]


def rows_around(units: Sequence[ScoredUnit], at: int) -> list[int]:
    """Return the table around a row if it is short, else the row with others that score nearly as high."""
    run = run_around(units, at, ("row",))
    if len(run) <= _WHOLE_ROWS and _is_short(units, run):
        return run
    return _picked(units, run, at)


def code_block(units: Sequence[ScoredUnit], at: int, longest: int = _LONGEST_CODE) -> list[int]:
    """Return a code block with all its parts; empty if it exceeds `longest` lines or `at` is not its first part."""
    if units[at].goes_on:
        return []
    last = at
    while last + 1 < len(units) and units[last + 1].goes_on and units[last + 1].follows(units[last]):
        last += 1
    parts = list(range(at, last + 1))
    lines = sum(units[one].text.count("\n") - 1 for one in parts)
    return parts if lines <= longest else []


def first_part(units: Sequence[ScoredUnit], at: int) -> int:
    """Return the position of the first part of a code block that was split over several chunks."""
    while at > 0 and units[at].goes_on:
        at -= 1
    return at


def run_around(units: Sequence[ScoredUnit], at: int, kinds: tuple[UnitKind, ...]) -> list[int]:
    """Return the consecutive units of some kinds around a unit, without leading code unless the unit is code."""
    first = last = at
    while first > 0 and units[first - 1].kind in kinds and beside(units, first - 1, first):
        first -= 1
    while last + 1 < len(units) and units[last + 1].kind in kinds and beside(units, last, last + 1):
        last += 1
    if units[at].kind != "code":
        while units[first].kind == "code":
            first += 1
    return list(range(first, last + 1))


def beside(units: Sequence[ScoredUnit], one: int, other: int) -> bool:
    """Whether a unit directly follows another one, both in the same admonition or both in none."""
    return units[other].follows(units[one]) and units[one].unit.admonition == units[other].unit.admonition


def _picked(units: Sequence[ScoredUnit], run: Sequence[int], at: int) -> list[int]:
    """Return the best item or row of a long list with others that score nearly as high, each with its nested items."""
    best = units[at].score - _NEAR_BEST
    near = sorted((one for one in run if units[one].score >= best), key=lambda one: -units[one].score)
    blocks = {units[one].unit.block for one in (at, *near[:_MAX_PICKED])}
    blocks |= {units[one].unit.block for one in _above(units, run, blocks)}
    kept: list[int] = []
    indent: int | None = None
    for one in run:
        unit = units[one].unit
        deeper = indent is not None and (not unit.mark or _indent(unit.mark) > indent)
        if unit.block in blocks and not deeper:
            indent = _indent(unit.mark)
        elif not deeper:
            indent = None
        if indent is not None:
            kept.append(one)
    return kept if _length(units, kept) <= _LONGEST_LIST else [one for one in kept if units[one].unit.block in blocks]


def _above(units: Sequence[ScoredUnit], run: Sequence[int], blocks: Set[int]) -> Iterator[int]:
    """Yield the parent items of some blocks of a list."""
    least: int | None = None
    for one in reversed(run):
        unit = units[one].unit
        if unit.block in blocks:
            least = _indent(unit.mark) if least is None else min(least, _indent(unit.mark))
        elif unit.mark and least is not None and _indent(unit.mark) < least:
            least = _indent(unit.mark)
            yield one


def _cut_list(units: Sequence[ScoredUnit], run: Sequence[int], longest: int = _LONGEST_LIST) -> list[int]:
    """Return a list from its start up to the maximum length; code blocks in it stay whole."""
    kept: list[int] = []
    length = 0
    for number, block in enumerate(_blocks(units, run)):
        length += _length(units, block)
        if number >= _STEPS or (kept and length > longest):
            break
        kept.extend(block)
    while kept and units[kept[-1]].role == "announces":  # a lead-in without the content that it announces
        kept.pop()
    return kept


def _blocks(units: Sequence[ScoredUnit], run: Sequence[int]) -> Iterator[list[int]]:
    """Yield the units of each block; a code block with all its parts is one block."""
    block: list[int] = []
    for at in run:
        if block and units[at].unit.block != units[block[-1]].unit.block and not units[at].goes_on:
            yield block
            block = []
        block.append(at)
    if block:
        yield block


def _is_short(units: Sequence[ScoredUnit], run: Sequence[int]) -> bool:
    blocks = len({units[at].unit.block for at in run})
    return blocks <= _WHOLE_ITEMS and _length(units, run) <= _WHOLE_LIST


def _length(units: Sequence[ScoredUnit], run: Sequence[int]) -> int:
    return sum(len(units[at].text) for at in run)


def _indent(mark: str) -> int:
    return len(mark) - len(mark.lstrip(" "))
