"""Pages from a few lines of HTML: written to a file and read as the indexer reads them."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pincite_core.types import UnitKind
from pincite_indexer.pages.page_draft import PageDraft, page_title
from pincite_indexer.pages.read_page import read_page
from pincite_indexer.pages.sections import TargetDraft, sections_of

__all__ = ("Read", "Unit", "document", "read", "read_bytes")


@dataclass(frozen=True, slots=True)
class Unit:
    """A block as it is cited: its kind, its text, the anchor it lands on, and what must be opened to see it."""

    kind: UnitKind
    text: str
    anchor: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """A page as read. `units` are in the order of their sections."""

    draft: PageDraft
    targets: list[TargetDraft]

    @property
    def units(self) -> list[Unit]:
        return [
            Unit(
                item.block.kind,
                item.block.text,
                self.targets[item.target].anchor,
                tuple(landing.label for landing in item.block.landing),
            )
            for target in self.targets
            for item in target.blocks
        ]

    @property
    def anchors(self) -> dict[str, str]:
        """Anchor -> kind, without the page itself."""
        return {target.anchor: target.kind for target in self.targets if target.anchor}

    def target(self, anchor: str) -> TargetDraft:
        return next(target for target in self.targets if target.anchor == anchor)

    def cited(self, text: str) -> str:
        """Return the anchor that the block with this text is cited by."""
        return next(unit.anchor for unit in self.units if unit.text == text)


def document(content: str, head: str = "<title>Page | Site</title>", html: str = 'lang="en"') -> str:
    return f"<!doctype html><html {html}><head>{head}</head><body><main>{content}</main></body></html>"


def read(content: str, **parts: str) -> Read:
    """Read a page whose content is `content`."""
    return read_bytes(document(content, **parts).encode())


def read_bytes(data: bytes) -> Read:
    with TemporaryDirectory() as folder:
        Path(folder, "page.html").write_bytes(data)
        draft = read_page(Path(folder), "page.html")
    title = page_title(draft.file, draft.facts, draft.pieces, draft.facts.plugin)
    return Read(draft, sections_of(draft.pieces, title)[0])
