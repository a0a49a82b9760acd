import dataclasses
import io

import msgspec
import pytest
from rich.console import Console
from tests.factories import PageSource, make_engine

from pincite_server.answering.pipeline import answer
from pincite_server.answering.question import Question
from pincite_server.cli.ask_commands import print_reply
from pincite_server.engine import Engine
from pincite_server.policy import Policy
from pincite_server.reply.records import Answer, Refusal

PAGES = {
    "/docs/retries": PageSource("# Retries\n## Limit {#limit}\nThe retry limit is three.", source_type="guide"),
    "/docs/api": PageSource("# API\n## Retry limit {#max}\nSet the retry limit with max().", source_type="api"),
    "/docs/more": PageSource("# More\n## Retry {#more}\nA retry has a limit.", source_type="guide"),
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return make_engine(tmp_path_factory.mktemp("output"), PAGES)


def printed(engine: Engine, reply: Answer | Refusal) -> list[str]:
    console = Console(file=io.StringIO(), record=True, width=120)
    print_reply(console, engine, reply)
    return console.export_text().splitlines()


def answer_that_uses(engine: Engine, count: int) -> Answer:
    reply = answer(engine, Question("What is the retry limit?"))
    assert isinstance(reply, Answer)
    by_url = sorted(reply.citations, key=lambda citation: citation.url or "")  # the API's comes first
    citations = [
        msgspec.structs.replace(citation, n=rank if rank <= count else None, used=rank <= count)
        for rank, citation in enumerate(by_url, start=1)
    ]
    return msgspec.structs.replace(reply, citations=tuple(citations))


def headings(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith(("Sources", "Related", "Nearest"))]


def test_sources_of_several_types_stand_under_their_types_and_related_ones_last(engine: Engine) -> None:
    lines = printed(engine, answer_that_uses(engine, 2))
    assert headings(lines) == ["Sources: Reference", "Sources: Guides", "Related sections"]


def test_sources_of_one_type_stand_together(engine: Engine) -> None:
    assert headings(printed(engine, answer_that_uses(engine, 1))) == ["Sources", "Related sections"]


def test_a_refusal_says_whether_links_and_neighbours_were_followed(engine: Engine) -> None:
    query = Question("Is the retry limit three zeppelins?")
    evidence = answer(engine, query).evidence
    weak = dataclasses.replace(engine, policy=Policy(evidence_threshold=min(1.0, evidence * 1.2)))
    far = dataclasses.replace(engine, policy=Policy(evidence_threshold=1.0))
    assert printed(weak, answer(weak, query))[-1].endswith("links and neighbouring sections followed")
    assert printed(far, answer(far, Question("Who sings?")))[-1] == "Evidence 0.00"
