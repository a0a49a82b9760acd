"""No request, and no client, takes more than its share: limits of what is sent, of processor time, and of waiting."""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import Any

import httpx
import pytest
from litestar import Litestar
from tests.integration.serving import ask, build_tiny_index, question, serve_app
from tests.patience import PATIENCE

from pincite_core.budget import check_budget
from pincite_server.answering.pipeline import search_hits
from pincite_server.http.admission.fair_queue import MOST_WAITING_OF_ONE
from pincite_server.http.app import create_app
from pincite_server.http.routes import lookups
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

QUESTION = "Which port does the Lantern image listen on?"
LONGEST_QUERY = "".join(f"lantern{number:03} " for number in range(182))[:2000]
PASSAGE = "Run the Lantern image with docker run lantern. The image listens on port 8080."


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> IndexSet:
    return IndexSource(build_tiny_index(tmp_path_factory.mktemp("index"))).open()


@contextmanager
def served(indexes: IndexSet, **settings: Any) -> Iterator[tuple[Litestar, httpx.Client]]:
    """Serve on one thread, without limits by the minute."""
    app = create_app(Settings(rate_limit=0, address_limit=0, threads=1, **settings), indexes)
    with serve_app(app) as client:
        yield app, client


@pytest.fixture(scope="module")
def client(indexes: IndexSet) -> Iterator[httpx.Client]:
    with served(indexes) as (_, running):
        yield running


def until(reached: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline, f"{what} did not come about in {PATIENCE:.0f} seconds"
        time.sleep(0.005)


class Held:
    """A search whose first call waits until it is let go."""

    def __init__(self) -> None:
        self.begun, self.let_go = Event(), Event()

    def __call__(self, *args: Any) -> Any:
        if not self.begun.is_set():
            self.begun.set()
            assert self.let_go.wait(PATIENCE)
        check_budget()
        return search_hits(*args)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    search = Held()
    monkeypatch.setattr(lookups, "search_hits", search)
    return search


# -- limits of what is sent -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "parameters", "told"),
    [
        ("/api/search", {"q": LONGEST_QUERY + "s"}, "`q`: Expected `str` of length <= 2000"),
        ("/api/search", {"q": "port", "version": "v" * 257}, "`version`: Expected `str` of length <= 256"),
        ("/api/search", {"q": "port", "locale": "v" * 257}, "`locale`: Expected `str` of length <= 256"),
        ("/api/questions", {"page_url": "/" + "x" * 2048}, "`page_url`: Expected `str` of length <= 2048"),
        ("/c/default/install", {"s": "x" * 1025}, "`s`: Expected `str` of length <= 1024"),
        ("/c/default/install", {"v": "x" * 257}, "`v`: Expected `str` of length <= 256"),
    ],
)
def test_a_parameter_over_its_limit_is_refused_with_the_limit(
    client: httpx.Client, path: str, parameters: dict[str, str], told: str
):
    response = client.get(path, params=parameters)
    assert (response.status_code, response.json()["code"]) == (400, "invalid_request")
    assert told in response.json()["detail"]


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/api/chat", question("x" * 200_001), "`query` is wrong: expected `str` of length <= 200000"),
        ("/api/chat", question("Why?", session_id="s" * 257), "`session_id` is wrong: expected `str` of length <= 256"),
        (
            "/api/chat",
            question("Why?", page_url="/" + "x" * 4096),
            "`page_url` is wrong: expected `str` of length <= 4",
        ),
        (
            "/api/chat",
            question("Why?", scope={"version": "v" * 257}),
            "`scope.version` is wrong: expected `str` of len",
        ),
        ("/api/chat", question("Why?", build_id="b" * 257), "`build_id` is wrong: expected `str` of length <= 256"),
        (
            "/api/chat",
            question("Why?", mode="selection", selection={"text": "x" * 200_001}),
            "`selection.text` is wrong: expected `str` of length <= 200000",
        ),
        (
            "/api/chat",
            question("Why?", turns=[{"query": "q", "answer": "a"}] * 101),
            "`turns` is wrong: expected `array` of length <= 100",
        ),
        (
            "/api/chat",
            question("Why?", turns=[{"query": "q", "answer": "a" * 200_001}]),
            "`turns[0].answer` is wrong: expected `str` of length <= 200000",
        ),
        (
            "/query-selected-text",
            {"query": "Why?", "selected_text": "x" * 200_001},
            "`selected_text` is wrong: expected `str` of length <= 200000",
        ),
        ("/api/resolve", {"ids": ["x"] * 201}, "`ids` is wrong: expected `array` of length <= 200"),
        ("/api/resolve", {"ids": ["x" * 1025]}, "`ids[0]` is wrong: expected `str` of length <= 1024"),
        ("/api/feedback", {"message_id": "x" * 5000, "vote": "up"}, "`message_id` is wrong"),
        ("/api/feedback", {"message_id": question("")["message_id"], "vote": "u" * 5000}, "`vote` is wrong"),
        (
            "/api/feedback",
            {"message_id": question("")["message_id"], "vote": "down", "comment": "x" * 1001},
            "`comment` is wrong: expected `str` of length <= 1000",
        ),
    ],
)
def test_a_field_over_its_limit_is_refused_with_the_limit(client: httpx.Client, path: str, body: object, told: str):
    response = client.post(path, json=body)
    assert (response.status_code, response.json()["code"]) == (400, "invalid_request")
    assert told in response.json()["detail"]


def test_the_longest_search_and_the_longest_question_of_the_widget_are_answered(client: httpx.Client):
    assert client.get("/api/search", params={"q": LONGEST_QUERY}).status_code == 200
    reply = ask(client, f"{QUESTION} ".ljust(2000, "x"))
    assert reply.status_code == 200


def test_the_schema_tells_every_limit(client: httpx.Client):
    schema = client.get("/schema/openapi.json").json()
    (q,) = [one for one in schema["paths"]["/api/search"]["get"]["parameters"] if one["name"] == "q"]
    assert q["schema"]["maxLength"] == 2000
    fields = {name: struct["properties"] for name, struct in schema["components"]["schemas"].items()}
    assert fields["ChatRequest"]["query"]["maxLength"] == 200_000
    assert fields["ChatRequest"]["turns"]["maxItems"] == 100
    assert fields["TurnRequest"]["answer"]["maxLength"] == 200_000
    assert fields["SelectedTextRequest"]["selected_text"]["maxLength"] == 200_000
    unbounded = [
        (struct, name)
        for struct in ("ChatRequest", "SelectionRequest", "ScopeRequest", "TurnRequest", "SelectedTextRequest")
        for name, field in fields[struct].items()
        for kind in field.get("oneOf", [field])
        if kind.get("type") == "string" and not {"maxLength", "format", "enum", "const"} & (kind | field).keys()
    ]
    assert not unbounded


# -- processor time ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [
        ("GET", "/api/search", {"params": {"q": QUESTION}}),
        ("GET", "/api/questions", {"params": {"page_url": "/kit/install"}}),
        ("GET", "/c/default/install", {}),
        ("POST", "/api/chat", {"json": question(QUESTION)}),
        ("POST", "/api/resolve", {"json": {"ids": ["default/install"]}}),
        ("POST", "/query-selected-text", {"json": {"query": "Which port?", "selected_text": PASSAGE}}),
    ],
)
def test_what_takes_more_processor_time_than_a_request_may_is_refused_in_words(
    indexes: IndexSet, method: str, path: str, sent: dict[str, Any]
):
    with served(indexes, work_seconds=1e-9) as (_, client):
        response = client.request(method, path, **sent)
    problem = response.json()
    assert (response.status_code, problem["code"]) == (422, "too_costly")
    assert "Ask in fewer words" in problem["detail"]


def test_a_message_that_was_too_costly_can_be_sent_again(indexes: IndexSet):
    body = question(QUESTION)
    with served(indexes, work_seconds=1e-9) as (app, client):
        assert client.post("/api/chat", json=body).status_code == 422
        app.state.sidecar.worker._seconds = 60.0
        assert client.post("/api/chat", json=body).json()["type"] == "answer"


# -- waiting ----------------------------------------------------------------------------------------------------------


def get(client: httpx.Client, finished: list[str]) -> None:
    assert client.get("/api/search", params={"q": LONGEST_QUERY}).status_code == 200
    finished.append("search")


def test_twelve_of_the_longest_searches_of_one_client_do_not_hold_up_another_reader(indexes: IndexSet, held: Held):
    finished: list[str] = []
    with served(indexes) as (app, greedy), httpx.Client(base_url=greedy.base_url, timeout=PATIENCE) as modest:
        worker = app.state.sidecar.worker
        modest.headers["Pincite-Reader"] = ask(modest, QUESTION).headers["Pincite-Reader"]
        with ThreadPoolExecutor(13) as clients:
            searches = [clients.submit(get, greedy, finished) for _ in range(12)]
            until(lambda: worker.waiting == 11, "eleven searches waiting behind the first")
            asked = clients.submit(lambda: finished.append(ask(modest, QUESTION).json()["type"]))
            until(lambda: worker.waiting == 12, "the reader's question waiting")
            held.let_go.set()
            for one in (*searches, asked):
                one.result(PATIENCE)
    assert finished.index("answer") < 11, "the question was answered before the last of the searches"
    assert sorted(finished) == ["answer", *["search"] * 12]


def test_lookups_of_an_address_do_not_hold_up_its_next_new_reader(indexes: IndexSet, held: Held):
    finished: list[str] = []
    with served(indexes) as (app, client):
        worker = app.state.sidecar.worker
        with ThreadPoolExecutor(6) as clients:
            searches = [clients.submit(get, client, finished) for _ in range(5)]
            until(lambda: worker.waiting == 4, "four searches waiting behind the first")
            asked = clients.submit(lambda: finished.append(ask(client, QUESTION).json()["type"]))
            until(lambda: worker.waiting == 5, "the new reader's question waiting")
            held.let_go.set()
            for one in (*searches, asked):
                one.result(PATIENCE)
    assert finished.index("answer") < 5


def test_a_client_with_too_much_waiting_is_told_to_wait_and_another_is_answered(indexes: IndexSet, held: Held):
    def status(_: int) -> tuple[int, str | None]:
        response = greedy.get("/api/search", params={"q": "port"})
        return response.status_code, response.headers.get("Retry-After")

    with served(indexes) as (app, greedy), httpx.Client(base_url=greedy.base_url, timeout=PATIENCE) as modest:
        worker = app.state.sidecar.worker
        modest.headers["Pincite-Reader"] = ask(modest, QUESTION).headers["Pincite-Reader"]
        with ThreadPoolExecutor(MOST_WAITING_OF_ONE + 2) as clients:
            waiting = [clients.submit(status, number) for number in range(MOST_WAITING_OF_ONE + 1)]
            until(lambda: worker.waiting == MOST_WAITING_OF_ONE, "as much waiting as may")
            refused = greedy.get("/api/search", params={"q": "port"})
            asked = clients.submit(ask, modest, QUESTION)
            until(lambda: worker.waiting == MOST_WAITING_OF_ONE + 1, "the reader's question waiting")
            held.let_go.set()
            assert asked.result(PATIENCE).json()["type"] == "answer"
            assert {one.result(PATIENCE) for one in waiting} == {(200, None)}
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert int(refused.headers["Retry-After"]) > 0


AGENTS_SEARCH = {
    "method": "POST",
    "url": "/mcp",
    "headers": {"Accept": "application/json, text/event-stream"},
    "json": {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "port"}},
    },
}


async def send_and_leave(url: httpx.URL, sent: dict[str, Any], arrived: Callable[[], bool]) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE) as leaving:
        request = asyncio.create_task(leaving.request(**sent))
        await asyncio.to_thread(until, arrived, "the request waiting")
        request.cancel()
        await asyncio.gather(request, return_exceptions=True)


@pytest.mark.parametrize(
    "sent",
    [
        {"method": "GET", "url": "/api/search", "params": {"q": "port"}},
        {"method": "GET", "url": "/api/questions", "params": {"page_url": "/kit/install"}},
        {"method": "GET", "url": "/c/default/install"},
        {"method": "POST", "url": "/api/resolve", "json": {"ids": ["default/install"]}},
        {"method": "POST", "url": "/api/chat", "json": question(QUESTION)},
        {"method": "POST", "url": "/query-selected-text", "json": {"query": "Which port?", "selected_text": PASSAGE}},
        AGENTS_SEARCH,
    ],
    ids=lambda sent: sent["url"],
)
def test_a_client_that_leaves_frees_its_place_at_once(indexes: IndexSet, held: Held, sent: dict[str, Any]):
    with served(indexes) as (app, patient):
        assert patient.request(**AGENTS_SEARCH).status_code == 200  # loads what serves agents
        worker = app.state.sidecar.worker
        with ThreadPoolExecutor(1) as clients:
            first = clients.submit(patient.get, "/api/search", params={"q": "port"})
            assert held.begun.wait(PATIENCE)
            asyncio.run(send_and_leave(patient.base_url, sent, lambda: worker.waiting == 1))
            until(lambda: worker.waiting == 0, "the place of the client that left being free")
            held.let_go.set()
            assert first.result(PATIENCE).status_code == 200
