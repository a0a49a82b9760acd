"""Where Pincite keeps what it can make or fetch again."""

import os
import sys
from pathlib import Path

__all__ = ("cache_folder",)


def cache_folder() -> Path:
    """Return the folder for Pincite's caches: `PINCITE_CACHE_DIR`, else the platform's place for caches."""
    if chosen := os.environ.get("PINCITE_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "pincite"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pincite"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pincite"
