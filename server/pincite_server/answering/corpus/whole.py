"""A whole passage around a unit: up to three sentences, with the list, code, rows or term that belong to them.

Nothing is quoted without what it leans on, nothing ends with a colon that leads nowhere, and code is whole or left out.
"""

import re
from collections.abc import Iterator, Sequence, Set

from pincite_core.types import UnitKind
from pincite_server.answering.corpus.quotable import Quotable
from pincite_server.answering.corpus.stances import warns

__all__ = ("MAX_SENTENCES", "code_for", "enough", "opening_of", "sentences", "warnings_near", "whole_passage")

MAX_SENTENCES = 3  # chat specification: "Maximum 3 sentences for the main answer"
_LONGEST_CODE = 50  # lines; a longer listing is a page, not an answer
_SHORT_CODE = 25  # lines that are worth showing after a sentence that does not announce them
_SHORT_TEXT = 160  # characters; a paragraph of one such sentence is read with the next
_WHOLE_LIST = 900  # characters of a list or table that is shown whole
_WHOLE_ITEMS = 8
_WHOLE_ROWS = 6
_STEPS = 12  # items of a list that is announced or asked for as a whole
_LONGEST_LIST = 1600  # characters
_ENDS = (".", "!", "。")
_NAME = re.compile(r"`@?([A-Za-z_$][\w$.-]*)")  # in inline code
_NAMED = 0.15  # of a question's words, what one name is worth in code
_ENOUGH_NAMES = 3
_FITS_BETTER = 0.2
_CLOSE_BY = 4  # units from a passage to code that goes with it whatever names are in it
_NEAR_BEST = 0.06  # items and rows that answer nearly as well as the best one are shown with it
_MAX_PICKED = 3
_ANNOUNCED: dict[UnitKind, tuple[UnitKind, ...]] = {
    "item": ("item", "code"),
    "row": ("row",),
    "term": ("term", "prose"),
}
"""What the list, table or definitions that begin with a unit of a kind are made of."""

_AROUND = 10  # units from a passage to a warning that still is about it


def opening_of(units: Sequence[Quotable]) -> int | None:
    """Return the place of the unit that a section begins with: its first that says something, remarks come after."""
    says = [at for at, unit in enumerate(units) if unit.stance not in {"asks", "refers", "fragment"}]
    says = [at for at in says if not _is_field(units, at)] or says
    text = [at for at in says if not units[at].layout.note] or says
    if not text:
        return None
    if units[text[0]].kind == "row":  # a table begins with none of its rows more than with another
        return max(_run(units, text[0], ("row",)), key=lambda at: units[at].score)
    return text[0]


def _is_field(units: Sequence[Quotable], at: int) -> bool:
    """Whether a unit is a field above a section's text ("Release: 5.2"), which says nothing of its subject."""
    return any(units[one].kind == "term" and units[one].text.endswith(":") for one in (at, max(0, at - 1)))


def whole_passage(units: Sequence[Quotable], at: int) -> list[int]:
    """Return the places of a unit and of what belongs to it, in order; empty when it cannot be shown whole."""
    kind = units[at].kind
    if kind == "code":
        return _listing(units, _code(units, _first_part(units, at), _LONGEST_CODE))
    if kind == "item":
        return _with_lead(units, _items(units, at))
    if kind == "row":
        return _with_lead(units, _rows(units, at))
    return _prose(units, at)


def code_for(units: Sequence[Quotable], chosen: Sequence[int], named: bool) -> list[int]:
    """Return the code block that shows what a passage tells, and what announces it; empty when one there does.

    It is the one with most of the names that the passage has in code, and of the question; the next in the section of
    several such. It must have one of those names or be close by; `named` asks for it to be closer.
    """
    starts = [at for at, unit in enumerate(units) if unit.kind == "code" and not unit.goes_on]
    told = (units[at].text for at in chosen if units[at].kind != "code")
    names = {name for text in told for name in _NAME.findall(text)}

    def fitness(at: int) -> float:
        return units[at].share + _NAMED * min(_ENOUGH_NAMES, sum(name in units[at].text for name in names))

    shown = max((fitness(at) for at in chosen if at in starts), default=-1.0)
    end = chosen[-1]
    for at in sorted(starts, key=lambda start: (-round(fitness(start), 2), start < end, abs(start - end))):
        if at in chosen or fitness(at) < shown + _FITS_BETTER:
            break
        code = _code(units, at, _LONGEST_CODE)
        close = end < at <= end + _CLOSE_BY if named else abs(at - end) <= _AROUND
        if not close and not any(name in units[at].text for name in names):
            continue
        few = not enough(units, chosen)
        if code and (few or at > end):
            return _with_lead(units, code) if few and at - 1 not in chosen else code
    return []


def warnings_near(units: Sequence[Quotable], chosen: Sequence[int]) -> list[int]:
    """Return the units of admonitions around a passage that tell of a danger or that something is deprecated."""
    found: list[int] = []
    for at in range(max(0, chosen[0] - _AROUND), min(len(units), chosen[-1] + _AROUND + 1)):
        unit = units[at]
        if at in chosen or not unit.layout.note or _parted(units, at, chosen):
            continue
        same = [one for one in range(len(units)) if units[one].layout.block == unit.layout.block]
        first = units[same[0]]
        if (
            unit.kind == "prose"
            and unit.stance != "fragment"
            and warns(first.layout.labels, first.text)
            and same.index(at) < MAX_SENTENCES
        ):
            found.append(at)
    return found[:MAX_SENTENCES]


def _parted(units: Sequence[Quotable], at: int, chosen: Sequence[int]) -> bool:
    """Whether another term begins between a passage and a unit, which then is about that."""
    between = range(at, chosen[0]) if at < chosen[0] else range(chosen[-1] + 1, at + 1)
    return any(units[one].kind == "term" for one in between)


def _prose(units: Sequence[Quotable], at: int) -> list[int]:
    chosen = _led_up(units, at)
    return _read_on(units, chosen) if chosen else []


def enough(units: Sequence[Quotable], chosen: Sequence[int]) -> bool:
    """Whether a passage has as many sentences as an answer may have."""
    return sentences(units, chosen) >= MAX_SENTENCES


def sentences(units: Sequence[Quotable], chosen: Sequence[int]) -> int:
    """Return how many sentences a passage has; "Default: `5`" above them is none."""
    told = [units[at] for at in chosen if units[at].kind == "prose"]
    return sum(unit.stance != "fragment" or unit.text.endswith(_ENDS) for unit in told)


def _listing(units: Sequence[Quotable], code: list[int]) -> list[int]:
    """Return code with its lead-in, or with the text after it where it has none."""
    led = _with_lead(units, code)
    return led if led != code or not code else _read_on(units, code)


def _read_on(units: Sequence[Quotable], begun: Sequence[int]) -> list[int]:
    """Return a passage read on to three sentences, with what they announce and what comes right after them."""
    chosen = list(begun)
    last = chosen[-1]
    while units[last].stance != "announces" and not enough(units, chosen) and _reads_on(units, chosen, last + 1):
        last += 1
        chosen.append(last)
    if units[last].stance == "announces":
        announced = _announced(units, last + 1)
        return [*chosen, *announced] if announced else _without_end(units, chosen)
    return [*chosen, *_attached(units, last)] if units[last].kind != "code" else chosen


def _led_up(units: Sequence[Quotable], at: int) -> list[int]:
    """Return a unit with what it leans back on: sentences before it, or the term it defines.

    Empty when it leans on more than that: on code, a list, or all that was said before.
    """
    first = at
    while first > 0 and units[first].leans and at - first < MAX_SENTENCES - 1:
        before = units[first - 1]
        if before.kind != "prose" or not _beside(units, first - 1, first):
            break
        first -= 1
    if first > 0 and units[first - 1].stance == "fragment" and _in_one_block(units, first - 1, first):
        first -= 1  # the "Yes." that it explains
    chosen = list(range(first, at + 1))
    if first > 0 and units[first - 1].kind == "term":
        return [first - 1, *chosen]
    leans = units[first].leans or _goes_on_after_code(units, first)
    return [] if leans and first > 0 and _beside(units, first - 1, first) else chosen


def _goes_on_after_code(units: Sequence[Quotable], at: int) -> bool:
    """Whether a unit is the rest of a sentence that code or a list stands in."""
    return at > 0 and units[at - 1].kind != "prose" and units[at].text[:1].islower()


def _reads_on(units: Sequence[Quotable], chosen: Sequence[int], at: int) -> bool:
    """Whether a sentence carries a passage on: the next of the paragraph, or of the next when this one is brief."""
    if at >= len(units) or units[at].kind != "prose" or not _beside(units, at - 1, at):
        return False
    unit, before = units[at], units[at - 1]
    if unit.stance in {"asks", "refers"}:
        return False
    if unit.layout.block == before.layout.block or before.kind in {"term", "code"}:
        return True
    brief = sum(len(units[one].text) for one in chosen) < _SHORT_TEXT
    return (brief or unit.stance == "announces") and not unit.layout.labels


def _beside(units: Sequence[Quotable], one: int, other: int) -> bool:
    """Whether a unit follows another, both in the same admonition or both in none."""
    return units[other].follows(units[one]) and units[one].layout.note == units[other].layout.note


def _in_one_block(units: Sequence[Quotable], one: int, other: int) -> bool:
    return units[one].layout.block == units[other].layout.block


def _announced(units: Sequence[Quotable], at: int) -> list[int]:
    """Return what a sentence that ends with a colon announces; empty when it is not there or cannot be shown."""
    if at >= len(units) or not units[at].follows(units[at - 1]):
        return []
    kind = units[at].kind
    if kind == "code":
        return _code(units, at, _LONGEST_CODE)
    if kind in _ANNOUNCED:
        return _cut_list(units, [one for one in _run(units, at, _ANNOUNCED[kind]) if one >= at])
    if units[at].stance == "announces":
        further = _announced(units, at + 1)
        return [at, *further] if further else []
    return [at, *_attached(units, at)]


def _attached(units: Sequence[Quotable], last: int) -> list[int]:
    """Return short code, or a short list or table, that comes right after a passage."""
    at = last + 1
    if at >= len(units) or not _beside(units, last, at) or (units[at].layout.labels and units[at].kind != "code"):
        return []
    kind = units[at].kind
    if kind == "code":
        return _code(units, at, _SHORT_CODE)
    if kind in {"item", "row"}:
        run = _run(units, at, (kind,))
        return run if _is_short(units, run) else []
    return []


def _without_end(units: Sequence[Quotable], chosen: Sequence[int]) -> list[int]:
    """Return a passage without the sentence that announces what cannot be shown."""
    kept = list(chosen[:-1])
    return kept if any(units[at].kind in {"prose", "code"} for at in kept) else []


def _with_lead(units: Sequence[Quotable], chosen: list[int]) -> list[int]:
    """Return a list, table or code with the sentence before it, and what that leans on."""
    if not chosen or chosen[0] == 0:
        return chosen
    first = chosen[0]
    if units[first].kind == "item":
        first = _run(units, first, ("item", "code"))[0]
    elif units[first].kind == "row":
        first = _run(units, first, ("row",))[0]
    before = first - 1
    if before < 0 or units[before].kind not in {"prose", "term"} or not _beside(units, before, first):
        return chosen
    if units[before].stance != "announces" and units[first].kind == "row":
        return chosen
    return [*_backed(units, before), *chosen]


def _backed(units: Sequence[Quotable], at: int) -> list[int]:
    """Return a lead-in with the sentence that it leans on."""
    leans = units[at].leans or units[at].text[:1].islower()
    if leans and at > 0 and units[at - 1].kind == "prose" and _beside(units, at - 1, at):
        return [at - 1, at]
    return [at]


def _items(units: Sequence[Quotable], at: int) -> list[int]:
    run = _run(units, at, ("item", "code"))
    if _is_short(units, run):
        return run
    if at == run[0]:
        return _cut_list(units, run, _WHOLE_LIST)
    steps = _cut_list(units, run)
    if at in steps and units[run[0]].layout.mark.strip()[:1].isdigit():
        return steps
    return _picked(units, run, at) or run[:1]


def _rows(units: Sequence[Quotable], at: int) -> list[int]:
    run = _run(units, at, ("row",))
    if len(run) <= _WHOLE_ROWS and _is_short(units, run):
        return run
    return _picked(units, run, at)


def _picked(units: Sequence[Quotable], run: Sequence[int], at: int) -> list[int]:
    """Return the best item or row of a long list with what is nearly as good, each with what stands under it."""
    best = units[at].score - _NEAR_BEST
    near = sorted((one for one in run if units[one].score >= best), key=lambda one: -units[one].score)
    blocks = {units[one].layout.block for one in (at, *near[:_MAX_PICKED])}
    blocks |= {units[one].layout.block for one in _above(units, run, blocks)}
    kept: list[int] = []
    indent: int | None = None
    for one in run:
        layout = units[one].layout
        deeper = indent is not None and (not layout.mark or _indent(layout.mark) > indent)
        if layout.block in blocks and not deeper:
            indent = _indent(layout.mark)
        elif not deeper:
            indent = None
        if indent is not None:
            kept.append(one)
    return kept if _length(units, kept) <= _LONGEST_LIST else [one for one in kept if units[one].layout.block in blocks]


def _above(units: Sequence[Quotable], run: Sequence[int], blocks: Set[int]) -> Iterator[int]:
    """Yield the items that some blocks of a list stand under."""
    least: int | None = None
    for one in reversed(run):
        layout = units[one].layout
        if layout.block in blocks:
            least = _indent(layout.mark) if least is None else min(least, _indent(layout.mark))
        elif layout.mark and least is not None and _indent(layout.mark) < least:
            least = _indent(layout.mark)
            yield one


def _cut_list(units: Sequence[Quotable], run: Sequence[int], longest: int = _LONGEST_LIST) -> list[int]:
    """Return a list from its beginning, as far as it is not too long; a code block in it is whole."""
    kept: list[int] = []
    length = 0
    for number, block in enumerate(_blocks(units, run)):
        length += _length(units, block)
        if number >= _STEPS or (kept and length > longest):
            break
        kept.extend(block)
    while kept and units[kept[-1]].stance == "announces":  # what it announces was cut off
        kept.pop()
    return kept


def _blocks(units: Sequence[Quotable], run: Sequence[int]) -> Iterator[list[int]]:
    """Yield runs of units of one block, code with all of its parts."""
    block: list[int] = []
    for at in run:
        if block and units[at].layout.block != units[block[-1]].layout.block and not units[at].goes_on:
            yield block
            block = []
        block.append(at)
    if block:
        yield block


def _is_short(units: Sequence[Quotable], run: Sequence[int]) -> bool:
    blocks = len({units[at].layout.block for at in run})
    return blocks <= _WHOLE_ITEMS and _length(units, run) <= _WHOLE_LIST


def _length(units: Sequence[Quotable], run: Sequence[int]) -> int:
    return sum(len(units[at].text) for at in run)


def _run(units: Sequence[Quotable], at: int, kinds: tuple[UnitKind, ...]) -> list[int]:
    """Return the units of some kinds around one, nothing left out between them; code ends no run and begins none."""
    first = last = at
    while first > 0 and units[first - 1].kind in kinds and _beside(units, first - 1, first):
        first -= 1
    while last + 1 < len(units) and units[last + 1].kind in kinds and _beside(units, last, last + 1):
        last += 1
    if units[at].kind != "code":
        while units[first].kind == "code":
            first += 1
    return list(range(first, last + 1))


def _first_part(units: Sequence[Quotable], at: int) -> int:
    while at > 0 and units[at].goes_on:
        at -= 1
    return at


def _code(units: Sequence[Quotable], at: int, longest: int) -> list[int]:
    """Return a code block with all of its parts; empty when it is longer, or a part of it was left out."""
    if units[at].goes_on:
        return []
    last = at
    while last + 1 < len(units) and units[last + 1].goes_on and units[last + 1].follows(units[last]):
        last += 1
    parts = list(range(at, last + 1))
    lines = sum(units[one].text.count("\n") - 1 for one in parts)
    return parts if lines <= longest else []


def _indent(mark: str) -> int:
    return len(mark) - len(mark.lstrip(" "))
