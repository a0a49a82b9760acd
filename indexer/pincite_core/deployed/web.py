"""Read a deploy from an untrusted web host, with conditional requests and limits on size and time."""

import posixpath
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from pincite_core.deployed.build_facts import parse_facts
from pincite_core.deployed.guarded_client import RefusedError, guarded_client
from pincite_core.deployed.origin import Deploy, DeployedFile, DeployedIndex, index_folder, shown, sibling_folder
from pincite_core.errors import IndexFetchError, IndexNotFoundError
from pincite_core.index.schema import INDEX_FOLDER, INFO_NAME
from pincite_core.urls import encode_url, join_url, parse_url

__all__ = ("WebOrigin",)

_MOST_SECONDS = 900  # per file: a gigabyte at 10 Mbit/s. A host that sends single bytes must not block us forever
_MOST_INFO_SECONDS = 60
_MOST_INFO_BYTES = 1 << 20  # `index.json` takes a few kB
_GONE = frozenset({httpx.codes.NOT_FOUND, httpx.codes.GONE})
_MOST_SHOWN = 200  # characters of an address in messages; `index.json` can name addresses of any length
_LOCAL_ERRORS = (httpx.NetworkError, httpx.TimeoutException)  # such as a refused connection or a bad certificate
_REMOTE_ERRORS = (  # the text of these exceptions may quote the host
    (httpx.RemoteProtocolError, "no whole reply in HTTP"),
    (httpx.DecodingError, "its compression is damaged"),
    (httpx.TooManyRedirects, "too many redirects"),
)
_VERSION_DIGITS = 16  # hex digits of the SHA-256 in a file's URL, so that no HTTP cache returns an older file


@dataclass(slots=True)
class _Seen:
    """The last received `index.json` of a URL, and the headers of the next conditional request."""

    address: str
    data: bytes
    conditions: dict[str, str] = field(default_factory=dict)


class WebOrigin:
    """The deploy at a URL of an index folder, a site, an `index.json` or an `index.db`.

    The default of `redirect_hosts`, to which redirects may lead, comes from the environment.

    Raises:
        InputError: `url` is not a valid URL.
    """

    is_remote = True

    def __init__(self, url: str, redirect_hosts: Collection[str] | None = None) -> None:
        self._url = url
        self._client = guarded_client(url, redirect_hosts)
        self._candidates = _candidates(url)
        self._seen: dict[str, _Seen] = {}
        self._address = url  # URL of the `index.json` that was found, after redirects
        self._folder = ""  # folder of its index, as a path on the site's host

    def look(self) -> Deploy:
        """Return the current deploy.

        Raises:
            IndexNotFoundError: There is no index at the URL.
            IndexFetchError: The host cannot be reached or returns an error.
            IndexCorruptError: The response is not an `index.json`.
        """
        main = self._main()
        siblings = (self._sibling(sibling_folder(url)) for url in main.facts.siblings)
        deploy = Deploy((main, *(item for item in siblings if item)))
        return Deploy(deploy.indexes, deploy.identity)

    def blocks(self, file: DeployedFile) -> Iterator[bytes]:
        """Yield the content of a file of the deploy that the last `look` returned."""
        version = f"?v={file.sha256[:_VERSION_DIGITS]}" if file.sha256 else ""
        limits = {"most": file.most, "deadline": _MOST_SECONDS}
        address = self._address_of(file.path)
        with self._response(address + version, {}, limits) as response:
            _require_ok(response, address)
            yield from response.iter_bytes()

    def _main(self) -> DeployedIndex:
        for address in self._candidates:
            seen = self._info(address)
            if seen is not None:
                self._candidates = (address,)
                facts = parse_facts(seen.data, _printable(address))
                self._address, self._folder = seen.address, index_folder(facts)
                return DeployedIndex(self._folder, seen.data, facts)
        message = f"There is no index at {shown(self._url)}. Give the address of the deployed folder {INDEX_FOLDER}."
        raise IndexNotFoundError(message)

    def _sibling(self, folder: str) -> DeployedIndex | None:
        address = self._address_of(f"{folder}/{INFO_NAME}")
        seen = self._info(address)
        return DeployedIndex(folder, seen.data, parse_facts(seen.data, _printable(address))) if seen else None

    def _info(self, address: str) -> _Seen | None:
        """Return the `index.json` at an address, or None if it does not exist. The request is conditional."""
        known = self._seen.get(address)
        headers = {"Cache-Control": "no-cache", **(known.conditions if known else {})}
        limits = {"most": _MOST_INFO_BYTES, "deadline": _MOST_INFO_SECONDS}
        with self._response(address, headers, limits) as response:
            if known and response.status_code == httpx.codes.NOT_MODIFIED:
                return known
            if response.status_code in _GONE:
                self._seen.pop(address, None)
                return None
            _require_ok(response, address)
            data = response.read()
            self._seen[address] = _Seen(str(response.url), data, _conditions(response))
        return self._seen[address]

    @contextmanager
    def _response(self, address: str, headers: dict[str, str], limits: dict[str, int]) -> Iterator[httpx.Response]:
        try:
            with self._client.stream("GET", address, headers=headers, extensions=limits) as response:
                yield response
        except RefusedError as error:
            message = f"{_printable(address)} {error}"
            raise IndexFetchError(message) from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            message = f"{_printable(address)} cannot be fetched ({_failure(error)}). Is the site up?"
            raise IndexFetchError(message) from error

    def _address_of(self, path: str) -> str:
        address = join_url(self._address, posixpath.relpath(f"/{path}", f"/{self._folder}"))
        if address is None:
            message = f"{shown(self._address)} names a file that has no address. Build and deploy the index again."
            raise IndexFetchError(message)
        return address


def _candidates(url: str) -> tuple[str, ...]:
    """Return the possible URLs of `index.json`: the address itself, its folder, or the sub-folder `pincite`."""
    parts = parse_url(url)
    if parts is None:
        message = "The address of the index is not a URL. Write it as https://docs.example.com/pincite/."
        raise IndexNotFoundError(message)
    if parts.path.endswith((".json", ".db")):
        return (join_url(url, INFO_NAME) or url,)
    return (f"{url.rstrip('/')}/{INFO_NAME}", f"{url.rstrip('/')}/{INDEX_FOLDER}/{INFO_NAME}")


def _require_ok(response: httpx.Response, address: str) -> None:
    if response.status_code != httpx.codes.OK:
        message = (
            f"{_printable(address)} answers {response.status_code}. A deploy may be under way, or the site is down."
        )
        raise IndexFetchError(message)


def _failure(error: Exception) -> str:
    """Return a description of an error that contains no text from the host."""
    description = next((words for kind, words in _REMOTE_ERRORS if isinstance(error, kind)), "")
    return description or (str(error) if isinstance(error, _LOCAL_ERRORS) else "") or type(error).__name__


def _printable(address: str) -> str:
    """Return an address for messages, without a password and with control characters percent-encoded."""
    return encode_url(shown(address))[:_MOST_SHOWN]


def _conditions(response: httpx.Response) -> dict[str, str]:
    named = {"If-None-Match": "etag", "If-Modified-Since": "last-modified"}
    return {name: response.headers[source] for name, source in named.items() if source in response.headers}
