"""Split sections into chunks: one chunk per section, with long sections split between blocks.

A chunk never splits a sentence or line. Text without sentence or line ends, such as data and minified code, is split at
blanks.

A chunk's text is its blocks, joined by empty lines. Sentences are spans of this text, so that it is stored once and an
answer can quote it verbatim. The text represents the page's layout in Markdown. Labels are bold, and blocks of an
admonition start with `> `. A tab starts with `=== label`, and the tabs end with `===`. Code that continues from the
previous chunk has `…` after its language. The embedded text contains none of these marks.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from pincite_core.quoting.unit_facts import CONTINUED, STRUCK, unit_facts, warns
from pincite_core.quoting.unit_text import row_text
from pincite_core.rules import PASSAGES
from pincite_core.types import Landing, UnitKind, UnitRole, fact_bits
from pincite_core.units import cut_at_blanks, estimate_tokens, split_sentences
from pincite_indexer.pages.records import Block

__all__ = (
    "MAX_TOKENS",
    "BlockLayout",
    "ChunkDraft",
    "SectionPart",
    "UnitDraft",
    "chunks_of",
    "embedded_text",
    "unit_text",
)

MAX_TOKENS = 200  # of the default model's 256; the rest is for the heading path and errors of the estimate
_JOINT = "\n\n"
_MARKS = len("> ****")  # maximum length of the marks around a block
_PATH_WORDS = 8  # heading words before a sentence: enough to name the subject, too few to dominate
_ENOUGH = re.compile(r"(?:[^\W_][\W_]*){12}")  # letters; shorter units ("Yes.", "number") mean nothing alone
_REMEMBERED = 1 << 15  # blocks; versions of a page share most of them


class SectionPart(Struct, frozen=True, gc=False):
    """Block of a section.

    `target` is its innermost target, as a position relative to the section's target. `piece` is the position of the
    block in the page's list of pieces, or -1 for a label, which is not in the list.
    """

    block: Block
    target: int
    heading_path: tuple[str, ...]
    piece: int = -1
    continued: bool = False


class BlockLayout(Struct, frozen=True, gc=False):
    """Layout of a block: its number in the section, the labels above it, its tab, and the first tab of the group."""

    number: int
    labels: tuple[str, ...]
    tab: str
    first_tab: str


class UnitDraft(Struct, frozen=True, gc=False):
    """Span of a chunk's text.

    `target` and `piece` are as in `SectionPart`. `embedded` is the text for the vector, or empty. The other fields are
    as in `pincite_core.types.Unit`.
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
    piece: int


class ChunkDraft(Struct, frozen=True, gc=False):
    """Part of a section, and the text that its vector is computed from."""

    text: str
    units: tuple[UnitDraft, ...]
    embedded: str


def chunks_of(heading_path: tuple[str, ...], parts: tuple[SectionPart, ...], language: str) -> tuple[ChunkDraft, ...]:
    """Return the chunks of one section, in order; empty if the section has no text.

    Args:
        heading_path: Titles from the page to the section.
        parts: The section's blocks.
        language: BCP 47 tag that selects the sentence rules.
    """
    chunks: list[ChunkDraft] = []
    group: list[SectionPart] = []
    size = 0
    before: Landing | None = None
    reader = _LayoutReader(language)
    if sum(len(part.block.text) + _MARKS for part in parts) <= MAX_TOKENS:  # a token has at least one character
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
    """Return the text for a chunk's vector: the heading path and labels, then the text without markup."""
    place = " > ".join((*heading_path, *labels))
    return f"{place}\n{_unmarked(text)}".strip()


def unit_text(heading_path: tuple[str, ...], unit: str) -> str:
    """Return the text for a sentence's vector; empty if the sentence is too short to mean anything alone."""
    text = _unmarked(unit)
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
    """Return a text without marks of code, and without struck-out text, which is not valid any more."""
    text = text.replace("`", "")
    return STRUCK.sub("", text) if "~~" in text else text


def _chunk(
    heading_path: tuple[str, ...], group: Sequence[SectionPart], tab: Landing | None, reader: "_LayoutReader"
) -> ChunkDraft:
    """Return a chunk; `tab` is the tab at the end of the previous chunk."""
    units: list[UnitDraft] = []
    shown: list[str] = []
    offset = 0
    for part in group:
        opened, tab = _tab_line(tab, part.block), _tab_of(part.block)
        text, skip = _marked(part)
        units.extend(reader.units(part, offset + len(opened) + skip, len(text) - skip))
        shown.append(opened + text)
        offset += len(opened) + len(text) + len(_JOINT)
    plain = _JOINT.join(part.block.text for part in group)
    return ChunkDraft(_JOINT.join(shown), tuple(units), embedded_text(heading_path, _labels(group), plain))


def _tab_of(block: Block) -> Landing | None:
    return next((landing for landing in reversed(block.landing) if landing.kind == "tab"), None)


def _tab_line(before: Landing | None, block: Block) -> str:
    """Return the line that starts a tab or ends the tabs; empty if the tab does not change."""
    tab = _tab_of(block)
    return "" if tab is before else f"=== {tab.label if tab else ''}".rstrip() + _JOINT


def _marked(part: SectionPart) -> tuple[str, int]:
    """Return a block's text with its marks, and the number of characters that precede the text."""
    block = part.block
    if block.kind == "code":
        opening, joint, rest = block.text.partition("\n")
        return (f"{opening}{CONTINUED}{joint}{rest}" if part.continued else block.text), 0
    quote = "> " if block.note else ""
    return (f"{quote}**{block.text}**" if block.kind == "heading" else quote + block.text), len(quote)


def _labels(group: Sequence[SectionPart]) -> tuple[str, ...]:
    """Return the labels of all tabs in a chunk, each once, in order."""
    seen: dict[Landing, None] = {}
    for part in group:
        for landing in part.block.landing:
            seen[landing] = None
    return tuple(landing.label for landing in seen if landing.kind == "tab" and landing.label)


class _LayoutReader:
    """Reader of a section's blocks in order that tracks labels and tabs."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._blocks = 0
        self._labels: list[str] = []
        self._tab: Landing | None = None
        self._tabs: list[str] = []  # labels of the current group of tabs, the open tab last

    def units(self, part: SectionPart, offset: int, length: int) -> Iterator[UnitDraft]:
        """Yield the units of a block whose text has `length` characters and starts at `offset`."""
        block = part.block
        self._open_tab(_tab_of(block))
        if block.kind == "heading":
            self._label(block.text)
            return
        spans = [(0, length)] if block.kind == "code" else _spans(block, self._language)
        layout = self._layout() if spans else None
        is_warning = block.note and block.kind == "prose" and layout is not None and self._warns(layout, block, spans)
        for number, span in enumerate(spans):
            assert layout is not None
            draft = self._draft(part, offset, span, layout, begins=number == 0)
            if block.picture:
                draft = replace(draft, role="fragment", facts=draft.facts | fact_bits({"picture": True}))
            if is_warning and number < PASSAGES.sentences and draft.role != "fragment":
                draft = replace(draft, facts=draft.facts | fact_bits({"warning": True}))
            yield draft

    def _warns(self, layout: BlockLayout, block: Block, spans: Sequence[tuple[int, int]]) -> bool:
        start, end = spans[0]
        return warns(layout.labels, block.text[start:end], self._language)

    def _draft(
        self, part: SectionPart, offset: int, span: tuple[int, int], layout: BlockLayout, *, begins: bool
    ) -> UnitDraft:
        block, (start, end) = part.block, span
        text = _marked(part)[0] if block.kind == "code" else block.text[start:end]
        role, facts = unit_facts(text, block.kind, self._language)
        embedded = "" if block.kind == "code" else unit_text(part.heading_path, text)
        mark = block.text[:start] if begins and block.kind != "code" else ""
        own = layout if begins or not layout.labels else replace(layout, labels=())
        return UnitDraft(
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
            part.piece,
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
        if not label or label in self._tabs:  # the tabs have ended, or a new group with the same tabs starts
            self._tabs.clear()
        if label:
            self._tabs.append(label)


def _cell_lengths(block: Block) -> tuple[int, ...]:
    """Return the lengths of each cell's column name and text; empty if a long row was cut."""
    if not block.cells or row_text(block.cells) != block.text:
        return ()
    return tuple(len(part) for cell in block.cells for part in cell)


def _spans(block: Block, language: str) -> list[tuple[int, int]]:
    if block.kind in {"row", "term"}:
        return [(0, len(block.text))]
    if block.kind == "heading":
        return []
    skip = block.mark
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
            own = replace(block, text=text, mark=0 if number else block.mark)
            yield replace(part, block=own, continued=continued)


def _prose_parts(block: Block, language: str) -> Iterator[str]:
    """Split a block between sentences and a row at blanks; a single sentence over the limit stays whole."""
    if block.kind == "row":
        yield from (part.strip() for part in cut_at_blanks(block.text))
        return
    split = _split(block.text[block.mark :], language)
    spans = [(block.mark + start if at else 0, block.mark + end) for at, (start, end) in enumerate(split)]
    for first, last in _pack([block.text[start:end] for start, end in spans], MAX_TOKENS - int(block.note)):
        yield block.text[spans[first][0] : spans[last][1]]


def _code_parts(text: str) -> Iterator[str]:
    """Split code between lines; each part has its own fence."""
    opening, *written, closing = text.split("\n")
    lines = [part for line in written for part in cut_at_blanks(line) or [line]]
    room = MAX_TOKENS - _tokens(opening) - _tokens(closing) - _tokens(CONTINUED)
    for first, last in _pack(lines, room):
        yield "\n".join([opening, *lines[first : last + 1], closing])


def _pack(parts: list[str], limit: int) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of runs of parts with at most `limit` tokens; a longer part is a run of its own."""
    first, size = 0, 0
    for position, part in enumerate(parts):
        tokens = _tokens(part)
        if position > first and size + tokens > limit:
            yield first, position - 1
            first, size = position, 0
        size += tokens
    if parts:
        yield first, len(parts) - 1
