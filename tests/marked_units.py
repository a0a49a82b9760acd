"""The records of units that stand in a text with the marks of `pages.chunking`, as a build would make them."""

import re
from collections.abc import Iterator, Sequence, Set

from msgspec.structs import replace

from pincite_core.quoting.unit_facts import unit_facts, warns
from pincite_core.types import Chunk, Unit, fact_bits

__all__ = ("marked_units",)

_CELL = re.compile(r"(?:([^`:;]+): )?(.+)")


def marked_units(
    chunks: Sequence[Chunk], units: Sequence[Unit], linked: Set[str] = frozenset(), language: str = "en"
) -> list[Unit]:
    """Return the units of a section with what its text shows of them.

    Args:
        chunks: Parts of one section, in order.
        units: Their units, in order, as places alone.
        linked: What the section's links say.
        language: BCP 47 tag.
    """
    return list(_Marks(chunks, units, linked, language).read())


class _Marks:
    def __init__(self, chunks: Sequence[Chunk], units: Sequence[Unit], linked: Set[str], language: str) -> None:
        self.chunks, self.units, self.linked, self.language = chunks, units, linked, language
        self.block = 0
        self.labels: list[str] = []
        self.tabs: list[str] = []
        self.warning, self.number = False, 0

    def read(self) -> Iterator[Unit]:
        for chunk in self.chunks:
            cursor, begun = 0, Unit(0, 0, 0, 0, 0, 0, "prose", 0)
            for unit in (one for one in self.units if one.chunk_id == chunk.chunk_id):
                *lines, mark = chunk.text[cursor : unit.start].split("\n\n")
                begins = cursor == 0 or bool(lines)
                begun = self.begin(lines, mark) if begins else replace(begun, mark="", labels=())
                cursor = unit.end
                yield self.filled(unit, chunk.text[unit.start : unit.end], begun, begins=begins)
            for line in chunk.text[cursor:].split("\n\n"):
                self.line(line)

    def begin(self, lines: Sequence[str], mark: str) -> Unit:
        for line in lines:
            self.line(line)
        self.block += 1
        labels, self.labels = tuple(self.labels), []
        tab, first = (self.tabs[-1], self.tabs[0]) if self.tabs else ("", "")
        bare = mark.removeprefix("> ")
        return Unit(0, 0, 0, 0, 0, 0, "prose", 0, self.block, bare, labels, mark.startswith("> "), tab, first)

    def line(self, line: str) -> None:
        if line.startswith("==="):
            label = line.removeprefix("===").strip()
            if not label or label in self.tabs:
                self.tabs.clear()
            self.tabs += [label] if label else []
        elif text := line.removeprefix("> ").strip().strip("*").strip():
            self.labels.append(text)

    def filled(self, unit: Unit, text: str, begun: Unit, *, begins: bool) -> Unit:
        role, facts = unit_facts(text, unit.kind, self.language)
        if begins:
            self.warning, self.number = begun.admonition and warns(begun.labels, text, self.language), 0
        self.number += 1
        is_warning = self.warning and self.number <= 3 and unit.kind == "prose" and role != "fragment"
        return replace(
            unit,
            block=begun.block,
            mark=begun.mark,
            labels=begun.labels,
            admonition=begun.admonition,
            tab=begun.tab,
            first_tab=begun.first_tab,
            role="refers" if text.replace("`", "").rstrip(".") in self.linked else role,
            facts=facts | fact_bits({"warning": is_warning}),
            cells=_cells(text) if unit.kind == "row" else (),
        )


def _cells(row: str) -> tuple[int, ...]:
    cells = (_CELL.fullmatch(cell) for cell in row.split("; "))
    return tuple(len(part or "") for cell in cells if cell for part in cell.groups())
