"""Scan the files of a built site and classify them as pages, redirect stubs or files to leave out."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from pincite_core.errors import SiteError
from pincite_indexer.generators.known_generators import generator_named
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Block, Heading, LinkDraft, Piece
from pincite_indexer.site.reading_processes import read_files

__all__ = ("LeftOut", "Scan", "find_html", "scan_site")

_NOT_PAGES = frozenset({"404.html", "404/index.html", "search.html", "search/index.html"})
_LIST = "index"  # name of the page that lists modules with source code


@dataclass(frozen=True, slots=True)
class LeftOut:
    """File that is left out of the index, with the reason."""

    file: str
    why: str


@dataclass(frozen=True, slots=True)
class Scan:
    """Classified files of a site.

    Attributes:
        pages: Pages for the index.
        stubs: Pages that only redirect to another page.
        left_out: Files that are left out, with reasons.
        others: Drafts of readable pages that are left out.
    """

    pages: list[PageDraft]
    stubs: list[PageDraft]
    left_out: list[LeftOut]
    others: list[PageDraft] = field(default_factory=list)


def find_html(site: Path) -> list[str]:
    """Return the HTML files below `site`, relative to it, in sorted order.

    Raises:
        SiteError: The path is not a folder, holds no HTML, or contains an unreadable folder.
    """
    if not site.is_dir():
        message = f"{site} is no folder. Give the folder that your site's build wrote, e.g. `build` or `site`."
        raise SiteError(message)
    files = sorted(_html_below(site, ""))
    if not files:
        message = f"{site} holds no HTML. Build the site first, then give the folder that the build wrote."
        raise SiteError(message)
    return files


def _html_below(folder: Path, below: str) -> Iterator[str]:
    """Yield the HTML files of a folder, each with the prefix `below`; `Path.rglob` takes several times as long."""
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        message = (
            f"The folder {folder} cannot be read ({error.strerror}). Give the build the right to, or move it away."
        )
        raise SiteError(message) from error
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _html_below(Path(entry.path), f"{below}{entry.name}/")
        elif entry.name.endswith(".html") and _is_file(entry):
            yield below + entry.name


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a symbolic link to itself
        return False


def scan_site(
    site: Path, files: list[str], *, keep_noindex: bool, advance: Callable[[], None], with_edit_links: bool = False
) -> Scan:
    """Read `files` and classify them; `advance` is called after each file.

    Edit links are read only if sources must be matched to pages.
    """
    scan = Scan([], [], [])
    read: dict[str, PageDraft | str] = {}
    for file, result in read_files(site, files, with_edit_links=with_edit_links):
        read[file] = result
        advance()
    for file in files:
        result = read[file]
        if isinstance(result, str):
            scan.left_out.append(LeftOut(file, result))
        elif result.facts.forwards_to:
            scan.stubs.append(result)
        elif why := _no_page(result, keep_noindex=keep_noindex):
            scan.left_out.append(LeftOut(file, why))
            scan.others.append(result)
        else:
            scan.pages.append(result)
    return scan


def _no_page(draft: PageDraft, *, keep_noindex: bool) -> str:
    name = "/".join(Path(draft.file).parts[-2:])
    if Path(draft.file).name == "404.html" or name in _NOT_PAGES or draft.file in _NOT_PAGES:
        return "not-found or search page"
    if draft.facts.plugin.startswith("search"):
        return "not-found or search page"
    if draft.facts.noindex and not keep_noindex:
        return "noindex"
    if _shows_code(draft):
        return "source code page"
    return "" if draft.has_root else "no HTML page"


def _shows_code(draft: PageDraft) -> bool:
    """Return whether a page shows a module's source code or lists such pages.

    A site has one such page for each documented module. These pages contain every word of the modules, and would
    dominate search results. Their headings ("Source code for a.b") are translated, so the module's name in the title
    identifies them. The path is not enough, because an author may use the same folder name for documentation.
    """
    files = generator_named(draft.facts.generator).code_pages
    found = files.search(draft.file) if files else None
    if found is None:
        return False
    return _lists_modules(draft) if found[1] == _LIST else _shows_module(draft.pieces, _module(found[1]))


def _shows_module(pieces: tuple[Piece, ...], module: str) -> bool:
    """Return whether a title that contains the module's name is followed by the page's only code block.

    The title must contain more than the name. The theme's text may surround title and code, but without headings.
    """
    for place, (title, code) in enumerate(pairwise(pieces)):
        if _is_title(title) and module in title.text and module != title.text and _is_block(code, "code"):
            return not any(isinstance(piece, Heading) or piece.kind == "code" for piece in pieces[place + 2 :])
    return False


def _lists_modules(draft: PageDraft) -> bool:
    """Return whether the first link of the list below a title has the name of the linked module as its text."""
    for place, (title, item) in enumerate(pairwise(draft.pieces)):
        if _is_title(title) and _is_block(item, "item"):
            return any(_names_its_module(link) for link in draft.links if link.piece == place + 1)
    return False


def _is_title(piece: Piece) -> bool:
    return isinstance(piece, Heading) and piece.level == 1


def _is_block(piece: Piece, kind: str) -> bool:
    return isinstance(piece, Block) and piece.kind == kind


def _names_its_module(link: LinkDraft) -> bool:
    return _module(link.href.removesuffix("/").removesuffix(".html")) == link.text


def _module(path: str) -> str:
    return path.replace("/", ".")
