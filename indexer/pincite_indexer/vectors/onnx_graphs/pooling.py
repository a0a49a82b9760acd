"""Add pooling, dense layers and normalisation to a graph that ends with token states."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pincite_core.embedders.onnx_encoder import OUTPUT_NAME, TOKENS_NAME
from pincite_indexer.vectors.onnx_graphs.model_files import (
    WEIGHTS_NAME,
    DenseLayer,
    UnknownModelError,
    stored_weights,
)

__all__ = ("with_unit_vectors",)

_FIRST_OPSET = 13  # the first opset in which these nodes take their axes as inputs
_NODES = {
    "mean": """
      pooling_seen = Cast <to = 1> (attention_mask)
      pooling_weights = Unsqueeze (pooling_seen, pooling_last)
      pooling_states = Mul (token_states, pooling_weights)
      pooled = ReduceSum <keepdims = 0> (pooling_states, pooling_sequence)
    """,
    "cls": """
      pooling_firsts = Slice (token_states, pooling_zero, pooling_one, pooling_sequence)
      pooled = Squeeze (pooling_firsts, pooling_sequence)
    """,
    "lasttoken": """
      pooling_axis = Squeeze (pooling_one)
      pooling_counted = CumSum (attention_mask, pooling_axis)
      pooling_numbered = Mul (pooling_counted, attention_mask)
      pooling_count = ReduceSum <keepdims = 1> (attention_mask, pooling_sequence)
      pooling_is_last = Equal (pooling_numbered, pooling_count)
      pooling_seen = Cast <to = 1> (pooling_is_last)
      pooling_weights = Unsqueeze (pooling_seen, pooling_last)
      pooling_states = Mul (token_states, pooling_weights)
      pooled = ReduceSum <keepdims = 0> (pooling_states, pooling_sequence)
    """,
}
"""Pooling nodes by mode; a sum replaces the mean if normalisation follows, but not if a dense layer does."""
_TRUE_MEAN = """
  pooling_count = ReduceSum <keepdims = 0> (pooling_weights, pooling_sequence)
  pooled_mean = Div (pooled, pooling_count)
"""
_GRAPH = """
pooling () => ()
<int64[1] pooling_zero = {{0}}, int64[1] pooling_one = {{1}}, int64[1] pooling_sequence = {{1}},
 int64[1] pooling_last = {{-1}}, float pooling_least = {{1e-12}}>
{{
  {nodes}
  pooled_squares = Mul ({pooled}, {pooled})
  pooled_sum = ReduceSum <keepdims = 1> (pooled_squares, pooling_last)
  pooled_length = Sqrt (pooled_sum)
  pooled_divisor = Max (pooled_length, pooling_least)
  {output} = Div ({pooled}, pooled_divisor)
}}
"""


def with_unit_vectors(backbone: Any, pooling: str, dimension: int, dense: Sequence[DenseLayer] = ()) -> Any:
    """Add the pooling to a backbone, in place, and return it; its first output is then the unit vectors.

    The backbone is an `onnx.ModelProto` with the output `token_states`. The dense layers stand between pooling and
    normalisation. `dimension` is the number of components of a vector.

    Raises:
        UnknownModelError: The backbone's opset is older than the pooling's, or a layer cannot be read.
    """
    import onnx.parser
    from onnx import TensorProto
    from onnx.helper import make_tensor_value_info

    opset = next((entry.version for entry in backbone.opset_import if not entry.domain), 0)
    if opset < _FIRST_OPSET:
        raise UnknownModelError(f"its ONNX graph is of opset {opset}, before {_FIRST_OPSET}")
    nodes, pooled = _NODES[pooling], "pooled"
    if dense and pooling == "mean":
        nodes, pooled = nodes + _TRUE_MEAN, "pooled_mean"
    layers, pooled, weights = _dense_nodes(dense, pooled)
    added = onnx.parser.parse_graph(_GRAPH.format(nodes=nodes + layers, pooled=pooled, output=OUTPUT_NAME))
    graph = backbone.graph
    graph.node.extend(added.node)
    graph.initializer.extend([*added.initializer, *weights])
    states = next(output for output in graph.output if output.name == TOKENS_NAME)
    vectors = make_tensor_value_info(OUTPUT_NAME, TensorProto.FLOAT, ["batch", dimension])
    outputs = [vectors, states]
    del graph.output[:]
    graph.output.extend(outputs)
    onnx.checker.check_model(backbone)
    return backbone


def _dense_nodes(layers: Sequence[DenseLayer], given: str) -> tuple[str, str, list[Any]]:
    """Return the text of the layers' nodes, the name of their output, and their weights as `onnx.TensorProto`."""
    from onnx.numpy_helper import from_array

    nodes: list[str] = []
    weights: list[Any] = []
    for number, layer in enumerate(layers):
        stored = stored_weights(layer.folder / WEIGHTS_NAME)
        if "linear.weight" not in stored:
            raise UnknownModelError(f"{layer.folder.name}/{WEIGHTS_NAME} has no linear.weight")
        weight = np.ascontiguousarray(stored["linear.weight"].T)  # stored transposed
        bias = stored.get("linear.bias", np.zeros(weight.shape[1], np.float32))
        weights += [from_array(weight, f"dense_weight_{number}"), from_array(bias, f"dense_bias_{number}")]
        nodes.append(f"dense_product_{number} = MatMul ({given}, dense_weight_{number})")
        nodes.append(f"dense_sum_{number} = Add (dense_product_{number}, dense_bias_{number})")
        nodes.append(f"dense_{number} = {layer.activation} (dense_sum_{number})")
        given = f"dense_{number}"
    return "\n  ".join(nodes), given, weights
