"""Cut a page's sections to a length limit at block boundaries, and describe the omitted part."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite_core.types import Target
from pincite_server.answering.section_markdown import MarkdownBlock, join_blocks

__all__ = ("CutText", "SectionPart", "fitted")

_APART = "\n\n"
_FENCE = "```"
_DEEPEST = 6  # levels of headings that Markdown has


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A section's own blocks.

    Attributes:
        target: The section.
        heading: Its Markdown heading; "" for the requested section itself.
        blocks: Its blocks, without those of its subsections.
    """

    target: Target
    heading: str
    blocks: tuple[MarkdownBlock, ...]

    @classmethod
    def of(cls, target: Target, blocks: Sequence[MarkdownBlock], *, root: bool) -> "SectionPart":
        """Return the part of a section; the `root` section gets no heading."""
        level = min(_DEEPEST, max(2, target.level))
        return cls(target, "" if root else f"{'#' * level} {target.title}", tuple(blocks))

    def markdown(self, count: int | None = None) -> str:
        """Return the heading and the first `count` blocks; all blocks by default."""
        return _APART.join(filter(None, (self.heading, join_blocks(self.blocks[:count]))))


@dataclass(frozen=True, slots=True)
class CutText:
    """A text that was cut to a limit.

    Attributes:
        text: The text that fits.
        missing: A description of the omitted part; "" if the text is complete.
        left_out: The sections that contain the omitted part.
    """

    text: str
    missing: str = ""
    left_out: tuple[Target, ...] = ()


def fitted(parts: Sequence[SectionPart], limit: int) -> CutText:
    """Return as many sections as fit into `limit` characters.

    The text is cut between blocks. A block is cut inside, between lines, only if it is longer than the limit.
    """
    texts: list[str] = []
    room = limit
    for number, part in enumerate(parts):
        text = part.markdown()
        if len(text) > room:
            begun, count = _beginning(part, room, limit)
            return _cut([*texts, *filter(None, [begun])], parts, number, count if begun else None)
        if text:
            texts.append(text)
            room -= len(text) + len(_APART)
    return CutText(_APART.join(texts))


def _beginning(part: SectionPart, room: int, limit: int) -> tuple[str, int]:
    """Return the blocks of a section that fit, and the number of blocks that are complete."""
    count = bisect_right(range(1, len(part.blocks) + 1), room, key=lambda count: len(part.markdown(count)))
    following = part.blocks[count] if count < len(part.blocks) else None
    if following is not None and len(following.text) > limit:
        rest = room - len(part.markdown(count)) - len(_APART) if count or part.heading else room
        if shortened := _shortened(following.text, rest):
            cut = replace(part, blocks=(*part.blocks[:count], replace(following, text=shortened)))
            return cut.markdown(), count
    return (part.markdown(count) if count else ""), count


def _shortened(text: str, room: int) -> str:
    """Return the first lines of a block that fit, with the code fence closed; or the start of a single line."""
    opening = text.partition("\n")[0]
    closing = f"\n{opening[: len(opening) - len(opening.lstrip('`'))]}" if opening.startswith(_FENCE) else ""
    room = max(0, room - len(closing))
    lines = text[: room + 1].rpartition("\n")[0]
    if closing:
        return f"{lines}{closing}" if "\n" in lines else ""
    return lines or text[:room].rstrip()


def _cut(texts: Sequence[str], parts: Sequence[SectionPart], number: int, shown: int | None) -> CutText:
    """Return the text that ends in part `number` with `shown` complete blocks; None if that part is left out."""
    part = parts[number]
    left = parts[number:] if shown is None else parts[number + 1 :]
    missing: list[str] = []
    if shown is not None:
        blocks = len(part.blocks)
        missing.append(f"The end of “{part.target.title}” is left out ({blocks - shown} of {blocks} blocks).")
    if count := sum(bool(one.blocks) for one in left):
        verb = "is" if count == 1 else "are"
        missing.append(f"{count} of {sum(bool(one.blocks) for one in parts)} sections {verb} left out.")
    incomplete = [one.target for one in parts[number:] if one.target is not parts[0].target]
    return CutText(_APART.join(texts), " ".join(missing), tuple(_outermost(incomplete)))


def _outermost(targets: Sequence[Target]) -> list[Target]:
    """Return the targets that are inside no other target of the list: reading these returns the others as well."""
    inside: set[int | None] = set()
    found: list[Target] = []
    for target in targets:
        if target.parent_id not in inside:
            found.append(target)
        inside.add(target.target_id)
    return found
