"""`pincite` in a process of its own, without its imports, which are most of what a short command costs.

Two processes import Pincite; one command is run by a fork of the one and the next by a fork of the other. The two order
sets differently, so that two builds that should be alike are told apart as two that are started from scratch would be.
A command goes without them where its variables might change what is imported; `pincite_anew` always does.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Self

from tests.patience import PATIENCE

__all__ = ("Command", "pincite_anew", "run_command", "start_command")

_MAIN = "from pincite_core.cli import main; main()"
_FORKING = Path(__file__).with_name("forking.py")
# Variables that change nothing of what is imported: Pincite reads its own when it runs, pytest's say which test it is,
# and the others are set, and read, by libraries that are imported later if at all.
_LATER = ("PINCITE_", "PYTEST_", "HF_", "ORT_", "KMP_", "TOKENIZERS_", "TORCHINDUCTOR_")
_NUMBER = 16  # bytes, enough for a PID or a code
_SEEDS = ("1", "2")  # of hashes, and so of the order of sets


def pincite_anew(*arguments: str | Path) -> list[str]:
    """Return the command line of `pincite` in this Python, started from scratch."""
    return [sys.executable, "-c", _MAIN, *map(str, arguments)]


class Command:
    """A running command, with what is used here of `subprocess.Popen`."""

    def __init__(self, pid: int, telling: socket.socket) -> None:
        self.pid = pid
        self.stdout: IO[str] | None = None
        self.returncode: int | None = None
        self._telling = telling

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.stdout:
            self.stdout.close()
        self.wait()
        self._telling.close()

    def wait(self, timeout: float | None = None) -> int:
        """Return how it ended."""
        if self.returncode is None:
            self._telling.settimeout(timeout)
            self.returncode = int(self._telling.recv(_NUMBER))
        return self.returncode

    def terminate(self) -> None:
        """Ask it to end."""
        self._signal(signal.SIGTERM)

    def end(self, timeout: float) -> int:
        """Return how it ended by itself; one that takes longer is killed, and fails the test."""
        try:
            return self.wait(timeout)
        except TimeoutError:
            self._signal(signal.SIGKILL)
            raise

    def _signal(self, number: int) -> None:
        with suppress(BlockingIOError):
            self.wait(0)
        if self.returncode is None:
            os.kill(self.pid, number)


class _Forking:
    """A process that forks for each command."""

    def __init__(self, seed: str) -> None:
        self._environment = dict(os.environ)
        asking, asked = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line = [sys.executable, "-c", _FORKING.read_text(encoding="utf-8"), str(asked.fileno())]
        seeded = self._environment | {"PYTHONHASHSEED": seed}
        with asked:
            self._process = subprocess.Popen(line, pass_fds=[asked.fileno()], env=seeded)
        self._asking = asking

    def fits(self, environment: Mapping[str, str]) -> bool:
        """Return whether what was imported is what would be under these variables."""
        changed = {name for name, _ in self._environment.items() ^ environment.items()}
        return all(name.startswith(_LATER) for name in changed)

    def start(self, arguments: Sequence[str], environment: Mapping[str, str], files: Sequence[int]) -> Command:
        """Start a command with its three standard files."""
        asked = {"arguments": arguments, "environment": dict(environment), "folder": str(Path.cwd())}
        telling, told = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with told:
            socket.send_fds(self._asking, [json.dumps(asked).encode()], [*files, told.fileno()])
        telling.settimeout(PATIENCE)
        return Command(int(telling.recv(_NUMBER)), telling)

    def end(self) -> None:
        """End with the last command."""
        self._asking.close()
        self._process.wait()


@cache
def _forkings() -> Iterator[_Forking]:
    started = [_Forking(seed) for seed in _SEEDS]
    for forking in started:
        atexit.register(forking.end)
    return cycle(started)


def _forking_for(environment: Mapping[str, str]) -> _Forking | None:
    forking = next(_forkings()) if sys.platform == "linux" else None
    return forking if forking and forking.fits(environment) else None


def start_command(*arguments: str | Path, environment: Mapping[str, str]) -> "Command | subprocess.Popen[str]":
    """Start `pincite`, whose output is read from the `stdout` of what is returned."""
    forking = _forking_for(environment)
    if forking is None:
        return subprocess.Popen(pincite_anew(*arguments), stdout=subprocess.PIPE, env=environment, text=True)
    reading, writing = os.pipe()
    try:
        command = forking.start([*map(str, arguments)], environment, [0, writing, 2])
    finally:
        os.close(writing)
    command.stdout = os.fdopen(reading, encoding="utf-8")
    return command


def run_command(
    *arguments: str | Path, environment: Mapping[str, str] | None = None, given: str = "", timeout: float = PATIENCE
) -> "subprocess.CompletedProcess[str]":
    """Run `pincite` to its end and return what it printed."""
    line, variables = pincite_anew(*arguments), environment or os.environ
    forking = _forking_for(variables)
    if forking is None:
        return subprocess.run(line, env=variables, input=given, capture_output=True, text=True, timeout=timeout)
    with _text() as typed, _text() as out, _text() as err:
        typed.write(given)
        typed.seek(0)
        with forking.start(line[3:], variables, [file.fileno() for file in (typed, out, err)]) as command:
            code = command.end(timeout)
        return subprocess.CompletedProcess(line, code, _whole(out), _whole(err))


def _text() -> IO[str]:
    return TemporaryFile("w+", encoding="utf-8")


def _whole(file: IO[str]) -> str:
    file.seek(0)
    return file.read()
