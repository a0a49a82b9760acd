"""An index at a URL whose host does what no real server does on demand."""

import hashlib
from collections.abc import Iterator

import httpx
import msgspec
import pytest
import respx

from pincite_core.deployed import guarded_client
from pincite_core.deployed.build_facts import BuildFacts, facts_json
from pincite_core.deployed.web import WebOrigin
from pincite_core.errors import IndexCorruptError, IndexFetchError, IndexNotFoundError

SITE = "https://docs.example.com"
FOLDER = f"{SITE}/kit/pincite/"
INFO = f"{FOLDER}index.json"
DATA = b"a database"
FACTS = BuildFacts(base_url="/kit/", sha256=hashlib.sha256(DATA).hexdigest(), size=len(DATA))


@pytest.fixture
def host(respx_mock: respx.MockRouter) -> respx.MockRouter:
    respx_mock.get(INFO).respond(content=facts_json(FACTS), headers={"etag": '"one"'})
    respx_mock.get(f"{FOLDER}index.db").respond(content=DATA)
    respx_mock.route(host="docs.example.com").respond(404)
    return respx_mock


def fetched(url: str = FOLDER) -> bytes:
    origin = WebOrigin(url)
    return b"".join(origin.blocks(origin.look().indexes[0].database))


@pytest.mark.respx(assert_all_called=False)
def test_a_database_is_asked_for_by_its_digest_so_that_no_cache_sends_an_earlier_one(host: respx.MockRouter) -> None:
    assert fetched() == DATA
    assert host.calls.last.request.url.params["v"] == str(FACTS.sha256)[:16]


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (httpx.ConnectTimeout("too slow"), "too slow"),
        (httpx.ReadTimeout(""), "ReadTimeout"),
        (httpx.ConnectError("refused"), "refused"),
        (httpx.ReadError("reset by peer"), "reset by peer"),
        (httpx.RemoteProtocolError("remote words"), "no whole reply in HTTP"),
        (httpx.DecodingError("remote words"), "its compression is damaged"),
    ],
)
def test_a_network_error_names_the_address_and_can_be_retried(
    respx_mock: respx.MockRouter, error: Exception, named: str
) -> None:
    respx_mock.get(INFO).mock(side_effect=[error, httpx.Response(200, content=facts_json(FACTS))])
    origin = WebOrigin(FOLDER)
    with pytest.raises(IndexFetchError, match=rf"{INFO} cannot be fetched \({named}\)"):
        origin.look()
    assert origin.look().indexes[0].facts == FACTS


def test_the_login_of_a_url_is_not_shown(respx_mock: respx.MockRouter) -> None:
    respx_mock.route().mock(side_effect=httpx.ConnectError("refused"))
    with pytest.raises(IndexFetchError) as raised:
        WebOrigin(FOLDER.replace("https://", "https://reader:secret@")).look()
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("status", [401, 403, 418, 429, 500, 502, 503, 204, 206, 300])
def test_an_unexpected_status_is_named(respx_mock: respx.MockRouter, status: int) -> None:
    respx_mock.get(INFO).respond(status)
    with pytest.raises(IndexFetchError, match=f"answers {status}"):
        WebOrigin(FOLDER).look()


@pytest.mark.parametrize("status", [404, 410])
def test_a_missing_index_is_reported_with_its_url(respx_mock: respx.MockRouter, status: int) -> None:
    respx_mock.route().respond(status)
    with pytest.raises(IndexNotFoundError, match=f"There is no index at {FOLDER}"):
        WebOrigin(FOLDER).look()
    assert [str(call.request.url) for call in respx_mock.calls] == [INFO, f"{FOLDER}pincite/index.json"]


def test_a_redirect_is_followed_and_files_are_named_from_where_it_leads(
    respx_mock: respx.MockRouter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_REDIRECT_HOSTS", "other.example.com CDN.example.com")
    there = "https://cdn.example.com/kit/pincite/"
    respx_mock.get(INFO).respond(301, headers={"location": f"{there}index.json"})
    respx_mock.get(f"{there}index.json").respond(content=facts_json(FACTS))
    respx_mock.get(f"{there}index.db").respond(content=DATA)
    assert fetched() == DATA


def test_a_redirect_away_from_tls_is_refused(respx_mock: respx.MockRouter) -> None:
    plain = INFO.replace("https://", "http://")
    respx_mock.get(INFO).respond(302, headers={"location": plain})
    respx_mock.get(plain).respond(content=facts_json(FACTS))
    with pytest.raises(IndexFetchError, match="redirects to an address without TLS"):
        WebOrigin(FOLDER).look()


def test_redirects_in_a_circle_end(respx_mock: respx.MockRouter) -> None:
    respx_mock.get(INFO).respond(302, headers={"location": INFO})
    with pytest.raises(IndexFetchError, match="cannot be fetched"):
        WebOrigin(FOLDER).look()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe{",
        b"[]",
        b"null",
        b'{"sha256": "short"}',
        b'{"size": -1}',
        b'{"encoder": {"file": "a"}}',
        b"<html>",
    ],
)
def test_a_response_that_is_not_an_index_json_is_refused(respx_mock: respx.MockRouter, body: bytes) -> None:
    respx_mock.get(INFO).respond(content=body)
    with pytest.raises(IndexCorruptError, match=r"not the index\.json of an index"):
        WebOrigin(FOLDER).look()


def test_unknown_fields_are_ignored(respx_mock: respx.MockRouter) -> None:
    respx_mock.get(INFO).respond(json={**msgspec.to_builtins(FACTS), "mirror": ["a"]})
    assert WebOrigin(FOLDER).look().indexes[0].facts == FACTS


@pytest.mark.respx(assert_all_called=False)
def test_an_unchanged_index_json_is_not_sent_again(host: respx.MockRouter) -> None:
    origin = WebOrigin(FOLDER)
    first = origin.look()
    host.get(INFO).respond(304)
    assert origin.look() == first
    assert host.calls.last.request.headers["if-none-match"] == '"one"'


def test_a_304_without_a_conditional_request_is_an_error(respx_mock: respx.MockRouter) -> None:
    respx_mock.get(INFO).respond(304)
    with pytest.raises(IndexFetchError, match="answers 304"):
        WebOrigin(FOLDER).look()


@pytest.mark.respx(assert_all_called=False)
def test_a_file_longer_than_its_index_json_says_is_cut_off(host: respx.MockRouter) -> None:
    host.get(f"{FOLDER}index.db").respond(content=DATA + b"more")
    with pytest.raises(IndexFetchError, match=f"is larger than {len(DATA)} bytes"):
        fetched()


@pytest.mark.respx(assert_all_called=False)
def test_a_slow_host_hits_the_time_limit(host: respx.MockRouter, monkeypatch: pytest.MonkeyPatch) -> None:
    host.get(f"{FOLDER}index.db").mock(return_value=httpx.Response(200, stream=Dripping()))
    origin = WebOrigin(FOLDER)
    database = origin.look().indexes[0].database
    clock = iter(range(0, 10_000, 600))
    monkeypatch.setattr(guarded_client.time, "monotonic", lambda: next(clock))
    with pytest.raises(IndexFetchError, match="takes longer than 900 seconds"):
        list(origin.blocks(database))


class Dripping(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield from (bytes([byte]) for byte in DATA)
