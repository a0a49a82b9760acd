"""Read the files of a built site, and classify them as pages, redirect stubs or files to skip.

Large sites are read in parallel, one process per core. Copies of a page go to the same process, which parses their
content only once.
"""

import gc
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, pairwise
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

from pincite_core.errors import SiteError
from pincite_indexer.generators.known_generators import generator_named
from pincite_indexer.pages.page_draft import PageDraft, has_text
from pincite_indexer.pages.page_facts import is_search_file
from pincite_indexer.pages.parsing import PageError
from pincite_indexer.pages.read_page import read_page
from pincite_indexer.pages.records import Block, Heading

__all__ = ("Scan", "SkippedFile", "find_html", "scan_site")

_FEW_FILES = 40  # with fewer files, starting worker processes costs more than it saves
_BATCH = 16  # files in a batch, plus the remaining copies of the last file
_NOT_FOUND = frozenset({"404.html", "404/index.html"})
_MOST_SEARCH_TEXTS = 3  # blocks of a search page, which explain the search


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """File that is not indexed, with the reason, and for a duplicate the file that is indexed."""

    file: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Scan:
    """Classified files of a site."""

    pages: list[PageDraft] = field(default_factory=list)
    stubs: list[PageDraft] = field(default_factory=list)  # pages that only redirect to another page
    skipped: list[SkippedFile] = field(default_factory=list)
    skipped_pages: list[PageDraft] = field(default_factory=list)  # drafts of the readable pages among `skipped`


def find_html(site: Path) -> list[str]:
    """Return the HTML files below `site`, relative to it, in sorted order.

    Raises:
        SiteError: The path is not a folder, holds no HTML, or contains an unreadable folder.
    """
    if not site.is_dir():
        message = f"{site} is not a folder. Give the folder that your site's build wrote, e.g. `build` or `site`."
        raise SiteError(message)
    files = sorted(_html_below(site, ""))
    if not files:
        message = f"{site} contains no HTML. Build the site first, then give the folder that the build wrote."
        raise SiteError(message)
    return files


def _html_below(folder: Path, below: str) -> Iterator[str]:
    """Yield the HTML files of a folder, each with the prefix `below`; `Path.rglob` takes several times as long."""
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        message = f"The folder {folder} cannot be read ({error.strerror}). Change its permissions, or move it away."
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
    site: Path,
    files: list[str],
    *,
    keep_noindex: bool,
    advance: Callable[[], None],
    with_edit_links: bool = False,
    with_unread: bool = False,
) -> Scan:
    """Read `files` and classify them; `advance` is called after each file.

    Edit links are read only if sources must be matched to pages, and unreadable parts are counted only for a check.

    Raises:
        SiteError: The system ended a process.
    """
    scan = Scan()
    read: dict[str, PageDraft | str] = {}
    read_one = partial(read_page, site, with_edit_links=with_edit_links, with_unread=with_unread)
    for file, result in _read_files(site, files, read_one):
        read[file] = result
        advance()
    drafts = [result for result in read.values() if isinstance(result, PageDraft)]
    why_skipped = _Rules(drafts, keep_noindex=keep_noindex).why_skipped
    for file in files:
        result = read[file]
        if isinstance(result, str):
            scan.skipped.append(SkippedFile(file, result))
        elif result.facts.forwards_to:
            scan.stubs.append(result)
            scan.skipped.append(SkippedFile(file, "redirect"))
        elif reason := why_skipped(result):
            scan.skipped.append(SkippedFile(file, reason))
            scan.skipped_pages.append(result)
        else:
            scan.pages.append(result)
    return scan


def _read_files(
    site: Path, files: list[str], read_one: Callable[[str], PageDraft]
) -> Iterator[tuple[str, PageDraft | str]]:
    """Yield each file, in any order, with its draft or with the reason why it cannot be read."""
    workers = os.cpu_count() or 1
    read = partial(_read_batch, read_one)
    if len(files) < _FEW_FILES or workers == 1:
        yield from chain.from_iterable(map(read, _batches(files)))
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_prepare_worker)
    try:
        yield from chain.from_iterable(pool.map(read, _batches(files)))
    except BrokenProcessPool as error:
        message = (
            f"The system ended a process that read pages of {site}, most likely because memory ran out. "
            "Free some memory and build again."
        )
        raise SiteError(message) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # the processes take a while to release their memory


def _batches(files: Iterable[str]) -> Iterator[list[str]]:
    """Yield the files in batches; files with the same name, such as versions of a page, share a batch."""
    batch: list[str] = []
    last = ""
    for file in sorted(files, key=lambda file: file.split("/")[::-1]):
        name = "/".join(file.split("/")[-2:])
        if len(batch) >= _BATCH and name != last:
            yield batch
            batch = []
        batch.append(file)
        last = name
    if batch:
        yield batch


def _prepare_worker() -> None:
    """Prepare a worker: end it if the build is killed, and disable its garbage collector.

    Without this, a worker would wait for files forever. Reading creates no reference cycles, and collecting takes a
    sixth of the time.
    """
    gc.disable()
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _read_batch(read_one: Callable[[str], PageDraft], files: list[str]) -> list[tuple[str, PageDraft | str]]:
    """Read pages; an unreadable file gets an error text, so that the report names it and the build continues."""
    results: list[tuple[str, PageDraft | str]] = []
    for file in files:
        try:
            results.append((file, read_one(file)))
        except (OSError, PageError) as error:
            results.append((file, f"unreadable ({(isinstance(error, OSError) and error.strerror) or error})"))
    return results


class _Rules:
    """Rules for the pages that are not indexed; some depend on the other pages of the site."""

    def __init__(self, drafts: Iterable[PageDraft], *, keep_noindex: bool) -> None:
        self._keep_noindex = keep_noindex
        self._search_bodies = False  # whether some page has the mark without which the search tool ignores pages
        self._not_found: set[bytes] = set()  # digests of the contents of the site's own not-found pages
        for draft in drafts:
            self._search_bodies |= draft.facts.search_body
            if draft.file in _NOT_FOUND:
                self._not_found.add(draft.digest)

    def why_skipped(self, draft: PageDraft) -> str:
        """Return the reason why a page is not indexed; empty if it is."""
        facts = draft.facts
        if self._is_not_found(draft):
            return "not-found page"
        if _is_search(draft):
            return "search page"
        if facts.noindex and not self._keep_noindex:
            return facts.noindex if facts.noindex == "noindex" else f"noindex ({facts.noindex})"
        if self._search_bodies and not facts.search_body and not self._keep_noindex and draft.has_root:
            return "noindex (no data-pagefind-body)"
        if _shows_code(draft):
            return "source code page"
        return "" if draft.has_root else "no HTML page"

    def _is_not_found(self, draft: PageDraft) -> bool:
        """Return whether a page is shown for missing pages: at the root, in a language's folder, or a copy of such.

        Below the root, a page of this name with text of its own is content, for example about an error's code.
        """
        folder, _, _ = draft.file.removesuffix("/index.html").rpartition("/")
        if draft.file in _NOT_FOUND:
            return True
        if not folder or not draft.file.endswith(("/404.html", "/404/index.html")):
            return False
        language = draft.facts.locale.lower()
        is_locale = folder.lower() in {language, language.partition("-")[0]} - {""}
        return is_locale or not has_text(draft) or draft.digest in self._not_found


def _is_search(draft: PageDraft) -> bool:
    """Return whether a page is its generator's search page: the page has a search field or results, and little text."""
    if draft.facts.plugin.startswith("search"):
        return True
    texts = sum(isinstance(piece, Block) for piece in draft.pieces)
    return is_search_file(draft.file) and (texts == 0 or (draft.facts.search_page and texts <= _MOST_SEARCH_TEXTS))


def _shows_code(draft: PageDraft) -> bool:
    """Return whether a page shows a module's source code or lists such pages.

    A site has one such page for each documented module. These pages contain every word of the modules, and would
    dominate search results. Their headings ("Source code for a.b") are translated, so the module's name in the title
    identifies them: a page's only code block follows a title with the name and more, or the first link of a list has
    the linked module's name as its text. The theme's text may surround title and code, but without headings. The path
    is not enough, because an author may use the same folder name for documentation.
    """
    files = generator_named(draft.facts.generator).code_pages
    found = files.search(draft.file) if files else None
    if found is None:
        return False
    is_list, module = found[1] == "index", found[1].replace("/", ".")
    for place, (title, piece) in enumerate(pairwise(draft.pieces)):
        if not isinstance(title, Heading) or title.level != 1 or not isinstance(piece, Block):
            continue
        if is_list and piece.kind == "item":
            links = [link for link in draft.links if link.piece == place + 1]
            names = (link.href.removesuffix("/").removesuffix(".html").replace("/", ".") for link in links)
            return any(name == link.text for name, link in zip(names, links, strict=True))
        if not is_list and piece.kind == "code" and module in title.text and module != title.text:
            later = draft.pieces[place + 2 :]
            return not any(isinstance(other, Heading) or other.kind == "code" for other in later)
    return False
