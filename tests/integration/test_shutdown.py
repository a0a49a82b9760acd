"""Stopping the sidecar: who is being answered is answered to the end."""

import re
import signal
import subprocess
from pathlib import Path

import httpx
import pytest
from tests.integration.serving import build_tiny_index, serve_command
from tests.patience import PATIENCE


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_stream_under_way_is_finished_before_the_process_ends(tmp_path: Path, stop: signal.Signals):
    command = serve_command(build_tiny_index(tmp_path), "--port", "0")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        base = re.search(r"http://\S+", process.stdout.readline())
        assert base
        with (
            httpx.Client(base_url=base[0], timeout=PATIENCE) as client,
            client.stream("GET", "/api/stream-check") as reply,
        ):
            lines = reply.iter_lines()
            seen = [next(line for line in lines if line.startswith("data:"))]
            process.send_signal(stop)
            seen += [line for line in lines if line.startswith("data:")]
        process.wait(timeout=PATIENCE)
    assert seen == [f"data: {number}" for number in range(5)]
    assert process.returncode == 0
