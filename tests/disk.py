"""A disk that takes nothing more: no file can grow beyond a few bytes while it lasts."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ("full_disk",)

_LAST_BYTES = 100


@contextmanager
def full_disk() -> Iterator[None]:
    """Let every write of this process beyond a file's first bytes fail."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LAST_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
