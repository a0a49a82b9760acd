"""Load the encoder that is deployed with an index, from its two files and its entry in `index.json`."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pincite_core.deployed.build_facts import BuildFacts, EncoderEntry, Parity, facts_beside
from pincite_core.deployed.origin import MOST_ENCODER_BYTES, MOST_TOKENIZER_BYTES
from pincite_core.deployed.regular_file import read_file
from pincite_core.embedders.base import Embedder, GivenPrompts, ModelInfo
from pincite_core.embedders.loading import load_embedder
from pincite_core.embedders.onnx_encoder import OnnxEmbedder
from pincite_core.embedders.probe import require_usable
from pincite_core.errors import ModelMismatchError, ModelNotFoundError
from pincite_core.index.schema import DATABASE_NAME, ENCODER_NAME, INFO_NAME, TOKENIZER_NAME
from pincite_core.types import IndexInfo

__all__ = ("Encoder", "ReadFile", "encoder_from", "load_encoder_of", "load_index_embedder", "sha256")

ReadFile = Callable[[str, str, int], bytes]
"""Function that reads an encoder file.

It takes the file name from `index.json`, the SHA-256 and the maximum size in bytes. It raises `OSError` on failure.
"""


@dataclass(frozen=True, slots=True)
class Encoder:
    """An exported encoder: the verified bytes of both files, and the identity of the model."""

    info: ModelInfo
    onnx: bytes
    tokenizer: bytes
    pooling: str
    parity: Parity | None = None

    def require_usable(self) -> None:
        """Test the encoder with `probe.require_usable`."""
        require_usable(self.onnx, self.tokenizer, self.info)

    def load(self) -> OnnxEmbedder:
        """Load the encoder into this process. Call `require_usable` first if the encoder is not trusted."""
        return OnnxEmbedder(self.onnx, self.tokenizer, self.info)

    def entry(self, folder: str = "") -> EncoderEntry:
        """Return the `index.json` entry of the encoder. `folder` is a relative URL that ends with `/`."""
        return EncoderEntry(
            file=folder + ENCODER_NAME,
            sha256=self.info.encoder,
            tokenizer=folder + TOKENIZER_NAME,
            tokenizer_sha256=sha256(self.tokenizer),
            max_tokens=self.info.max_tokens,
            pooling=self.pooling,
            parity=self.parity,
        )


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hex."""
    return hashlib.sha256(data).hexdigest()


def encoder_from(folder: Path) -> Encoder | None:
    """Return the verified encoder of the index in `folder`, or None if the index has no encoder.

    The encoder may be in the index folder of another locale, if the folders are laid out as on the deployed site.

    Raises:
        ModelError: A file that `index.json` names is missing, unreadable or has another SHA-256.
        IndexCorruptError: `index.json` cannot be read.
    """
    return _encoder_of(facts_beside(folder / DATABASE_NAME), partial(_read_beside, folder), f"{folder}/")


def load_index_embedder(folder: Path, info: IndexInfo) -> Embedder:
    """Load the embedder that made the vectors of the index in `folder`, with the prompts that the index records.

    The embedder is the encoder in the index folder, or the model that the index names. Errors are those of
    `load_encoder_of`, or an `IndexCorruptError` if `index.json` cannot be read.
    """
    facts = facts_beside(folder / DATABASE_NAME) if info.encoder else BuildFacts()
    return load_encoder_of(info, facts, partial(_read_beside, folder), f"{folder}/")


def load_encoder_of(info: IndexInfo, facts: BuildFacts, read: ReadFile, where: str) -> Embedder:
    """Load the embedder that made the vectors of an index, with a function that reads the encoder's files.

    `where` is the prefix of file names in messages.

    Raises:
        ModelNotFoundError: The encoder or the model is missing.
        ModelMismatchError: The encoder files do not match `index.json`, or the encoder cannot be used.
    """
    if not info.encoder:
        return load_embedder(info.model, GivenPrompts(info.prompts.query, info.prompts.passage))
    encoder = _encoder_of(facts, read, where)
    if encoder is None:
        message = (
            f"The index in {where.rstrip('/')} was made with its own encoder, which is not there. "
            f"Copy the whole folder, {INFO_NAME} included, or rebuild the index with --no-encoder."
        )
        raise ModelNotFoundError(message)
    encoder.require_usable()
    return replace(encoder, info=replace(encoder.info, prompts=info.prompts)).load()


def _encoder_of(facts: BuildFacts, read: ReadFile, where: str) -> Encoder | None:
    entry = facts.encoder
    if entry is None:
        return None
    info = ModelInfo(facts.model, facts.weights_sha256, facts.dimension, entry.max_tokens, entry.sha256, facts.prompts)
    onnx = _verified(read, where, entry.file, entry.sha256, MOST_ENCODER_BYTES)
    tokenizer = _verified(read, where, entry.tokenizer, entry.tokenizer_sha256, MOST_TOKENIZER_BYTES)
    return Encoder(info, onnx, tokenizer, entry.pooling, entry.parity)


def _read_beside(folder: Path, name: str, _: str, most: int) -> bytes:
    return read_file(folder / name, most)


def _verified(read: ReadFile, where: str, name: str, expected: str, most: int) -> bytes:
    try:
        data = read(name, expected, most)
    except OSError as error:
        message = (
            f"{where}{name}, which {INFO_NAME} names, cannot be read ({error.strerror}). "
            "Copy the whole index folder again."
        )
        raise ModelNotFoundError(message) from error
    if sha256(data) != expected:
        message = f"{where}{name} is not the file that {INFO_NAME} names. Copy the whole index folder again."
        raise ModelMismatchError(message)
    return data
