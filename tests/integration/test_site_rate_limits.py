"""Rate limits of single sites, where several are served."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.factories import make_answerer
from tests.integration.indexing import assert_refused, run_pincite
from tests.integration.serving import ask, question, serve_app

from pincite_server.answerer import Answerer
from pincite_server.http.app import create_federated_app
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.settings import Settings

QUESTION = "Which port does the image listen on?"
SITES = ("lantern", "harbor")


def _answerer(folder: Path, name: str) -> Answerer:
    pages = {f"/{name}": f"# Guide\n## Docker {{#docker}}\nThe {name} image listens on port 8080.\n"}
    return make_answerer(folder / name, pages, title=name.capitalize())


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, LiveIndexes]:
    folder = tmp_path_factory.mktemp("sites")
    return {name: LiveIndexes(IndexSet([ServedIndex(_answerer(folder, name), {})])) for name in SITES}


@contextmanager
def served(sites: dict[str, LiveIndexes], *limits: str, rate_limit: int = 0) -> Iterator[httpx.Client]:
    settings = Settings(
        site_indexes=tuple(f"{name}=x" for name in sites),
        site_groups=("all=lantern,harbor",),
        site_rate_limits=limits,
        rate_limit=rate_limit,
        address_limit=0,
    )
    with serve_app(create_federated_app(settings, sites)) as client:
        yield client


def statuses(client: httpx.Client, name: str, times: int) -> list[int]:
    return [client.post(f"/sites/{name}/api/chat", json=question(QUESTION)).status_code for _ in range(times)]


def test_a_site_has_a_limit_of_its_own_and_the_others_the_general_one(sites: dict[str, LiveIndexes]):
    with served(sites, "harbor=2", rate_limit=4) as client:
        assert statuses(client, "harbor", 3) == [200, 200, 429]
        assert statuses(client, "lantern", 5) == [200] * 4 + [429]


def test_a_site_s_limit_may_be_higher_than_the_general_one_or_none(sites: dict[str, LiveIndexes]):
    with served(sites, "harbor=3", "lantern=0", rate_limit=1) as client:
        assert statuses(client, "harbor", 4) == [200] * 3 + [429]
        assert statuses(client, "lantern", 5) == [200] * 5


def test_readers_with_a_pass_are_counted_each_for_themselves(sites: dict[str, LiveIndexes]):
    with served(sites, "harbor=2") as client:
        first = client.post("/sites/harbor/api/chat", json=question(QUESTION))
        assert first.headers["RateLimit-Limit"] == "2"
        assert statuses(client, "harbor", 2) == [200, 429]
        client.headers["Pincite-Reader"] = first.headers["Pincite-Reader"]
        assert statuses(client, "harbor", 2) == [200, 429], "the question that brought the pass was the first of two"


def test_a_question_without_a_name_counts_for_the_site_of_its_page_too(sites: dict[str, LiveIndexes]):
    with served(sites, "harbor=2", rate_limit=4) as client:
        replies = [ask(client, QUESTION, page_url="/harbor") for _ in range(3)]
        assert [reply.status_code for reply in replies] == [200, 200, 429]
        assert 1 <= int(replies[-1].headers["Retry-After"]) <= 60
        selected = {"query": QUESTION, "selected_text": "It listens on port 8080.", "page_url": "/harbor"}
        assert client.post("/query-selected-text", json=selected).status_code == 429
        assert ask(client, QUESTION, page_url="/lantern").status_code == 429, "the general limit holds as well"


def test_a_group_may_have_a_limit_and_a_passage_counts_for_its_site(sites: dict[str, LiveIndexes]):
    with served(sites, "all=3", "harbor=1") as client:
        passage = {"text": "It listens on port 8080.", "page_url": "/harbor"}
        body = {"mode": "selection", "page_url": "/harbor", "selection": passage}
        found = [client.post("/sites/all/api/chat", json=question(QUESTION, **body)).status_code for _ in range(2)]
        assert found == [200, 429]
        assert statuses(client, "all", 2) == [200, 429]


def test_agents_are_held_to_the_limit_of_the_site(sites: dict[str, LiveIndexes]):
    call = {"name": "ask", "arguments": {"question": QUESTION}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    with served(sites, "harbor=1") as client:
        for path, is_limited in (("harbor", [False, True]), ("lantern", [False, False])):
            replies = [client.post(f"/sites/{path}/mcp", json=body, headers=headers).text for _ in range(2)]
            assert ["Too many questions" in reply for reply in replies] == is_limited


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (["tide=5"], "--site-rate-limit 'tide' names no site and no group. Choose among: a, b, all."),
        (["a=many"], "--site-rate-limit 'a' has no number. Write NAME=N"),
        (["a=5", "a=6"], "--site-rate-limit has two limits for 'a'"),
    ],
)
def test_a_wrong_limit_is_refused_in_one_sentence(limits: list[str], said: str):
    given = [argument for one in limits for argument in ("--site-rate-limit", one)]
    assert_refused(
        run_pincite("serve", "--site-index", "a=x", "--site-index", "b=y", "--site-group", "all=a,b", *given),
        said,
        code=2,
    )


def test_a_site_s_limit_without_several_sites_is_refused():
    assert_refused(run_pincite("serve", "somewhere", "--site-rate-limit", "a=5"), "names sites of --site-index", code=2)
