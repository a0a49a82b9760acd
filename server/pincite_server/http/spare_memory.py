"""Memory that questions took for a moment goes back to the machine: it would stay with the process for good."""

import asyncio
import ctypes
import sys

__all__ = ("give_back_memory",)

_PAUSE = 30.0  # seconds; it takes some milliseconds beside the event loop


async def give_back_memory() -> None:
    """Give back what is free now and again, for ever; at once done where the C library cannot (musl, macOS, Windows).

    glibc keeps what lies below anything that is still used; `malloc_trim(3)` returns whole pages of it.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    while trim is not None:
        await asyncio.sleep(_PAUSE)
        await asyncio.to_thread(trim, 0)
