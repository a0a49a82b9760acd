"""Returns freed heap memory to the operating system, which the C library would otherwise keep."""

import asyncio
import ctypes
import sys

__all__ = ("give_back_memory",)

_PAUSE = 30.0  # seconds; a call takes some milliseconds on a thread


async def give_back_memory() -> None:
    """Return freed memory to the system every 30 seconds; return at once without glibc (musl, macOS, Windows).

    glibc keeps free memory that lies below memory in use. `malloc_trim(3)` releases the whole pages of such memory.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    while trim is not None:
        await asyncio.sleep(_PAUSE)
        await asyncio.to_thread(trim, 0)
