"""Test an untrusted encoder in a sandboxed child process before this process loads it.

The child has limits on memory and processor time. After it has loaded its libraries, it cannot open files, so a model
cannot read weights from other files. On Linux the child ends with this process, and on Windows only a limit on wall
time applies. An encoder that passes is recorded by its digest in the cache folder and is not tested again.
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
_FOLDER = "usable-encoders"
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_NO_PACKAGE = 20
_WHY = {
    10: "it cannot be loaded",
    11: "it fails on plain text",
    12: "its vectors have another shape than the index's",
    13: "its vectors are not unit vectors",
    14: "it needs more memory than an encoder of its size",
}
_TOO_LONG = frozenset({-signal.SIGKILL, -getattr(signal, "SIGXCPU", signal.SIGTERM)})
_LONG = 512  # tokens; questions and passages are shorter, and memory grows with the square of the length
_TEXTS = ("How do I get started?", "", "日本語 ß 🎉 `--flag`", "word " * _LONG)
_NEAR = 0.01  # tolerance for the vector length, which must be 1
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of an encoder test: memory in bytes, processor time and wall time in seconds."""

    memory: int
    cpu: int
    wall: float

    @classmethod
    def for_size(cls, size: int) -> Self:
        """Return the limits for an encoder of `size` bytes. all-MiniLM-L6-v2 (23 MB) needs 190 MB and 0.4 s."""
        cpu = 8 + size // (8 << 20)
        return cls((384 << 20) + 4 * size, cpu, 6.0 * cpu)


class _Task(msgspec.Struct, frozen=True):
    """The header of the child's standard input. The ONNX file and the tokenizer file follow."""

    onnx: int
    dimension: int
    max_tokens: int
    memory: int
    cpu: int
    parent: int


def require_usable(onnx: bytes, tokenizer: bytes, info: ModelInfo, limits: Limits | None = None) -> None:
    """Check that an encoder can be loaded and returns unit vectors within limits of time and memory.

    Memory is limited on Linux only. The check covers only the test texts.

    Raises:
        ModelMismatchError: The encoder fails the check. The message says why.
    """
    known = cache_folder() / _FOLDER / _key(onnx, tokenizer, info)
    if known.exists():
        return
    limits = limits or Limits.for_size(len(onnx) + len(tokenizer))
    if why := _failure(onnx, tokenizer, info, limits):
        message = f"The encoder of this index cannot be used: {why}. Build the index again."
        raise ModelMismatchError(message)
    with contextlib.suppress(OSError):  # if the cache is not writable, the encoder is tested again next time
        known.parent.mkdir(parents=True, exist_ok=True)
        known.touch()


def _key(onnx: bytes, tokenizer: bytes, info: ModelInfo) -> str:
    """Return a cache key that depends on the files, the dimension, the token limit and the library versions."""
    found = {name: next(iter(metadata.distributions(name=name)), None) for name in ("onnxruntime", "tokenizers")}
    runs = {name: package.version for name, package in found.items() if package}
    files = (info.encoder or hashlib.sha256(onnx).hexdigest(), hashlib.sha256(tokenizer).hexdigest())
    return hashlib.sha256(f"{files} {info.dimension} {info.max_tokens} {runs}".encode()).hexdigest()


def _failure(onnx: bytes, tokenizer: bytes, info: ModelInfo, limits: Limits) -> str:
    """Run the test in a child process. Return why the encoder cannot be used, or "" if it passes."""
    task = _Task(len(onnx), info.dimension, info.max_tokens, limits.memory, limits.cpu, os.getpid())
    variables = {name: value for name, value in os.environ.items() if name in _ENVIRONMENT}
    variables |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}
    try:
        ended = subprocess.run(
            [sys.executable, "-P", "-c", _CHILD],
            input=msgspec.json.encode(task) + b"\n" + onnx + tokenizer,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=variables,
            timeout=limits.wall,
        )
    except subprocess.TimeoutExpired:
        return f"it takes longer than {limits.wall:.0f} seconds"
    if ended.returncode in {0, _NO_PACKAGE}:  # the later load reports the missing package
        return ""
    if ended.returncode in _TOO_LONG:
        return f"it takes more than {limits.cpu} seconds of processor time"
    return _WHY.get(ended.returncode, "it ended the process that tested it")


def run_child() -> None:
    """Test the encoder from standard input, and end the process with the result as its exit code."""
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=_Task)
    onnx, tokenizer = sys.stdin.buffer.read(task.onnx), sys.stdin.buffer.read()
    try:
        import_onnxruntime()
        import tokenizers  # noqa: F401 - imported before files can no longer be opened
    except ImportError:
        os._exit(_NO_PACKAGE)
    _limit_resources(task)
    try:
        os._exit(_examined(onnx, tokenizer, ModelInfo("", "", task.dimension, task.max_tokens)))
    except MemoryError:
        os._exit(14)
    except BaseException as error:  # a Rust panic in the tokenizer is not an Exception
        os._exit(14 if "alloc" in str(error) else 11)


def _examined(onnx: bytes, tokenizer: bytes, info: ModelInfo) -> int:
    """Return 0 if the encoder is usable, else an exit code that is a key of `_WHY`."""
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


def _limit_resources(task: _Task) -> None:
    """Set the resource limits of this process. On Linux, also end it when its parent ends."""
    try:
        import resource
    except ImportError:  # on Windows, only the wall-time limit applies
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
        with contextlib.suppress(ValueError, OSError):  # the system's limit is already lower
            resource.setrlimit(kind, (most, most))
