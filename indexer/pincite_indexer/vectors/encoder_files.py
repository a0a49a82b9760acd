"""Putting the encoder beside the index, once for all of a site's locales."""

from pathlib import Path

import msgspec

from pincite_core.embedders import Encoder, EncoderEntry
from pincite_core.embedders.shipped import sha256
from pincite_core.index.schema import ENCODER_NAME, TOKENIZER_NAME
from pincite_core.index.write import write_atomically
from pincite_indexer.vectors.encoder_cache import encoder_entry

__all__ = ("encoder_facts", "ship_encoder")


def ship_encoder(encoder: Encoder, folder: Path, out: Path, shared: str | None) -> EncoderEntry:
    """Write an encoder's files for an index folder, unless the default locale's folder has them already.

    Args:
        encoder: What made the index's vectors.
        folder: Where to write them, which need not be their final place.
        out: The index folder that they are for.
        shared: Where the default locale's index folder is, relative to `out`, as a URL without a slash at its end;
            None when `out` is that folder.

    Raises:
        OutputError: The folder cannot be written.
    """
    if shared is not None and _holds(out / shared, encoder):
        return encoder_entry(encoder, f"{shared}/")
    write_atomically(folder / ENCODER_NAME, encoder.onnx)
    write_atomically(folder / TOKENIZER_NAME, encoder.tokenizer)
    return encoder_entry(encoder)


def encoder_facts(encoder: Encoder) -> dict[str, object]:
    """Return what the index itself says of the encoder: all but where its files are."""
    entry: dict[str, object] = msgspec.to_builtins(encoder_entry(encoder))
    return {key: value for key, value in entry.items() if key not in ("file", "tokenizer")}


def _holds(folder: Path, encoder: Encoder) -> bool:
    pairs = ((ENCODER_NAME, encoder.onnx), (TOKENIZER_NAME, encoder.tokenizer))
    return all(
        (folder / name).is_file()
        and (folder / name).stat().st_size == len(data)
        and sha256((folder / name).read_bytes()) == sha256(data)
        for name, data in pairs
    )
