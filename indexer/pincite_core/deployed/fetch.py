"""Copy a deploy into a folder. Each file is checked against its SHA-256, so that an incomplete deploy is never used."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from pincite_core.deployed.origin import MOST_DATABASE_BYTES, Deploy, DeployedFile, Origin
from pincite_core.errors import IndexCorruptError, IndexFetchError, IndexFormatError
from pincite_core.index.schema import FORMAT, INFO_NAME

__all__ = ("digest_of", "fetch_deploy", "nothing_known")

Known = Callable[[DeployedFile], Path | None]
"""Function that returns a local file that probably has the content of a deployed file, or None."""


def nothing_known(_: DeployedFile) -> None:
    """Return None for every file, so that `fetch_deploy` fetches all files."""


def fetch_deploy(origin: Origin, deploy: Deploy, folder: Path, known: Known = nothing_known) -> None:
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
                _place(folder, index.info_path).write_bytes(index.info)
        for file in deploy.files():
            _take(origin, file, folder, known)
    except (OSError, ValueError) as error:  # a full disk; a path with a null byte
        message = f"The index cannot be copied ({getattr(error, 'strerror', None) or error}). Make room and look again."
        raise IndexFetchError(message) from error


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file in hex."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _check_facts(deploy: Deploy, *, digests: bool) -> None:
    for index in deploy.indexes:
        if digests and not index.facts.sha256:
            message = f"{index.info_path} does not say which database belongs to it. Rebuild the index."
            raise IndexCorruptError(message)
        if index.facts.format != FORMAT:
            message = (
                f"The index {index.folder} has format {index.facts.format}; this version of Pincite reads format "
                f"{FORMAT}. Rebuild the site's index with the same version of Pincite that serves it."
            )
            raise IndexFormatError(message)
        if (index.facts.size or 0) > MOST_DATABASE_BYTES:
            message = (
                f"The index {index.folder} says that it has {index.facts.size:,} bytes, more than can be served from a "
                f"file ({MOST_DATABASE_BYTES:,}). Serve it from PostgreSQL: `pincite push INDEX postgresql://...`."
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
        message = f"{file.path} is not the file that its {INFO_NAME} names. A deploy may be under way, or is not whole."
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
