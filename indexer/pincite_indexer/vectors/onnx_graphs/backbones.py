"""Build the ONNX graph that computes a model's token states: a BERT from its weights, or a published graph.

A BERT graph (all-MiniLM-L6-v2, most small embedding models, XLM-RoBERTa) is the standard architecture. Its sizes come
from the model's `config.json`, its weights from `model.safetensors`. The nodes are in the order that torch's exporter
writes, so that onnxruntime fuses the same nodes. Vectors then agree to the last bits. Another order changes them by a
cosine of 0.0004.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from pincite_core.embedders.onnx_encoder import INPUT_NAMES, TOKENS_NAME
from pincite_indexer.vectors.onnx_graphs.model_files import (
    PUBLISHED_NAME,
    WEIGHTS_NAME,
    ModelFiles,
    UnknownModelError,
    Weights,
    stored_weights,
)

__all__ = ("backbone_of", "describes_bert")

_TYPES = frozenset({"bert", "roberta", "xlm-roberta"})
_KNOWN = {
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
}
"""Settings that change the graph, with the supported values, which are the defaults."""
_SIZES = ("hidden_size", "num_hidden_layers", "num_attention_heads")
_TYPES_NAME = "token_type_ids"
_STATES_NAMES = ("last_hidden_state", "token_embeddings")  # names of the two common exporters
_OPSET = 20  # the first opset with Gelu
_IR_VERSION = 10  # the version that onnxruntime 1.20 reads
_LOWEST = -1e9  # added to the attention scores of masked tokens, which are 0 after the softmax
_EPSILON = 1e-12  # BERT's default, used if config.json has none

_FROM_ZERO = """
  length = Shape <start = 1> (input_ids)
  end = Squeeze (length)
  places = Range (zero, end, one)
"""
_BEHIND_PADDING = """
  is_padding = Equal (input_ids, padding)
  is_token = Not (is_padding)
  tokens = Cast <to = 7> (is_token)
  summed_tokens = CumSum (tokens, one)
  numbered_tokens = Mul (summed_tokens, tokens)
  places = Add (numbered_tokens, padding)
"""
"""RoBERTa numbers the tokens that are not padding, starting after the padding token's ID."""
_EMBEDDINGS = """
{places}
  words = Gather (word_embeddings, input_ids)
  positions = Gather (position_embeddings, places)
  first_type = Sub (input_ids, input_ids)
  types = Gather (type_embeddings, first_type)
  typed = Add (words, types)
  placed = Add (typed, positions)
  states_0 = LayerNormalization <axis = -1, epsilon = {epsilon}> (placed, embeddings_norm_weight, embeddings_norm_bias)
  seen = Cast <to = 1> (attention_mask)
  seen_by_all = Unsqueeze (seen, head_and_row)
  unseen = Sub (float_one, seen_by_all)
  hidden = Mul (unseen, lowest)
"""
_LAYER = """
  query_{n} = MatMul (states_{n}, query_weight_{n})
  key_{n} = MatMul (states_{n}, key_weight_{n})
  value_{n} = MatMul (states_{n}, value_weight_{n})
  full_query_{n} = Add (query_{n}, query_bias_{n})
  full_key_{n} = Add (key_{n}, key_bias_{n})
  full_value_{n} = Add (value_{n}, value_bias_{n})
  parted_query_{n} = Reshape (full_query_{n}, parted)
  parted_key_{n} = Reshape (full_key_{n}, parted)
  parted_value_{n} = Reshape (full_value_{n}, parted)
  query_rows_{n} = Transpose <perm = [0, 2, 1, 3]> (parted_query_{n})
  key_columns_{n} = Transpose <perm = [0, 2, 3, 1]> (parted_key_{n})
  value_rows_{n} = Transpose <perm = [0, 2, 1, 3]> (parted_value_{n})
  scaled_query_{n} = Mul (query_rows_{n}, scale)
  scaled_key_{n} = Mul (key_columns_{n}, scale)
  all_scores_{n} = MatMul (scaled_query_{n}, scaled_key_{n})
  scores_{n} = Add (all_scores_{n}, hidden)
  shares_{n} = Softmax <axis = -1> (scores_{n})
  context_rows_{n} = MatMul (shares_{n}, value_rows_{n})
  parted_context_{n} = Transpose <perm = [0, 2, 1, 3]> (context_rows_{n})
  context_{n} = Reshape (parted_context_{n}, whole)
  attended_{n} = MatMul (context_{n}, attended_weight_{n})
  full_attended_{n} = Add (attended_{n}, attended_bias_{n})
  middle_sum_{n} = Add (full_attended_{n}, states_{n})
  middle_{n} = LayerNormalization <axis = -1, epsilon = {epsilon}> (
    middle_sum_{n}, middle_norm_weight_{n}, middle_norm_bias_{n})
  wide_{n} = MatMul (middle_{n}, wide_weight_{n})
  full_wide_{n} = Add (wide_{n}, wide_bias_{n})
  active_{n} = Gelu (full_wide_{n})
  narrow_{n} = MatMul (active_{n}, narrow_weight_{n})
  full_narrow_{n} = Add (narrow_{n}, narrow_bias_{n})
  sum_{n} = Add (full_narrow_{n}, middle_{n})
  states_{following} = LayerNormalization <axis = -1, epsilon = {epsilon}> (sum_{n}, norm_weight_{n}, norm_bias_{n})
"""
_MODEL = """
<ir_version: {ir_version}, opset_import: ["" : {opset}]>
encoder (int64[batch, sequence] {inputs[0]}, int64[batch, sequence] {inputs[1]})
  => (float[batch, sequence, {hidden}] {tokens}) {{
{nodes}
  {tokens} = Identity (states_{layers})
}}
"""
_PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "middle_norm": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm": "output.LayerNorm",
}
"""Parts of a layer: name in the graph, and name in the weights; each part has a weight and a bias."""


def describes_bert(model: ModelFiles) -> bool:
    """Return whether the model's settings describe a standard BERT or RoBERTa."""
    config = model.config
    known = all(config.get(name, value) == value for name, value in _KNOWN.items())
    sized = all(isinstance(config.get(name), int) for name in _SIZES)
    return config.get("model_type") in _TYPES and known and sized


def backbone_of(model: ModelFiles) -> Any:
    """Return the graph that computes token states: an `onnx.ModelProto` with dynamic axes `batch` and `sequence`.

    Raises:
        UnknownModelError: The model is of an unknown type and has no ONNX file, or a file does not match its type.
    """
    if describes_bert(model) and (model.folder / WEIGHTS_NAME).is_file():
        return _bert_backbone(model)
    if (model.folder / PUBLISHED_NAME).is_file():
        return _published_backbone(model)
    kind = model.config.get("model_type", "unknown")
    own = ", with code of its own," if model.config.get("auto_map") else ""
    raise UnknownModelError(f"it is of the type {kind}{own} and comes without an ONNX file")


def _bert_backbone(model: ModelFiles) -> Any:
    import onnx.parser
    from onnx.numpy_helper import from_array

    proto = onnx.parser.parse_model(_text(model))
    try:
        weights = _weights(model)
    except KeyError as error:
        raise UnknownModelError(f"{WEIGHTS_NAME} has no {error.args[0]}") from error
    constants = _constants(model)
    proto.graph.initializer.extend(from_array(values, name) for name, values in (weights | constants).items())
    onnx.checker.check_model(proto)
    return proto


def _text(model: ModelFiles) -> str:
    config = model.config
    epsilon = f"{float(config.get('layer_norm_eps', _EPSILON)):.1e}"
    layers = int(config["num_hidden_layers"])
    nodes = [_EMBEDDINGS.format(epsilon=epsilon, places=_BEHIND_PADDING if model.first_place else _FROM_ZERO)]
    nodes += [_LAYER.format(n=number, following=number + 1, epsilon=epsilon) for number in range(layers)]
    return _MODEL.format(
        ir_version=_IR_VERSION,
        opset=_OPSET,
        inputs=INPUT_NAMES,
        tokens=TOKENS_NAME,
        hidden=config["hidden_size"],
        nodes="".join(nodes),
        layers=layers,
    )


def _weights(model: ModelFiles) -> Weights:
    """Return the weights by their names in the graph, with the matrices of dense layers transposed."""
    stored = {
        name.removeprefix("bert.").removeprefix("roberta."): values  # the file may hold a head for another task as well
        for name, values in stored_weights(model.folder / WEIGHTS_NAME).items()
    }
    found = {
        "word_embeddings": stored["embeddings.word_embeddings.weight"],
        "position_embeddings": stored["embeddings.position_embeddings.weight"],
        "type_embeddings": stored["embeddings.token_type_embeddings.weight"],
        "embeddings_norm_weight": stored["embeddings.LayerNorm.weight"],
        "embeddings_norm_bias": stored["embeddings.LayerNorm.bias"],
    }
    for number in range(model.config["num_hidden_layers"]):
        for part, path in _PARTS.items():
            weight = stored[f"encoder.layer.{number}.{path}.weight"]
            found[f"{part}_weight_{number}"] = np.ascontiguousarray(weight.T)  # no effect on a norm, which has one axis
            found[f"{part}_bias_{number}"] = stored[f"encoder.layer.{number}.{path}.bias"]
    return found


def _constants(model: ModelFiles) -> dict[str, npt.NDArray[Any]]:
    hidden, heads = int(model.config["hidden_size"]), int(model.config["num_attention_heads"])
    padding = {"padding": np.array(model.first_place - 1, np.int64)} if model.first_place else {}
    return padding | {
        "zero": np.array(0, np.int64),
        "one": np.array(1, np.int64),
        "float_one": np.array(1, np.float32),
        "lowest": np.array(_LOWEST, np.float32),
        "scale": np.array((hidden // heads) ** -0.25, np.float32),
        "head_and_row": np.array([1, 2], np.int64),
        "parted": np.array([0, 0, heads, hidden // heads], np.int64),
        "whole": np.array([0, 0, hidden], np.int64),
    }


def _published_backbone(model: ModelFiles) -> Any:
    """Return the published graph with the inputs and the output of `_bert_backbone`."""
    import onnx
    from google.protobuf.message import DecodeError
    from onnx.helper import make_node

    try:
        proto = onnx.load(model.folder / PUBLISHED_NAME)
    except (OSError, DecodeError, onnx.checker.ValidationError) as error:
        raise UnknownModelError(f"{PUBLISHED_NAME} cannot be read") from error
    graph = proto.graph
    given = [entry.name for entry in graph.input]
    if sorted({*given, _TYPES_NAME}) != sorted({*INPUT_NAMES, _TYPES_NAME}):
        raise UnknownModelError(f"{PUBLISHED_NAME} takes {', '.join(given)}")
    states = next((entry for entry in graph.output if entry.name in _STATES_NAMES), None)
    if states is None:
        raise UnknownModelError(f"{PUBLISHED_NAME} gives {', '.join(entry.name for entry in graph.output)}")
    if _TYPES_NAME in given:  # a single text has type 0 throughout
        graph.node.insert(0, make_node("Sub", [INPUT_NAMES[0], INPUT_NAMES[0]], [_TYPES_NAME], name=_TYPES_NAME))
        inputs = [entry for entry in graph.input if entry.name != _TYPES_NAME]
        del graph.input[:]
        graph.input.extend(inputs)
    graph.node.append(make_node("Identity", [states.name], [TOKENS_NAME], name=TOKENS_NAME))
    states.name = TOKENS_NAME
    outputs = [states]
    del graph.output[:]
    graph.output.extend(outputs)
    return proto
