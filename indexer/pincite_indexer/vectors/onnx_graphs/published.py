"""Read the ONNX file that a model is published with, as the base of an encoder."""

from pathlib import Path
from typing import Any

from pincite_core.embedders.onnx_encoder import INPUT_NAMES, TOKENS_NAME
from pincite_indexer.vectors.onnx_graphs.model_files import PUBLISHED_NAME, ModelFiles, UnknownModelError

__all__ = ("is_published", "published_backbone")

_TYPES_NAME = "token_type_ids"
_STATES_NAMES = ("last_hidden_state", "token_embeddings")  # names of the two common exporters


def is_published(model: ModelFiles) -> bool:
    """Return whether the model has an ONNX file in the folder that sentence-transformers uses."""
    return (model.folder / PUBLISHED_NAME).is_file()


def published_backbone(model: ModelFiles) -> Any:
    """Return the published graph with the same inputs and output as `bert_backbone`: an `onnx.ModelProto`.

    Raises:
        UnknownModelError: The file is damaged, or has other inputs or outputs.
    """
    proto = _loaded(model.folder / PUBLISHED_NAME)
    graph = proto.graph
    given = [entry.name for entry in graph.input]
    if sorted({*given, _TYPES_NAME}) != sorted({*INPUT_NAMES, _TYPES_NAME}):
        raise UnknownModelError(f"{PUBLISHED_NAME} takes {', '.join(given)}")
    states = next((entry for entry in graph.output if entry.name in _STATES_NAMES), None)
    if states is None:
        raise UnknownModelError(f"{PUBLISHED_NAME} gives {', '.join(entry.name for entry in graph.output)}")
    if _TYPES_NAME in given:
        _without_types(graph)
    _end_with(graph, states)
    return proto


def _loaded(file: Path) -> Any:
    import onnx
    from google.protobuf.message import DecodeError

    try:
        return onnx.load(file)
    except (OSError, DecodeError, onnx.checker.ValidationError) as error:
        raise UnknownModelError(f"{PUBLISHED_NAME} cannot be read") from error


def _without_types(graph: Any) -> None:
    """Replace the input of token types with zeros, the type of a single text."""
    from onnx.helper import make_node

    graph.node.insert(0, make_node("Sub", [INPUT_NAMES[0], INPUT_NAMES[0]], [_TYPES_NAME], name=_TYPES_NAME))
    kept = [entry for entry in graph.input if entry.name != _TYPES_NAME]
    del graph.input[:]
    graph.input.extend(kept)


def _end_with(graph: Any, states: Any) -> None:
    from onnx.helper import make_node

    graph.node.append(make_node("Identity", [states.name], [TOKENS_NAME], name=TOKENS_NAME))
    states.name = TOKENS_NAME
    output = [states]
    del graph.output[:]
    graph.output.extend(output)
