"""Trying an encoder out in a process of its own, before this one loads it: it came with an index, from anybody.

What the child may take is bounded: memory, processor time, and no file at all once its libraries are loaded, so that a
model cannot have its weights read from elsewhere. The child ends with this process. An encoder that was found to be
usable is not tried again: its digest is kept in the cache folder.
"""

import contextlib
import ctypes
import hashlib
import math
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from typing import Self

import msgspec
import numpy as np

from pincite_core.embedders.base import ModelInfo
from pincite_core.embedders.onnx_encoder import OnnxEmbedder, import_onnxruntime
from pincite_core.errors import ModelMismatchError
from pincite_core.search.late_interaction import TOKEN_DIMENSION
from pincite_core.user_cache import cache_folder

__all__ = ("Limits", "require_usable", "run_child")

_CHILD = "from pincite_core.embedders.probe import run_child; run_child()"
_KEPT_IN = "usable-encoders"
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_NO_PACKAGE = 20
_WHY = {
    10: "it cannot be loaded",
    11: "it fails on plain text",
    12: "its vectors are of another shape than the index's",
    13: "its vectors are no unit vectors",
    14: "it needs more memory than an encoder of its size",
}
_TOO_LONG = frozenset({-signal.SIGKILL, -getattr(signal, "SIGXCPU", signal.SIGTERM)})
_LONG = 512  # tokens: what is asked and quoted is shorter, and memory grows with the square
_TEXTS = ("How do I get started?", "", "日本語 ß 🎉 `--flag`", "word " * _LONG)
_NEAR = 0.01  # of the length 1 that every vector has
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


@dataclass(frozen=True, slots=True)
class Limits:
    """What trying an encoder out may take: bytes of memory, seconds of processor time, seconds in all."""

    memory: int
    cpu: int
    wall: float

    @classmethod
    def for_size(cls, size: int) -> Self:
        """Return the limits for an encoder of so many bytes: all-MiniLM-L6-v2's 23 MB take 190 MB and 0.4 s."""
        cpu = 8 + size // (8 << 20)
        return cls((384 << 20) + 4 * size, cpu, 6.0 * cpu)


class _Task(msgspec.Struct, frozen=True):
    """What the child is told in front of the two files."""

    onnx: int
    dimension: int
    max_tokens: int
    memory: int
    cpu: int
    parent: int


def require_usable(onnx: bytes, tokenizer: bytes, info: ModelInfo, limits: Limits | None = None) -> None:
    """Make sure that an encoder can be loaded and gives unit vectors, in a bounded time and memory.

    Memory is bounded on Linux alone. What an encoder does on other texts than those it is tried with is not known.

    Raises:
        ModelMismatchError: It does not; the message says why.
    """
    known = cache_folder() / _KEPT_IN / _key(onnx, tokenizer, info)
    if known.exists():
        return
    limits = limits or Limits.for_size(len(onnx) + len(tokenizer))
    if why := _tried(onnx, tokenizer, info, limits):
        message = f"The encoder of this index cannot be used: {why}. Build the index anew, or have it built by others."
        raise ModelMismatchError(message)
    with contextlib.suppress(OSError):  # a cache that cannot be written: it is tried again
        known.parent.mkdir(parents=True, exist_ok=True)
        known.touch()


def _key(onnx: bytes, tokenizer: bytes, info: ModelInfo) -> str:
    """Return a name that is another one for other files, another use of them and another runtime."""
    found = {name: next(iter(metadata.distributions(name=name)), None) for name in ("onnxruntime", "tokenizers")}
    runs = {name: package.version for name, package in found.items() if package}
    files = (info.encoder or hashlib.sha256(onnx).hexdigest(), hashlib.sha256(tokenizer).hexdigest())
    return hashlib.sha256(f"{files} {info.dimension} {info.max_tokens} {runs}".encode()).hexdigest()


def _tried(onnx: bytes, tokenizer: bytes, info: ModelInfo, limits: Limits) -> str:
    """Return why an encoder cannot be used, "" when it can."""
    task = _Task(len(onnx), info.dimension, info.max_tokens, limits.memory, limits.cpu, os.getpid())
    kept = {name: value for name, value in os.environ.items() if name in _PASSED_ON}
    kept |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}
    try:
        ended = subprocess.run(
            [sys.executable, "-P", "-c", _CHILD],
            input=msgspec.json.encode(task) + b"\n" + onnx + tokenizer,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=kept,
            timeout=limits.wall,
        )
    except subprocess.TimeoutExpired:
        return f"it takes longer than {limits.wall:.0f} seconds"
    if ended.returncode in {0, _NO_PACKAGE}:  # who loads it says which package is missing
        return ""
    if ended.returncode in _TOO_LONG:
        return f"it takes more than {limits.cpu} seconds of processor time"
    return _WHY.get(ended.returncode, "trying it out ended its process")


def run_child() -> None:
    """Try out the encoder that standard input brings, and end with what was found."""
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=_Task)
    onnx, tokenizer = sys.stdin.buffer.read(task.onnx), sys.stdin.buffer.read()
    try:
        import_onnxruntime()
        import tokenizers  # noqa: F401 - before no file can be opened any more
    except ImportError:
        os._exit(_NO_PACKAGE)
    _give_up_rights(task)
    try:
        os._exit(_examined(onnx, tokenizer, ModelInfo("", "", task.dimension, task.max_tokens)))
    except MemoryError:
        os._exit(14)
    except BaseException as error:  # a panic of the tokenizer is no Exception
        os._exit(14 if "alloc" in str(error) else 11)


def _examined(onnx: bytes, tokenizer: bytes, info: ModelInfo) -> int:
    """Return 0 for an encoder that can be used, else the number of what is wrong with it."""
    try:
        encoder = OnnxEmbedder(onnx, tokenizer, info)
    except Exception as error:
        return 14 if "alloc" in str(error) else 10
    for text in _TEXTS:
        vector, tokens = encoder.encode_with_tokens([text])[0]
        if vector.dtype != np.float32 or vector.shape != (info.dimension,):
            return 12
        if not math.isclose(float(np.linalg.norm(vector)), 1, abs_tol=_NEAR):
            return 13
        if tokens is not None and (tokens.shape[1:] != (TOKEN_DIMENSION,) or not np.isfinite(tokens).all()):
            return 12
    return 0


def _give_up_rights(task: _Task) -> None:
    """Limit this process, and let it end when the one that started it does."""
    try:
        import resource
    except ImportError:  # Windows: there is the time limit alone
        return
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != task.parent:
            os._exit(1)
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, task.cpu),
        (resource.RLIMIT_DATA, task.memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):  # the system allows even less
            resource.setrlimit(kind, (most, most))
