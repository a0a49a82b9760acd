"""Quantise a graph's weights to int8, remove export metadata, and derive the faster form with int8 activations."""

import tempfile
from pathlib import Path
from typing import Any

from pincite_core.embedders.onnx_encoder import import_onnxruntime
from pincite_indexer.vectors.onnx_graphs.activations import with_float_activations, with_int8_activations

__all__ = ("faster_form", "quantised", "without_traces")


def quantised(proto: Any) -> bytes:
    """Return the graph with int8 weights and one scale per channel; one per tensor would give a cosine of 0.90.

    Activations stay float, so that a sidecar and a browser compute the same vector for a question.

    Only seven of the eight bits are used, because sums of eight bits overflow on processors without VNNI. This matters
    for the form with int8 activations. An index may be built on one machine and served on another. Unsigned weights
    would not overflow either, but run at half the speed.
    """
    import onnx

    import_onnxruntime()  # the package must be imported before its submodules
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
        target = Path(folder) / "encoder.onnx"
        quantize_dynamic(proto, target, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
        made = with_float_activations(onnx.load(target))
    return without_traces(made).SerializeToString(deterministic=True)  # type: ignore[no-any-return]


def faster_form(encoder: bytes) -> bytes:
    """Return an encoder with int8 activations as well, to embed thousands of passages on one machine.

    Indexes store its vectors. A change here therefore makes another encoder, and `RECIPE` must be increased.
    """
    import onnx

    return with_int8_activations(onnx.load_from_string(encoder)).SerializeToString(deterministic=True)  # type: ignore[no-any-return]


def without_traces(proto: Any) -> Any:
    """Remove the export metadata of each node, which names local files and takes a megabyte."""
    graph = proto.graph
    for part in (proto, graph, *graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        part.ClearField("doc_string")
        part.ClearField("metadata_props")
    return proto
