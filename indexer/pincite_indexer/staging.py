"""Write a folder atomically: fill a staging folder, then swap it with the old folder in one step."""

import ctypes
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

if sys.platform != "win32":
    import fcntl

__all__ = ("exchange", "staged_folder")

_AT_WORKING_DIRECTORY = -100  # AT_FDCWD
_EXCHANGE = 2  # RENAME_EXCHANGE
_SUFFIX = ".tmp"
_ABANDONED_SECONDS = 3600  # longer than any build; used only if folders cannot be locked


@contextmanager
def staged_folder(goal: Path, *, optional: frozenset[str] = frozenset(), last: str = "") -> Iterator[Path]:
    """Yield an empty folder whose files replace those of `goal` when the block ends without an error.

    The two folders swap names in one step. A killed build therefore leaves either the old files or the new files, never
    a mixture. If a swap is impossible, the files are moved one by one. A swap is impossible if `goal` holds other
    files, or is a mount point or the working directory. Some systems also have no such call.

    Args:
        goal: The folder; created if it does not exist.
        optional: Names of files from earlier builds, which are deleted if they are not among the new files.
        last: The file that is moved last, if files are moved one by one.

    Raises:
        OSError: The folder cannot be created or written. `goal` is unchanged, unless files were being moved one by one.
    """
    goal = goal.resolve()
    goal.mkdir(parents=True, exist_ok=True)
    _clear_abandoned(goal)
    place = goal.parent if _is_movable(goal) else goal
    staging = Path(tempfile.mkdtemp(prefix=f".{goal.name}.", suffix=_SUFFIX, dir=place))
    lock = _lock(staging)
    try:
        yield staging
        _put(staging, goal, optional, last)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        _unlock(lock)


def _is_movable(folder: Path) -> bool:
    """Return whether a folder can be swapped: not a mount, not the working directory, and with a writable parent."""
    return not folder.is_mount() and folder != Path.cwd() and os.access(folder.parent, os.W_OK)


def _put(staging: Path, goal: Path, optional: frozenset[str], last: str) -> None:
    new = _files(staging)
    if staging.parent == goal.parent and _files(goal) <= new | optional:
        shutil.copymode(goal, staging)
        if exchange(staging, goal):
            return
    for name in sorted(new, key=lambda name: (name == last, name)):
        (goal / name).parent.mkdir(parents=True, exist_ok=True)
        (staging / name).replace(goal / name)
    for name in optional - new:
        (goal / name).unlink(missing_ok=True)


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()}


def _clear_abandoned(goal: Path) -> None:
    """Remove the staging folders of killed builds."""
    for folder in (goal.parent, goal):
        for leftover in folder.glob(f".{escape(goal.name)}.*{_SUFFIX}"):
            if _is_abandoned(leftover):
                shutil.rmtree(leftover, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    """Return whether the process that created a folder has ended, because its lock ends with the process."""
    try:
        lock = _lock(folder)
        _unlock(lock)
        return lock is not None or time.time() - folder.stat().st_mtime > _ABANDONED_SECONDS
    except OSError:  # locked by another build, or already removed
        return False


def _lock(folder: Path) -> int | None:
    """Lock a folder until `_unlock` or the end of the process; None if folders cannot be locked.

    Raises a `BlockingIOError` if another process holds the lock.
    """
    if sys.platform == "win32":
        return None
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        if isinstance(error, BlockingIOError):
            raise
        return None
    return lock


def _unlock(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)


def exchange(one: Path, two: Path) -> bool:
    """Swap the names of two existing folders in one step; return False if the system cannot do it.

    POSIX has no such call. The call needs Linux with glibc, and a file system that supports RENAME_EXCHANGE. Linux's
    own file systems do.
    """
    if sys.platform != "linux":
        return False
    try:
        rename = ctypes.CDLL(None).renameat2
    except AttributeError:
        return False
    paths = (os.fsencode(one), os.fsencode(two))
    done: int = rename(_AT_WORKING_DIRECTORY, paths[0], _AT_WORKING_DIRECTORY, paths[1], ctypes.c_uint(_EXCHANGE))
    return done == 0
