"""A real Redis or Valkey in a folder of its own, which tests may kill and start again."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.integration.proxies import free_port
from tests.patience import PATIENCE

__all__ = ("StateServer", "state_server")

_NAMES = ("valkey-server", "redis-server")


class StateServer:
    """A server, and what is asked of it past Pincite."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program = program
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()

    @property
    def url(self) -> str:
        """What `PINCITE_STATE` is to say."""
        return f"valkey://127.0.0.1:{self.port}/0"

    def start(self, *options: str) -> None:
        """Start it, empty."""
        own = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._folder)]
        nothing_kept = ["--save", "", "--appendonly", "no", "--loglevel", "warning"]
        command = [self._program, *own, *nothing_kept, *options]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        given_up = time.monotonic() + PATIENCE
        while b"+PONG" not in self._said(b"PING\r\n") and b"NOAUTH" not in self._said(b"PING\r\n"):
            assert time.monotonic() < given_up, "the server did not start"
            time.sleep(0.02)

    def kill(self) -> None:
        """Kill it: all connections are lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def run(self, *words: str) -> str:
        """Run a command; return what is said, as it is sent."""
        line = " ".join(f'"{word}"' for word in words)
        return self._said(f"{line}\r\n".encode()).decode(errors="replace")

    def _said(self, line: bytes) -> bytes:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
                connection.sendall(line)
                return connection.recv(65536)
        except OSError:
            return b""


@contextmanager
def state_server() -> Iterator[StateServer]:
    """Run a server; a test is skipped without one."""
    path = f"{os.environ['PATH']}:/usr/sbin"
    found = next((program for name in _NAMES if (program := shutil.which(name, path=path))), None)
    if found is None or find_spec("valkey") is None:
        missing = "valkey-server or redis-server" if found is None else "the extra `state`"
        if os.environ.get("PINCITE_REQUIRE_STATE"):
            pytest.fail(f"{missing} is not installed")
        pytest.skip(f"{missing} is not installed")
    folder = Path(tempfile.mkdtemp(prefix="pincite-state-"))
    server = StateServer(found, folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)
