"""Exported encoders in the user's cache folder, one folder a model, laid out as in an index folder."""

import hashlib
from pathlib import Path

import msgspec

from pincite_core.embedders import Encoder, EncoderEntry, encoder_from
from pincite_core.embedders.model_files import weights_sha256
from pincite_core.embedders.shipped import sha256
from pincite_core.errors import PinciteError
from pincite_core.schema import ENCODER_NAME, INFO_NAME, TOKENIZER_NAME
from pincite_indexer.encoder_export import RECIPE
from pincite_indexer.staging import staged_folder

__all__ = ("EncoderCache", "encoder_entry")

_FOLDER = "encoders"
_SETTINGS = ("*.json", "*.txt")  # pooling, length and vocabulary shape the encoder as much as the weights do


class EncoderCache:
    """The export of one model. A cache that cannot be read or written is no reason to fail.

    Args:
        root: The user's cache folder; None keeps nothing.
        model_folder: Where the model's files are; None keeps nothing.
    """

    def __init__(self, root: Path | None, model_folder: Path | None) -> None:
        self._folder = root / _FOLDER / _key(model_folder) if root and model_folder else None

    def get(self) -> Encoder | None:
        """Return the export, None when there is none or it is damaged."""
        try:
            return encoder_from(self._folder) if self._folder else None
        except PinciteError:
            return None

    def put(self, encoder: Encoder) -> None:
        """Keep an export, whole or not at all."""
        if self._folder is None:
            return
        try:
            with staged_folder(self._folder) as folder:
                _write(encoder, folder)
        except OSError:
            pass  # a full disk, or no permission: the build goes on with what it made


def encoder_entry(encoder: Encoder, folder: str = "") -> EncoderEntry:
    """Return what `index.json` says of an encoder whose files lie in `folder`, a relative URL that ends with `/`."""
    return EncoderEntry(
        file=folder + ENCODER_NAME,
        sha256=encoder.info.encoder,
        tokenizer=folder + TOKENIZER_NAME,
        tokenizer_sha256=sha256(encoder.tokenizer),
        max_tokens=encoder.info.max_tokens,
        pooling=encoder.pooling,
        parity=encoder.parity,
    )


def _write(encoder: Encoder, folder: Path) -> None:
    (folder / ENCODER_NAME).write_bytes(encoder.onnx)
    (folder / TOKENIZER_NAME).write_bytes(encoder.tokenizer)
    facts = {
        "model": encoder.info.name,
        "weights_sha256": encoder.info.weights_sha256,
        "dimension": encoder.info.dimension,
        "encoder": encoder_entry(encoder),
    }
    (folder / INFO_NAME).write_bytes(msgspec.json.encode(facts))


def _key(model_folder: Path) -> str:
    digest = hashlib.sha256(weights_sha256(model_folder).encode())
    for file in sorted(file for pattern in _SETTINGS for file in model_folder.rglob(pattern)):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return f"{RECIPE}-{digest.hexdigest()}"
