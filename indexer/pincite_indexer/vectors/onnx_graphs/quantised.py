"""A graph with its weights in int8, and without notes of how it was made; the same graph in a faster form."""

import tempfile
from pathlib import Path
from typing import Any

from pincite_core.embedders.onnx_encoder import import_onnxruntime
from pincite_indexer.vectors.onnx_graphs.activations import with_float_activations, with_int8_activations

__all__ = ("faster_form", "quantised", "without_traces")


def quantised(proto: Any) -> bytes:
    """Return the graph with int8 weights, one scale a channel: one a tensor would drop the cosine to 0.90.

    Activations stay floats, so that a sidecar and a browser give a question the same vector.

    Of the eight bits seven are used, for the form that rounds activations too: with all of them sums overflow in
    processors without VNNI, and an index is built on one machine and served on another. Unsigned weights would not
    overflow either, at half the speed.
    """
    import onnx

    import_onnxruntime()  # before any of its parts
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
        target = Path(folder) / "encoder.onnx"
        quantize_dynamic(proto, target, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
        made = with_float_activations(onnx.load(target))
    return without_traces(made).SerializeToString(deterministic=True)  # type: ignore[no-any-return]


def faster_form(encoder: bytes) -> bytes:
    """Return an encoder that rounds its activations to int8 as well: for passages, by the thousand on one machine.

    Its vectors are those that indexes have; another way of making it is another encoder (`RECIPE`).
    """
    import onnx

    return with_int8_activations(onnx.load_from_string(encoder)).SerializeToString(deterministic=True)  # type: ignore[no-any-return]


def without_traces(proto: Any) -> Any:
    """Drop the notes of where each node came from: they name files of this machine and take a megabyte."""
    graph = proto.graph
    for part in (proto, graph, *graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        part.ClearField("doc_string")
        part.ClearField("metadata_props")
    return proto
