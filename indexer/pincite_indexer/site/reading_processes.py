"""Read a site's files in parallel, one process per core; copies of a page go to the same process.

A process parses the content of such copies only once.
"""

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

_FEW_FILES = 40  # with fewer files, starting worker processes costs more than it saves
_BATCH = 16  # files in a batch, plus the remaining copies of the last file

Result = tuple[str, PageDraft | str]


def read_files(site: Path, files: list[str], *, with_edit_links: bool = False) -> Iterator[Result]:
    """Yield each file, in any order, with its draft or with the reason why it cannot be read.

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
    Thread(target=_await_parent, daemon=True).start()


def _await_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _read_batch(site: Path, with_edit_links: bool, files: list[str]) -> list[Result]:
    return [_read_or_say(site, with_edit_links, file) for file in files]


def _read_or_say(site: Path, with_edit_links: bool, file: str) -> Result:
    """Read a page; return an error text for an unreadable file, so that the report names it and the build continues."""
    try:
        return file, read_page(site, file, with_edit_links=with_edit_links)
    except OSError as error:
        return file, f"unreadable ({error.strerror or error})"
    except PageError as error:
        return file, f"unreadable ({error})"
