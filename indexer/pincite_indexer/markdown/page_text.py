"""Convert one page to Markdown, in worker processes."""

from pathlib import Path

from msgspec import Struct

from pincite_indexer.markdown.reduced import reduced
from pincite_indexer.pages.markup import plain_text
from pincite_indexer.pages.parsing import PageError
from pincite_indexer.pages.read_page import content_element
from pincite_indexer.pages.records import Heading, Piece

__all__ = ("PageText", "page_text")


class PageText(Struct, frozen=True, gc=False):
    """Request for a page's Markdown: its file, URL path, full URL and title.

    If `pieces` is not empty, the Markdown is written from these pieces alone.
    """

    file: str
    path: str
    url: str
    title: str
    pieces: tuple[Piece, ...] = ()


def page_text(site: Path, page: PageText) -> str:
    """Return a page's content as Markdown; empty if it has none or cannot be read."""
    from pincite_indexer.markdown.writer import markdown_of  # importing it takes a fifth of a small build's time

    if page.pieces:
        return _titled(page.title, "\n\n".join(map(_written, page.pieces)) + "\n", has_title=_starts(page.pieces))
    try:
        root = content_element(site, page.file)
        if root is None:
            return ""
        has_title = any(plain_text(heading) for heading in root.iter("h1"))
        return _titled(page.title, markdown_of(reduced(root, page.url)), has_title=has_title)
    except (OSError, PageError, RecursionError):  # the build reports unreadable pages
        return ""


def _titled(title: str, text: str, *, has_title: bool) -> str:
    return text if has_title or not text.strip() else f"# {title}\n\n{text}"


def _starts(pieces: tuple[Piece, ...]) -> bool:
    return any(isinstance(piece, Heading) and piece.level == 1 for piece in pieces)


def _written(piece: Piece) -> str:
    return f"{'#' * piece.level} {piece.text}" if isinstance(piece, Heading) else piece.text
