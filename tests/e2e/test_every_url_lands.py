"""No URL that the sidecar emits lacks its page or its id in the HTML, as another parser than the indexer's sees it."""

import uuid
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
import yaml
from tests.e2e.conftest import BUILD
from tests.patience import PATIENCE

QUESTIONS = Path(__file__).parents[2] / "examples" / "site" / "questions.yml"
SCOPES: list[dict[str, str]] = [
    {},
    {"version": "2.4", "locale": "en"},
    {"version": "current", "locale": "en"},
    {"version": "2.4", "locale": "fr"},
    {"version": "current", "locale": "fr"},
]


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.update(value for name, value in attrs if value and (name == "id" or (tag == "a" and name == "name")))


@cache
def _ids_of(path: str) -> frozenset[str] | None:
    relative = unquote(path).strip("/")
    for file in (BUILD / relative / "index.html", BUILD / f"{relative}.html"):
        if file.is_file():
            parser = _Ids()
            parser.feed(file.read_text(encoding="utf-8"))
            return frozenset(parser.found)
    return None


def _dead(url: str) -> bool:
    path, _, fragment = url.partition("#")
    ids = _ids_of(path)
    return ids is None or bool(fragment and unquote(fragment) not in ids)


def _urls(reply: Any) -> Iterator[str]:
    """Yield every `url` at any depth of a reply."""
    if isinstance(reply, dict):
        if isinstance(reply.get("url"), str):
            yield reply["url"]
        for value in reply.values():
            yield from _urls(value)
    elif isinstance(reply, list):
        for item in reply:
            yield from _urls(item)


@pytest.fixture(scope="module")
def questions() -> list[str]:
    return [row["question"] for row in yaml.safe_load(QUESTIONS.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: " ".join(scope.values()) or "no scope")
def test_every_url_of_every_answer_and_search_result_lands(
    sidecar: str, questions: list[str], scope: dict[str, str]
) -> None:
    seen: set[str] = set()
    with httpx.Client(base_url=sidecar, timeout=PATIENCE) as client:
        for question in questions:
            chosen = {**scope, "locale_chosen": True}
            body = {
                "message_id": str(uuid.uuid4()),
                "session_id": str(uuid.uuid4()),
                "query": question,
                "scope": chosen,
            }
            answered = client.post("/api/chat", json={**body, "mode": "corpus"})
            found = client.get("/api/search", params={"q": question, "k": 10, **scope})
            assert (answered.status_code, found.status_code) == (200, 200)
            seen.update(_urls(answered.json()), _urls(found.json()))
    assert len(seen) > 50, "the questions lead to many places"
    assert sorted(filter(_dead, seen)) == []
    if "locale" in scope:
        assert all(url.startswith("/fr/") == (scope["locale"] == "fr") for url in seen)


def test_this_check_can_fail() -> None:
    assert _dead("/docs/nowhere")
    assert _dead("/docs/concepts/jobs#nowhere")
    assert not _dead("/docs/concepts/jobs")
