"""A short run of the fuzzer over the HTTP interface and damaged indexes; `python -m bench.fuzz` runs as long as told.

The examples are the same ones in every run, so that a failure is found again.
"""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench.fuzz.__main__ import fuzz_http, fuzz_indexes, look_for
from bench.fuzz.damage import Damage
from bench.fuzz.opened import index_opener
from bench.fuzz.requests import HttpRequest
from bench.fuzz.watched import watch
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")

SEED = 13


@pytest.mark.parametrize(("fuzzed", "count"), [(fuzz_http, 200), (fuzz_indexes, 50)])
def test_nothing_that_is_sent_or_opened_makes_it_fail_hang_or_grow(
    tmp_path: Path, fuzzed: Callable[[Path, float], AbstractContextManager[Any]], count: int
) -> None:
    with fuzzed(tmp_path, PATIENCE) as (examples, judge):
        assert look_for(examples, judge, count, SEED) is None


def test_the_fuzzer_sees_what_a_sidecar_does_wrong(tmp_path: Path) -> None:
    asked = HttpRequest(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", whole=True)
    with watch(tmp_path, PATIENCE) as sidecar:
        assert sidecar.wrong_with(asked) is None
        with (tmp_path / "log.txt").open("a") as log:
            log.write("Traceback (most recent call last):\nValueError: no\n")
        assert sidecar.wrong_with(asked) == "a traceback in the log: ValueError: no (GET /health)"
        sidecar.start_megabytes -= 1000
        assert sidecar.wrong_with(asked) == "300 MB more than at the start"
        sidecar.seconds = 0.0
        assert sidecar.wrong_with(asked) == "over 0 seconds: GET /health"


def test_the_fuzzer_sees_what_a_command_does_wrong(tmp_path: Path) -> None:
    with index_opener(tmp_path, PATIENCE) as opener:
        assert opener.wrong_with("ask", [Damage("bytes", ("index.db", 0), b"\0" * 600)]) is None
        assert opener.wrong_with("no such way", []) == "`no such way` raises KeyError in elsewhere"
        assert replace(opener, seconds=0.0).wrong_with("ask", []) == "over 0 seconds: ask"
