"""Export a sentence-transformers model as an ONNX encoder with int8 weights.

The graph takes token IDs and returns the text's unit vector. If the model has token states, the graph returns the last
ones as a second output.
"""

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from typing import Any

from pincite_core.embedders import Encoder, SentenceTransformerEmbedder
from pincite_core.embedders.onnx_encoder import INPUT_NAMES, OUTPUT_NAME, TOKENS_NAME
from pincite_core.embedders.sentence_transformer import quiet_libraries
from pincite_core.embedders.shipped import sha256
from pincite_core.errors import ModelError
from pincite_indexer.vectors.onnx_graphs.quantised import quantised, without_traces

__all__ = ("RECIPE", "EncoderExportError", "export_encoder")

RECIPE = 5
"""Version of the export; increase it when the exported files change, so that cached exports are not reused."""

_STATES = "token_embeddings"  # sentence-transformers' name for token states
_TRACED_TEXTS, _TRACED_TOKENS = 2, 16  # any size above 1, because the exporter treats an axis of size 1 as a constant


class EncoderExportError(ModelError):
    """The model cannot be exported as an ONNX encoder, although torch may still run it."""


def export_encoder(embedder: SentenceTransformerEmbedder) -> Encoder:
    """Return a model's encoder, which includes pooling and all later modules of the model.

    Raises:
        EncoderExportError: A part of the model has no ONNX form, or the exporter is not installed.
    """
    try:
        with _silence():
            _require_plain(embedder.model)
            tokenizer = _tokenizer(embedder)
            onnx = quantised(_traced(embedder.model))
    except Exception as error:  # the build can run the model itself, whatever error the exporter raises
        message = f"{embedder.info.name} cannot be exported ({type(error).__name__}: {_first_line(error)})."
        raise EncoderExportError(message) from error
    return Encoder(replace(embedder.info, encoder=sha256(onnx)), onnx, tokenizer, _pooling(embedder.model))


def _require_plain(model: Any) -> None:
    """Raise an error if a graph of token IDs and their mask cannot represent the model.

    Raises:
        ValueError: The model excludes its prompts from pooling, or has separate routes for questions and passages.
    """
    if not all(getattr(module, "include_prompt", True) for module in model):
        message = "its pooling leaves prompts out"
        raise ValueError(message)
    if any(hasattr(module, "route_mappings") for module in model):
        message = "it has one way for questions and another for passages"
        raise ValueError(message)


def _traced(model: Any) -> Any:
    """Return the model as an ONNX graph with dynamic axes `batch` and `sequence`."""
    import torch

    has_tokens = _has_tokens(model)

    class UnitVectors(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> tuple[torch.Tensor, ...]:
            features = self.model(dict(zip(INPUT_NAMES, (input_ids, attention_mask), strict=True)))
            vector = torch.nn.functional.normalize(features["sentence_embedding"], dim=-1)
            return (vector, features[_STATES]) if has_tokens else (vector,)

    ids = torch.ones((_TRACED_TEXTS, _TRACED_TOKENS), dtype=torch.int64)
    axes = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
    with torch.no_grad():
        program = torch.onnx.export(
            UnitVectors().eval(),
            (ids, torch.ones_like(ids)),
            dynamo=True,
            input_names=list(INPUT_NAMES),
            output_names=[OUTPUT_NAME, TOKENS_NAME][: 1 + has_tokens],
            dynamic_shapes=(axes, dict(axes)),
            verbose=False,
        )
    return without_traces(program.model_proto)  # type: ignore[union-attr]


def _has_tokens(model: Any) -> bool:
    """Return whether the model outputs a state for each token; static embedding models do not."""
    import torch

    ids = torch.ones((_TRACED_TEXTS, _TRACED_TOKENS), dtype=torch.int64)
    with torch.no_grad():
        states = model(dict(zip(INPUT_NAMES, (ids, torch.ones_like(ids)), strict=True))).get(_STATES)
    return getattr(states, "shape", ())[:2] == (_TRACED_TEXTS, _TRACED_TOKENS)


def _tokenizer(embedder: SentenceTransformerEmbedder) -> bytes:
    """Return the model's `tokenizer.json`, with truncation at the model's length and without padding."""
    from tokenizers import Tokenizer

    backend = getattr(embedder.model.tokenizer, "backend_tokenizer", None)
    if backend is None:
        message = "its tokenizer has no form as tokenizer.json"
        raise ValueError(message)
    tokenizer = Tokenizer.from_str(backend.to_str())
    tokenizer.no_padding()
    tokenizer.enable_truncation(embedder.info.max_tokens)
    return tokenizer.to_str().encode()


def _pooling(model: Any) -> str:
    """Return the model's pooling mode, such as `mean` or `cls`; `other` without a pooling module."""
    modes = [module.pooling_mode for module in model if hasattr(module, "pooling_mode")]
    mode = modes[0] if modes else "other"
    return mode if isinstance(mode, str) else "+".join(mode)


@contextmanager
def _silence() -> Iterator[None]:
    """Suppress the exporters' output."""
    with quiet_libraries(), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        yield


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), "no reason given").rstrip(".")
