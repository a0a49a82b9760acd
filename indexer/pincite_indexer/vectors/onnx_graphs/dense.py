"""Build the graph nodes of dense layers after the pooling, which change the vector's dimension."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pincite_indexer.vectors.onnx_graphs.model_files import WEIGHTS_NAME, DenseLayer, UnknownModelError
from pincite_indexer.vectors.onnx_graphs.weights import stored_weights

__all__ = ("dense_nodes",)


def dense_nodes(layers: Sequence[DenseLayer], given: str) -> tuple[str, str, list[Any]]:
    """Return the text of the layers' nodes, the name of their output, and their weights as `onnx.TensorProto`.

    Args:
        layers: The layers, in order.
        given: Name of the first layer's input, shape (texts, components).

    Raises:
        UnknownModelError: The weights cannot be read.
    """
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
