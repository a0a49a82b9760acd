"""Copy a deploy into a folder. Each file is checked against its SHA-256, so that an incomplete deploy is never used."""

import hashlib
import logging
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite_core.deployed.build_cache import BuildCache
from pincite_core.deployed.origin import MOST_DATABASE_BYTES, Deploy, DeployedFile, Origin, is_url, shown
from pincite_core.deployed.regular_file import digest_of
from pincite_core.errors import IndexCorruptError, IndexFetchError, IndexFormatError
from pincite_core.index.schema import FORMAT, INFO_NAME
from pincite_core.user_cache import cache_folder

__all__ = ("fetch_deploy", "local_copy")

logger = logging.getLogger("pincite")

Known = Callable[[DeployedFile], Path | None]
"""Function that returns a local file that probably has the content of a deployed file, or None."""


@contextmanager
def local_copy(place: str) -> Iterator[Path]:
    """Yield the local path of the index at `place`. If `place` is a URL, the path is a copy in the cache folder.

    Unchanged files are not downloaded again. If the site is down, the last copy is used.

    Raises:
        IndexFileError: The index cannot be downloaded, and the cache has no copy.
    """
    if not is_url(place):
        yield Path(place)
        return
    cache = BuildCache(cache_folder(), shown(place))
    stored = next(iter(cache.builds()), None)
    from pincite_core.deployed.web import WebOrigin  # imported here, since only this function needs an HTTP client

    try:
        origin = WebOrigin(place)
        deploy = origin.look()
        if stored is not None and stored.deploy.identity == deploy.identity:
            stored.verify()
        else:
            with cache.unfinished() as folder:
                fetch_deploy(origin, deploy, folder, cache.find)
                stored = cache.keep(folder, deploy)
    except IndexFetchError as error:
        if stored is None:
            raise
        logger.warning("%s The copy in the cache is used.", error)
    yield stored.databases()[0]
    cache.tidy()


def fetch_deploy(origin: Origin, deploy: Deploy, folder: Path, known: Known = lambda _: None) -> None:
    """Copy every file of a deploy into `folder`, laid out as on the site's host. Files that `known` returns are linked.

    Raises:
        IndexFetchError: A file cannot be read, or does not match its SHA-256 or size in `index.json`.
        IndexFormatError: The index has another format version. No file is fetched.
        IndexCorruptError: `index.json` is invalid: it has no SHA-256 for a remote index, or the size is too large.
    """
    _check_facts(deploy, digests=origin.is_remote)
    try:
        for index in deploy.indexes:
            if index.info:
                _place(folder, f"{index.folder}/{INFO_NAME}").write_bytes(index.info)
        for file in deploy.files():
            _take(origin, file, folder, known)
    except (OSError, ValueError) as error:  # a full disk; a path with a null byte
        message = (
            f"The index cannot be copied ({getattr(error, 'strerror', None) or error}). Free disk space and try again."
        )
        raise IndexFetchError(message) from error


def _check_facts(deploy: Deploy, *, digests: bool) -> None:
    for index in deploy.indexes:
        if digests and not index.facts.sha256:
            message = f"{index.folder}/{INFO_NAME} does not say which database belongs to it. Rebuild the index."
            raise IndexCorruptError(message)
        if index.facts.format != FORMAT:
            message = (
                f"The index {index.folder} has format {index.facts.format}; this version of Pincite reads format "
                f"{FORMAT}. Rebuild the site's index with the same version of Pincite that serves it."
            )
            raise IndexFormatError(message)
        if (index.facts.size or 0) > MOST_DATABASE_BYTES:
            message = (
                f"The index {index.folder} has {index.facts.size:,} bytes according to its {INFO_NAME}, more than can "
                f"be served from a file ({MOST_DATABASE_BYTES:,}). Serve it from PostgreSQL: "
                "`pincite push INDEX postgresql://...`."
            )
            raise IndexCorruptError(message)


def _take(origin: Origin, file: DeployedFile, folder: Path, known: Known) -> None:
    target = _place(folder, file.path)
    if file.sha256 and (have := known(file)) and _link(have, target) and digest_of(target) == file.sha256:
        return
    target.unlink(missing_ok=True)
    digest, written = hashlib.sha256(), 0
    with target.open("wb") as stream:
        for block in origin.blocks(file):
            digest.update(block)
            written += stream.write(block)
    if file.size not in {None, written} or file.sha256 not in {None, digest.hexdigest()}:
        message = f"{file.path} is not the file that its {INFO_NAME} names. A deploy may be in progress or incomplete."
        raise IndexFetchError(message)


def _place(folder: Path, path: str) -> Path:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def _link(have: Path, target: Path) -> bool:
    """Create a hard link to a file, or copy the file if linking fails. Return False if copying fails too."""
    try:
        os.link(have, target)
    except OSError:
        try:
            shutil.copyfile(have, target)
        except OSError:
            return False
    return True
