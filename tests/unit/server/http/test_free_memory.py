import asyncio
import ctypes
import re
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from pincite_server.http.app import return_free_memory

BLOCK = 64_000  # bytes, which glibc takes from its heap
BLOCKS = 2000
HAS_TRIM = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim")


def own_megabytes() -> float:
    return int(re.findall(r"RssAnon:\s+(\d+)", Path("/proc/self/status").read_text())[0]) / 1024


@pytest.mark.skipif(not HAS_TRIM, reason="the C library has no malloc_trim")
def test_freed_memory_below_memory_in_use_is_returned_to_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pincite_server.http.app._TRIM_SECONDS", 0.01)

    async def scenario() -> None:
        taken = [bytearray(b"x" * BLOCK) for _ in range(BLOCKS)]
        last = taken.pop()
        taken.clear()
        before = own_megabytes()
        trimming = asyncio.create_task(return_free_memory())
        async with asyncio.timeout(PATIENCE):
            while before - own_megabytes() < BLOCK * BLOCKS / 2**20 / 2:
                await asyncio.sleep(0.01)
        assert len(last) == BLOCK
        trimming.cancel()

    asyncio.run(scenario())


def test_without_malloc_trim_the_task_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    asyncio.run(asyncio.wait_for(return_free_memory(), 1))
