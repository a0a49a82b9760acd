"""An encoder that came with an index is tried out in a process of its own before it is loaded."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from tests.patience import PATIENCE
from tests.small_encoders import BAD, DIMENSION, TOKENIZER, endless, external, steady

from pincite_core.embedders import ModelInfo
from pincite_core.embedders.probe import Limits, require_usable
from pincite_core.errors import ModelMismatchError

pytestmark = pytest.mark.slow

INFO = ModelInfo("a-model", "1" * 64, DIMENSION, 256)
LIMITS = Limits(memory=384 << 20, cpu=30, wall=60)  # a busy machine may need long to load the libraries


@pytest.fixture(autouse=True)
def _an_empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))


@pytest.mark.parametrize("name", BAD)
def test_a_hostile_encoder_is_refused_and_the_message_says_why(name: str) -> None:
    onnx, why = BAD[name]
    with pytest.raises(ModelMismatchError, match=rf"^The encoder of this index cannot be used: {why}\. Build"):
        require_usable(onnx, TOKENIZER, INFO, LIMITS)


def test_an_endless_encoder_hits_the_processor_time_limit() -> None:
    with pytest.raises(ModelMismatchError, match="it takes more than 1 seconds of processor time"):
        require_usable(endless(), TOKENIZER, INFO, replace(LIMITS, cpu=1))


def test_an_idle_encoder_hits_the_wall_time_limit() -> None:
    with pytest.raises(ModelMismatchError, match="it takes longer than 0 seconds"):
        require_usable(endless(), TOKENIZER, INFO, replace(LIMITS, wall=0.2))


def test_an_encoder_reads_no_file_of_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_bytes(b"x" * DIMENSION)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelMismatchError, match="it cannot be loaded"):
        require_usable(external("secret"), TOKENIZER, INFO, LIMITS)


@pytest.mark.parametrize("tokenizer", [b"", b"{}", b"[" * 100_000, b'{"model": {"type": "BPE", "vocab": 5}}', b"\xff"])
def test_an_invalid_tokenizer_is_refused(tokenizer: bytes) -> None:
    with pytest.raises(ModelMismatchError, match="cannot be used"):
        require_usable(steady(), tokenizer, INFO, LIMITS)


def test_no_module_of_the_working_folder_takes_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "msgspec.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    require_usable(steady(), TOKENIZER, INFO, LIMITS)


def test_a_usable_encoder_is_tested_again_only_after_a_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    require_usable(steady(), TOKENIZER, INFO, LIMITS)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")  # no child can be started
    require_usable(steady(), TOKENIZER, INFO, LIMITS)
    for onnx, tokenizer, info in (
        (steady([0.0, *[0.0] * (DIMENSION - 2), 1.0]), TOKENIZER, INFO),
        (steady(), TOKENIZER + b"\n", INFO),
        (steady(), TOKENIZER, replace(INFO, dimension=8)),
        (steady(), TOKENIZER, replace(INFO, max_tokens=8)),
    ):
        with pytest.raises(FileNotFoundError):
            require_usable(onnx, tokenizer, info, LIMITS)


def test_a_bad_encoder_is_refused_each_time() -> None:
    for _ in range(2):
        with pytest.raises(ModelMismatchError):
            require_usable(steady([0.0] * DIMENSION), TOKENIZER, INFO, LIMITS)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone ends a child with its parent")
def test_nothing_is_left_behind_when_the_process_is_killed_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "encoder.onnx").write_bytes(endless())
    code = (
        "from pathlib import Path; from tests.unit.core.embedders.test_probe import *; "
        f"require_usable(Path({str(tmp_path / 'encoder.onnx')!r}).read_bytes(), TOKENIZER, INFO, LIMITS)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[4]) as parent:
        child = wait_for(lambda: next(iter(children_of(parent.pid)), 0))
        wait_for(lambda: seconds_of(child) > 0.5)  # its libraries are loaded: it goes round and round
        parent.send_signal(signal.SIGKILL)
    wait_for(lambda: not Path(f"/proc/{child}").exists())


def wait_for(happened):
    """Wait until something is, and return it."""
    until = time.monotonic() + PATIENCE
    while not (found := happened()):
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)
    return found


def children_of(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def seconds_of(process: int) -> float:
    """Return the processor time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
