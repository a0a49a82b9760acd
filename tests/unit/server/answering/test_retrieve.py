"""Which sections an answer is drawn from."""

from pathlib import Path

from tests.factories import make_answerer

from pincite_core.search.query import parse_query
from pincite_server.answerer import Answerer
from pincite_server.answering.retrieve import SECTIONS, retrieve, retrieve_distinct
from pincite_server.question.scope import choose_scope

OPTION = (
    "## Working directory {#working-directory}\nThe option --workdir names the directory that a command works in.\n"
)
OWN = "## Leaving {#leaving}\nA command that works in a directory never leaves its working directory.\n"
COMMANDS = [f"command{number}" for number in range(SECTIONS + 2)]


def answerer_of_commands(folder: Path) -> Answerer:
    pages = {f"/docs/{name}": f"# {name}\n{OPTION}" for name in COMMANDS}
    return make_answerer(folder, {**pages, "/docs/guide": f"# Guide\n{OWN}"})


def test_what_many_pages_say_in_the_same_words_takes_one_place_of_an_answer(tmp_path: Path) -> None:
    answerer = answerer_of_commands(tmp_path)
    query = parse_query("Which option names the working directory?")
    found = retrieve_distinct(answerer, answerer.encode(query.text), query, choose_scope(answerer.index)[0])
    texts = [section.chunk.text for section in found.sections]
    assert len(texts) == len(set(texts))
    assert any("never leaves" in text for text in texts)


def test_a_search_lists_the_same_words_on_every_page(tmp_path: Path) -> None:
    answerer = answerer_of_commands(tmp_path)
    query = parse_query("Which option names the working directory?")
    found = retrieve(answerer, answerer.encode(query.text), query, choose_scope(answerer.index)[0])
    assert len(found.sections) == SECTIONS
    assert len({section.chunk.page_id for section in found.sections}) == SECTIONS
