"""Who works in which folder of the cache: one process a folder, however many serve the same site."""

import hashlib
import logging
import os
import re
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout  # released by the system however the process ends, on every platform

__all__ = ("CacheDirLock", "claim_again", "claim_folder")

logger = logging.getLogger("pincite")

_MOST_CLAIMS = 16  # processes that may serve one site from one cache at a time
_UNUSED_SECONDS = 30 * 24 * 3600
_UNSAFE = re.compile(r"[^A-Za-z0-9.]+")
_NAME_CHARACTERS = 48  # of the place, for people who look into the cache


@dataclass(frozen=True, slots=True)
class CacheDirLock:
    """A folder that no other process writes to; without a lock it is a temporary one."""

    folder: Path
    lock: FileLock | None = None

    def release(self) -> None:
        """Let another process have the folder; a temporary one is removed."""
        if self.lock:
            self.lock.release()
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


def claim_folder(cache: Path, place: str) -> CacheDirLock:
    """Take a folder of the cache for the site at `place`; a temporary one when the cache cannot be written."""
    try:
        return claim_again(cache, place)
    except OSError as error:
        logger.warning("The cache in %s cannot be used (%s); no build outlives a restart.", cache, error.strerror)
    return _temporary()


def claim_again(cache: Path, place: str) -> CacheDirLock:
    """Take a folder of the cache; a temporary one when other processes have all that one site may have.

    Raises:
        OSError: The cache cannot be written.
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
    """Return a folder name that tells people which site it is, and differs for every place."""
    readable = _UNSAFE.sub("-", place)[-_NAME_CHARACTERS:].strip("-")
    return f"{readable}-{hashlib.sha256(place.encode()).hexdigest()[:12]}"


def _lock(file: Path) -> FileLock | None:
    """Take a lock; None when another process has it."""
    lock = FileLock(file, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return lock


def _forget_unused(sites: Path) -> None:
    """Remove the builds of sites that no process has served for a month."""
    for site in sites.glob("*"):
        if time.time() - site.stat().st_mtime > _UNUSED_SECONDS:
            locks = [_lock(file) for file in site.glob("*.lock")]
            if all(locks):
                shutil.rmtree(site, ignore_errors=True)
            for lock in filter(None, locks):
                lock.release()
