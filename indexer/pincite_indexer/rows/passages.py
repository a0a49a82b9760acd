"""Compute the passage that each unit of a section is quoted in, and the units that a section may be quoted from.

A passage includes the text that its unit depends on, and the content that its lead-in announces. Code is whole or left
out. The choices that need a question are in `pincite_server.answering.corpus.passage_selection`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from pincite_core.quoting.unit_facts import is_struck
from pincite_core.quoting.unit_text import sentence_count
from pincite_core.rules import PASSAGES
from pincite_core.types import Chunk, TabPassage, Unit, UnitFact, UnitKind, fact_bits
from pincite_indexer.pages.list_numbering import BULLET

__all__ = ("with_passages",)

_SHORT_TEXT = 160  # characters; a shorter passage is extended into the next paragraph
_LONG_LIST = 8  # terms; a shorter list is read from its first term
_LONGEST_CODE = 50  # lines; longer code is too long for an answer
_SHORT_CODE = 25  # lines of code that may follow a sentence that is no lead-in
_WHOLE_LIST = 900  # characters of a list or table that is quoted whole
_WHOLE_ITEMS = 8
_WHOLE_ROWS = 6
_STEPS = 12  # items of a list that follows its lead-in or is asked for as a whole
_LONGEST_LIST = 1600  # characters
_LIST: tuple[UnitKind, ...] = ("item", "code")
_TABLE: tuple[UnitKind, ...] = ("row",)
_ANNOUNCED: Mapping[UnitKind, tuple[UnitKind, ...]] = {"item": _LIST, "row": _TABLE, "term": ("term", "prose")}
"""By the kind of its first unit: the kinds of units that a list, table or definition list consists of."""


class _Found(NamedTuple):
    """A passage: positions of units, and the list or table of which a question's best items or rows follow."""

    units: Sequence[int] = ()
    choices: Sequence[int] = ()


class _Changes(NamedTuple):
    passage: tuple[int, ...]
    tab_passages: tuple[TabPassage, ...]
    facts: int


def with_passages(units: Sequence[Unit], chunks: Sequence[Chunk]) -> list[Unit]:
    """Return the units with their passages and the facts `opening`, `navigation` and `picks`.

    Of each group of tabs, a passage contains units of one tab only: the unit's own tab, or else the first one.
    """
    parts = {chunk.chunk_id: chunk for chunk in chunks}
    known: dict[object, list[_Changes]] = {}  # versions of a page share most of their sections
    found: list[Unit] = []
    for _, section in groupby(units, lambda unit: parts[unit.chunk_id].target_id):
        own = list(section)
        texts = [parts[unit.chunk_id].text[unit.start : unit.end] for unit in own]
        key = (tuple(dict.fromkeys(parts[unit.chunk_id].text for unit in own)), tuple(unit.role for unit in own))
        if key not in known:
            known[key] = _read_section(own, texts)
        found.extend(
            replace(unit, passage=passage, tab_passages=of_tabs, facts=unit.facts | facts)
            for unit, (passage, of_tabs, facts) in zip(own, known[key], strict=True)
        )
    return found


def _read_section(units: Sequence[Unit], texts: Sequence[str]) -> list[_Changes]:
    first = _View(units, texts, [at for at, unit in enumerate(units) if unit.tab == unit.first_tab])
    found, facts = dict(first.passages()), dict(first.facts())
    of_tabs: dict[int, list[TabPassage]] = {}
    for group, tab in dict.fromkeys((unit.first_tab, unit.tab) for unit in units if unit.tab != unit.first_tab):
        shown = [
            at
            for at, unit in enumerate(units)
            if (unit.tab == tab if unit.first_tab == group else unit.tab == unit.first_tab)
        ]
        view = _View(units, texts, shown)
        own = {at for at in shown if units[at].first_tab == group}
        facts |= {at: bits for at, bits in view.facts() if at in own}
        for at, passage in view.passages():
            if at in own:
                found[at] = passage
            elif passage != found[at] and not (passage.choices or found[at].choices):
                of_tabs.setdefault(at, []).append(TabPassage(tab, _ranges(at, passage)))
    return [
        _Changes(
            _ranges(at, found[at]),
            tuple(of_tabs.get(at, ())),
            facts[at] | fact_bits({"picks": bool(found[at].choices)}),
        )
        for at in range(len(units))
    ]


def _ranges(at: int, found: _Found) -> tuple[int, ...]:
    """Return a passage as in `Unit.passage`."""
    ranges: list[int] = []
    for one in found.units:
        if ranges and ranges[-1] == one - at - 1:
            ranges[-1] += 1
        else:
            ranges += [one - at, one - at]
    return (*ranges, found.choices[0] - at, found.choices[-1] - at) if found.choices else tuple(ranges)


class _View:
    """The units of a section that a reader sees with some choice of tabs. Methods use positions in the view.

    Args:
        units: All units of the section.
        texts: Their texts.
        shown: The positions of the visible units in the section.
    """

    def __init__(self, units: Sequence[Unit], texts: Sequence[str], shown: Sequence[int]) -> None:
        self._shown = shown
        self.units = [units[at] for at in shown]
        self.texts = [texts[at] for at in shown]
        self._runs: dict[tuple[int, tuple[UnitKind, ...]], range] = {}

    def passages(self) -> Iterator[tuple[int, _Found]]:
        """Yield the position of each visible unit in the section, and its passage with positions in the section."""
        for at, place in enumerate(self._shown):
            units, choices = self._passage(at)
            units = [one for one in units if one == at or not self._only_for_itself(one)]
            yield place, _Found([self._shown[one] for one in units], [self._shown[one] for one in choices])

    def facts(self) -> Iterator[tuple[int, int]]:
        """Yield the position of each visible unit in the section, and its facts as bits."""
        openings = set(self._openings())
        for at, place in enumerate(self._shown):
            facts: dict[UnitFact, bool] = {
                "opening": at in openings or self.units[at].has("picture"),
                "navigation": self._navigates(at) or self._only_for_itself(at),
            }
            yield place, fact_bits(facts)

    def _only_for_itself(self, at: int) -> bool:
        """Return whether a unit is in no passage of another one: struck-out text, or the description of a picture."""
        return is_struck(self.texts[at]) or self.units[at].has("picture")

    # -- openings -----------------------------------------------------------------------------------------------

    def _openings(self) -> Sequence[int]:
        """Return the candidates for the section's opening: the first unit with content, if possible in no admonition.

        If the section starts with a table or a long definition list, these are its rows or definitions.
        """
        says = [at for at, unit in enumerate(self.units) if unit.role not in {"asks", "refers", "fragment"}]
        says = [at for at in says if not self._is_field(at)] or says
        text = [at for at in says if not self.units[at].admonition] or says
        if not text:
            return ()
        return (
            self._run(text[0], _TABLE) if self.units[text[0]].kind == "row" else self._definitions(text[0]) or text[:1]
        )

    def _is_field(self, at: int) -> bool:
        """Whether a unit is a metadata field above a section's text ("Release: 5.2")."""
        return any(self.units[one].kind == "term" and self.texts[one].endswith(":") for one in (at, max(0, at - 1)))

    def _definitions(self, at: int) -> list[int]:
        """Return the definitions of a long definition list at a section's start; empty if there is no such list."""
        first = at + 1 if self.units[at].role == "announces" else at
        terms = [one for one in range(first, len(self.units)) if self.units[one].kind == "term"]
        if len(terms) < _LONG_LIST or terms[0] != first or not self.units[first].has("entry"):
            return []
        rest = range(first, len(self.units))
        return [one for one in rest if self.units[one].kind == "prose" and not self.units[one].admonition]

    def _navigates(self, at: int) -> bool:
        run: Sequence[int] = self._run(at, ("item",)) if self.units[at].kind == "item" else (at,)
        return 2 * sum(self.units[one].role in {"asks", "refers"} for one in run) >= len(run)

    # -- passages -----------------------------------------------------------------------------------------------

    def _passage(self, at: int) -> _Found:
        """Return a unit and the units that belong to it; empty if no complete passage exists."""
        kind = self.units[at].kind
        if kind == "code":
            while at > 0 and self.units[at].has("goes_on"):
                at -= 1
            return _Found(self._code_passage(at))
        if kind in {"item", "row"}:
            run = self._run(at, _LIST if kind == "item" else _TABLE)
            whole = self._items(run, at) if kind == "item" else self._rows(run)
            if whole is None:
                return _Found(self._lead(run[0]), run)
            return _Found([*self._lead(run[0]), *whole] if whole else [])
        chosen = self._read_on(self._led_up(at))
        return _Found(chosen if at in chosen else [])

    def _items(self, run: range, at: int) -> Sequence[int] | None:
        """Return a short list, or the start of a long one for its first item and its first steps; None for others."""
        if self._is_short(run):
            return run
        if at == run[0]:
            return self._cut(run, _WHOLE_LIST)
        steps = self._cut(run)
        return steps if at in steps and not self.units[run[0]].mark.lstrip().startswith(f"{BULLET} ") else None

    def _rows(self, run: range) -> Sequence[int] | None:
        return run if len(run) <= _WHOLE_ROWS and self._is_short(run) else None

    def _code_passage(self, at: int) -> list[int]:
        """Return code with its lead-in, or with the text after it if it has no lead-in."""
        code = self._code(at)
        lead = self._lead(at) if code else []
        return [*lead, *code] if lead else self._read_on(code)

    def _led_up(self, at: int) -> list[int]:
        """Return a unit with the text that it depends on: the sentences before it, or the term that it defines.

        The result is empty if the unit depends on more than that, such as code, a list, or all of the text before it.
        """
        units, first = self.units, at
        while first > 0 and units[first].has("leans") and at - first < PASSAGES.sentences - 1:
            if units[first - 1].kind != "prose" or not self._is_beside(first):
                break
            first -= 1
        if first > 0 and units[first - 1].role == "fragment" and units[first - 1].block == units[first].block:
            first -= 1  # a fragment such as "Yes.", which the unit explains
        chosen = list(range(first, at + 1))
        if first > 0 and units[first - 1].kind == "term":
            return [first - 1, *chosen]
        goes_on = first > 0 and units[first - 1].kind != "prose" and self.texts[first][:1].islower()
        leans = units[first].has("leans") or goes_on
        return [] if leans and first > 0 and self._is_beside(first) else chosen

    def _read_on(self, begun: Sequence[int]) -> list[int]:
        """Extend a passage to three sentences, with the content that they announce, and the code or list after them."""
        if not begun:
            return []
        chosen, last = list(begun), begun[-1]
        while self.units[last].role != "announces" and not self._is_enough(chosen) and self._reads_on(chosen, last + 1):
            last += 1
            chosen.append(last)
        if self.units[last].role != "announces":
            return chosen if self.units[last].kind == "code" else [*chosen, *self._attached(last)]
        if announced := self._announced(last + 1):
            return [*chosen, *announced]
        kept = chosen[:-1]  # without a lead-in whose content cannot be quoted
        return kept if any(self.units[at].kind in {"prose", "code"} for at in kept) else []

    def _is_enough(self, chosen: Sequence[int]) -> bool:
        return sentence_count((self.units[at], self.texts[at]) for at in chosen) >= PASSAGES.sentences

    def _reads_on(self, chosen: Sequence[int], at: int) -> bool:
        """Whether a sentence may extend a passage: in the same paragraph, or in the next after a short passage."""
        if at >= len(self.units) or self.units[at].kind != "prose" or not self._is_beside(at):
            return False
        unit, before = self.units[at], self.units[at - 1]
        if unit.role in {"asks", "refers"}:
            return False
        if unit.block == before.block or before.kind in {"term", "code"}:
            return True
        return (self._length(chosen) < _SHORT_TEXT or unit.role == "announces") and not unit.labels

    def _announced(self, at: int) -> list[int]:
        """Return the content that the lead-in before a unit announces; empty if it cannot be quoted."""
        if at >= len(self.units):
            return []
        kind = self.units[at].kind
        if kind == "code":
            return list(self._code(at))
        if kind in _ANNOUNCED:
            return self._cut([one for one in self._run(at, _ANNOUNCED[kind]) if one >= at])
        if self.units[at].role == "announces":
            further = self._announced(at + 1)
            return [at, *further] if further else []
        return [at, *self._attached(at)]

    def _attached(self, last: int) -> Sequence[int]:
        """Return the short code, list or table that directly follows a passage."""
        at = last + 1
        if at >= len(self.units) or not self._is_beside(at):
            return ()
        unit = self.units[at]
        if unit.kind == "code":
            return self._code(at, _SHORT_CODE)
        if unit.kind not in {"item", "row"} or unit.labels:
            return ()
        run = self._run(at, (unit.kind,))
        return run if self._is_short(run) else ()

    def _lead(self, first: int) -> list[int]:
        """Return the lead-in of a list, table or code block, and the sentence that the lead-in depends on."""
        at = first - 1
        if at < 0 or self.units[at].kind not in {"prose", "term"} or not self._is_beside(first):
            return []
        if self.units[at].role != "announces" and self.units[first].kind == "row":
            return []
        leans = self.units[at].has("leans") or self.texts[at][:1].islower()
        backed = leans and at > 0 and self.units[at - 1].kind == "prose" and self._is_beside(at)
        return [at - 1, at] if backed else [at]

    # -- lists, tables and code ---------------------------------------------------------------------------------

    def _is_beside(self, at: int) -> bool:
        """Whether a unit and the one before it are in the same admonition, or both in none."""
        return self.units[at - 1].admonition == self.units[at].admonition

    def _run(self, at: int, kinds: tuple[UnitKind, ...]) -> range:
        """Return the consecutive units of some kinds around a unit that is not code, without leading code."""
        if (at, kinds) in self._runs:
            return self._runs[at, kinds]
        first = last = at
        while first > 0 and self.units[first - 1].kind in kinds and self._is_beside(first):
            first -= 1
        while last + 1 < len(self.units) and self.units[last + 1].kind in kinds and self._is_beside(last + 1):
            last += 1
        while self.units[first].kind == "code":
            first += 1
        run = range(first, last + 1)
        self._runs |= {(one, kinds): run for one in run}
        return run

    def _code(self, at: int, longest: int = _LONGEST_CODE) -> Sequence[int]:
        """Return a code block with all its parts; empty if it is longer or its beginning is missing."""
        if self.units[at].has("goes_on"):
            return ()
        last = at
        while last + 1 < len(self.units) and self.units[last + 1].has("goes_on"):
            last += 1
        parts = range(at, last + 1)
        return parts if sum(self.texts[one].count("\n") - 1 for one in parts) <= longest else ()

    def _cut(self, run: Sequence[int], longest: int = _LONGEST_LIST) -> list[int]:
        """Return a list from its start up to the maximum length; code blocks in it stay whole."""
        kept: list[int] = []
        length = 0
        for number, block in enumerate(self._blocks(run)):
            length += self._length(block)
            if number >= _STEPS or (kept and length > longest):
                break
            kept.extend(block)
        while kept and self.units[kept[-1]].role == "announces":  # a lead-in without the content that it announces
            kept.pop()
        return kept

    def _blocks(self, run: Sequence[int]) -> Iterator[list[int]]:
        """Yield the units of each block; a code block with all its parts is one block."""
        block: list[int] = []
        for at in run:
            if block and self.units[at].block != self.units[block[-1]].block and not self.units[at].has("goes_on"):
                yield block
                block = []
            block.append(at)
        if block:
            yield block

    def _is_short(self, run: Sequence[int]) -> bool:
        blocks = len({self.units[at].block for at in run})
        return blocks <= _WHOLE_ITEMS and self._length(run) <= _WHOLE_LIST

    def _length(self, run: Sequence[int]) -> int:
        return sum(len(self.texts[at]) for at in run)
