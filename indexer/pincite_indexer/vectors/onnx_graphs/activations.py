"""Two ways of running one graph's int8 weights: with activations as they are, and with activations in int8 as well.

A graph ships with its activations as they are: the rounding of whole tensors to 8 bits makes a sum's last bit, which
every kind of processor has another one of, into a difference that grows from layer to layer. With activations in int8
it is twice as fast, which tells where thousands of texts are read on one machine.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ("with_float_activations", "with_int8_activations")

_WEIGHTS_AXES = 2


class _Product(NamedTuple):
    """A product with a weight in int8: the nodes that make it, its operands' names, and that of what comes out."""

    nodes: tuple[Any, ...]
    activations: str
    weight: tuple[str, str, str]  # numbers, scale, zero point
    output: str


def with_float_activations(proto: Any) -> Any:
    """Let every product that rounds its activations take its weights back to float instead; in place, returned.

    Weights are stored as before. The runtime multiplies with them as they are, or makes floats of them.
    """
    from onnx.helper import make_node

    axes = {tensor.name: len(tensor.dims) for tensor in proto.graph.initializer}
    found = {id(product.nodes[-1]): product for product in _rounding(proto.graph)}
    dropped = {id(node) for product in found.values() for node in product.nodes}
    nodes: list[Any] = []
    for node in proto.graph.node:
        if product := found.get(id(node)):
            floats = f"{product.weight[0]}_floats"
            axis = axes[product.weight[0]] - 1  # of the channels; scales of one number have none, and need none
            nodes.append(make_node("DequantizeLinear", product.weight, [floats], axis=axis))
            nodes.append(make_node("MatMul", [product.activations, floats], [product.output]))
        elif id(node) not in dropped:
            nodes.append(node)
    return _replaced(proto, nodes)


def with_int8_activations(proto: Any) -> Any:
    """Undo `with_float_activations`, in place, and return the graph; one that has nothing of it stays as it is."""
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
    """Yield the products whose activations are rounded, as onnxruntime's quantiser writes them."""
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
    """Yield the products with a weight that is stored in int8 and read as floats."""
    makers = {output: node for node in graph.node for output in node.output}
    weights = {tensor.name for tensor in graph.initializer if len(tensor.dims) >= _WEIGHTS_AXES}
    used = Counter(name for node in graph.node for name in node.input)
    for product in (node for node in graph.node if node.op_type == "MatMul"):
        floats = makers.get(product.input[1])
        if floats is None or floats.op_type != "DequantizeLinear" or used[floats.output[0]] > 1:
            continue
        if floats.input[0] in weights and len(floats.input) > _WEIGHTS_AXES:  # with a zero point, as written above
            number, scale, zero = floats.input
            yield _Product((floats, product), product.input[0], (number, scale, zero), product.output[0])


def _only_user(graph: Any, name: str) -> Any | None:
    users = [node for node in graph.node if name in node.input]
    return users[0] if len(users) == 1 else None


def _replaced(proto: Any, nodes: list[Any]) -> Any:
    copies = [type(node).FromString(node.SerializeToString()) for node in nodes]  # a graph's own go with its list
    del proto.graph.node[:]
    proto.graph.node.extend(copies)
    return proto
