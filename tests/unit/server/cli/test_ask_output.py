import dataclasses
import io

import msgspec
import pytest
from rich.console import Console
from tests.factories import PageSource, make_answerer

from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.cli.ask_commands import print_reply
from pincite_server.policy import Policy
from pincite_server.question.question import Question
from pincite_server.reply.records import Answer, Refusal

PAGES = {
    "/docs/retries": PageSource("# Retries\n## Limit {#limit}\nThe retry limit is three.", source_type="guide"),
    "/docs/api": PageSource("# API\n## Retry limit {#max}\nSet the retry limit with max().", source_type="api"),
    "/docs/more": PageSource("# More\n## Retry {#more}\nA retry has a limit.", source_type="guide"),
}


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("output"), PAGES)


def printed(answerer: Answerer, reply: Answer | Refusal) -> list[str]:
    console = Console(file=io.StringIO(), record=True, width=120)
    print_reply(console, answerer, reply)
    return console.export_text().splitlines()


def answer_that_uses(answerer: Answerer, count: int) -> Answer:
    reply = answer(answerer, Question("What is the retry limit?"))
    assert isinstance(reply, Answer)
    by_url = sorted(reply.citations, key=lambda citation: citation.url or "")  # the API's comes first
    citations = [
        msgspec.structs.replace(citation, n=rank if rank <= count else None, used=rank <= count)
        for rank, citation in enumerate(by_url, start=1)
    ]
    return msgspec.structs.replace(reply, citations=tuple(citations))


def headings(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith(("Sources", "Related", "Nearest"))]


def test_sources_of_several_types_stand_under_their_types_and_related_ones_last(answerer: Answerer) -> None:
    lines = printed(answerer, answer_that_uses(answerer, 2))
    assert headings(lines) == ["Sources: Reference", "Sources: Guides", "Related sections"]


def test_sources_of_one_type_stand_together(answerer: Answerer) -> None:
    assert headings(printed(answerer, answer_that_uses(answerer, 1))) == ["Sources", "Related sections"]


def test_a_refusal_says_whether_links_and_neighbours_were_followed(answerer: Answerer) -> None:
    query = Question("Is the retry limit three zeppelins?")
    evidence = answer(answerer, query).evidence
    weak = dataclasses.replace(answerer, policy=Policy(evidence_threshold=min(1.0, evidence * 1.2)))
    far = dataclasses.replace(answerer, policy=Policy(evidence_threshold=1.0))
    assert printed(weak, answer(weak, query))[-1].endswith("links and neighbouring sections followed")
    assert printed(far, answer(far, Question("Who sings?")))[-1] == "Evidence 0.00"
