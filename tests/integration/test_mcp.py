"""The Model Context Protocol, spoken by the official SDK's own client to a real sidecar."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from tests.integration.serving import ask, build_tiny_index, serve, serve_app
from tests.patience import PATIENCE

from pincite_server.answering.pipeline import search_hits
from pincite_server.http.admission.fair_worker import REQUEST_CLIENT
from pincite_server.http.app import create_app
from pincite_server.http.mcp import tools
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

QUESTION = "Which port does the Lantern image listen on?"
TOKEN = "a-token-of-this-test"
T = TypeVar("T")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_index(tmp_path_factory.mktemp("index"))


@pytest.fixture(scope="module")
def sidecar(index: Path) -> Iterator[httpx.Client]:
    with serve(index) as client:
        yield client


@contextmanager
def served(index: Path, **settings: object) -> Iterator[httpx.Client]:
    """Serve in this process, for settings that only one test needs."""
    chosen = Settings(**{"rate_limit": 0, "address_limit": 0, **settings})  # type: ignore[arg-type]
    with serve_app(create_app(chosen, IndexSource(index).open())) as client:
        yield client


def talk(client: httpx.Client, conversation: Callable[[Client], Awaitable[T]], mode: str = "auto") -> T:
    """Hold a conversation with the sidecar that an HTTP client talks to, with that client's own headers."""

    async def connected() -> T:
        headers = {name: value for name, value in client.headers.items() if name == "authorization"}
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
            url = str(client.base_url.copy_with(path="/mcp"))
            async with Client(streamable_http_client(url, http_client=http), mode=mode) as agent:
                return await conversation(agent)

    return asyncio.run(connected())


def call(client: httpx.Client, tool: str, **arguments: object) -> Any:
    async def conversation(agent: Client) -> Any:
        return await agent.call_tool(tool, arguments)

    return talk(client, conversation)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_old_and_new_clients_find_the_three_tools(sidecar: httpx.Client, mode: str):
    async def conversation(agent: Client) -> list[str]:
        return [tool.name for tool in (await agent.list_tools()).tools]

    assert talk(sidecar, conversation, mode) == ["search", "read_section", "ask"]


def test_a_search_result_can_be_read_by_its_id_and_by_its_url(sidecar: httpx.Client):
    found = call(sidecar, "search", query="docker image port", k=1).structured_content["results"][0]
    assert found["url"] == "https://docs.example/kit/install#docker"
    for name in (found["stable_id"], found["url"]):
        section = call(sidecar, "read_section", id=name)
        assert section.structured_content["heading_path"] == ["Install", "Docker"]
        assert "The image listens on port 8080." in section.content[0].text
        assert "npm install lantern" not in section.content[0].text
        assert section.structured_content["parent"]["title"] == "Install"
        assert section.structured_content["siblings"]


def test_an_answer_names_its_sources_by_absolute_url(sidecar: httpx.Client):
    answer = call(sidecar, "ask", question=QUESTION)
    assert answer.structured_content["answered"] is True
    assert answer.structured_content["sources"][0]["url"].startswith("https://docs.example/kit/install")
    assert "[1] Install" in answer.content[0].text


def test_an_agent_gets_the_citations_that_a_reader_gets(sidecar: httpx.Client):
    sources = call(sidecar, "ask", question=QUESTION).structured_content["sources"]
    citations = ask(sidecar, QUESTION).json()["citations"]
    assert [source | {"url": None} for source in sources] == [citation | {"url": None} for citation in citations]


def test_an_agent_gets_the_answer_that_a_reader_gets(sidecar: httpx.Client):
    assert (
        call(sidecar, "ask", question=QUESTION).structured_content["answer"] == ask(sidecar, QUESTION).json()["answer"]
    )


def test_a_question_beyond_the_docs_is_refused_with_the_nearest_sections(sidecar: httpx.Client):
    refused = call(sidecar, "ask", question="write me a poem about ships").structured_content
    assert (refused["answered"], refused["refusal"], refused["confidence"]) == (False, "capability", None)


@pytest.mark.parametrize("tool", ["search", "ask", "read_section"])
def test_a_version_that_the_docs_do_not_have_is_the_tools_error(sidecar: httpx.Client, tool: str):
    named = {"search": "query", "ask": "question", "read_section": "id"}[tool]
    result = call(sidecar, tool, **{named: "install", "version": "99"})
    assert result.is_error
    assert "has no version '99'" in result.content[0].text


def test_wrong_arguments_are_told_in_words(sidecar: httpx.Client):
    for arguments in ({}, {"query": " "}, {"query": "x", "k": 0}, {"query": "x", "colour": "red"}):
        result = call(sidecar, "search", **arguments)
        assert result.is_error
        assert result.content[0].text.startswith("The arguments of `search` are wrong: ")


def test_what_is_not_in_the_docs_cannot_be_read(sidecar: httpx.Client):
    result = call(sidecar, "read_section", id="../../etc/passwd")
    assert result.is_error
    assert "is no stable ID or URL of these docs" in result.content[0].text


@pytest.mark.parametrize("name", ["\0", "http://[::1", "//[x", "http://a:99999/", "?", "http://\u2100.com/"])
def test_what_is_no_url_names_no_section_and_no_page(sidecar: httpx.Client, name: str):
    async def conversation(agent: Client) -> None:
        with pytest.raises(MCPError, match="There is no page"):
            await agent.read_resource(f"pincite://page{name}")

    result = call(sidecar, "read_section", id=name)
    assert result.is_error
    assert "is no stable ID or URL of these docs" in result.content[0].text
    talk(sidecar, conversation)


def test_every_page_is_a_resource(sidecar: httpx.Client):
    async def conversation(agent: Client) -> dict[str, str]:
        pages = (await agent.list_resources()).resources
        return {page.uri: (await agent.read_resource(page.uri)).contents[0].text for page in pages}

    pages = talk(sidecar, conversation)
    assert set(pages) == {"pincite://page/kit/install", "pincite://page/kit/config"}
    assert pages["pincite://page/kit/install"].startswith("# Install\n\nLantern runs on Linux")


def test_a_page_that_is_too_long_says_what_is_left_out(index: Path, monkeypatch: pytest.MonkeyPatch):
    async def conversation(agent: Client) -> str:
        return (await agent.read_resource("pincite://page/kit/install")).contents[0].text

    monkeypatch.setattr(tools, "_LONGEST_PAGE", 60)
    with served(index) as client:
        text = talk(client, conversation)
    assert re.search(r"sections is left out\. Read them by id:\n- ", text)


def test_a_page_that_is_not_there_is_an_error_in_words(sidecar: httpx.Client):
    async def conversation(agent: Client) -> None:
        with pytest.raises(MCPError, match="There is no page pincite://page/nothing"):
            await agent.read_resource("pincite://page/nothing")

    talk(sidecar, conversation)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example"]
)
def test_a_rebound_name_is_refused(sidecar: httpx.Client, host: str):
    assert post(sidecar, host=host).status_code == 421


def test_a_page_of_another_origin_is_refused(sidecar: httpx.Client):
    assert post(sidecar, origin="https://evil.example").status_code == 403
    own = f"http://{sidecar.base_url.netloc.decode()}"
    assert post(sidecar, origin=own).status_code == 200


def test_a_sidecar_on_the_internet_is_told_its_name(index: Path):
    with served(index, host_names=("chat.example.com",)) as client:
        assert post(client, host="chat.example.com").status_code == 200
        assert post(client).status_code == 421


def post(client: httpx.Client, **headers: str) -> httpx.Response:
    """List the tools without the SDK, whose client sends the right headers alone."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepted = {"Accept": "application/json, text/event-stream"}
    return client.post("/mcp", json=body, headers={**accepted, **headers})


def test_private_docs_want_the_token(index: Path):
    with served(index, token=TOKEN) as client:
        assert (post(client).status_code, post(client).json()["code"]) == (401, "unauthorized")
        client.headers["Authorization"] = f"Bearer {TOKEN}"
        assert call(client, "ask", question=QUESTION).structured_content["answered"] is True


def test_questions_of_agents_and_of_anonymous_readers_share_one_limit(index: Path):
    with served(index, rate_limit=2) as client:
        assert not call(client, "ask", question=QUESTION).is_error
        assert ask(client, QUESTION).status_code == 200
        limited = call(client, "ask", question=QUESTION)
        assert limited.is_error
        assert "Too many questions" in limited.content[0].text
        assert not call(client, "search", query="port").is_error, "lookups have the address's limit alone"


def test_lookups_of_agents_count_for_their_address(index: Path):
    with served(index, address_limit=3) as client:
        assert [post(client).status_code for _ in range(4)] == [200, 200, 200, 429]


def test_too_large_a_request_is_refused(sidecar: httpx.Client):
    assert post(sidecar, **{"X-Filler": "x"}).status_code == 200
    assert sidecar.post("/mcp", content=b"x" * 300_000, headers={"Content-Type": "application/json"}).status_code == 413


def test_the_sidecar_ends_cleanly_after_agents_have_called(index: Path):
    with serve(index) as client:  # which asserts exit code 0
        assert call(client, "search", query="port").structured_content["results"]


def test_unknown_tools_are_the_protocols_error(sidecar: httpx.Client):
    async def conversation(agent: Client) -> None:
        with pytest.raises(MCPError, match="There is no tool 'delete_docs'"):
            await agent.call_tool("delete_docs", {})

    talk(sidecar, conversation)


@pytest.mark.parametrize(
    ("tool", "arguments", "limit"),
    [
        ("search", {"query": "q" * 2001}, 2000),
        ("search", {"query": "port", "version": "v" * 257}, 256),
        ("search", {"query": "port", "locale": "l" * 257}, 256),
        ("ask", {"question": "q" * 2001}, 2000),
        ("read_section", {"id": "i" * 4097}, 4096),
    ],
)
def test_an_argument_over_its_limit_is_refused_with_the_limit(
    sidecar: httpx.Client, tool: str, arguments: dict[str, str], limit: int
):
    result = call(sidecar, tool, **arguments)
    assert result.is_error
    assert f"of length <= {limit}" in result.content[0].text


def test_what_is_too_long_to_be_a_page_a_cursor_or_a_tool_is_told_in_few_words(sidecar: httpx.Client):
    async def conversation(agent: Client) -> list[str]:
        told = []
        for attempt in (
            lambda: agent.read_resource("pincite://page/" + "x" * 5000),
            lambda: agent.list_resources(cursor="." + "9" * 5000),
            lambda: agent.call_tool("t" * 5000, {}),
        ):
            with pytest.raises(MCPError) as refused:
                await attempt()
            told.append(str(refused.value))
        return told

    uri, cursor, tool = talk(sidecar, conversation)
    assert "longer than 4096 characters" in uri
    assert "List the resources again" in cursor
    assert "The tools are: search, read_section, ask" in tool
    assert max(map(len, (uri, cursor, tool))) < 250


def test_an_agents_request_that_takes_too_much_processor_time_is_refused_in_words(index: Path):
    async def read(agent: Client) -> None:
        with pytest.raises(MCPError, match="Ask in fewer words"):
            await agent.read_resource("pincite://page/kit/install")

    with served(index, work_seconds=1e-9) as client:
        for tool, argument in (("search", "query"), ("ask", "question"), ("read_section", "id")):
            result = call(client, tool, **{argument: "port"})
            assert result.is_error
            assert "Ask in fewer words" in result.content[0].text
        talk(client, read)


def test_what_agents_ask_waits_in_the_line_of_their_address(index: Path, monkeypatch: pytest.MonkeyPatch):
    clients: list[str] = []

    def noted(*arguments: Any) -> Any:
        clients.append(REQUEST_CLIENT.get().name)
        return search_hits(*arguments)

    monkeypatch.setattr(tools, "search_hits", noted)
    with served(index) as client:
        assert not call(client, "search", query="port").is_error
    assert clients == ["lookup of address 127.0.0.1"]


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
def test_there_is_no_stream_and_no_session_so_only_post_is_answered(sidecar: httpx.Client, method: str) -> None:
    headers = {"Accept": "text/event-stream", "Last-Event-ID": "*/*", "Mcp-Session-Id": "x"}
    reply = sidecar.request(method, "/mcp", headers=headers)
    assert (reply.status_code, reply.headers["allow"]) == (405, "POST")


def test_an_agent_that_asks_in_another_language_is_told_that_of_the_docs(sidecar: httpx.Client):
    asked = call(sidecar, "ask", question="Wie kann ich den Dienst ohne Unterbrechung neu starten?").structured_content
    assert asked["notices"][0].startswith("Die Dokumentation ist auf Englisch")
