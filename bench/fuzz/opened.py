"""Open a damaged index in a separate process under limits: by a command, or by the code of the sidecar."""

import contextlib
import io
import multiprocessing
import os
import resource
import shutil
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bench.fuzz.damage import Damage, do, write_good_index

__all__ = ("WAYS", "IndexOpener", "index_opener")

WAYS = ("serve", "ask", "search", "inspect")
"""The ways to open an index: `serve` loads it as a deploy and answers, the others are commands."""

_QUESTION = "Which port does the Lantern image listen on?"
_ARGUMENTS = {"ask": (_QUESTION,), "search": ("port",), "inspect": ()}
_MOST_KIB = 300 * 1024
_LIMIT = 2**30  # bytes of address space in addition to the parent process
_PRELOADED = ["bench.fuzz.opened", "pincite_core.cli", "pincite_server.indexes.source", "onnxruntime", "tokenizers"]


@dataclass(frozen=True, slots=True)
class IndexOpener:
    """Opens damaged copies of the good index in `folder`, within `seconds`."""

    folder: Path
    scratch: Path
    seconds: float

    def wrong_with(self, way: str, changes: Sequence[Damage]) -> str | None:
        """Damage a copy and open it; return the fault, with the same text for the same fault."""
        place = self.scratch / "index"
        for folder in (place, self.scratch / "cache"):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder, place)
        do(changes, place)
        told = self._opened(way, place)
        return self._opened(way, place) if told and told.startswith("over ") else told

    def _opened(self, way: str, place: Path) -> str | None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOADED)
        mine, theirs = context.Pipe(duplex=False)
        child = context.Process(target=_open, args=(way, str(place), str(self.scratch / "cache"), theirs), daemon=True)
        child.start()
        theirs.close()
        try:
            if not mine.poll(self.seconds):
                return f"over {self.seconds:g} seconds: {way}"
            told: str | None = mine.recv()
        except EOFError:
            child.join(5)
            return f"the process of `{way}` has ended with {child.exitcode}"
        finally:
            child.kill()
            child.join()
            child.close()
            mine.close()
        return told


@contextmanager
def index_opener(folder: Path, seconds: float) -> Iterator[IndexOpener]:
    """Write the good index below `folder` and return an `IndexOpener` for damaged copies of it."""
    good, scratch = folder / "good", folder / "scratch"
    scratch.mkdir(parents=True)
    write_good_index(good)
    opener = IndexOpener(good, scratch, seconds)
    for way in WAYS:
        if (wrong := opener.wrong_with(way, ())) is not None:
            sys.exit(f"The good index is not opened by {way}: {wrong}")
    yield opener


def _open(way: str, place: str, cache: str, answer: Connection) -> None:
    """Open an index and return the fault; None if it was opened, or refused with a message."""
    limit = _address_space() + _LIMIT
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    before, written = _peak(), io.StringIO()
    wrong: str | None = None
    with contextlib.redirect_stdout(written), contextlib.redirect_stderr(written):
        try:
            _serve(place, cache) if way == "serve" else _command(way, place)
        except SystemExit as stopped:
            if stopped.code not in (0, 1, 2):
                wrong = f"`{way}` ends with {stopped.code}"
        except BaseException as error:
            wrong = f"`{way}` raises {_raised(error)}"
    if wrong is None and "Traceback" in written.getvalue():
        wrong = f"`{way}` writes a traceback"
    if wrong is None and _peak() - before > _MOST_KIB:
        wrong = f"`{way}` takes over 300 MB"
    answer.send(wrong)


def _serve(place: str, cache: str) -> None:
    """Load an index as the sidecar does, and answer from it."""
    from pincite_core.errors import PinciteError
    from pincite_server.answering.pipeline import answer, search_hits
    from pincite_server.indexes.source import IndexSource
    from pincite_server.question.question import Question

    with contextlib.suppress(PinciteError):
        served = IndexSource(Path(place), cache=Path(cache)).open().default
        for reply in (answer(served.answerer, Question(_QUESTION)), answer(served.answerer, Question("zeppelin"))):
            _check_urls(reply)
        search_hits(served.answerer, "port", k=10)


def _check_urls(reply: Any) -> None:
    for citation in (*getattr(reply, "citations", ()), *getattr(reply, "nearest", ())):
        if citation.url is not None and (not citation.url.startswith("/") or citation.url.startswith("//")):
            message = "a citation leads out of the site"
            raise AssertionError(message)


def _command(way: str, place: str) -> None:
    from pincite_core.cli import main

    sys.argv = ["pincite", way, place, *_ARGUMENTS[way]]
    main()


def _raised(error: BaseException) -> str:
    """Return an exception's kind and the place in the project's code that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "pincite_" in frame.filename]
    place = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "elsewhere"
    return f"{type(error).__name__} in {place}"


def _peak() -> int:
    return _status("VmHWM")


def _address_space() -> int:
    return _status("VmSize") * 1024


def _status(name: str) -> int:
    lines = Path(f"/proc/{os.getpid()}/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1])
