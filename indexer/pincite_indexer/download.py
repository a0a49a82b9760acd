"""Fetching a deployed index: `index.json` first, then the files that it names, each checked against its digest."""

import hashlib
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import httpx
import msgspec

from pincite_core.errors import IndexCorruptError, InputError
from pincite_core.schema import DATABASE_NAME, INDEX_FOLDER, INFO_NAME

__all__ = ("download_index",)

_TIMEOUT_SECONDS = 30
_GONE = frozenset({404, 410})


class _EncoderFiles(msgspec.Struct):
    file: str
    sha256: str
    tokenizer: str
    tokenizer_sha256: str


class _IndexFacts(msgspec.Struct):
    """What fetching needs of `index.json`; the files' names are relative to it."""

    sha256: str
    encoder: _EncoderFiles | None = None


def download_index(url: str, folder: Path) -> Path | None:
    """Fetch the index at `url` and its encoder into `folder`, laid out as they are deployed.

    Returns:
        The database, or None when the address has no index.

    Raises:
        InputError: The address cannot be reached or answers with an error.
        IndexCorruptError: What it sends is no index.
    """
    try:
        with httpx.Client(follow_redirects=True, timeout=_TIMEOUT_SECONDS) as client:
            return _download(client, url, folder)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        message = f"The earlier index at {url} cannot be fetched ({error}). Check --previous, or build without it."
        raise InputError(message) from error


def _download(client: httpx.Client, url: str, folder: Path) -> Path | None:
    for address in _candidates(url):
        response = client.get(address)
        if response.status_code not in _GONE:
            response.raise_for_status()
            return _fetch_files(client, str(response.url), response.content, folder)
    return None


def _candidates(url: str) -> tuple[str, ...]:
    """Return where `index.json` may be: the address itself, in that folder, or in its sub-folder `pincite`."""
    if urlsplit(url).path.endswith((".json", ".db")):
        return (urljoin(url, INFO_NAME),)
    return (f"{url.rstrip('/')}/{INFO_NAME}", f"{url.rstrip('/')}/{INDEX_FOLDER}/{INFO_NAME}")


def _fetch_files(client: httpx.Client, address: str, info: bytes, folder: Path) -> Path:
    try:
        facts = msgspec.json.decode(info, type=_IndexFacts)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        message = f"What {address} sends is no {INFO_NAME} of an index. Give the address of the deployed folder."
        raise IndexCorruptError(message) from error
    _file_of(address, folder).write_bytes(info)
    if facts.encoder:
        _fetch(client, urljoin(address, facts.encoder.file), facts.encoder.sha256, folder)
        _fetch(client, urljoin(address, facts.encoder.tokenizer), facts.encoder.tokenizer_sha256, folder)
    return _fetch(client, urljoin(address, DATABASE_NAME), facts.sha256, folder)


def _fetch(client: httpx.Client, address: str, expected: str, folder: Path) -> Path:
    """Stream one file to disk and check it, so that half a download or half a deploy is never built upon."""
    file, digest = _file_of(address, folder), hashlib.sha256()
    with client.stream("GET", address) as response, file.open("wb") as stream:
        response.raise_for_status()
        for block in response.iter_bytes():
            digest.update(block)
            stream.write(block)
    if digest.hexdigest() != expected:
        message = f"{address} is not the file that its {INFO_NAME} names. A deploy may be under way: try again."
        raise IndexCorruptError(message)
    return file


def _file_of(address: str, folder: Path) -> Path:
    """Return where a file goes: below `folder` as below its host, so that relative names still fit."""
    file = folder / urlsplit(address).path.lstrip("/")
    if not file.resolve().is_relative_to(folder.resolve()):
        message = f"{address} leads out of its host. Give the address of the deployed folder."
        raise IndexCorruptError(message)
    file.parent.mkdir(parents=True, exist_ok=True)
    return file
