"""Sections to chunks: one section is one chunk; a long one is split between blocks, never inside a sentence or line.

What goes on for longer than anyone's sentence or line, such as data and minified code, is split at blanks all the same.

A chunk's text is its blocks joined by an empty line. Sentences are spans of that text, so the text is stored once and
an answer can quote it verbatim. What the page shows by its looks stands in the text as Markdown: labels are bold,
blocks of an admonition begin with `> `, a tab with `=== label` and the tabs' end with `===`, and code that goes on from
the chunk before has `…` after its language. What vectors are made of has none of these.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from pincite_core.quoting.table_rows import row_text
from pincite_core.quoting.unit_facts import CONTINUED, unit_facts
from pincite_core.quoting.unit_roles import warns
from pincite_core.types import Landing, UnitKind, UnitRole, fact_bits
from pincite_core.units import cut_at_blanks, estimate_tokens, split_sentences
from pincite_indexer.pages.records import Block, item_mark_length

__all__ = (
    "MAX_TOKENS",
    "BlockLayout",
    "ChunkDraft",
    "SectionPart",
    "SentenceDraft",
    "chunks_of",
    "embedded_text",
    "sentence_text",
)

MAX_TOKENS = 200  # of 256 that the default model reads: room for the heading path and for the estimate's error
_JOINT = "\n\n"
_MARKS = len("> ****")  # at most, in front of and behind a block
_PATH_WORDS = 8  # words of heading in front of a sentence: enough to say what it is about, too few to drown it
_ENOUGH = re.compile(r"(?:[^\W_][\W_]*){12}")  # letters; shorter units ("Yes.", "number") say nothing on their own
_REMEMBERED = 1 << 15  # blocks; versions of a page repeat most of each other's


class SectionPart(Struct, frozen=True, gc=False):
    """A block of a section, and the innermost target that holds it: its position counted from the section's own."""

    block: Block
    target: int
    heading_path: tuple[str, ...]
    continued: bool = False


class BlockLayout(Struct, frozen=True, gc=False):
    """How a page shows a block: its number in the section, the labels above it, its tab and the first tab beside it."""

    number: int
    labels: tuple[str, ...]
    tab: str
    first_tab: str


class SentenceDraft(Struct, frozen=True, gc=False):
    """A span of a chunk's text; `target` as in `SectionPart`, `embedded` what its vector is made of, if it has one.

    The others are as in `pincite_core.types.Sentence`.
    """

    start: int
    end: int
    kind: UnitKind
    target: int
    embedded: str
    layout: BlockLayout
    mark: str
    admonition: bool
    role: UnitRole
    facts: int
    cells: tuple[int, ...]


class ChunkDraft(Struct, frozen=True, gc=False):
    """A part of a section, and what its vector is made of."""

    text: str
    sentences: tuple[SentenceDraft, ...]
    embedded: str


def chunks_of(heading_path: tuple[str, ...], parts: tuple[SectionPart, ...], language: str) -> tuple[ChunkDraft, ...]:
    """Return the chunks of one section, in order; none when it has no text of its own.

    Args:
        heading_path: Titles from the page's to the section's own.
        parts: The section's blocks.
        language: BCP 47 tag, by whose rules sentences end.
    """
    chunks: list[ChunkDraft] = []
    group: list[SectionPart] = []
    size = 0
    before: Landing | None = None
    reader = _LayoutReader(language)
    if sum(len(part.block.text) + _MARKS for part in parts) <= MAX_TOKENS:  # no token is shorter than a character
        return (_chunk(heading_path, parts, before, reader),) if parts else ()
    for part in _split_long(parts, language):
        tokens = _tokens(_marked(part)[0])
        if group and size + tokens > MAX_TOKENS:
            chunks.append(_chunk(heading_path, group, before, reader))
            group, size, before = [], 0, _tab_of(group[-1].block)
        group.append(part)
        size += tokens
    if group:
        chunks.append(_chunk(heading_path, group, before, reader))
    return tuple(chunks)


def embedded_text(heading_path: tuple[str, ...], labels: tuple[str, ...], text: str) -> str:
    """Return what a chunk's vector is made of: where it stands, then what it says, without markup."""
    place = " > ".join((*heading_path, *labels))
    return f"{place}\n{_unmarked(text)}".strip()


def sentence_text(heading_path: tuple[str, ...], sentence: str) -> str:
    """Return what a sentence's vector is made of; empty when it is too short to mean anything alone."""
    text = _unmarked(sentence)
    if text.isascii() and not _ENOUGH.search(text):
        return ""
    return f"{_heading_words(heading_path)}: {text}"


@lru_cache(_REMEMBERED)
def _heading_words(heading_path: tuple[str, ...]) -> str:
    return " ".join(" ".join(heading_path[-2:]).split()[-_PATH_WORDS:])


@lru_cache(_REMEMBERED)
def _tokens(text: str) -> int:
    return estimate_tokens(text)


@lru_cache(_REMEMBERED)
def _split(text: str, language: str) -> tuple[tuple[int, int], ...]:
    return tuple(split_sentences(text, language))


def _unmarked(text: str) -> str:
    return text.replace("`", "")


def _chunk(
    heading_path: tuple[str, ...], group: Sequence[SectionPart], tab: Landing | None, reader: "_LayoutReader"
) -> ChunkDraft:
    """Return a chunk; `tab` is the one that the chunk before it ended in."""
    sentences: list[SentenceDraft] = []
    shown: list[str] = []
    offset = 0
    for part in group:
        opened, tab = _tab_line(tab, part.block), _tab_of(part.block)
        text, skip = _marked(part)
        sentences.extend(reader.sentences(part, offset + len(opened) + skip, len(text) - skip))
        shown.append(opened + text)
        offset += len(opened) + len(text) + len(_JOINT)
    plain = _JOINT.join(part.block.text for part in group)
    return ChunkDraft(_JOINT.join(shown), tuple(sentences), embedded_text(heading_path, _labels(group), plain))


def _tab_of(block: Block) -> Landing | None:
    return next((landing for landing in reversed(block.landing) if landing.kind == "tab"), None)


def _tab_line(before: Landing | None, block: Block) -> str:
    """Return the line that says which tab a block begins, or that tabs have ended; empty where nothing changes."""
    tab = _tab_of(block)
    return "" if tab is before else f"=== {tab.label if tab else ''}".rstrip() + _JOINT


def _marked(part: SectionPart) -> tuple[str, int]:
    """Return a block's text as it is shown, and how many characters were put in front of it."""
    block = part.block
    if block.kind == "code":
        opening, joint, rest = block.text.partition("\n")
        return (f"{opening}{CONTINUED}{joint}{rest}" if part.continued else block.text), 0
    quote = "> " if block.note else ""
    return (f"{quote}**{block.text}**" if block.kind == "heading" else quote + block.text), len(quote)


def _labels(group: Sequence[SectionPart]) -> tuple[str, ...]:
    """Return the labels of the tabs that all of a chunk stands in, and of the one most of it mentions otherwise."""
    seen: dict[Landing, None] = {}
    for part in group:
        for landing in part.block.landing:
            seen[landing] = None
    return tuple(landing.label for landing in seen if landing.kind == "tab" and landing.label)


class _LayoutReader:
    """Reads the blocks of one section in order, each with what the page shows above and around it."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._blocks = 0
        self._labels: list[str] = []
        self._tab: Landing | None = None
        self._tabs: list[str] = []  # labels of the group of tabs so far, the open one last

    def sentences(self, part: SectionPart, offset: int, length: int) -> Iterator[SentenceDraft]:
        """Yield the units of a block, whose text has `length` characters from `offset` on."""
        block = part.block
        self._open_tab(_tab_of(block))
        if block.kind == "heading":
            self._label(block.text)
            return
        spans = [(0, length)] if block.kind == "code" else _spans(block, self._language)
        layout = self._layout() if spans else None
        for start, end in spans:
            assert layout is not None
            yield self._draft(part, offset, (start, end), layout, begins=start == spans[0][0])

    def _draft(
        self, part: SectionPart, offset: int, span: tuple[int, int], layout: BlockLayout, *, begins: bool
    ) -> SentenceDraft:
        block, (start, end) = part.block, span
        text = _marked(part)[0] if block.kind == "code" else block.text[start:end]
        role, facts = unit_facts(text, block.kind, self._language)
        if begins and block.note and warns(layout.labels, text, self._language):
            facts |= fact_bits({"warns": True})
        embedded = "" if block.kind == "code" else sentence_text(part.heading_path, text)
        mark = block.text[:start] if begins and block.kind != "code" else ""
        own = layout if begins or not layout.labels else replace(layout, labels=())
        return SentenceDraft(
            offset + start,
            offset + end,
            block.kind,
            part.target,
            embedded,
            own,
            mark,
            block.note and block.kind != "code",
            role,
            facts,
            _cell_lengths(block),
        )

    def _layout(self) -> BlockLayout:
        self._blocks += 1
        labels, self._labels = tuple(self._labels), []
        tab, first = (self._tabs[-1], self._tabs[0]) if self._tabs else ("", "")
        return BlockLayout(self._blocks, labels, tab, first)

    def _label(self, text: str) -> None:
        if label := text.strip().strip("*").strip():
            self._labels.append(label)

    def _open_tab(self, tab: Landing | None) -> None:
        if tab is self._tab:
            return
        self._tab = tab
        label = tab.label.strip() if tab else ""
        if not label or label in self._tabs:  # tabs have ended, or the next group of the same tabs begins
            self._tabs.clear()
        if label:
            self._tabs.append(label)


def _cell_lengths(block: Block) -> tuple[int, ...]:
    """Return how long each cell's column and text are; nothing where a long row was cut."""
    if not block.cells or row_text(block.cells) != block.text:
        return ()
    return tuple(len(part) for cell in block.cells for part in cell)


def _spans(block: Block, language: str) -> list[tuple[int, int]]:
    if block.kind in {"row", "term"}:
        return [(0, len(block.text))]
    if block.kind == "heading":
        return []
    skip = item_mark_length(block.text) if block.kind == "item" else 0
    return [(skip + start, skip + end) for start, end in _split(block.text[skip:], language)]


def _split_long(parts: Sequence[SectionPart], language: str) -> Iterator[SectionPart]:
    for part in parts:
        block = part.block
        if len(block.text) + _MARKS <= MAX_TOKENS or _tokens(_marked(part)[0]) <= MAX_TOKENS:
            yield part
            continue
        texts = _code_parts(block.text) if block.kind == "code" else _prose_parts(block, language)
        for number, text in enumerate(texts):
            continued = number > 0 and block.kind == "code"
            yield SectionPart(replace(block, text=text), part.target, part.heading_path, continued)


def _prose_parts(block: Block, language: str) -> Iterator[str]:
    """Split between sentences; a single sentence or row beyond the limit stays whole."""
    if block.kind == "row":
        yield from (part.strip() for part in cut_at_blanks(block.text))
        return
    spans = _split(block.text, language)
    for first, last in _pack([block.text[start:end] for start, end in spans], MAX_TOKENS - int(block.note)):
        yield block.text[spans[first][0] : spans[last][1]]


def _code_parts(text: str) -> Iterator[str]:
    """Split between lines, each part fenced for itself."""
    opening, *written, closing = text.split("\n")
    lines = [part for line in written for part in cut_at_blanks(line) or [line]]
    room = MAX_TOKENS - _tokens(opening) - _tokens(closing) - _tokens(CONTINUED)
    for first, last in _pack(lines, room):
        yield "\n".join([opening, *lines[first : last + 1], closing])


def _pack(parts: list[str], limit: int) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of runs of parts that together are within `limit` tokens; a part beyond it stands alone."""
    first, size = 0, 0
    for position, part in enumerate(parts):
        tokens = _tokens(part)
        if position > first and size + tokens > limit:
            yield first, position - 1
            first, size = position, 0
        size += tokens
    if parts:
        yield first, len(parts) - 1
