"""A graph with its weights in int8, and without notes of how it was made."""

import tempfile
from pathlib import Path
from typing import Any

from pincite_core.embedders.onnx_encoder import import_onnxruntime

__all__ = ("quantised", "without_traces")


def quantised(proto: Any) -> bytes:
    """Return the graph with int8 weights, one scale a channel: one a tensor would drop the cosine to 0.90.

    Of the eight bits seven are used: with all of them sums overflow in processors without VNNI, and an index is built
    on one machine and served on another. Unsigned weights would not overflow either, at half the speed.
    """
    import onnx

    import_onnxruntime()  # before any of its parts
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
        target = Path(folder) / "encoder.onnx"
        quantize_dynamic(proto, target, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
        return without_traces(onnx.load(target)).SerializeToString(deterministic=True)  # type: ignore[no-any-return]


def without_traces(proto: Any) -> Any:
    """Drop the notes of where each node came from: they name files of this machine and take a megabyte."""
    graph = proto.graph
    for part in (proto, graph, *graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        part.ClearField("doc_string")
        part.ClearField("metadata_props")
    return proto
