"""Locate the cache folder of Pincite."""

import os
from pathlib import Path

from platformdirs import user_cache_path

__all__ = ("cache_folder",)


def cache_folder() -> Path:
    """Return the cache folder: `PINCITE_CACHE_DIR` if it is set, otherwise the user cache folder of the platform."""
    if chosen := os.environ.get("PINCITE_CACHE_DIR"):
        return Path(chosen)
    return user_cache_path("pincite", appauthor=False, opinion=False)
