"""Where Pincite keeps what it can make or fetch again."""

import os
from pathlib import Path

from platformdirs import user_cache_path

__all__ = ("cache_folder",)


def cache_folder() -> Path:
    """Return the folder for Pincite's caches: `PINCITE_CACHE_DIR`, else where the platform keeps such."""
    if chosen := os.environ.get("PINCITE_CACHE_DIR"):
        return Path(chosen)
    return user_cache_path("pincite", appauthor=False, opinion=False)
