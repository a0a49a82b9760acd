"""Read untrusted files of an index folder: only regular files inside the folder and below a size limit."""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

__all__ = ("blocks_of", "digest_of", "read_file")

_BLOCK_BYTES = 1 << 20
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # without this flag, opening a pipe blocks until a writer opens it
_AS_IT_IS = getattr(os, "O_BINARY", 0)


def read_file(file: Path, most: int) -> bytes:
    """Return the content of a file, with the limits and errors of `blocks_of`."""
    return b"".join(blocks_of(file, most))


def blocks_of(file: Path, most: int, *, anywhere: bool = False) -> Iterator[bytes]:
    """Yield the content of a file, block by block, up to `most` bytes.

    With `anywhere`, the file may be a link to another folder. Use it only for a file that the user named.

    Raises:
        OSError: The file cannot be read, is a device or a pipe, is a link out of its folder, or is too large.
    """
    if not anywhere and not file.resolve().is_relative_to(file.parent.resolve()):
        raise OSError(errno.EINVAL, "it is a link out of its folder")
    descriptor = os.open(file, os.O_RDONLY | _AT_ONCE | _AS_IT_IS)
    state = os.fstat(descriptor)
    if not stat.S_ISREG(state.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a regular file")
    with os.fdopen(descriptor, "rb") as stream:
        if state.st_size > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
        left = most
        while block := stream.read(min(_BLOCK_BYTES, left)):
            left -= len(block)
            yield block


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file in hex."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
