"""Lock the folders of the build cache, so that only one process writes to each folder."""

import hashlib
import logging
import os
import re
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout  # the OS releases the lock when the process ends

__all__ = ("CacheDirLock", "claim_again", "claim_folder")

logger = logging.getLogger("pincite")

_MOST_CLAIMS = 16  # processes that can use the cache of one site at the same time
_UNUSED_SECONDS = 30 * 24 * 3600
_UNSAFE = re.compile(r"[^A-Za-z0-9.]+")
_NAME_CHARACTERS = 48  # characters of the place in a folder name, for people who inspect the cache


@dataclass(frozen=True, slots=True)
class CacheDirLock:
    """A folder that only this process writes to. Without a lock, the folder is temporary."""

    folder: Path
    lock: FileLock | None = None

    def release(self) -> None:
        """Release the folder for other processes. A temporary folder is removed."""
        if self.lock:
            self.lock.release()
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


def claim_folder(cache: Path, place: str) -> CacheDirLock:
    """Lock a cache folder for the site at `place`, or create a temporary folder if the cache is not writable."""
    try:
        return claim_again(cache, place)
    except OSError as error:
        logger.warning("The cache in %s cannot be used (%s); no build outlives a restart.", cache, error.strerror)
    return _temporary()


def claim_again(cache: Path, place: str) -> CacheDirLock:
    """Lock a cache folder for the site at `place`, or create a temporary folder if all folders of the site are locked.

    Raises:
        OSError: The cache is not writable.
    """
    _forget_unused(cache / "sites")
    site = cache / "sites" / _site_name(place)
    site.mkdir(parents=True, exist_ok=True)
    os.utime(site)
    for number in range(_MOST_CLAIMS):
        if lock := _lock(site / f"{number}.lock"):
            return CacheDirLock(site / str(number), lock)
    return _temporary()


def _temporary() -> CacheDirLock:
    return CacheDirLock(Path(tempfile.mkdtemp(prefix="pincite-")))


def _site_name(place: str) -> str:
    """Return a readable folder name that is unique for the place."""
    readable = _UNSAFE.sub("-", place)[-_NAME_CHARACTERS:].strip("-")
    return f"{readable}-{hashlib.sha256(place.encode()).hexdigest()[:12]}"


def _lock(file: Path) -> FileLock | None:
    """Acquire a lock and return it, or return None if another process holds the lock."""
    lock = FileLock(file, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return lock


def _forget_unused(sites: Path) -> None:
    """Remove the builds of sites that no process has used for 30 days."""
    for site in sites.glob("*"):
        if time.time() - site.stat().st_mtime > _UNUSED_SECONDS:
            locks = [_lock(file) for file in site.glob("*.lock")]
            if all(locks):
                shutil.rmtree(site, ignore_errors=True)
            for lock in filter(None, locks):
                lock.release()
