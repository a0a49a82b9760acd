"""Quantise a graph's weights to int8, and convert its activations between float and int8.

A graph ships with float activations. The last bit of a sum differs between kinds of processors. Rounding whole tensors
to 8 bits turns this difference into errors that grow from layer to layer. With int8 activations the graph is twice as
fast. That matters where one machine embeds thousands of passages.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pincite_core.embedders.onnx_encoder import import_onnxruntime

__all__ = ("faster_form", "quantised", "with_float_activations", "with_int8_activations", "without_traces")

_WEIGHTS_AXES = 2


class _Product(NamedTuple):
    """A matrix product with an int8 weight: its nodes, and the names of its operands and its output."""

    nodes: tuple[Any, ...]
    activations: str
    weight: tuple[str, str, str]  # int8 values, scale, zero point
    output: str


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


def with_float_activations(proto: Any) -> Any:
    """Convert the graph to float activations, in place, and return it.

    Every product that rounds its activations dequantises its weights to float instead. The stored weights do not
    change. At run time, onnxruntime multiplies with the int8 weights or converts them to float.
    """
    from onnx.helper import make_node

    axes = {tensor.name: len(tensor.dims) for tensor in proto.graph.initializer}
    found = {id(product.nodes[-1]): product for product in _rounding(proto.graph)}
    dropped = {id(node) for product in found.values() for node in product.nodes}
    nodes: list[Any] = []
    for node in proto.graph.node:
        if product := found.get(id(node)):
            floats = f"{product.weight[0]}_floats"
            axis = axes[product.weight[0]] - 1  # axis of the channels; a single scale has no axis and needs none
            nodes.append(make_node("DequantizeLinear", product.weight, [floats], axis=axis))
            nodes.append(make_node("MatMul", [product.activations, floats], [product.output]))
        elif id(node) not in dropped:
            nodes.append(node)
    return _replaced(proto, nodes)


def with_int8_activations(proto: Any) -> Any:
    """Convert the graph to int8 activations, in place, and return it; the inverse of `with_float_activations`."""
    from onnx.helper import make_node

    found = {id(product.nodes[-1]): product for product in _plain(proto.graph)}
    dropped = {id(product.nodes[0]) for product in found.values()}
    rounded: set[str] = set()
    nodes: list[Any] = []
    for node in proto.graph.node:
        if product := found.get(id(node)):
            given, output, (weight, scale, zero) = product.activations, product.output, product.weight
            names = [f"{given}_{part}" for part in ("rounded", "rounding", "rounded_zero")]
            if given not in rounded:
                nodes.append(make_node("DynamicQuantizeLinear", [given], names))
                rounded.add(given)
            scales, whole, floats = (f"{output}_{part}" for part in ("scales", "whole", "unscaled"))
            nodes.append(make_node("Mul", [names[1], scale], [scales]))
            nodes.append(make_node("MatMulInteger", [names[0], weight, names[2], zero], [whole]))
            nodes.append(make_node("Cast", [whole], [floats], to=1))
            nodes.append(make_node("Mul", [floats, scales], [output]))
        elif id(node) not in dropped:
            nodes.append(node)
    return _replaced(proto, nodes)


def _rounding(graph: Any) -> Iterator[_Product]:
    """Yield the products whose activations are rounded, in the form that onnxruntime's quantiser writes."""
    makers = {output: node for node in graph.node for output in node.output}
    weights = {tensor.name for tensor in graph.initializer if len(tensor.dims) >= _WEIGHTS_AXES}
    for product in (node for node in graph.node if node.op_type == "MatMulInteger" and node.input[1] in weights):
        rounding = makers.get(product.input[0])
        cast = _only_user(graph, product.output[0])
        if rounding is None or cast is None or rounding.op_type != "DynamicQuantizeLinear":
            continue
        scaled = _only_user(graph, cast.output[0])
        if scaled is None:
            continue
        scales = makers.get(next((name for name in scaled.input if name != cast.output[0]), ""))
        if scales is None or rounding.output[1] not in scales.input:
            continue
        scale = next(name for name in scales.input if name != rounding.output[1])
        weight = (product.input[1], scale, product.input[3])
        yield _Product((rounding, product, cast, scales, scaled), rounding.input[0], weight, scaled.output[0])


def _plain(graph: Any) -> Iterator[_Product]:
    """Yield the products whose weight is stored as int8 and dequantised to float."""
    makers = {output: node for node in graph.node for output in node.output}
    weights = {tensor.name for tensor in graph.initializer if len(tensor.dims) >= _WEIGHTS_AXES}
    used = Counter(name for node in graph.node for name in node.input)
    for product in (node for node in graph.node if node.op_type == "MatMul"):
        floats = makers.get(product.input[1])
        if floats is None or floats.op_type != "DequantizeLinear" or used[floats.output[0]] > 1:
            continue
        if floats.input[0] in weights and len(floats.input) > _WEIGHTS_AXES:  # zero point included, as written above
            number, scale, zero = floats.input
            yield _Product((floats, product), product.input[0], (number, scale, zero), product.output[0])


def _only_user(graph: Any, name: str) -> Any | None:
    users = [node for node in graph.node if name in node.input]
    return users[0] if len(users) == 1 else None


def _replaced(proto: Any, nodes: list[Any]) -> Any:
    copies = [type(node).FromString(node.SerializeToString()) for node in nodes]  # clearing the list frees its nodes
    del proto.graph.node[:]
    proto.graph.node.extend(copies)
    return proto
