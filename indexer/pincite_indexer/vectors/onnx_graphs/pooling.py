"""Add pooling and normalisation to a graph that ends with token states."""

from collections.abc import Sequence
from typing import Any

from pincite_core.embedders.onnx_encoder import OUTPUT_NAME, TOKENS_NAME
from pincite_indexer.vectors.onnx_graphs.dense import dense_nodes
from pincite_indexer.vectors.onnx_graphs.model_files import DenseLayer, UnknownModelError

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

    Args:
        backbone: An `onnx.ModelProto` with the output `token_states`.
        pooling: `mean`, `cls` or `lasttoken`.
        dimension: Number of components of a vector.
        dense: Layers between the pooling and the normalisation.

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
    layers, pooled, weights = dense_nodes(dense, pooled)
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
