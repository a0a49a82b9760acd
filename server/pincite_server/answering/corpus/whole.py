"""Select a complete passage around a unit: up to three sentences, and the list, code, rows or term that they need.

A passage includes the text that it depends on, and the content that its lead-in announces. Code is whole or left out.
"""

import re
from collections.abc import Sequence

from pincite_server.answering.corpus.listings import (
    announced,
    attached,
    beside,
    code_block,
    first_part,
    items_around,
    rows_around,
    run_around,
)
from pincite_server.answering.corpus.quotable import ScoredUnit

__all__ = (
    "MAX_SENTENCES",
    "code_for",
    "enough",
    "is_entry",
    "opening_of",
    "sentences",
    "warnings_near",
    "whole_passage",
)

MAX_SENTENCES = 3  # chat specification: "Maximum 3 sentences for the main answer"
_SHORT_TEXT = 160  # characters; a shorter passage is extended into the next paragraph
_ENDS = (".", "!", "。", "！", "।", "۔", "።", "။")
_SIGNATURE = re.compile(r"[\w\]]\(\w")  # a signature, whose parameters are the other terms
_NAME = re.compile(r"`@?([A-Za-z_$][\w$.-]*)")  # a name in inline code
_NAMED = 0.15  # score of one name of the passage in code, as a share of the question's words
_ENOUGH_NAMES = 3
_FITS_BETTER = 0.2
_CLOSE_BY = 4  # units from a passage to code that belongs to it regardless of names
_LONG_LIST = 8  # terms; a shorter list is read from its first term
_AROUND = 10  # units from a passage to a warning about it


def opening_of(units: Sequence[ScoredUnit]) -> int | None:
    """Return the position of a section's opening: its first unit with content, outside admonitions if possible.

    In a table or a long definition list at the start, the opening is the unit with the best score.
    """
    says = [at for at, unit in enumerate(units) if unit.role not in {"asks", "refers", "fragment"}]
    says = [at for at in says if not _is_field(units, at)] or says
    text = [at for at in says if not units[at].unit.admonition] or says
    if not text:
        return None
    if units[text[0]].kind == "row":  # no row of a table counts as its opening
        return max(run_around(units, text[0], ("row",)), key=lambda at: units[at].score)
    defined = _definitions(units, text[0])
    return max(defined, key=lambda at: units[at].score) if defined else text[0]


def _definitions(units: Sequence[ScoredUnit], at: int) -> list[int]:
    """Return the definitions of a long definition list at the start of a section; empty if there is no such list."""
    first = at + 1 if units[at].role == "announces" else at
    terms = [one for one in range(first, len(units)) if units[one].kind == "term"]
    if len(terms) < _LONG_LIST or terms[0] != first or not is_entry(units[first]):
        return []
    return [one for one in range(first, len(units)) if units[one].kind == "prose" and not units[one].unit.admonition]


def is_entry(unit: ScoredUnit) -> bool:
    """Whether a unit is a term of a definition list, and not a signature."""
    return unit.kind == "term" and _SIGNATURE.search(unit.text) is None


def _is_field(units: Sequence[ScoredUnit], at: int) -> bool:
    """Whether a unit is a metadata field above a section's text ("Release: 5.2")."""
    return any(units[one].kind == "term" and units[one].text.endswith(":") for one in (at, max(0, at - 1)))


def whole_passage(units: Sequence[ScoredUnit], at: int) -> list[int]:
    """Return the positions of a unit and the units that belong to it, in order; empty if no complete passage exists."""
    kind = units[at].kind
    if kind == "code":
        return _listing(units, code_block(units, first_part(units, at)))
    if kind == "item":
        return _with_lead(units, items_around(units, at))
    if kind == "row":
        return _with_lead(units, rows_around(units, at))
    return _prose(units, at)


def code_for(units: Sequence[ScoredUnit], chosen: Sequence[int], named: bool) -> list[int]:
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
    names = {name for text in told for name in _NAME.findall(text)}

    def fitness(at: int) -> float:
        return units[at].share + _NAMED * min(_ENOUGH_NAMES, sum(name in units[at].text for name in names))

    shown = max((fitness(at) for at in chosen if at in starts), default=-1.0)
    end = chosen[-1]
    for at in sorted(starts, key=lambda start: (-round(fitness(start), 2), start < end, abs(start - end))):
        if at in chosen or fitness(at) < shown + _FITS_BETTER:
            break
        code = code_block(units, at)
        close = end < at <= end + _CLOSE_BY if named else abs(at - end) <= _AROUND
        if not close and not any(name in units[at].text for name in names):
            continue
        few = not enough(units, chosen)
        if code and (few or at > end):
            return _with_lead(units, code) if few and at - 1 not in chosen else code
    return []


def warnings_near(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> list[int]:
    """Return the units of nearby admonitions that warn of a danger or a deprecation."""
    found: list[int] = []
    for at in range(max(0, chosen[0] - _AROUND), min(len(units), chosen[-1] + _AROUND + 1)):
        unit = units[at]
        if at in chosen or not unit.unit.admonition or _parted(units, at, chosen):
            continue
        same = [one for one in range(len(units)) if units[one].unit.block == unit.unit.block]
        first = units[same[0]]
        if (
            unit.kind == "prose"
            and unit.role != "fragment"
            and first.unit.has("warns")
            and same.index(at) < MAX_SENTENCES
        ):
            found.append(at)
    return found[:MAX_SENTENCES]


def _parted(units: Sequence[ScoredUnit], at: int, chosen: Sequence[int]) -> bool:
    """Whether another term begins between a passage and a unit, so that the unit is about that term."""
    between = range(at, chosen[0]) if at < chosen[0] else range(chosen[-1] + 1, at + 1)
    return any(units[one].kind == "term" for one in between)


def _prose(units: Sequence[ScoredUnit], at: int) -> list[int]:
    chosen = _led_up(units, at)
    return _read_on(units, chosen) if chosen else []


def enough(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> bool:
    """Whether a passage has the maximum number of sentences of an answer."""
    return sentences(units, chosen) >= MAX_SENTENCES


def sentences(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> int:
    """Return the number of sentences in a passage; a fragment such as "Default: `5`" does not count."""
    told = [units[at] for at in chosen if units[at].kind == "prose"]
    return sum(unit.role != "fragment" or unit.text.endswith(_ENDS) for unit in told)


def _listing(units: Sequence[ScoredUnit], code: list[int]) -> list[int]:
    """Return code with its lead-in, or with the text after it if it has no lead-in."""
    led = _with_lead(units, code)
    return led if led != code or not code else _read_on(units, code)


def _read_on(units: Sequence[ScoredUnit], begun: Sequence[int]) -> list[int]:
    """Extend a passage to three sentences, with the content that they announce, and the code or list after them."""
    chosen = list(begun)
    last = chosen[-1]
    while units[last].role != "announces" and not enough(units, chosen) and _reads_on(units, chosen, last + 1):
        last += 1
        chosen.append(last)
    if units[last].role == "announces":
        told = announced(units, last + 1)
        return [*chosen, *told] if told else _without_end(units, chosen)
    return [*chosen, *attached(units, last)] if units[last].kind != "code" else chosen


def _led_up(units: Sequence[ScoredUnit], at: int) -> list[int]:
    """Return a unit with the text that it depends on: the sentences before it, or the term that it defines.

    The result is empty if the unit depends on more than that, such as code, a list, or all of the text before it.
    """
    first = at
    while first > 0 and units[first].leans and at - first < MAX_SENTENCES - 1:
        before = units[first - 1]
        if before.kind != "prose" or not beside(units, first - 1, first):
            break
        first -= 1
    if first > 0 and units[first - 1].role == "fragment" and _in_one_block(units, first - 1, first):
        first -= 1  # a fragment such as "Yes.", which the unit explains
    chosen = list(range(first, at + 1))
    if first > 0 and units[first - 1].kind == "term":
        return [first - 1, *chosen]
    leans = units[first].leans or _goes_on_after_code(units, first)
    return [] if leans and first > 0 and beside(units, first - 1, first) else chosen


def _goes_on_after_code(units: Sequence[ScoredUnit], at: int) -> bool:
    """Whether a unit continues a sentence that code or a list interrupts."""
    return at > 0 and units[at - 1].kind != "prose" and units[at].text[:1].islower()


def _reads_on(units: Sequence[ScoredUnit], chosen: Sequence[int], at: int) -> bool:
    """Whether the sentence at `at` may extend a passage.

    It may if it is in the same paragraph, or in the next paragraph after a short passage.
    """
    if at >= len(units) or units[at].kind != "prose" or not beside(units, at - 1, at):
        return False
    unit, before = units[at], units[at - 1]
    if unit.role in {"asks", "refers"}:
        return False
    if unit.unit.block == before.unit.block or before.kind in {"term", "code"}:
        return True
    brief = sum(len(units[one].text) for one in chosen) < _SHORT_TEXT
    return (brief or unit.role == "announces") and not unit.unit.labels


def _in_one_block(units: Sequence[ScoredUnit], one: int, other: int) -> bool:
    return units[one].unit.block == units[other].unit.block


def _without_end(units: Sequence[ScoredUnit], chosen: Sequence[int]) -> list[int]:
    """Return a passage without its last sentence, a lead-in whose content cannot be quoted."""
    kept = list(chosen[:-1])
    return kept if any(units[at].kind in {"prose", "code"} for at in kept) else []


def _with_lead(units: Sequence[ScoredUnit], chosen: list[int]) -> list[int]:
    """Return a list, table or code block with its lead-in, and the sentence that the lead-in depends on."""
    if not chosen or chosen[0] == 0:
        return chosen
    first = chosen[0]
    if units[first].kind == "item":
        first = run_around(units, first, ("item", "code"))[0]
    elif units[first].kind == "row":
        first = run_around(units, first, ("row",))[0]
    before = first - 1
    if before < 0 or units[before].kind not in {"prose", "term"} or not beside(units, before, first):
        return chosen
    if units[before].role != "announces" and units[first].kind == "row":
        return chosen
    return [*_backed(units, before), *chosen]


def _backed(units: Sequence[ScoredUnit], at: int) -> list[int]:
    """Return a lead-in with the sentence that it depends on."""
    leans = units[at].leans or units[at].text[:1].islower()
    if leans and at > 0 and units[at - 1].kind == "prose" and beside(units, at - 1, at):
        return [at - 1, at]
    return [at]
