"""Export a sentence-transformers model as an ONNX encoder with int8 weights.

The graph takes token IDs and returns the text's unit vector. If the model has token states, the graph returns the last
ones as a second output.

`export_files` needs no torch and takes seconds. It builds BERT and RoBERTa graphs from the model's weights. The weights
identify a model, so every machine builds the same encoder. For all-MiniLM-L6-v2, the vectors match those of torch's
exporter. The encoders of other models are built from their published ONNX files. `export_encoder` needs torch.
"""

from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from pincite_core.embedders import Encoder, ModelInfo, OnnxEmbedder, SentenceTransformerEmbedder
from pincite_core.embedders.base import NO_GIVEN, GivenPrompts, folder_prompts
from pincite_core.embedders.loading import weights_sha256
from pincite_core.embedders.onnx_encoder import INPUT_NAMES, OUTPUT_NAME, TOKENS_NAME
from pincite_core.embedders.sentence_transformer import quiet_libraries
from pincite_core.embedders.shipped import sha256
from pincite_core.errors import ModelError
from pincite_indexer.vectors.onnx_graphs.backbones import backbone_of
from pincite_indexer.vectors.onnx_graphs.model_files import ModelFiles, UnknownModelError, read_model_files
from pincite_indexer.vectors.onnx_graphs.pooling import with_unit_vectors
from pincite_indexer.vectors.onnx_graphs.quantised import quantised, without_traces

__all__ = ("RECIPE", "EncoderExportError", "export_encoder", "export_files", "float_embedder")

RECIPE = 5
"""Version of the export; increase it when the exported files change, so that cached exports are not reused."""

_STATES = "token_embeddings"  # sentence-transformers' name for token states
_TRACED_TEXTS, _TRACED_TOKENS = 2, 16  # any size above 1, because the exporter treats an axis of size 1 as a constant


class EncoderExportError(ModelError):
    """The model cannot be exported as an ONNX encoder, although torch may still run it."""


def export_files(folder: Path, name: str, given: GivenPrompts = NO_GIVEN) -> Encoder:
    """Return the encoder of the model in a folder, with int8 weights. `name` is the index's name for the model.

    Raises:
        UnknownModelError: The files lack a fact that the graph needs, or cannot be read.
    """
    files, info, tokenizer = _read(folder, name, given)
    onnx = _serialised(files, quantised)
    return Encoder(replace(info, encoder=sha256(onnx)), onnx, tokenizer, files.pooling)


def float_embedder(folder: Path, name: str, given: GivenPrompts = NO_GIVEN) -> OnnxEmbedder:
    """Return the model in a folder with its original weights, as the reference for its int8 encoder.

    Raises:
        UnknownModelError: The files lack a fact that the graph needs, or cannot be read.
    """
    files, info, tokenizer = _read(folder, name, given)
    return OnnxEmbedder(_serialised(files, lambda proto: bytes(proto.SerializeToString())), tokenizer, info)


def _read(folder: Path, name: str, given: GivenPrompts) -> tuple[ModelFiles, ModelInfo, bytes]:
    from tokenizers import Tokenizer

    files = read_model_files(folder)
    prompts = given.over(folder_prompts(folder, name))
    info = ModelInfo(name, weights_sha256(folder), files.dimension, files.max_tokens, prompts=prompts)
    file = files.folder / "tokenizer.json"
    if not file.is_file():
        raise UnknownModelError(f"{file.name} is missing")
    return files, info, _tokenizer_json(Tokenizer.from_file(str(file)), files.max_tokens)


def _serialised(files: ModelFiles, serialise: Callable[[Any], bytes]) -> bytes:
    try:
        with quiet_libraries():
            return serialise(with_unit_vectors(backbone_of(files), files.pooling, files.dimension, files.dense))
    except (UnknownModelError, OSError, MemoryError):  # a full disk says nothing about the model
        raise
    except Exception as error:  # torch's exporter may succeed where onnx or the quantiser failed
        raise UnknownModelError(f"{type(error).__name__} when its graph was written") from error


def _tokenizer_json(tokenizer: Any, max_tokens: int) -> bytes:
    """Return the `tokenizer.json` of a tokenizer, with truncation at a number of tokens and without padding."""
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return bytes(tokenizer.to_str().encode())


def export_encoder(embedder: SentenceTransformerEmbedder) -> Encoder:
    """Return a model's encoder, which includes pooling and all later modules of the model.

    Raises:
        EncoderExportError: A part of the model has no ONNX form, or the exporter is not installed.
    """
    model = embedder.model
    try:
        with quiet_libraries(), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            _require_plain(model)
            tokenizer = _backend_tokenizer(embedder)
            onnx = quantised(_traced(model))
    except Exception as error:  # the build can run the model itself, whatever error the exporter raises
        reason = next(iter(str(error).strip().splitlines()), "no reason given").rstrip(".")
        message = f"{embedder.info.name} cannot be exported ({type(error).__name__}: {reason})."
        raise EncoderExportError(message) from error
    pooling = next((module.pooling_mode for module in model if hasattr(module, "pooling_mode")), "other")
    pooling = pooling if isinstance(pooling, str) else "+".join(pooling)
    return Encoder(replace(embedder.info, encoder=sha256(onnx)), onnx, tokenizer, pooling)


def _require_plain(model: Any) -> None:
    """Raise a `ValueError` if a graph of token IDs and their mask cannot represent the model."""
    if not all(getattr(module, "include_prompt", True) for module in model):
        message = "its pooling excludes prompts"
        raise ValueError(message)
    if any(hasattr(module, "route_mappings") for module in model):
        message = "it encodes questions and passages in different ways"
        raise ValueError(message)


def _backend_tokenizer(embedder: SentenceTransformerEmbedder) -> bytes:
    from tokenizers import Tokenizer

    backend = getattr(embedder.model.tokenizer, "backend_tokenizer", None)
    if backend is None:
        message = "its tokenizer cannot be written as tokenizer.json"
        raise ValueError(message)
    return _tokenizer_json(Tokenizer.from_str(backend.to_str()), embedder.info.max_tokens)


def _traced(model: Any) -> Any:
    """Return the model as an ONNX graph with dynamic axes `batch` and `sequence`."""
    import torch

    ids = torch.ones((_TRACED_TEXTS, _TRACED_TOKENS), dtype=torch.int64)
    mask = torch.ones_like(ids)
    with torch.no_grad():
        states = model(dict(zip(INPUT_NAMES, (ids, mask), strict=True))).get(_STATES)
    has_tokens = getattr(states, "shape", ())[:2] == ids.shape  # static embedding models have no token states

    class UnitVectors(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
            features = self.model(dict(zip(INPUT_NAMES, (input_ids, attention_mask), strict=True)))
            vector = torch.nn.functional.normalize(features["sentence_embedding"], dim=-1)
            return (vector, features[_STATES]) if has_tokens else (vector,)

    axes = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
    with torch.no_grad():
        program = torch.onnx.export(
            UnitVectors().eval(),
            (ids, mask),
            dynamo=True,
            input_names=list(INPUT_NAMES),
            output_names=[OUTPUT_NAME, TOKENS_NAME][: 1 + has_tokens],
            dynamic_shapes=(axes, dict(axes)),
            verbose=False,
        )
    return without_traces(program.model_proto)  # type: ignore[union-attr]
