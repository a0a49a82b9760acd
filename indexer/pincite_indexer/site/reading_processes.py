"""A site's files read by one process a core; copies of a page go to the same one, which reads their content once."""

import gc
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

from pincite_core.errors import SiteError
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.parsing import PageError
from pincite_indexer.pages.read_page import read_page

__all__ = ("read_files",)

_FEW_FILES = 40  # below this, starting worker processes costs more than it saves
_BATCH = 16  # files a process takes at a time, and the rest of the copies of the last

Result = tuple[str, PageDraft | str]


def read_files(site: Path, files: list[str], *, with_edit_links: bool = False) -> Iterator[Result]:
    """Yield each file, in any order, with its draft or with why it cannot be read.

    Raises:
        SiteError: The system ended a process.
    """
    workers = os.cpu_count() or 1
    if len(files) < _FEW_FILES or workers == 1:
        yield from (_read_or_say(site, with_edit_links, file) for file in files)
        return
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_prepare_worker)
    try:
        for results in pool.map(partial(_read_batch, site, with_edit_links), _batches(files)):
            yield from results
    except BrokenProcessPool as error:
        message = (
            f"A process that read pages of {site} was ended by the system, most likely because memory ran out. "
            "Free some memory and build again."
        )
        raise SiteError(message) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # the processes take a while to give their memory back


def _batches(files: Iterable[str]) -> Iterator[list[str]]:
    """Yield the files in batches that hold all files of one name, which the versions and locales of a page share."""
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
    """Let a process end when the build is killed, as it would wait for files forever, and spare it the collector.

    Reading leaves no cycles behind, and looking for some after every few hundred elements is a sixth of the work.
    """
    gc.disable()
    Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _read_batch(site: Path, with_edit_links: bool, files: list[str]) -> list[Result]:
    return [_read_or_say(site, with_edit_links, file) for file in files]


def _read_or_say(site: Path, with_edit_links: bool, file: str) -> Result:
    """Read a page; a file that cannot be read is named in the report instead of ending the build."""
    try:
        return file, read_page(site, file, with_edit_links=with_edit_links)
    except OSError as error:
        return file, f"unreadable ({error.strerror or error})"
    except PageError as error:
        return file, f"unreadable ({error})"
