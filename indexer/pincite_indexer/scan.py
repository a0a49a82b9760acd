"""The files of a built site, read in parallel: which are pages, which only forward, which are left out and why."""

import gc
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

from pincite_core.errors import SiteError
from pincite_indexer.read_page import PageError, read_page
from pincite_indexer.records import PageDraft

__all__ = ("LeftOut", "Scan", "find_html", "scan_site")

_FEW_FILES = 40  # below this, starting worker processes costs more than it saves
_BATCH = 16  # files a worker takes at a time
_NOT_PAGES = frozenset({"404.html", "404/index.html", "search.html", "search/index.html"})


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is no page of the index, and why."""

    file: str
    why: str


@dataclass(frozen=True, slots=True)
class Scan:
    """What a site's files are. `stubs` only forward to another page."""

    pages: list[PageDraft]
    stubs: list[PageDraft]
    left_out: list[LeftOut]


def find_html(site: Path) -> list[str]:
    """Return the HTML files below `site`, relative to it, in a fixed order.

    Raises:
        SiteError: It is no folder, or holds no HTML.
    """
    if not site.is_dir():
        message = f"{site} is no folder. Give the folder that your site's build wrote, e.g. `build` or `site`."
        raise SiteError(message)
    files = sorted(file.relative_to(site).as_posix() for file in site.rglob("*.html") if file.is_file())
    if not files:
        message = f"{site} holds no HTML. Build the site first, then give the folder that the build wrote."
        raise SiteError(message)
    return files


def scan_site(site: Path, files: list[str], *, keep_noindex: bool, advance: Callable[[], None]) -> Scan:
    """Read `files` and sort them out; `advance` is called after each."""
    scan = Scan([], [], [])
    read: dict[str, PageDraft | str] = {}
    for file, result in _read_all(site, sorted(files, key=_copies_together)):
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
        else:
            scan.pages.append(result)
    return scan


def _copies_together(file: str) -> list[str]:
    """Order files so that the versions and locales of a page are read one after another, by one process."""
    return file.split("/")[::-1]


def _no_page(draft: PageDraft, *, keep_noindex: bool) -> str:
    name = "/".join(Path(draft.file).parts[-2:])
    if Path(draft.file).name == "404.html" or name in _NOT_PAGES or draft.file in _NOT_PAGES:
        return "not-found or search page"
    if draft.facts.plugin.startswith("search"):
        return "not-found or search page"
    if draft.facts.noindex and not keep_noindex:
        return "noindex"
    return "" if draft.has_root else "no HTML page"


def _read_all(site: Path, files: list[str]) -> Iterator[tuple[str, PageDraft | str]]:
    read = partial(_read_or_say, site)
    workers = os.cpu_count() or 1
    if len(files) < _FEW_FILES or workers == 1:
        yield from zip(files, map(read, files), strict=True)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_prepare_worker) as pool:
        try:
            yield from zip(files, pool.map(read, files, chunksize=_BATCH), strict=True)
        except BrokenProcessPool as error:
            message = (
                f"A process that read pages of {site} was ended by the system, most likely because memory ran out. "
                "Free some memory and build again."
            )
            raise SiteError(message) from error


def _prepare_worker() -> None:
    """Let a worker end when the build is killed, as it would wait for files forever, and spare it the collector.

    Reading leaves no cycles behind, and looking for some after every few hundred elements is a sixth of the work.
    """
    gc.disable()
    Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _read_or_say(site: Path, file: str) -> PageDraft | str:
    """Read a page; a file that cannot be read is named in the report instead of ending the build."""
    try:
        return read_page(site, file)
    except OSError as error:
        return f"unreadable ({error.strerror or error})"
    except PageError as error:
        return f"unreadable ({error})"
