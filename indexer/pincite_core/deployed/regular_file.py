"""Reading the files of an index that somebody else may have made: plain files of their folder, up to a size."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

__all__ = ("blocks_of", "read_file")

_BLOCK_BYTES = 1 << 20
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # opening a pipe waits for whoever writes to it
_AS_IT_IS = getattr(os, "O_BINARY", 0)


def read_file(file: Path, most: int) -> bytes:
    """Return the content of a file.

    Args:
        file: A plain file, or a link to one of the same folder.
        most: How many bytes it may have.

    Raises:
        OSError: It cannot be read, is a device or a pipe, leads out of its folder, or is larger.
    """
    return b"".join(blocks_of(file, most))


def blocks_of(file: Path, most: int, *, anywhere: bool = False) -> Iterator[bytes]:
    """Yield the content of a file, block by block.

    Args:
        file: A plain file, or a link to one of the same folder.
        most: How many bytes it may have.
        anywhere: Whether it may be a link to a file of another folder, since the user named it.

    Raises:
        OSError: It cannot be read, is a device or a pipe, leads out of its folder, or is larger.
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
