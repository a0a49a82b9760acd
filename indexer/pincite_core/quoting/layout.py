"""How a page shows each unit: its bullet, the label above it, the tab or admonition around it, read from chunk texts.

The indexer writes what a page shows by its looks as marks into the text (`pincite_indexer.pages.chunking`); they are no
part of any unit, so that a unit stays the docs' own words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pincite_core.types import Chunk, Sentence

__all__ = ("PLAIN", "Layout", "continues_code", "layouts")

_JOINT = "\n\n"
_QUOTE = "> "
_TAB = "==="


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a unit stands in its section: units of one `block` are one paragraph, item, row or listing.

    `mark` is its bullet or number with its indent, `labels` the bold lines above it, `tab` the label of its tab, and
    `first_tab` that of the first tab beside it; both are empty outside of tabs.
    """

    block: int = 0
    mark: str = ""
    labels: tuple[str, ...] = ()
    note: bool = False
    tab: str = ""
    first_tab: str = ""


PLAIN = Layout()


def layouts(chunks: Sequence[Chunk], sentences: Mapping[int, Sequence[Sentence]]) -> Iterator[tuple[Sentence, Layout]]:
    """Yield each unit of a section with its layout.

    Args:
        chunks: Parts of one section, in order.
        sentences: The units of each part by its row id, in order.
    """
    reader = _Reader()
    for chunk in chunks:
        yield from reader.units(chunk, sentences.get(chunk.chunk_id, ()))


def continues_code(text: str) -> bool:
    """Whether a code block goes on from the part before it."""
    return text.partition("\n")[0].endswith(" …")


@dataclass(slots=True)
class _Reader:
    """Reads marks in document order."""

    block: int = 0
    labels: list[str] = field(default_factory=list)
    tabs: list[str] = field(default_factory=list)  # labels of the group of tabs so far, the open one last

    def units(self, chunk: Chunk, sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, Layout]]:
        cursor = 0
        layout = PLAIN
        for sentence in sentences:
            *lines, mark = chunk.text[cursor : sentence.start].split(_JOINT)
            if cursor == 0 or lines:
                layout = self._begin(lines, mark)
            else:
                layout = Layout(layout.block, "", (), layout.note, layout.tab, layout.first_tab)
            cursor = sentence.end
            yield sentence, layout
        for line in chunk.text[cursor:].split(_JOINT):
            self._line(line)

    def _begin(self, lines: Sequence[str], mark: str) -> Layout:
        for line in lines:
            self._line(line)
        self.block += 1
        labels, self.labels = tuple(self.labels), []
        tab, first = (self.tabs[-1], self.tabs[0]) if self.tabs else ("", "")
        return Layout(self.block, mark.removeprefix(_QUOTE), labels, mark.startswith(_QUOTE), tab, first)

    def _line(self, line: str) -> None:
        if line.startswith(_TAB):
            self._open_tab(line.removeprefix(_TAB).strip())
        elif text := line.removeprefix(_QUOTE).strip().strip("*").strip():
            self.labels.append(text)

    def _open_tab(self, label: str) -> None:
        if not label or label in self.tabs:  # tabs have ended, or the next group of the same tabs begins
            self.tabs.clear()
        if label:
            self.tabs.append(label)
