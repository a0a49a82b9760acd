"""What a search result shows of its section."""

from pathlib import Path

import pytest
from tests.factories import make_answerer

from pincite_server.answering.pipeline import search_hits

FILLER = " ".join(f"The queue keeps job number {number} until a worker takes it." for number in range(20))
PAGES = {
    "/lease": f"# Lease\n## How long {{#long}}\n{FILLER} A lease lasts thirty seconds. It can be extended.",
    "/start": "# Start\n## Start a worker {#start}\nYou start a worker like this:\n\n"
    "```sh\nhq worker start\nhq status\n```",
    "/stop": f"# Stop\n## Stop a worker {{#stop}}\nStopping a worker takes a moment. {'It waits. ' * 24}Then run:\n\n"
    f"```sh\n{'hq worker stop --now ' * 5}\n```",
    "/colours": "# Colours\n## Paint colours {#paint}\nPaint the fence. The paint colours are:\n"
    "## Next {#next}\nOther things.",
    "/limits": "# Limits\n## Upload limits {#limits}\nThe upload limits are:\n\n"
    "- Ten files a minute.\n- Five megabytes each.",
    "/ports": "# Ports\n## Port options {#ports}\nAll port options.\n\n| Option: port; Default: 8080 | {#port}\n"
    "| Option: host; Default: localhost | {#host}",
    "/long": f"# Long\n## Endless sentence {{#endless}}\nAn endless sentence {'goes on and on ' * 60}without an end.",
}


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory):
    folder: Path = tmp_path_factory.mktemp("index")
    answerer = make_answerer(folder, PAGES)
    return lambda query: search_hits(answerer, query, k=1)[0].snippet


def test_a_snippet_begins_at_the_sentence_nearest_to_the_query(search):
    assert search("how long does a lease last") == "A lease lasts thirty seconds. It can be extended."


def test_an_announcement_is_followed_by_the_code_it_announces(search):
    assert search("start a worker") == "You start a worker like this: hq worker start hq status"


def test_an_announcement_is_followed_by_the_items_it_announces(search):
    assert search("upload limits") == "The upload limits are: - Ten files a minute. - Five megabytes each."


def test_an_announcement_whose_code_does_not_fit_is_dropped(search):
    snippet = search("stopping a worker takes a moment")
    assert snippet.startswith("Stopping a worker takes a moment. It waits.")
    assert snippet.endswith("It waits.")
    assert len(snippet) <= 300


def test_an_announcement_of_nothing_gives_way_to_another_sentence(search):
    assert search("paint colours") == "Paint the fence."


def test_a_hit_that_lands_on_a_row_shows_the_row(search):
    assert search("port 8080").startswith("Option: port; Default: 8080")


def test_a_snippet_is_whole_sentences_and_only_a_longer_one_is_cut(search):
    assert search("job number 3").endswith("takes it.")
    long = search("endless sentence")
    assert long.endswith("…")
    assert len(long) <= 300


@pytest.mark.parametrize(
    "query", ["lease", "worker", "queue job", "option", "start", "stop", "colours", "limits", "end"]
)
def test_no_snippet_ends_in_an_announcement(search, query: str):
    assert not search(query).endswith(":")
