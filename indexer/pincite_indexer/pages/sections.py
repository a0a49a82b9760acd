"""Convert pieces to targets: headings and IDs, their nesting, and the text of each section."""

from collections.abc import Sequence

from msgspec import Struct, field

from pincite_core.types import Landing, TargetKind
from pincite_indexer.pages.records import AnchorDraft, Block, Heading, Piece, item_mark_length

__all__ = ("SectionBlock", "TargetDraft", "sections_of", "shortened")

_TITLE_LENGTH = 80  # characters of a row's or item's text that form its title
_HEADING_LENGTH = 300  # characters of a heading that heading paths repeat
_WITHIN_SECTION = 7  # level of targets that are not headings
_TITLE_ENDS = (": ", " – ", " — ", " - ", "; ")


class SectionBlock(Struct, frozen=True, gc=False):
    """Block with the position of its innermost target."""

    block: Block
    target: int


class TargetDraft(Struct, gc=False):
    """Target of one page. `parent` is a position in the page's list of targets; None for the page itself.

    `blocks` are the section's blocks, in order. Only headings, members, details and the page have blocks.
    """

    anchor: str
    kind: TargetKind
    level: int
    title: str
    heading_path: tuple[str, ...]
    parent: int | None
    landing: tuple[Landing, ...]
    blocks: list[SectionBlock] = field(default_factory=list)


def shortened(text: str, length: int = _HEADING_LENGTH) -> str:
    """Return a text as a title, cut at a blank if it is longer than `length` characters."""
    if len(text) <= length:
        return text
    return text[:length].rsplit(" ", 1)[0] + "…"


def sections_of(pieces: Sequence[Piece], title: str) -> tuple[list[TargetDraft], list[int]]:
    """Return a page's targets, the page first, and the position of each piece's section."""
    builder = _Builder(title)
    sections: list[int] = []
    for piece in pieces:
        if isinstance(piece, Heading):
            builder.heading(piece)
        else:
            builder.block(piece)
        sections.append(builder.section)
    return builder.targets, sections


class _Builder:
    def __init__(self, title: str) -> None:
        self.title = title
        self.targets = [TargetDraft("", "page", 0, title, (title,), None, ())]
        self.by_anchor: dict[str, int] = {}
        self.open: list[int] = [0]  # positions of the open headings, the page first

    @property
    def section(self) -> int:
        return self.open[-1]

    def heading(self, heading: Heading) -> None:
        self._leave(heading.landing)
        if not heading.anchor:
            self._label(heading)
            return
        self._close(heading.level)
        title = shortened(heading.text) or self.targets[self.section].title
        position = self._add(
            TargetDraft(
                heading.anchor,
                "member" if heading.member else "heading",
                heading.level,
                title,
                self._path(heading.level, title),
                self.section,
                heading.landing,
            )
        )
        self.open.append(position)
        if len(heading.text) > _HEADING_LENGTH:
            self.targets[position].blocks.append(SectionBlock(Block("prose", heading.text, "", ()), position))
        for anchor in heading.anchors:
            self._add_anchor(anchor, title)

    def block(self, block: Block) -> None:
        self._leave(block.landing)
        self._leave_members(block)
        for anchor in block.anchors:
            position = self._add_anchor(anchor, _short_title(block, anchor))
            # A details summary, as in an FAQ, is the heading of its content, and a signature is the heading of its
            # description.
            if anchor.kind in {"details", "member"}:
                self.open.append(position)
        if not _is_summary(block):
            self.targets[self.section].blocks.append(SectionBlock(block, self._innermost(block.owner)))
        elif self.targets[self.section].kind != "details":
            label = Block("heading", block.text, block.owner, block.landing, note=block.note)
            self.targets[self.section].blocks.append(SectionBlock(label, self._innermost(block.owner)))

    def _label(self, heading: Heading) -> None:
        """Add a heading without an anchor to the text, unless it is the h1 that repeats the page's title.

        It also ends open sections of its level and below, because the text after it does not belong to them.
        """
        self._close(heading.level)
        for anchor in heading.anchors:
            self._add_anchor(anchor, shortened(heading.text))
        if heading.level > 1 or heading.text != self.title:
            block = Block("heading", heading.text, "", heading.landing)
            self.targets[self.section].blocks.append(SectionBlock(block, self.section))

    def _leave(self, landing: tuple[Landing, ...]) -> None:
        """Close the headings of tabs or details that have ended, because later text does not belong to them."""
        while len(self.open) > 1 and not _within(landing, self.targets[self.section].landing):
            self.open.pop()

    def _leave_members(self, block: Block) -> None:
        """Close API members whose definition has ended; a synonym directly after a member's term does not end it."""
        if block.kind == "term" and self._names_only() and all(anchor.kind != "member" for anchor in block.anchors):
            return
        around = self._around(block)
        while self.targets[self.section].kind == "member" and self.targets[self.section].level == _WITHIN_SECTION:
            if self.section in around:
                return
            self.open.pop()

    def _names_only(self) -> bool:
        """Return whether the current section is a member that has only terms so far."""
        section = self.targets[self.section]
        return section.kind == "member" and all(item.block.kind == "term" for item in section.blocks)

    def _around(self, block: Block) -> set[int]:
        """Return the positions of all targets that contain a block."""
        new = {anchor.anchor: anchor.owner for anchor in block.anchors}
        owner = block.owner
        while owner in new and owner not in self.by_anchor:
            owner = new[owner]
        position: int | None = self.by_anchor.get(owner)
        around: set[int] = set()
        while position is not None:
            around.add(position)
            position = self.targets[position].parent
        return around

    def _close(self, level: int) -> None:
        """Close the headings of a level and below; a details element closes only at its end."""
        while self.targets[self.section].level >= level and self.targets[self.section].kind != "details":
            self.open.pop()

    def _path(self, level: int, title: str) -> tuple[str, ...]:
        parent = self.targets[self.section].heading_path
        return parent if level == 1 and parent == (title,) else (*parent, title)

    def _innermost(self, owner: str) -> int:
        return self.by_anchor.get(owner, self.section) if owner else self.section

    def _add_anchor(self, anchor: AnchorDraft, title: str) -> int:
        parent = self._innermost(anchor.owner)
        path = (*self.targets[parent].heading_path, title)
        return self._add(TargetDraft(anchor.anchor, anchor.kind, _WITHIN_SECTION, title, path, parent, anchor.landing))

    def _add(self, target: TargetDraft) -> int:
        self.targets.append(target)
        self.by_anchor[target.anchor] = len(self.targets) - 1
        return len(self.targets) - 1


def _is_summary(block: Block) -> bool:
    """Return whether a block is the summary of a details element."""
    if not block.landing or block.landing[-1].kind != "details":
        return False
    return block.text.replace("`", "") == block.landing[-1].label


def _within(inner: tuple[Landing, ...], outer: tuple[Landing, ...]) -> bool:
    """Return whether a place is inside the given tabs and details, compared by identity, as labels may repeat."""
    if not outer:
        return True
    return len(inner) >= len(outer) and all(one is other for one, other in zip(inner, outer, strict=False))


def _short_title(block: Block, anchor: AnchorDraft) -> str:
    """Return a title for a row, item or term: its first cell or words, without markup."""
    text = block.text
    if anchor.kind == "details" and anchor.landing:
        return anchor.landing[-1].label or text[:_TITLE_LENGTH]
    if block.kind == "code":
        text = text.split("\n")[1] if "\n" in text else text
    if block.kind == "row":
        first = text.split("; ")[0]
        text = first.partition(": ")[2] or first
    elif block.kind == "item":
        text = text[item_mark_length(text) :]
    text = text.replace("`", "")
    if anchor.kind == "member":
        text = text.partition("(")[0].strip() or text
    for end in _TITLE_ENDS:
        head = text.partition(end)[0]
        if head != text and head.strip():
            text = head
            break
    return shortened(text.strip(), _TITLE_LENGTH)
