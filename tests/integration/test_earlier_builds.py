"""Pages that were loaded before a deploy are answered from their own build, and never sent to what is gone."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.integration.hosting import Host, deploy, host
from tests.integration.serving import ask, serve, serve_app

from pincite_server.http.app import create_app
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

QUESTION = "Which port does the Lantern image listen on?"
LIMITS = "# Limits\n## Rate {#rate}\nLantern accepts 50 requests a second from one address.\n"
RATE = "How many requests a second does Lantern accept?"
OTHER = "# Limits\n## Speed {#speed}\nLantern is fast.\n"
SETTINGS = Settings(rate_limit=0, address_limit=0, poll_seconds=0)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Host]:
    with host(tmp_path / "site") as running:
        yield running


def after(site: Host, cache: Path, *builds: dict[str, str]) -> Iterator[httpx.Client]:
    """Serve a site after several deploys, the first on port 8080, the next on 8081 and so on."""
    source = IndexSource(f"{site.url}/kit/", cache=cache)
    indexes = None
    for port, pages in enumerate(builds, start=8080):
        deploy(site.folder, port, **pages)
        indexes = source.refresh()
    with serve_app(create_app(SETTINGS, indexes, source)) as client:
        yield client


@pytest.fixture
def client(request: pytest.FixtureRequest, site: Host, tmp_path: Path) -> Iterator[httpx.Client]:
    yield from after(site, tmp_path / "cache", *request.param)


two_builds = pytest.mark.parametrize("client", [({}, {})], indirect=True)


@two_builds
@pytest.mark.parametrize(
    ("build_id", "port"), [("b-8080", "8080"), ("b-8081", "8081"), ("b-7000", "8081"), ("", "8081"), (None, "8081")]
)
def test_a_page_is_answered_from_its_own_build_if_that_is_one_of_the_last_two(
    client: httpx.Client, build_id: str | None, port: str
):
    assert port in ask(client, QUESTION, build_id=build_id).json()["answer"]


@pytest.mark.parametrize("client", [({}, {}, {})], indirect=True)
def test_the_build_before_the_one_before_is_gone(client: httpx.Client):
    assert "8082" in ask(client, QUESTION, build_id="b-8080").json()["answer"]
    assert "8081" in ask(client, QUESTION, build_id="b-8081").json()["answer"]


@two_builds
def test_ready_tells_both_builds(client: httpx.Client):
    ready = client.get("/ready").json()
    assert [item["build_id"] for item in ready["indexes"] + ready["earlier"]] == ["b-8081", "b-8080"]


@pytest.mark.parametrize("client", [({"limits": LIMITS}, {})], indirect=True)
def test_a_page_that_the_newest_lacks_is_cited_by_no_build(client: httpx.Client):
    reply = ask(client, RATE, build_id="b-8080").json()
    assert reply["type"] == "refusal" or "50" not in reply["answer"]
    assert "limits" not in str(reply)
    passage = {"text": LIMITS.splitlines()[-1], "page_url": "/kit/limits"}
    selected = ask(client, RATE, build_id="b-8080", mode="selection", selection=passage).json()
    assert [citation["url"] for citation in selected["citations"]] == [None]


@pytest.mark.parametrize("client", [({"limits": LIMITS}, {"limits": OTHER})], indirect=True)
def test_a_section_that_the_newest_lacks_is_cited_by_its_page(client: httpx.Client):
    reply = ask(client, RATE, build_id="b-8080").json()
    assert "50 requests a second" in reply["answer"]
    assert "/kit/limits" in {citation["url"] for citation in reply["citations"]}
    assert "#rate" not in str(reply)


@pytest.mark.parametrize("client", [({"limits": LIMITS}, {"limits": OTHER})], indirect=True)
def test_a_selection_in_a_section_that_the_newest_lacks_is_cited_by_its_page(client: httpx.Client):
    passage = {"text": LIMITS.splitlines()[-1], "page_url": "/kit/limits"}
    reply = ask(client, RATE, build_id="b-8080", mode="selection", selection=passage).json()
    assert reply["type"] == "answer"
    assert "50 requests a second" in reply["answer"]
    assert {citation["url"] for citation in reply["citations"]} == {"/kit/limits"}


SHUTTERS = """# Shutters
Shutters close the Lantern at night so that no light is wasted on moths.
## Dusk {#dusk}
At dusk the shutters of the Lantern close by themselves within nine seconds.
| Option: delay; Default: 9; Meaning: Seconds until the shutters close | {#opt-delay}
## Dawn {#dawn}
At dawn the shutters of the Lantern open again, one after the other, from the east.
"""
PASSAGES = [line for line in SHUTTERS.splitlines() if len(line) >= 50 and "{" not in line]
EMPTIED = "# Other\nThe Lantern has no such parts any more."
KEPT = "# Shutters\nShutters close the Lantern at night so that no light is wasted on moths."


@pytest.mark.parametrize(
    ("client", "urls"),
    [
        (({"shutters": SHUTTERS}, {"shutters": KEPT}), {"/kit/shutters"}),
        (({"shutters": SHUTTERS}, {"shutters": EMPTIED}), {"/kit/shutters"}),
        (({"shutters": SHUTTERS}, {}), {None}),
    ],
    indirect=["client"],
    ids=["all its sections gone", "nothing of it left", "the page gone"],
)
@pytest.mark.parametrize("passage", [*PASSAGES, "\n".join(PASSAGES)])
def test_every_selection_on_an_earlier_page_is_answered_whatever_became_of_it(
    client: httpx.Client, urls: set[str | None], passage: str
):
    body = {"build_id": "b-8080", "mode": "selection", "page_url": "/kit/shutters"}
    asked = ask(client, "What do the shutters do?", selection={"text": passage, "page_url": "/kit/shutters"}, **body)
    assert asked.status_code == 200
    reply = asked.json()
    assert {citation["url"] for citation in reply.get("citations", [])} <= urls
    assert "#" not in "".join(str(citation["url"]) for citation in reply.get("citations", []))
    selected = {"query": "What do the shutters do?", "selected_text": passage, "page_url": "/kit/shutters"}
    assert client.post("/query-selected-text", json=selected).status_code == 200


@pytest.mark.parametrize("client", [({"shutters": SHUTTERS}, {"shutters": KEPT})], indirect=True)
@pytest.mark.parametrize("page_url", ["/kit/nowhere", "http://[::1/x", "\x00", "https://docs.example"])
def test_a_selection_on_a_page_that_no_build_has_is_answered_without_a_place(client: httpx.Client, page_url: str):
    passage = {"text": PASSAGES[1], "page_url": page_url}
    reply = ask(client, "What do the shutters do?", build_id="b-8080", mode="selection", selection=passage).json()
    assert reply["mode"] == "selection"
    assert {citation["url"] for citation in reply.get("citations", [])} <= {None}


@pytest.mark.parametrize("client", [({"limits": LIMITS}, {"limits": LIMITS})], indirect=True)
def test_a_section_that_is_still_there_is_cited_as_ever(client: httpx.Client):
    reply = ask(client, RATE, build_id="b-8080").json()
    assert reply["citations"][0]["url"] == "/kit/limits#rate"


@pytest.mark.parametrize("place", ["url", "folder"])
def test_both_builds_are_within_reach_after_a_restart(tmp_path: Path, place: str):
    folder, cache = tmp_path / "site", tmp_path / "cache"
    with host(folder) as site:
        url = f"{site.url}/kit/"
        where = url if place == "url" else str(folder / "kit/pincite")
        source = IndexSource(where, cache=cache)
        for port in (8079, 8080, 8081):
            deploy(folder, port)
            assert source.refresh() is not None
    del source
    with serve(where, "--cache-dir", cache) as client:  # the site is down now, the folder is still there
        assert client.get("/ready").status_code == 200
        assert "8081" in ask(client, QUESTION, build_id="b-8081").json()["answer"]
        assert "8080" in ask(client, QUESTION, build_id="b-8080").json()["answer"]
    assert len(list(cache.glob("sites/*/*/builds/*"))) == 2
