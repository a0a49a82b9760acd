"""Runs the real `pincite` and interferes at a moment that is named, not timed.

A moment is the call of a function, `module:name`, or with `!` behind it its return: the process is killed there, or the
disk takes no more. `kill_everywhere` runs the command once, and copies the site just before each change that it makes
to the file system: what a kill at that moment leaves is what the disk has then.
"""

import importlib
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

__all__ = ("fill_disk_at", "kill_at", "kill_everywhere")

_CHANGES = frozenset({"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.link", "os.symlink"})
_EXCHANGE = ("ctypes.dlsym", "renameat2")  # the only trace of a rename that goes past Python
_LAST_BYTES = 100
_PATIENCE = 240.0  # as `tests.patience`, which is not there for the process that runs this file


def kill_at(function: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `pincite index` until a function is called, and kill it there."""
    return _run("kill", function, "index", *arguments)


def fill_disk_at(function: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `pincite index`; once a function is called, no file can grow beyond a few bytes."""
    return _run("fill", function, "index", *arguments)


def kill_everywhere(site: Path, copies: Path, *options: str) -> list[Path]:
    """Build an index of `site`; return what a kill before each change of its files leaves, and last the whole."""
    done = _run("kill-everywhere", str(copies), str(site), *options)
    assert done.returncode == 0, done.stderr
    return sorted(copies.iterdir(), key=lambda copy: int(copy.name))


def _run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, __file__, *map(str, arguments)]
    # Whoever holds the pipes is waited for, so that a process that outlives the command becomes a time-out.
    return subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE)


# -- in the process that is interfered with ------------------------------------------------------------------------


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fill_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LAST_BYTES, resource.RLIM_INFINITY))


def _act_at(where: str, act: Callable[[], None]) -> None:
    code, event = _code_of(where.removesuffix("!")), "return" if where.endswith("!") else "call"

    def watch(frame: FrameType, happened: str, _: object) -> None:
        if frame.f_code is code and happened == event:
            sys.setprofile(None)
            act()

    sys.setprofile(watch)


def _code_of(function: str) -> CodeType:
    module, _, name = function.partition(":")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    code: CodeType = getattr(found, "__wrapped__", found).__code__
    return code


def _is_change(event: str, values: tuple[Any, ...], below: Path) -> bool:
    if event == "open":
        path, flags = os.fsdecode(values[0]) if isinstance(values[0], str | bytes | Path) else "", values[2]
        return Path(path).is_relative_to(below) and bool(flags & (os.O_WRONLY | os.O_RDWR))
    return event in _CHANGES or (event, values[1:]) == (_EXCHANGE[0], _EXCHANGE[1:])


def _kill_everywhere(copies: Path, site: str, *options: str) -> None:
    numbers, is_copying = count(1), False

    def copy_site() -> None:
        nonlocal is_copying
        is_copying = True
        shutil.copytree(site, copies / str(next(numbers)))
        is_copying = False

    def watch(event: str, values: tuple[Any, ...]) -> None:
        if not is_copying and _is_change(event, values, Path(site)):
            copy_site()

    sys.addaudithook(watch)
    _main("index", site, *options)
    copy_site()


def _main(*arguments: str) -> None:
    from pincite_core.cli import main

    sys.argv = ["pincite", *arguments]
    main()


if __name__ == "__main__":
    action, where, *rest = sys.argv[1:]
    if action == "kill-everywhere":
        _kill_everywhere(Path(where), *rest)
    else:
        _act_at(where, _kill if action == "kill" else _fill_disk)
        _main(*rest)
