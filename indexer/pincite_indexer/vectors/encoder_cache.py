"""Cache exported encoders in the user's cache folder, one folder for each model, laid out like an index folder.

Failed exports are cached as well, with the versions of the packages involved. An attempt takes longer than most builds.
"""

import contextlib
import hashlib
from importlib import metadata
from pathlib import Path

import msgspec

from pincite_core.deployed.build_facts import BuildFacts, facts_json
from pincite_core.embedders import Encoder, encoder_from
from pincite_core.embedders.loading import weights_sha256
from pincite_core.errors import PinciteError
from pincite_core.index.schema import ENCODER_NAME, INFO_NAME, TOKENIZER_NAME
from pincite_core.index.write import write_atomically
from pincite_indexer.staging import staged_folder
from pincite_indexer.vectors.encoder_export import RECIPE

__all__ = ("EncoderCache",)

_FOLDER = "encoders"
_EXPORTERS = ("torch", "onnx", "onnxscript", "onnxruntime", "sentence-transformers", "transformers")
_SETTINGS = ("*.json", "*.txt")  # pooling, length and vocabulary affect the encoder as the weights do


class _Failure(msgspec.Struct, frozen=True):
    why: str
    versions: dict[str, str]


class EncoderCache:
    """Cache of one model's exported encoder, disabled if an argument is None. Its errors never fail the build."""

    def __init__(self, root: Path | None, model_folder: Path | None) -> None:
        self._folder = root / _FOLDER / _key(model_folder) if root and model_folder else None
        self._failed = self._folder.with_suffix(".failed.json") if self._folder else None

    def get(self) -> Encoder | None:
        """Return the cached encoder; None if there is none or it is damaged."""
        try:
            return encoder_from(self._folder) if self._folder else None
        except PinciteError:
            return None

    def put(self, encoder: Encoder) -> None:
        """Store an encoder atomically."""
        if self._folder is None:
            return
        info = encoder.info
        facts = BuildFacts(
            model=info.name,
            weights_sha256=info.weights_sha256,
            dimension=info.dimension,
            prompts=info.prompts,
            encoder=encoder.entry(),
        )
        # a full disk or a missing permission must not stop the build
        with contextlib.suppress(OSError), staged_folder(self._folder) as folder:
            (folder / ENCODER_NAME).write_bytes(encoder.onnx)
            (folder / TOKENIZER_NAME).write_bytes(encoder.tokenizer)
            (folder / INFO_NAME).write_bytes(facts_json(facts))

    def failure(self) -> str:
        """Return why the same package versions failed to export the model, and how to try again; empty if unknown."""
        if self._failed is None:
            return ""
        try:
            failure = msgspec.json.decode(self._failed.read_bytes(), type=_Failure)
        except (OSError, msgspec.MsgspecError):
            return ""
        again = f"An earlier build failed with this error; delete {self._failed} to try again."
        return f"{failure.why} {again}" if failure.versions == _versions() else ""

    def put_failure(self, why: str) -> None:
        """Store why the model cannot be exported."""
        if self._failed is None:
            return
        with contextlib.suppress(OSError):  # the next build tries again and reports the reason again
            self._failed.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._failed, msgspec.json.encode(_Failure(why, _versions())))


def _key(model_folder: Path) -> str:
    digest = hashlib.sha256(weights_sha256(model_folder).encode())
    for file in sorted(file for pattern in _SETTINGS for file in model_folder.rglob(pattern)):
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return f"{RECIPE}-{digest.hexdigest()}"


def _versions() -> dict[str, str]:
    installed = {name: next(iter(metadata.Distribution.discover(name=name)), None) for name in _EXPORTERS}
    return {name: found.version for name, found in installed.items() if found}
