"""Convert pieces to targets: headings and IDs, their nesting, and the text of each section."""

from collections.abc import Sequence

from msgspec import Struct, field

from pincite_core.types import Landing, TargetKind
from pincite_indexer.pages.records import AnchorDraft, Block, Heading, Piece

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
    """Target of one page."""

    anchor: str
    kind: TargetKind
    level: int
    title: str
    heading_path: tuple[str, ...]
    parent: int | None  # position in the page's list of targets; None for the page itself
    landing: tuple[Landing, ...]
    blocks: list[SectionBlock] = field(default_factory=list)  # of a heading, a member, details or the page


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
        """Open a section; a heading without an anchor only ends sections, and labels the text after it."""
        self._leave(heading.landing)
        while self.targets[self.section].level >= heading.level and self.targets[self.section].kind != "details":
            self.open.pop()  # a details element closes only at its end
        title = shortened(heading.text)
        if heading.anchor:
            parent = self.targets[self.section]
            title = title or parent.title
            is_page = heading.level == 1 and parent.heading_path == (title,)
            path = parent.heading_path if is_page else (*parent.heading_path, title)
            kind: TargetKind = "member" if heading.member else "heading"
            target = TargetDraft(heading.anchor, kind, heading.level, title, path, self.section, heading.landing)
            self.open.append(self._add(target))
            if len(heading.text) > _HEADING_LENGTH:
                self._append(Block("prose", heading.text, "", ()))
        for anchor in heading.anchors:
            self._add_anchor(anchor, title)
        if not heading.anchor and (heading.level > 1 or heading.text != self.title):  # not the page's own title
            self._append(Block("heading", heading.text, "", heading.landing))

    def block(self, block: Block) -> None:
        """Add a block to the open section, and its anchors as targets.

        A details summary, as in an FAQ, is the heading of its content, and a signature is the heading of its
        description.
        """
        self._leave(block.landing)
        while block.leaves and len(self.open) > 1 and self.targets[self.section].level >= block.leaves:
            self.open.pop()
        self._leave_members(block)
        for anchor in block.anchors:
            position = self._add_anchor(anchor, _short_title(block, anchor))
            if anchor.kind in {"details", "member"}:
                self.open.append(position)
        details = block.landing[-1] if block.landing and block.landing[-1].kind == "details" else None
        if details is None or block.text.replace("`", "") != details.label:
            self._append(block)
        elif self.targets[self.section].kind != "details":
            self._append(Block("heading", block.text, block.owner, block.landing, note=block.note))

    def _leave(self, landing: tuple[Landing, ...]) -> None:
        """Close the headings of tabs or details that have ended, because later text does not belong to them."""
        while len(self.open) > 1 and not _within(landing, self.targets[self.section].landing):
            self.open.pop()

    def _leave_members(self, block: Block) -> None:
        """Close API members whose description has ended; a synonym directly after a member's term does not end it."""
        section = self.targets[self.section]
        has_only_terms = section.kind == "member" and all(item.block.kind == "term" for item in section.blocks)
        if block.kind == "term" and has_only_terms and all(anchor.kind != "member" for anchor in block.anchors):
            return
        around = self._around(block)
        while self.targets[self.section].kind == "member" and self.targets[self.section].level == _WITHIN_SECTION:
            if self.section in around:
                return
            self.open.pop()

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

    def _append(self, block: Block) -> None:
        self.targets[self.section].blocks.append(SectionBlock(block, self._innermost(block.owner)))

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


def _within(inner: tuple[Landing, ...], outer: tuple[Landing, ...]) -> bool:
    """Return whether a place is inside the given tabs and details, compared by identity, as labels may repeat."""
    return len(inner) >= len(outer) and all(one is other for one, other in zip(inner, outer, strict=False))


def _short_title(block: Block, anchor: AnchorDraft) -> str:
    """Return a title for a row, item or term: its first cell or words, without markup."""
    text = block.text
    if anchor.kind == "details" and anchor.landing:
        return anchor.landing[-1].label or text[:_TITLE_LENGTH]
    if block.kind == "code":
        text = text.split("\n")[1] if "\n" in text else text
    if block.kind == "row":
        text = block.cells[block.groups][1] if len(block.cells) > block.groups else text
    elif block.kind == "item":
        text = text[block.mark :]
    text = text.replace("`", "")
    if anchor.kind == "member" and "/(" in text:  # a path, such as `GET /rooms/(int:id)`
        return shortened(text.strip(), _TITLE_LENGTH)
    if anchor.kind == "member":
        text = text.partition("(")[0].strip() or text
    for end in _TITLE_ENDS:
        head = text.partition(end)[0]
        if head != text and head.strip():
            text = head
            break
    return shortened(text.strip(), _TITLE_LENGTH)
