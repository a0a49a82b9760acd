"""A deploy on the web: looked at with conditional requests, fetched in blocks, never trusted."""

import posixpath
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

import httpx

from pincite_core.deployed.build_facts import parse_facts
from pincite_core.deployed.origin import Deploy, DeployedFile, DeployedIndex, index_folder, shown, sibling_folder
from pincite_core.errors import IndexFetchError, IndexNotFoundError
from pincite_core.index.schema import INDEX_FOLDER, INFO_NAME
from pincite_core.version import __version__

__all__ = ("WebOrigin",)

_TIMEOUT = httpx.Timeout(30, connect=10)  # seconds without a byte, and until connected
_MOST_SECONDS = 900  # for one file: a gigabyte at 10 Mbit/s; who drips a byte now and then must not hold us for ever
_MOST_REDIRECTS = 5
_MOST_INFO_BYTES = 1 << 20  # `index.json` has a few kB
_GONE = frozenset({httpx.codes.NOT_FOUND, httpx.codes.GONE})
_VERSION_DIGITS = 16  # of the digest, which a file's address carries so that no cache on the way sends the earlier one


@dataclass(slots=True)
class _Seen:
    """An `index.json` as it was sent last, and what a conditional request says of it."""

    address: str
    data: bytes
    conditions: dict[str, str] = field(default_factory=dict)


class WebOrigin:
    """The index at a URL: of its folder, of a site that holds it, of its `index.json` or of its database."""

    is_remote = True

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = httpx.Client(
            follow_redirects=True,
            max_redirects=_MOST_REDIRECTS,
            timeout=_TIMEOUT,
            headers={"User-Agent": f"pincite/{__version__}"},
            limits=httpx.Limits(max_keepalive_connections=0),  # the next look comes after any host has hung up
        )
        self._candidates = _candidates(url)
        self._seen: dict[str, _Seen] = {}
        self._address = url  # of the `index.json` that was found, after redirects
        self._folder = ""  # where its index lies below the site's host

    def look(self) -> Deploy:
        """Return what is deployed now.

        Raises:
            IndexNotFoundError: The address has no index.
            IndexFetchError: The host cannot be reached or answers with an error.
            IndexCorruptError: What it sends is no `index.json`.
        """
        main = self._main()
        siblings = (self._sibling(sibling_folder(url)) for url in main.facts.siblings)
        deploy = Deploy((main, *(item for item in siblings if item)))
        return Deploy(deploy.indexes, deploy.identity)

    def blocks(self, file: DeployedFile) -> Iterator[bytes]:
        """Yield the content of a file of the deploy that was looked at last."""
        version = f"?v={file.sha256[:_VERSION_DIGITS]}" if file.sha256 else ""
        yield from self._stream(self._address_of(file.path) + version, file.most, {})

    def _main(self) -> DeployedIndex:
        for address in self._candidates:
            seen = self._info(address)
            if seen is not None:
                self._candidates = (address,)
                facts = parse_facts(seen.data, shown(seen.address))
                self._address, self._folder = seen.address, index_folder(facts)
                return DeployedIndex(self._folder, seen.data, facts)
        message = f"There is no index at {shown(self._url)}. Give the address of the deployed folder {INDEX_FOLDER}."
        raise IndexNotFoundError(message)

    def _sibling(self, folder: str) -> DeployedIndex | None:
        seen = self._info(self._address_of(f"{folder}/{INFO_NAME}"))
        return DeployedIndex(folder, seen.data, parse_facts(seen.data, shown(seen.address))) if seen else None

    def _info(self, address: str) -> _Seen | None:
        """Return the `index.json` at an address, None when there is none; what has not changed is not sent again."""
        known = self._seen.get(address)
        headers = {"Cache-Control": "no-cache", **(known.conditions if known else {})}
        with self._response(address, headers) as response:
            if known and response.status_code == httpx.codes.NOT_MODIFIED:
                return known
            if response.status_code in _GONE:
                self._seen.pop(address, None)
                return None
            data = b"".join(_body(response, _MOST_INFO_BYTES))
            self._seen[address] = _Seen(str(response.url), data, _conditions(response))
        return self._seen[address]

    def _stream(self, address: str, most: int, headers: dict[str, str]) -> Iterator[bytes]:
        with self._response(address, headers) as response:
            yield from _body(response, most)

    @contextmanager
    def _response(self, address: str, headers: dict[str, str]) -> Iterator[httpx.Response]:
        try:
            with self._client.stream("GET", address, headers=headers) as response:
                if urlsplit(address).scheme == "https" and response.url.scheme != "https":
                    message = f"{shown(address)} redirects to an address without TLS. Give the final address."
                    raise IndexFetchError(message)
                yield response
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            message = f"{shown(address)} cannot be fetched ({str(error) or type(error).__name__}). Is the site up?"
            raise IndexFetchError(message) from error

    def _address_of(self, path: str) -> str:
        """Return the URL of a file that the index names, relative to the index."""
        return urljoin(self._address, posixpath.relpath(f"/{path}", f"/{self._folder}"))


def _candidates(url: str) -> tuple[str, ...]:
    """Return where `index.json` may be: the address itself, in that folder, or in its sub-folder `pincite`."""
    if urlsplit(url).path.endswith((".json", ".db")):
        return (urljoin(url, INFO_NAME),)
    return (f"{url.rstrip('/')}/{INFO_NAME}", f"{url.rstrip('/')}/{INDEX_FOLDER}/{INFO_NAME}")


def _body(response: httpx.Response, most: int) -> Iterator[bytes]:
    """Yield a response's content, at most so many bytes of it and for so long."""
    address = shown(str(response.url))
    if response.status_code != httpx.codes.OK:
        message = f"{address} answers {response.status_code}. A deploy may be under way, or the site is down."
        raise IndexFetchError(message)
    until, received = time.monotonic() + _MOST_SECONDS, int(response.headers.get("content-length", 0))
    _limit(address, received, most)
    received = 0
    for block in response.iter_bytes():
        received += len(block)
        _limit(address, received, most)
        if time.monotonic() > until:
            message = f"{address} takes longer than {_MOST_SECONDS:,} seconds. Is the host very slow?"
            raise IndexFetchError(message)
        yield block


def _limit(address: str, received: int, most: int) -> None:
    if received > most:
        message = f"{address} is larger than {most:,} bytes. Deploy the whole folder again."
        raise IndexFetchError(message)


def _conditions(response: httpx.Response) -> dict[str, str]:
    named = {"If-None-Match": "etag", "If-Modified-Since": "last-modified"}
    return {name: response.headers[source] for name, source in named.items() if source in response.headers}
