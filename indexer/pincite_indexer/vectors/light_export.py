"""Build a model's encoder from its files in seconds, without torch.

BERT and RoBERTa graphs are built from the model's weights. The weights identify a model, so every machine builds the
same encoder. For all-MiniLM-L6-v2, the vectors match those of torch's exporter. The encoders of other models are built
from their published ONNX files.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite_core.embedders import Encoder, ModelInfo, OnnxEmbedder
from pincite_core.embedders.loading import weights_sha256
from pincite_core.embedders.prompts import NO_GIVEN, GivenPrompts, folder_prompts
from pincite_core.embedders.sentence_transformer import quiet_libraries
from pincite_core.embedders.shipped import sha256
from pincite_indexer.vectors.onnx_graphs.bert import bert_backbone, is_bert
from pincite_indexer.vectors.onnx_graphs.model_files import ModelFiles, UnknownModelError, read_model_files
from pincite_indexer.vectors.onnx_graphs.pooling import with_unit_vectors
from pincite_indexer.vectors.onnx_graphs.published import is_published, published_backbone
from pincite_indexer.vectors.onnx_graphs.quantised import quantised

__all__ = ("export_files", "float_embedder")


def export_files(folder: Path, name: str, given: GivenPrompts = NO_GIVEN) -> Encoder:
    """Return the encoder of the model in a folder, with int8 weights.

    Args:
        folder: Folder of the model's files.
        name: The index's name for the model.
        given: Prefixes for texts; each replaces the prefix from the model's own files.

    Raises:
        UnknownModelError: The files lack a fact that the graph needs, or cannot be read.
    """
    files, info, tokenizer = _read(folder, name, given)
    onnx = _made(files, quantised)
    return Encoder(replace(info, encoder=sha256(onnx)), onnx, tokenizer, files.pooling)


def float_embedder(folder: Path, name: str, given: GivenPrompts = NO_GIVEN) -> OnnxEmbedder:
    """Return the model in a folder with its original weights, as the reference for its int8 encoder.

    Args:
        folder: Folder of the model's files.
        name: The index's name for the model.
        given: Prefixes for texts; each replaces the prefix from the model's own files.

    Raises:
        UnknownModelError: The files lack a fact that the graph needs, or cannot be read.
    """
    files, info, tokenizer = _read(folder, name, given)
    return OnnxEmbedder(_made(files, lambda proto: bytes(proto.SerializeToString())), tokenizer, info)


def _read(folder: Path, name: str, given: GivenPrompts) -> tuple[ModelFiles, ModelInfo, bytes]:
    files = read_model_files(folder)
    prompts = given.over(folder_prompts(folder, name))
    info = ModelInfo(name, weights_sha256(folder), files.dimension, files.max_tokens, prompts=prompts)
    return files, info, _tokenizer(files)


def _made(files: ModelFiles, written: Callable[[Any], bytes]) -> bytes:
    try:
        with quiet_libraries():
            return written(with_unit_vectors(_backbone(files), files.pooling, files.dimension, files.dense))
    except (UnknownModelError, OSError, MemoryError):  # a full disk says nothing about the model
        raise
    except Exception as error:  # torch's exporter may succeed where onnx or the quantiser failed
        raise UnknownModelError(f"{type(error).__name__} when its graph was written") from error


def _backbone(files: ModelFiles) -> Any:
    if is_bert(files):
        return bert_backbone(files)
    if is_published(files):
        return published_backbone(files)
    kind = files.config.get("model_type", "unknown")
    own = ", with code of its own," if files.config.get("auto_map") else ""
    raise UnknownModelError(f"it is of the type {kind}{own} and comes without an ONNX file")


def _tokenizer(files: ModelFiles) -> bytes:
    """Return the model's `tokenizer.json`, with truncation at the model's length and without padding."""
    from tokenizers import Tokenizer

    file = files.folder / "tokenizer.json"
    if not file.is_file():
        raise UnknownModelError(f"{file.name} is missing")
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(files.max_tokens)
    return bytes(tokenizer.to_str().encode())
