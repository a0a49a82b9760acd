"""Write the folder `encoder/` of an index folder, from which browsers load the index's encoder.

The folder holds a worker, the ONNX runtime and a manifest. The runtime is gzipped, and the worker decompresses it, so
the host's compression does not matter. The manifest lists the hash and size of the runtime and of the encoder's two
files. The widget therefore knows the download size in advance.
"""

from pathlib import Path

import msgspec

from pincite_core.deployed.build_facts import EncoderEntry
from pincite_core.embedders import Encoder
from pincite_core.embedders.shipped import sha256
from pincite_core.errors import ModelUnsupportedError, OutputError
from pincite_core.index.schema import BROWSER_ENCODER_FOLDER
from pincite_core.index.write import write_atomically
from pincite_core.search.terms import STOP_WORDS

__all__ = ("BROWSER_ENCODER_FILES", "FORMAT", "has_content", "require_encoder", "write_browser_encoder")

FORMAT = 1
_MANIFEST = "manifest.json"
_WORKER = "worker.js"
_RUNTIME = "runtime.bin"
_VERSION_LENGTH = 10  # characters of a hash; the hash ties the worker to the files of the same build

BROWSER_ENCODER_FILES = frozenset(f"{BROWSER_ENCODER_FOLDER}/{name}" for name in (_MANIFEST, _WORKER, _RUNTIME))
"""All files that this module writes, relative to the index folder."""


def require_encoder(encoder: Encoder | None, why_none: str) -> None:
    """Raise a `ModelUnsupportedError` if the index has no encoder that a browser could run."""
    if encoder is None:
        why = f"there is none: {why_none}" if why_none else "there is none with --no-encoder or the model `fake`"
        message = f"Browsers run the index's encoder, and {why}. Leave out --browser-encoder, or choose another model."
        raise ModelUnsupportedError(message)


def write_browser_encoder(
    encoder: Encoder, entry: EncoderEntry, folder: Path, widget: Path | None, shared: Path | None = None
) -> None:
    """Write the folder `encoder/` into an index folder.

    Args:
        encoder: The encoder that computed the index's vectors.
        entry: The entry about this encoder in the index's `index.json`.
        folder: The index folder.
        widget: The built widget, which contains the worker and the runtime.
        shared: Another index folder. If `entry` refers to that folder's encoder, the manifest refers to its runtime
            instead of a second copy.

    Raises:
        OutputError: This installation lacks the worker or the runtime, or the folder cannot be written.
    """
    parts = widget / BROWSER_ENCODER_FOLDER if widget else None
    if parts is None or not (parts / _RUNTIME).is_file():
        message = (
            "This installation of Pincite has no encoder for browsers. "
            "Install it from a release, or run `npm run build` in widget/; or leave out --browser-encoder."
        )
        raise OutputError(message)
    out = folder / BROWSER_ENCODER_FOLDER
    out.mkdir(exist_ok=True)
    worker = (parts / _WORKER).read_bytes()
    runtime, runtime_url = (parts / _RUNTIME).read_bytes(), _RUNTIME
    elsewhere = entry.file.rpartition("/")[0]
    if shared is not None and elsewhere and has_content(shared / BROWSER_ENCODER_FOLDER / _RUNTIME, runtime):
        runtime_url = f"../{elsewhere}/{BROWSER_ENCODER_FOLDER}/{_RUNTIME}"
    else:
        write_atomically(out / _RUNTIME, runtime)
    write_atomically(out / _WORKER, worker)
    manifest = {
        "format": FORMAT,
        "model": encoder.info.name,
        "dimension": encoder.info.dimension,
        "max_tokens": encoder.info.max_tokens,
        "prompt": encoder.info.prompts.query,
        "stop_words": " ".join(sorted(STOP_WORDS)),
        "worker": f"{_WORKER}?{sha256(worker)[:_VERSION_LENGTH]}",
        "files": {
            "wasm": _file_entry(runtime_url, runtime),
            "encoder": _file_entry(f"../{entry.file}", encoder.onnx),
            "tokenizer": _file_entry(f"../{entry.tokenizer}", encoder.tokenizer),
        },
    }
    write_atomically(out / _MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")


def _file_entry(url: str, data: bytes) -> dict[str, object]:
    return {"file": url, "sha256": sha256(data), "bytes": len(data)}


def has_content(file: Path, data: bytes) -> bool:
    """Return whether a file exists and has exactly this content."""
    return file.is_file() and file.stat().st_size == len(data) and file.read_bytes() == data
