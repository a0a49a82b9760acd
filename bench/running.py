"""Run a real sidecar in a process of its own, and measure its memory, files and processor time."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

__all__ = ("Sidecar", "run_sidecar")

_MAIN = "from pincite_core.cli import main; main()"
_URL = re.compile(r"http://\S+")
_UNLIMITED = {"PINCITE_RATE_LIMIT": "0", "PINCITE_ADDRESS_LIMIT": "0"}  # all readers share this machine's address


@dataclass(frozen=True, slots=True)
class Sidecar:
    """A running sidecar that answers at `url`."""

    url: str
    process: subprocess.Popen[str]

    def megabytes(self, part: str = "VmRSS") -> float:
        """Return its resident memory, or a part: `RssAnon` is private memory, the rest is pages of files."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.findall(rf"{part}:\s+(\d+)", status)[0]) / 1024

    def handles(self, name: str = "") -> int:
        """Return how many files and sockets the sidecar has open, or how many files of a given name."""
        return sum(_leads_to(entry, name) for entry in Path(f"/proc/{self.process.pid}/fd").iterdir())

    def cpu_seconds(self) -> float:
        """Return the processor time that the sidecar has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _leads_to(handle: Path, name: str) -> bool:
    try:
        return name in str(handle.readlink())
    except OSError:  # the handle was closed in the meantime
        return False


@contextmanager
def run_sidecar(*arguments: str | Path, log: Path | None = None, collects_garbage: bool = True) -> Iterator[Sidecar]:
    """Run `pincite serve` on a free port without limits; its output goes to `log`, else to the terminal."""
    main = _MAIN if collects_garbage else f"import gc; gc.disable(); {_MAIN}"
    command = [sys.executable, "-c", main, "serve", *map(str, arguments), "--port", "0"]
    with (
        log.open("wb") if log else nullcontext() as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, env=os.environ | _UNLIMITED, text=True
        ) as process,
    ):
        try:
            assert process.stdout is not None
            announced = _URL.search(process.stdout.readline())
            if announced is None:
                sys.exit("`pincite serve` did not start.")
            yield Sidecar(announced[0].rstrip("/"), process)
        finally:
            process.terminate()
