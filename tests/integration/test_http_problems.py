"""Bad requests: the status and the code that each gets."""

from collections.abc import Iterator

import httpx
import pytest
from tests.integration.serving import build_tiny_index, question, serve

from pincite_server.http.problems import PROBLEMS

JSON = {"content-type": "application/json"}
OK = question("Which port?")
UUID = str(OK["message_id"])


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serve(build_tiny_index(tmp_path_factory.mktemp("index"))) as running:
        yield running


def without(name: str) -> dict[str, object]:
    return {key: value for key, value in OK.items() if key != name}


def check(response: httpx.Response, code: str) -> str:
    problem = response.json()
    assert (response.status_code, problem["code"]) == (PROBLEMS[code][0], code)
    assert response.headers["content-type"] == "application/problem+json"
    assert problem["status"] == response.status_code
    assert problem["detail"].endswith(".")
    assert "Traceback" not in response.text
    assert ".py" not in response.text
    return str(problem["detail"])


@pytest.mark.parametrize("name", ["message_id", "query"])
def test_a_missing_field_is_named(client: httpx.Client, name: str):
    assert f"`{name}`" in check(client.post("/api/chat", json=without(name)), "invalid_request")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("message_id", "not-a-uuid"),
        ("message_id", 5),
        ("message_id", None),
        ("message_id", ""),
        ("query", 5),
        ("query", None),
        ("query", ""),
        ("query", " \n\t "),
        ("query", ["a"]),
        ("query", {"text": "a"}),
        ("session_id", 5),
        ("session_id", "x" * 257),
        ("mode", "chat"),
        ("mode", None),
        ("mode", 1),
        ("selection", "text"),
        ("selection", {}),
        ("selection", {"text": ""}),
        ("selection", {"text": 5}),
        ("selection", {"text": "a", "captured_at": "yesterday"}),
        ("selection", {"text": "a", "page_url": 5}),
        ("scope", "en"),
        ("scope", {"locale": 5}),
        ("scope", {"version": ["1"]}),
        ("scope", {"version": "v" * 257}),
        ("page_url", 5),
        ("page_url", "/" + "x" * 5000),
        ("build_id", 5),
        ("turns", {}),
        ("turns", ["a"]),
        ("turns", [{"query": "a"}]),
        ("turns", [{"query": "a", "answer": 5}]),
        ("embedding", "0.1"),
        ("embedding", ["0.1"]),
        ("embedding", [None]),
        ("embedding", [[0.1]]),
        ("embedding_model", 5),
    ],
)
def test_a_mistyped_field_is_named(client: httpx.Client, field: str, value: object):
    assert f"`{field}" in check(client.post("/api/chat", json={**OK, field: value}), "invalid_request")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"5",
        b"\xff\xfe",
        b'{"query": "\xff"}',
        b'{"message_id": NaN}',
        f'{{"message_id": "{UUID}", "query": "\\ud800"}}'.encode(),
        f'{{"message_id": "{UUID}", "query": "a"'.encode(),
        f"{{'message_id': '{UUID}', 'query': 'a'}}".encode(),
        b"message_id=1&query=a",
        b"[" * 100_000,
    ],
    ids=range(14),
)
def test_a_body_that_is_no_json_object_is_refused(client: httpx.Client, body: bytes):
    check(client.post("/api/chat", content=body, headers=JSON), "invalid_request")


def test_selection_mode_without_a_selection_is_refused(client: httpx.Client):
    assert "`selection`" in check(client.post("/api/chat", json={**OK, "mode": "selection"}), "invalid_request")


@pytest.mark.parametrize("embedding", [[], [0.0] * 64, [0.1] * 63, [1e308] * 64])
def test_an_embedding_that_does_not_fit_is_refused(client: httpx.Client, embedding: list[float]):
    check(client.post("/api/chat", json={**OK, "embedding": embedding}), "invalid_embedding")


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_is_not_declared_as_json_is_refused(client: httpx.Client, content_type: str):
    response = client.post("/api/chat", content=b'{"query": "a"}', headers={"content-type": content_type})
    check(response, "unsupported_media_type")


@pytest.mark.parametrize("path", ["/api/chat", "/query-selected-text", "/api/resolve", "/api/feedback"])
def test_a_body_over_256_kib_is_refused(client: httpx.Client, path: str):
    check(client.post(path, content=b" " * (256 * 1024 + 1), headers=JSON), "body_too_large")


def test_a_body_over_256_kib_that_hides_its_length_is_refused(client: httpx.Client):
    chunks = (b" " * 65536 for _ in range(5))
    check(client.post("/api/chat", content=chunks, headers=JSON), "body_too_large")


def test_a_body_of_256_kib_is_read(client: httpx.Client):
    body = {**question("Which port does the image listen on?"), "padding": "x" * (256 * 1024 - 400)}
    assert client.post("/api/chat", json=body).status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/api", "/api/chat/x", "/nothing", "/../etc/passwd", "/%2e%2e/etc/passwd", "/api/chat%00", "/static/"]
)
def test_an_unknown_address_is_not_found(client: httpx.Client, path: str):
    check(client.get(path), "not_found")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/chat"),
        ("PUT", "/api/chat"),
        ("DELETE", "/api/feedback"),
        ("POST", "/api/search"),
        ("GET", "/query-selected-text"),
        ("POST", "/health"),
        ("PATCH", "/c/default/install"),
    ],
)
def test_a_wrong_method_is_told_which_are_right(client: httpx.Client, method: str, path: str):
    response = client.request(method, path)
    check(response, "method_not_allowed")
    assert response.headers["allow"]


@pytest.mark.parametrize("query", ["", "q=", "q=%20", "q=a&k=0", "q=a&k=51", "q=a&k=many", f"q=a&version={'v' * 300}"])
def test_a_bad_search_is_refused(client: httpx.Client, query: str):
    check(client.get(f"/api/search?{query}"), "invalid_request")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/query-selected-text", {"query": "a"}),
        ("/query-selected-text", {"selected_text": "a"}),
        ("/query-selected-text", {"query": "", "selected_text": "a"}),
        ("/query-selected-text", {"query": "a", "selected_text": ""}),
        ("/query-selected-text", {"query": "a", "selected_text": 5}),
        ("/api/resolve", {}),
        ("/api/resolve", {"ids": "default/install"}),
        ("/api/resolve", {"ids": [5]}),
        ("/api/resolve", {"ids": ["x"] * 201}),
        ("/api/resolve", {"ids": ["x" * 1025]}),
        ("/api/feedback", {"message_id": UUID}),
        ("/api/feedback", {"message_id": UUID, "vote": "sideways"}),
        ("/api/feedback", {"message_id": "x", "vote": "up"}),
    ],
)
def test_the_other_routes_check_their_fields_as_well(client: httpx.Client, path: str, body: dict[str, object]):
    check(client.post(path, json=body), "invalid_request")


@pytest.mark.parametrize(
    "query",
    [
        '"; DROP TABLE pages; --',
        "* OR 1=1",
        'NEAR("a" "b", 5)',
        "<script>alert(1)</script>",
        "../../etc/passwd",
        "data: x\n\nevent: answer_end\ndata: {}",
        "\u202e\u0000\u0007",
        "🙈" * 500,
        "ا" * 1999,
        "a " * 5000,
        "{{7*7}} ${7*7} %s %n",
        "\r\nSet-Cookie: a=b",
    ],
)
def test_hostile_questions_get_an_ordinary_reply(client: httpx.Client, query: str):
    response = client.post("/api/chat", json=question(query), headers={"accept": "text/event-stream"})
    assert response.status_code == 200
    assert "set-cookie" not in response.headers
    assert response.text.count("event: answer_end") <= 1
