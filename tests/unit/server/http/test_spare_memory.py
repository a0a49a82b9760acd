import asyncio
import ctypes
import re
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from pincite_server.http.spare_memory import give_back_memory

BLOCK = 64_000  # bytes, which glibc takes from its heap
BLOCKS = 2000
HAS_TRIM = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim")


def own_megabytes() -> float:
    return int(re.findall(r"RssAnon:\s+(\d+)", Path("/proc/self/status").read_text())[0]) / 1024


@pytest.mark.skipif(not HAS_TRIM, reason="the C library cannot give memory back")
def test_what_was_needed_for_a_moment_goes_back_though_something_above_it_is_still_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pincite_server.http.spare_memory._PAUSE", 0.01)

    async def scenario() -> None:
        taken = [bytearray(b"x" * BLOCK) for _ in range(BLOCKS)]
        last = taken.pop()
        taken.clear()
        before = own_megabytes()
        giving = asyncio.create_task(give_back_memory())
        async with asyncio.timeout(PATIENCE):
            while before - own_megabytes() < BLOCK * BLOCKS / 2**20 / 2:
                await asyncio.sleep(0.01)
        assert len(last) == BLOCK
        giving.cancel()

    asyncio.run(scenario())


def test_where_the_c_library_cannot_nothing_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    asyncio.run(asyncio.wait_for(give_back_memory(), 1))
