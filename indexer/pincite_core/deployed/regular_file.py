"""Read untrusted files of an index folder. Only regular files inside the folder and below a size limit are read."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

__all__ = ("blocks_of", "read_file")

_BLOCK_BYTES = 1 << 20
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # without this flag, opening a pipe blocks until a writer opens it
_AS_IT_IS = getattr(os, "O_BINARY", 0)


def read_file(file: Path, most: int) -> bytes:
    """Return the content of a file.

    Args:
        file: A regular file, or a symbolic link to a regular file in the same folder.
        most: The maximum size in bytes.

    Raises:
        OSError: The file cannot be read, is a device or a pipe, is a link out of its folder, or is too large.
    """
    return b"".join(blocks_of(file, most))


def blocks_of(file: Path, most: int, *, anywhere: bool = False) -> Iterator[bytes]:
    """Yield the content of a file, block by block.

    Args:
        file: A regular file, or a symbolic link to a regular file in the same folder.
        most: The maximum size in bytes.
        anywhere: Whether the file may be a link to another folder. Use True only for a file that the user named.

    Raises:
        OSError: The file cannot be read, is a device or a pipe, is a link out of its folder, or is too large.
    """
    if not anywhere and not file.resolve().is_relative_to(file.parent.resolve()):
        raise OSError(errno.EINVAL, "it is a link out of its folder")
    with _opened(file) as stream:
        if os.fstat(stream.fileno()).st_size > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
        left = most
        while block := stream.read(min(_BLOCK_BYTES, left)):
            left -= len(block)
            yield block


def _opened(file: Path) -> BinaryIO:
    descriptor = os.open(file, os.O_RDONLY | _AT_ONCE | _AS_IT_IS)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no plain file")
    return os.fdopen(descriptor, "rb")
