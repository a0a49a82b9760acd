"""What doctor says of hosts that do what no real server does on demand."""

import socket
from collections.abc import Iterator

import httpx
import msgspec
import pytest
import respx

from pincite_core.deployed.build_facts import BuildFacts, facts_json
from pincite_core.deployed.guarded_client import guarded_client
from pincite_server.doctor import sidecar_check as sidecar
from pincite_server.doctor import site_check as site
from pincite_server.doctor.diagnosis import Diagnosis
from pincite_server.doctor.examination import Examination, examine_sidecar
from pincite_server.http.routes.status import IndexStatus, Readiness

API = "https://chat.example.com"
SITE = "https://docs.example.com/kit/"
INFO = f"{SITE}pincite/index.json"
SERVED = IndexStatus("i-1", "b-1", None, "Kit", SITE, "/kit/", ("en",), "fake", {"pages": 1})
FAILURES = (httpx.ConnectTimeout("slow"), httpx.ReadTimeout("slow"), httpx.ReadError("reset"), httpx.ConnectError("no"))


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(base_url=API) as client:
        yield client


def ready(*indexes: IndexStatus) -> Readiness:
    return Readiness("ready", indexes, (), newest_refused=False, problem=None, looked_at=None, counters={})


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
def test_a_sidecar_that_does_not_answer_is_told_by_the_kind_of_failure(
    respx_mock: respx.MockRouter, error: Exception
) -> None:
    respx_mock.get(f"{API}/health").mock(side_effect=error)
    found = list(examine_sidecar(API, Examination("How?"), {}))
    assert found[-1].status == "fail"
    assert f"does not answer ({type(error).__name__})" in found[-1].message


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"status": 1}', b"\xff"])
def test_what_answers_but_is_no_sidecar_is_told(
    respx_mock: respx.MockRouter, client: httpx.Client, body: bytes
) -> None:
    respx_mock.get(f"{API}/health").respond(content=body)
    assert "is no sidecar" in sidecar.examine_health(client).message
    respx_mock.get(f"{API}/ready").respond(content=body)
    assert sidecar.read_readiness(client) is None


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
def test_a_question_that_gets_no_reply_is_a_finding(
    respx_mock: respx.MockRouter, client: httpx.Client, error: Exception
) -> None:
    respx_mock.post(f"{API}/api/chat").mock(side_effect=error)
    finding, url = sidecar.ask_end_to_end(client, "How?")
    assert (finding.status, url) == ("fail", None)


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"type": "answer"}', b'{"type": "refusal"}', b"null"])
def test_a_reply_of_another_form_is_a_finding(
    respx_mock: respx.MockRouter, client: httpx.Client, body: bytes, status: int
) -> None:
    respx_mock.post(f"{API}/api/chat").respond(status, content=body)
    finding, url = sidecar.ask_end_to_end(client, "How?")
    assert (finding.check, finding.status, url) == ("question", "fail", None)


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"result": {}}', b'{"result": {"tools": 1}}'])
def test_agents_tools_of_another_form_are_a_finding(
    respx_mock: respx.MockRouter, client: httpx.Client, body: bytes
) -> None:
    respx_mock.post(f"{API}/mcp").respond(200, content=body)
    assert sidecar.examine_mcp(client).status == "warn"


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
def test_a_stream_that_breaks_off_is_a_finding(
    respx_mock: respx.MockRouter, client: httpx.Client, error: Exception
) -> None:
    class Broken(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"data: 1\n\n"
            raise error

    respx_mock.get(f"{API}/api/stream-check").respond(stream=Broken())
    finding = sidecar.examine_stream(client)
    assert finding.status == "fail"
    assert type(error).__name__ in finding.message


def test_the_token_is_sent_to_the_sidecar_and_never_to_the_site(respx_mock: respx.MockRouter) -> None:
    replies = {"/ready": msgspec.to_builtins(ready(SERVED))}
    health = {"status": "ok", "version": "1"}
    chat = respx_mock.route(host="chat.example.com")
    chat.mock(side_effect=lambda request: httpx.Response(200, json=replies.get(request.url.path, health)))
    docs = respx_mock.route(host="docs.example.com").respond(404)
    list(examine_sidecar(API, Examination("How?", SITE, token="secret"), {}))
    assert docs.called
    assert any("authorization" in call.request.headers for call in chat.calls)
    assert not any("authorization" in call.request.headers for call in docs.calls)


def built(respx_mock: respx.MockRouter, reply: httpx.Response | Exception) -> Diagnosis:
    route = respx_mock.get(INFO)
    route.mock(side_effect=reply) if isinstance(reply, Exception) else route.mock(return_value=reply)
    with httpx.Client(follow_redirects=True) as browser:
        return site.examine_build(browser, SITE, ready(SERVED))


def test_the_same_build_is_well(respx_mock: respx.MockRouter) -> None:
    facts = BuildFacts(index_id="i-1", built_at="2026-02-13T10:00:00Z")
    finding = built(respx_mock, httpx.Response(200, content=facts_json(facts)))
    assert (finding.status, "2026-02-13T10:00:00Z" in finding.message) == ("ok", True)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"index_id": 7}', b"\xff"])
def test_a_page_where_the_index_should_be_is_told(respx_mock: respx.MockRouter, body: bytes) -> None:
    finding = built(respx_mock, httpx.Response(200, content=body))
    assert (finding.status, "is no index.json" in finding.message) == ("warn", True)


@pytest.mark.parametrize("error", [*FAILURES, httpx.TooManyRedirects("circle")], ids=lambda error: type(error).__name__)
def test_a_site_that_does_not_answer_is_told(respx_mock: respx.MockRouter, error: Exception) -> None:
    finding = built(respx_mock, error)
    assert (finding.status, type(error).__name__ in finding.message) == ("warn", True)
    with httpx.Client() as browser:
        respx_mock.get(f"{SITE}install").mock(side_effect=error)
        assert site.examine_landing(browser, SITE, "/kit/install#docker").status == "warn"


def test_of_a_timestamp_that_is_none_no_word_is_told(respx_mock: respx.MockRouter) -> None:
    facts = BuildFacts(index_id="i-1", built_at="words of the host")
    assert "words" not in built(respx_mock, httpx.Response(200, content=facts_json(facts))).message


def test_a_site_that_only_the_index_names_is_not_looked_at_in_a_private_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sidecar is public; what it says of its site is not this shell's word."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("127.0.0.1", 80))])
    with guarded_client(SITE, may_be_private=False) as browser:
        finding = site.examine_build(browser, SITE, ready(SERVED))
    assert (finding.status, "leads to a private address" in finding.message) == ("warn", True)


def test_a_site_that_sends_to_another_host_is_told_what_to_do(respx_mock: respx.MockRouter) -> None:
    respx_mock.get(INFO).respond(302, headers={"location": "https://elsewhere.example.com/"})
    with guarded_client(SITE) as browser:
        finding = site.examine_build(browser, SITE, ready(SERVED))
    assert "redirects to another host or port" in finding.message
    assert "elsewhere" not in str(finding)
