"""A page's sections cut to a limit: whole blocks as far as they fit, and words for how much was left out."""

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
    """One section's own blocks; `heading` is its Markdown heading, "" for the section that was asked for."""

    target: Target
    heading: str
    blocks: tuple[MarkdownBlock, ...]

    @classmethod
    def of(cls, target: Target, blocks: Sequence[MarkdownBlock], *, root: bool) -> "SectionPart":
        """Return the part of a section; its heading is left out if it is the `root`."""
        level = min(_DEEPEST, max(2, target.level))
        return cls(target, "" if root else f"{'#' * level} {target.title}", tuple(blocks))

    def markdown(self, count: int | None = None) -> str:
        """Return the heading and the first `count` blocks, by default all."""
        return _APART.join(filter(None, (self.heading, join_blocks(self.blocks[:count]))))


@dataclass(frozen=True, slots=True)
class CutText:
    """The text that fits, how much is missing in words ("" for nothing), and the sections with what is missing."""

    text: str
    missing: str = ""
    left_out: tuple[Target, ...] = ()


def fitted(parts: Sequence[SectionPart], limit: int) -> CutText:
    """Return sections as far as they fit into `limit` characters.

    They are cut between blocks; only a block that is longer than the limit is cut inside, between lines.
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
    """Return as much of a section as fits, and how many of its blocks are whole in it."""
    count = bisect_right(range(1, len(part.blocks) + 1), room, key=lambda count: len(part.markdown(count)))
    following = part.blocks[count] if count < len(part.blocks) else None
    if following is not None and len(following.text) > limit:
        rest = room - len(part.markdown(count)) - len(_APART) if count or part.heading else room
        if shortened := _shortened(following.text, rest):
            cut = replace(part, blocks=(*part.blocks[:count], replace(following, text=shortened)))
            return cut.markdown(), count
    return (part.markdown(count) if count else ""), count


def _shortened(text: str, room: int) -> str:
    """Return the first lines of a block, the fence of code closed; of a single line its beginning."""
    opening = text.partition("\n")[0]
    closing = f"\n{opening[: len(opening) - len(opening.lstrip('`'))]}" if opening.startswith(_FENCE) else ""
    room = max(0, room - len(closing))
    lines = text[: room + 1].rpartition("\n")[0]
    if closing:
        return f"{lines}{closing}" if "\n" in lines else ""
    return lines or text[:room].rstrip()


def _cut(texts: Sequence[str], parts: Sequence[SectionPart], number: int, shown: int | None) -> CutText:
    """Return the text up to part `number`, of which `shown` blocks are whole; None if it is left out."""
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
    """Return the targets that stand in none of the others: whoever reads them gets the others as well."""
    inside: set[int | None] = set()
    found: list[Target] = []
    for target in targets:
        if target.parent_id not in inside:
            found.append(target)
        inside.add(target.target_id)
    return found
