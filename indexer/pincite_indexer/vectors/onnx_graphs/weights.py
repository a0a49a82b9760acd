"""Read the weights of a safetensors file as float32."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite_indexer.vectors.onnx_graphs.model_files import UnknownModelError

__all__ = ("Weights", "stored_weights")

Weights = dict[str, npt.NDArray[np.float32]]
_KINDS = {"F16": np.float16, "F32": np.float32, "F64": np.float64}
_UPPER_HALF = "BF16"  # the upper half of a float32; numpy has no such type


def stored_weights(file: Path) -> Weights:
    """Return the file's weights by name, without integer tensors.

    Raises:
        UnknownModelError: The file cannot be read.
    """
    from safetensors import SafetensorError, deserialize

    try:
        stored: list[tuple[str, dict[str, Any]]] = deserialize(file.read_bytes())  # type: ignore[no-untyped-call]
    except (OSError, SafetensorError) as error:
        raise UnknownModelError(f"{file.name} cannot be read") from error
    kinds = {*_KINDS, _UPPER_HALF}
    return {
        name: _as_float(part["dtype"], part["data"]).reshape(part["shape"])
        for name, part in stored
        if part["dtype"] in kinds
    }


def _as_float(kind: str, data: bytes) -> npt.NDArray[np.float32]:
    if kind == _UPPER_HALF:
        return (np.frombuffer(data, dtype="<u2").astype(np.uint32) << 16).view(np.float32)
    return np.frombuffer(data, dtype=_KINDS[kind]).astype(np.float32, copy=False)
