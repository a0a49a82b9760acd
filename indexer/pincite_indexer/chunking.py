"""Sections to chunks: one section is one chunk; a long one is split between blocks, never inside a sentence or line.

A chunk's text is its blocks joined by an empty line. Sentences are spans of that text, so the text is stored once and
an answer can quote it verbatim.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pincite_core.types import Landing, UnitKind
from pincite_core.units import estimate_tokens, split_sentences
from pincite_indexer.records import Block, item_mark_length
from pincite_indexer.sections import SectionBlock, TargetDraft

__all__ = ("MAX_TOKENS", "ChunkDraft", "SentenceDraft", "chunks_of", "embedded_text", "sentence_text")

MAX_TOKENS = 200  # of 256 that the default model reads: room for the heading path and for the estimate's error
_JOINT = "\n\n"
_PATH_WORDS = 8  # words of heading in front of a sentence: enough to say what it is about, too few to drown it
_ENOUGH = re.compile(r"(?:[^\W_][\W_]*){12}")  # letters; shorter units ("Yes.", "number") say nothing on their own
_REMEMBERED = 1 << 16  # blocks: versions and locales of a page repeat most of each other's


@dataclass(frozen=True, slots=True)
class SentenceDraft:
    """A span of a chunk's text; `target` is a position in the page's targets."""

    start: int
    end: int
    kind: UnitKind
    target: int


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A part of a section. `target` is the section's position in the page's targets; `labels` the tabs it stands in."""

    target: int
    ordinal: int
    text: str
    sentences: tuple[SentenceDraft, ...]
    labels: tuple[str, ...]


def chunks_of(position: int, target: TargetDraft, language: str) -> list[ChunkDraft]:
    """Return the chunks of one section, in order; none when it has no text of its own."""
    chunks: list[ChunkDraft] = []
    group: list[SectionBlock] = []
    size = 0
    for item in _split_long(target.blocks, language):
        tokens = _tokens(item.block.text)
        if group and size + tokens > MAX_TOKENS:
            chunks.append(_chunk(position, len(chunks), group, language))
            group, size = [], 0
        group.append(item)
        size += tokens
    if group:
        chunks.append(_chunk(position, len(chunks), group, language))
    return chunks


def embedded_text(heading_path: tuple[str, ...], labels: tuple[str, ...], text: str) -> str:
    """Return what a chunk's vector is made of: where it stands, then what it says, without markup."""
    place = " > ".join((*heading_path, *labels))
    return f"{place}\n{_unmarked(text)}".strip()


def sentence_text(heading_path: tuple[str, ...], sentence: str) -> str:
    """Return what a sentence's vector is made of; empty when it is too short to mean anything alone."""
    text = _unmarked(sentence)
    if text.isascii() and not _ENOUGH.search(text):
        return ""
    words = " ".join(heading_path[-2:]).split()[-_PATH_WORDS:]
    return f"{' '.join(words)}: {text}"


@lru_cache(_REMEMBERED)
def _tokens(text: str) -> int:
    return estimate_tokens(text)


@lru_cache(_REMEMBERED)
def _spans(text: str, language: str) -> tuple[tuple[int, int], ...]:
    return tuple(split_sentences(text, language))


def _unmarked(text: str) -> str:
    return text.replace("```", "").replace("`", "")


def _chunk(position: int, ordinal: int, group: list[SectionBlock], language: str) -> ChunkDraft:
    sentences: list[SentenceDraft] = []
    offset = 0
    for item in group:
        sentences.extend(_sentences(item, offset, language))
        offset += len(item.block.text) + len(_JOINT)
    text = _JOINT.join(item.block.text for item in group)
    return ChunkDraft(position, ordinal, text, tuple(sentences), _labels(group))


def _labels(group: list[SectionBlock]) -> tuple[str, ...]:
    """Return the labels of the tabs that all of a chunk stands in, and of the one most of it mentions otherwise."""
    seen: dict[Landing, None] = {}
    for item in group:
        for landing in item.block.landing:
            seen[landing] = None
    return tuple(landing.label for landing in seen if landing.kind == "tab" and landing.label)


def _sentences(item: SectionBlock, offset: int, language: str) -> Iterator[SentenceDraft]:
    block = item.block
    if block.kind in {"code", "row", "term"}:
        yield SentenceDraft(offset, offset + len(block.text), block.kind, item.target)
    elif block.kind != "heading":
        skip = item_mark_length(block.text) if block.kind == "item" else 0
        for start, end in _spans(block.text[skip:], language):
            yield SentenceDraft(offset + skip + start, offset + skip + end, block.kind, item.target)


def _split_long(blocks: list[SectionBlock], language: str) -> Iterator[SectionBlock]:
    for item in blocks:
        if _tokens(item.block.text) <= MAX_TOKENS:
            yield item
            continue
        for text in _code_parts(item.block.text) if item.block.kind == "code" else _prose_parts(item.block, language):
            yield SectionBlock(_with_text(item.block, text), item.target)


def _with_text(block: Block, text: str) -> Block:
    return Block(block.kind, text, block.owner, block.landing, block.anchors)


def _prose_parts(block: Block, language: str) -> Iterator[str]:
    """Split between sentences; a single sentence beyond the limit stays whole."""
    if block.kind == "row":
        yield block.text
        return
    spans = _spans(block.text, language)
    for first, last in _pack([block.text[start:end] for start, end in spans], MAX_TOKENS):
        yield block.text[spans[first][0] : spans[last][1]]


def _code_parts(text: str) -> Iterator[str]:
    """Split between lines, each part fenced for itself."""
    opening, *lines, closing = text.split("\n")
    room = MAX_TOKENS - _tokens(opening) - _tokens(closing)
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
