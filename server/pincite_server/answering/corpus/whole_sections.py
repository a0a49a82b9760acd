"""What a language model reads of the docs: whole sections as Markdown, best first, within a number of tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection
from pincite_core.types import Chunk, Link
from pincite_core.units import estimate_tokens, truncate_to_tokens
from pincite_server.answering.corpus.compose import Statement
from pincite_server.answering.material import Excerpt
from pincite_server.answering.section_markdown import MarkdownBlock, join_blocks, section_blocks
from pincite_server.answering.spoken_to import chunks_for_readers

__all__ = ("MOST_SECTIONS", "LinkedPlaces", "whole_sections")

MOST_SECTIONS = 12
"""On sites that nothing was chosen on, the right section is among the first twelve for 97 questions in 100."""

_WHOLE = 900  # tokens; a longer section is read around its best part
_LONG_BLOCK = 2 * _WHOLE  # of one listing or table, which is read whole or not at all
_MOST_LINKS = 40  # places that links lead to, each some five tokens
_HEADING_TOKENS = 4  # around an excerpt: its delimiters


@dataclass(slots=True)
class LinkedPlaces:
    """Numbers the places that links of the excerpts lead to, after the excerpts' own numbers."""

    index: Index
    scope_ids: frozenset[int]
    _contexts: dict[int, list[str]] = field(default_factory=dict)  # by target, in the order of their numbers

    def mark(self, link: Link) -> str:
        """Return a link's text with the number of the place that it leads to; its text alone beyond the limit."""
        target_id = link.to_target_id
        if target_id not in self._contexts and (len(self._contexts) == _MOST_LINKS or not self._chunk(target_id)):
            return link.text
        self._contexts.setdefault(target_id, [])
        number = MOST_SECTIONS + 1 + list(self._contexts).index(target_id)
        return f"{link.text} (→ {number})"

    def excerpts(self, shown: Sequence[Excerpt]) -> Iterator[Excerpt]:
        """Yield each place as an excerpt that is named and not quoted: what is said of it is the text of its links."""
        for number, target_id in enumerate(self._contexts, start=MOST_SECTIONS + 1):
            said = [line for one in shown for line in one.text.splitlines() if f"(→ {number})" in line]
            chunk = self._chunk(target_id)
            assert chunk is not None
            place = Statement(chunk.text, "prose", target_id, chunk, 0)
            title = " > ".join(self.index.target(target_id).heading_path)
            yield Excerpt(title, "\n".join(said), (place,), number=number, is_quoted=False)

    def _chunk(self, target_id: int) -> Chunk | None:
        """Return the first text of a place that is in scope; a page's own when the place has none."""
        found = self.index.targets_by_id([target_id]).get(target_id)
        if found is None:
            return None
        chunks = self.index.chunks_of_target(target_id) or self.index.chunks_of_page(found.page_id)[:1]
        return next((chunk for chunk in chunks if chunk.scope_id in self.scope_ids), None)


def whole_sections(
    index: Index, sections: Sequence[RankedSection], asked: str, tokens: int, scope_ids: Sequence[int]
) -> tuple[Excerpt, ...]:
    """Return up to twelve sections, numbered from 1, and the places that their links lead to, numbered from 13.

    A section is whole up to some 900 tokens, else as much as fits around its best part. What room is left is filled
    with what stands below the best ones. No text is there twice, and nothing of what addresses an assistant.

    Args:
        index: The index.
        sections: Best first.
        asked: The question.
        tokens: How much at most, in estimated tokens.
        scope_ids: The scopes of the question; no link leads out of them.
    """
    reader = _Reader(index, asked, tokens, LinkedPlaces(index, frozenset(scope_ids)))
    for section in sections:
        if len(reader.drafts) == MOST_SECTIONS:
            break
        reader.add(section)
    reader.add_subsections()
    shown = [
        Excerpt(draft.title, join_blocks(draft.blocks), draft.units, number=number)
        for number, draft in enumerate(reader.drafts, start=1)
    ]
    return (*shown, *reader.links.excerpts(shown))


@dataclass(slots=True)
class _Draft:
    target_id: int
    title: str
    blocks: list[MarkdownBlock]
    tokens: int
    is_whole: bool

    @property
    def units(self) -> tuple[Statement, ...]:
        return tuple(unit for block in self.blocks for unit in block.units)


@dataclass(slots=True)
class _Reader:
    """Reads sections until the tokens are spent."""

    index: Index
    asked: str
    left: int
    links: LinkedPlaces
    drafts: list[_Draft] = field(default_factory=list)
    read: set[int] = field(default_factory=set)

    def add(self, section: RankedSection) -> None:
        """Read a section, or the part of it that fits; nothing when not even its best block does."""
        if section.target_id in self.read:
            return
        title = " > ".join(self.index.target(section.target_id).heading_path)
        heading = estimate_tokens(title) + _HEADING_TOKENS
        chunks = self._chunks(section.target_id)
        blocks = self._rendered(chunks)
        room = self.left - heading
        kept = _window(blocks, section.chunk, min(_WHOLE, room), min(_LONG_BLOCK, room))
        kept = kept or self._part(chunks, section.chunk, min(_WHOLE, room))
        if not kept:
            return
        self.read.add(section.target_id)
        size = heading + sum(map(_size, kept))
        self.left -= size
        self.drafts.append(_Draft(section.target_id, title, kept, size, len(kept) == len(blocks)))

    def add_subsections(self) -> None:
        """Read what stands below whole sections as well, the best section's first, as far as there is room."""
        for draft in self.drafts:
            if draft.is_whole:
                self._extend(draft, draft.target_id)

    def _extend(self, draft: _Draft, target_id: int) -> None:
        for child, _ in self.index.children_of([target_id]):
            if child in self.read:
                continue
            blocks = self._rendered(self._chunks(child))
            if blocks:
                target = self.index.target(child)
                heading = MarkdownBlock(f"{'#' * max(2, target.level)} {target.title}", ())
                size = sum(map(_size, (heading, *blocks)))
                if size > self.left or draft.tokens + size > _WHOLE:
                    return
                self.read.add(child)
                self.left -= size
                draft.tokens += size
                draft.blocks += (heading, *blocks)
            self._extend(draft, child)

    def _part(self, chunks: Sequence[Chunk], best: Chunk, limit: int) -> list[MarkdownBlock]:
        """Return as much from a section's best part on as fits, of a block that is too long: a file of settings."""
        rest = [chunk for chunk in chunks if chunk.ordinal >= best.ordinal]
        found: list[MarkdownBlock] = []
        for end in range(1, len(rest) + 1):
            blocks = self._rendered(rest[:end])
            if sum(map(_size, blocks)) > limit:
                break
            found = blocks
        return found or self._rendered([self._cut(chunk, limit) for chunk in rest[:1]])

    def _cut(self, chunk: Chunk, limit: int) -> Chunk:
        """Return a chunk up to the end of the last sentence that fits."""
        ends = [sentence.end for sentence in self.index.sentences_of_chunks([chunk.chunk_id])]
        length = len(truncate_to_tokens(chunk.text, max(0, limit)))
        return replace(chunk, text=chunk.text[: max((end for end in ends if end <= length), default=0)])

    def _chunks(self, target_id: int) -> list[Chunk]:
        return chunks_for_readers(self.index, target_id, self.asked, mentions=True)

    def _rendered(self, chunks: Sequence[Chunk]) -> list[MarkdownBlock]:
        return section_blocks(self.index, chunks, self.links.mark)


def _size(block: MarkdownBlock) -> int:
    return estimate_tokens(block.text)


def _window(blocks: Sequence[MarkdownBlock], best: Chunk, limit: int, longest: int) -> list[MarkdownBlock]:
    """Return the blocks around a section's best part that fit into `limit` tokens, in order.

    A best block beyond that is taken alone if it is within `longest`: half a listing or table misleads.
    """
    sizes = list(map(_size, blocks))
    if sum(sizes) <= limit:
        return list(blocks)
    first = next((place for place, block in enumerate(blocks) if _holds(block, best)), None)
    if first is None:
        return []
    if sizes[first] > limit:
        return [blocks[first]] if sizes[first] <= longest else []
    last, left = first, limit - sizes[first]
    while True:  # onwards before backwards: what follows explains, what precedes leads up to it
        if last + 1 < len(blocks) and sizes[last + 1] <= left:
            last += 1
            left -= sizes[last]
        elif first > 0 and sizes[first - 1] <= left:
            first -= 1
            left -= sizes[first]
        else:
            return list(blocks[first : last + 1])


def _holds(block: MarkdownBlock, chunk: Chunk) -> bool:
    return any(unit.chunk.ordinal == chunk.ordinal for unit in block.units)
