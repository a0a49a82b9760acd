"""Select the excerpts for a language model: whole sections as Markdown, best first, within a token limit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pincite_core.index.read import Index
from pincite_core.search.ranking import RankedSection
from pincite_core.types import Chunk, TextLink, Unit
from pincite_core.units import estimate_tokens, truncate_to_tokens
from pincite_server.answering.corpus.compose import Statement
from pincite_server.answering.injection_filter import readable_units
from pincite_server.answering.material import Excerpt
from pincite_server.answering.section_markdown import MarkdownBlock, join_blocks, section_blocks

__all__ = ("MOST_SECTIONS", "LinkedPlaces", "whole_sections")

MOST_SECTIONS = 12
"""On held-out sites, the right section is among the first twelve for 97 of 100 questions (recall@12)."""

_WHOLE = 900  # tokens; of a longer section, only the text around its best chunk is read
_LONG_BLOCK = 2 * _WHOLE  # tokens of one code block or table, which is read whole or not at all
_MOST_LINKS = 40  # numbered link targets; each takes some five tokens
_HEADING_TOKENS = 4  # for the delimiters around an excerpt


@dataclass(slots=True)
class LinkedPlaces:
    """Assigns numbers to the link targets in the excerpts, after the numbers of the excerpts."""

    index: Index
    scope_ids: frozenset[int]
    _contexts: dict[int, list[str]] = field(default_factory=dict)  # by target, in the order of their numbers

    def mark(self, link: TextLink, words: str) -> str:
        """Return a link's words with the number of its target; only the words beyond the limit or outside the site."""
        if isinstance(link.to, str):
            return words
        if link.to not in self._contexts and (len(self._contexts) == _MOST_LINKS or not self._chunk(link.to)):
            return words
        self._contexts.setdefault(link.to, [])
        number = MOST_SECTIONS + 1 + list(self._contexts).index(link.to)
        return f"{words} (→ {number})"

    def excerpts(self, shown: Sequence[Excerpt]) -> Iterator[Excerpt]:
        """Yield each link target as an excerpt that the prompt does not quote. Its text is the lines with its links."""
        for number, target_id in enumerate(self._contexts, start=MOST_SECTIONS + 1):
            said = [line for one in shown for line in one.text.splitlines() if f"(→ {number})" in line]
            chunk = self._chunk(target_id)
            assert chunk is not None
            place = Statement(chunk.text, "prose", target_id, chunk, 0)
            title = " > ".join(self.index.target(target_id).heading_path)
            yield Excerpt(title, "\n".join(said), (place,), number=number, is_quoted=False)

    def _chunk(self, target_id: int) -> Chunk | None:
        """Return the first chunk of a target in scope, or of its page if the target has no chunk."""
        found = self.index.targets_by_id([target_id]).get(target_id)
        if found is None:
            return None
        chunks = self.index.chunks_of_target(target_id) or self.index.chunks_of_page(found.page_id)[:1]
        return next((chunk for chunk in chunks if chunk.scope_id in self.scope_ids), None)


def whole_sections(
    index: Index, sections: Sequence[RankedSection], asked: str, tokens: int, scope_ids: Sequence[int]
) -> tuple[Excerpt, ...]:
    """Return up to twelve sections, numbered from 1, and the targets of their links, numbered from 13.

    A section is whole up to some 900 tokens. Of a longer one, the text around its best chunk is used. The remaining
    tokens go to subsections of the best sections. No section appears twice, and text that addresses an AI assistant is
    left out.

    Args:
        index: The index.
        sections: The ranked sections, best first.
        asked: The question.
        tokens: The limit in estimated tokens.
        scope_ids: The scopes of the question; links out of them are not numbered.
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
    """Reads sections until the token limit is reached."""

    index: Index
    asked: str
    left: int
    links: LinkedPlaces
    drafts: list[_Draft] = field(default_factory=list)
    read: set[int] = field(default_factory=set)

    def add(self, section: RankedSection) -> None:
        """Read a section, or the part of it that fits; skip it if not even its best block fits."""
        if section.target_id in self.read:
            return
        title = " > ".join(self.index.target(section.target_id).heading_path)
        heading = estimate_tokens(title) + _HEADING_TOKENS
        chunks = self.index.chunks_of_target(section.target_id)
        units = self._units(chunks)
        blocks = section_blocks(chunks, units, self.links.mark)
        room = self.left - heading
        kept = _window(blocks, section.chunk, min(_WHOLE, room), min(_LONG_BLOCK, room))
        kept = kept or self._part(chunks, units, section.chunk, min(_WHOLE, room))
        if not kept:
            return
        self.read.add(section.target_id)
        size = heading + sum(map(_size, kept))
        self.left -= size
        self.drafts.append(_Draft(section.target_id, title, kept, size, len(kept) == len(blocks)))

    def add_subsections(self) -> None:
        """Add the subsections of whole sections as far as they fit, the best section's first."""
        for draft in self.drafts:
            if draft.is_whole:
                self._extend(draft, draft.target_id)

    def _extend(self, draft: _Draft, target_id: int) -> None:
        for child, _ in self.index.children_of([target_id]):
            if child in self.read:
                continue
            chunks = self.index.chunks_of_target(child)
            blocks = section_blocks(chunks, self._units(chunks), self.links.mark)
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

    def _part(self, chunks: Sequence[Chunk], units: Sequence[Unit], best: Chunk, limit: int) -> list[MarkdownBlock]:
        """Return as much of a section as fits, from its best chunk on.

        This is for a single block that is too long, such as a settings file.
        """
        rest = [chunk.chunk_id for chunk in chunks if chunk.ordinal >= best.ordinal]
        found: list[MarkdownBlock] = []
        for end in range(1, len(rest) + 1):
            own = [unit for unit in units if unit.chunk_id in rest[:end]]
            blocks = section_blocks(chunks, own, self.links.mark)
            if sum(map(_size, blocks)) > limit:
                break
            found = blocks
        if found:
            return found
        length = len(truncate_to_tokens(best.text, max(0, limit)))
        own = [unit for unit in units if unit.chunk_id == best.chunk_id and unit.end <= length]
        return section_blocks(chunks, own, self.links.mark)

    def _units(self, chunks: Sequence[Chunk]) -> list[Unit]:
        return readable_units(self.index, chunks, self.asked, mentions=True)


def _size(block: MarkdownBlock) -> int:
    return estimate_tokens(block.text)


def _window(blocks: Sequence[MarkdownBlock], best: Chunk, limit: int, longest: int) -> list[MarkdownBlock]:
    """Return the blocks around a section's best chunk that fit into `limit` tokens, in order.

    If the best block alone exceeds `limit`, it is returned alone, provided it is within `longest`. Half of a code block
    or table would be misleading.
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
    while True:  # forward before backward: the text after a block explains it, the text before it only introduces it
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
