"""Two folders change places in one step, which POSIX has no call for and Linux has."""

import ctypes
import os
import sys
from pathlib import Path

__all__ = ("exchange",)

_AT_WORKING_DIRECTORY = -100  # AT_FDCWD
_EXCHANGE = 2  # RENAME_EXCHANGE


def exchange(one: Path, two: Path) -> bool:
    """Give each of two existing folders the other's name, in one step; False when that cannot be done here.

    It takes Linux with glibc and a file system that knows the call, as all of Linux's own do.
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
