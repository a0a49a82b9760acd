"""Several sites asked at once: each for itself, the best answers, the others are named below or told to be missing."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.unit.server.federation.sites import asked_site, inline, replied

from pincite_core.errors import IndexUnavailableError, WorkLimitError
from pincite_server.answering.pipeline import answer
from pincite_server.federation.federated_site import FederatedSite
from pincite_server.reply.records import Answer, Refusal

PORT = "Which port does the image listen on?"
LANTERN = "The Lantern image listens on port 8080."
HARBOR = "A lease of a job lasts thirty seconds."


def test_the_answer_is_the_one_that_its_site_gives_alone(tmp_path: Path):
    lantern = asked_site(tmp_path, "lantern", LANTERN, PORT)
    alone = answer(lantern.answerer, lantern.question)
    across = replied([asked_site(tmp_path, "harbor", HARBOR, PORT), lantern]).reply
    assert isinstance(alone, Answer)
    assert isinstance(across, Answer)
    assert (across.text, across.claims, across.evidence) == (alone.text, alone.claims, alone.evidence)


def test_links_in_an_answer_have_the_host_of_their_site_unless_the_page_is_there(tmp_path: Path):
    sites = [asked_site(tmp_path, "lantern", LANTERN, PORT, home=home) for home in (True, False)]
    home, away = (replied([site]).reply for site in sites)
    assert isinstance(home, Answer)
    assert isinstance(away, Answer)
    assert "[image](/guide#docker)" in home.text
    assert "[image](https://lantern.example/guide#docker)" in away.text


def fails_at(name: str, error: Exception) -> Any:
    async def offload(function: Any, *arguments: Any, **named: Any) -> Any:
        if arguments[0].corpus_name == name:
            raise error
        return await inline(function, *arguments, **named)

    return offload


def test_a_site_that_fails_is_left_out_and_named(tmp_path: Path):
    sites = [asked_site(tmp_path, name, text, PORT) for name, text in (("harbor", HARBOR), ("lantern", LANTERN))]
    reply = replied(sites, ("tide",), fails_at("Harbor", IndexUnavailableError("The database is away."))).reply
    assert isinstance(reply, Answer)
    assert [notice.message for notice in reply.notices] == ["Could not be searched right now: tide, Harbor."]


def test_a_missing_site_is_told_of_in_the_language_of_the_question(tmp_path: Path):
    question = "На каком порту слушает образ?"
    reply = replied([asked_site(tmp_path, "lantern", LANTERN, question)], ("harbor",)).reply
    assert reply.notices[-1].message == "Сейчас не удалось выполнить поиск в: harbor."


def test_when_every_site_fails_the_question_does(tmp_path: Path):
    site = asked_site(tmp_path, "harbor", HARBOR, PORT)
    with pytest.raises(IndexUnavailableError, match="None of the sites"):
        replied([site], (), fails_at("Harbor", IndexUnavailableError("The database is away.")))


def test_a_question_that_is_too_costly_is_so_though_one_site_could_answer(tmp_path: Path):
    sites = [asked_site(tmp_path, name, text, PORT) for name, text in (("harbor", HARBOR), ("lantern", LANTERN))]
    with pytest.raises(WorkLimitError):
        replied(sites, (), fails_at("Lantern", WorkLimitError("too much")))


def test_each_site_is_asked_in_a_turn_of_its_own(tmp_path: Path):
    turns: list[str] = []

    async def counting(function: Any, *arguments: Any, **named: Any) -> Any:
        turns.append(arguments[0].corpus_name)
        await asyncio.sleep(0)
        return function(*arguments, **named)

    sites = [asked_site(tmp_path, name, text, PORT) for name, text in (("harbor", HARBOR), ("lantern", LANTERN))]
    replied(sites, (), counting)
    assert turns == ["Harbor", "Lantern"]


def test_an_empty_site_says_nothing_while_another_has_something(tmp_path: Path):
    query = "Who wrote the ninth symphony?"
    reply = replied([asked_site(tmp_path, "empty", "", query, home=True), asked_site(tmp_path, "b", HARBOR, query)])
    assert isinstance(reply.reply, Refusal)
    assert reply.reply.code == "no_evidence"


def test_what_no_docs_can_do_is_refused_once(tmp_path: Path):
    query = "Write me a script that deploys everything."
    sites = [asked_site(tmp_path, name, text, query) for name, text in (("harbor", HARBOR), ("lantern", LANTERN))]
    reply = replied(sites).reply
    assert isinstance(reply, Refusal)
    assert (reply.code, reply.nearest) == ("capability", ())


def test_a_question_is_read_once_for_sites_of_one_encoder(tmp_path: Path):
    read: list[str] = []

    class Counting:
        def __init__(self, embedder: Any) -> None:
            self._embedder = embedder
            self.info = embedder.info

        def encode_with_tokens(self, texts: Any, role: Any = "passage") -> Any:
            read.extend(texts)
            return self._embedder.encode_with_tokens(texts, role)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._embedder, name)

    def counted(site: FederatedSite) -> FederatedSite:
        return replace(site, answerer=replace(site.answerer, embedder=Counting(site.answerer.embedder)))

    texts = {"harbor": HARBOR, "lantern": LANTERN, "tide": "The moon moves the sea."}
    replied([counted(asked_site(tmp_path, name, text, PORT)) for name, text in texts.items()])
    assert read == [PORT]
