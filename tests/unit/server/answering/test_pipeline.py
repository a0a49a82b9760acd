import dataclasses
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.factories import PageSource, build_index, make_answerer

from pincite_core.embedders import FakeEmbedder, ModelInfo
from pincite_core.errors import ModelMismatchError
from pincite_core.index.read import Index
from pincite_core.search.evidence import DEFAULT_CALIBRATION, EvidenceSignals
from pincite_core.types import Landing, Scope
from pincite_core.urls import join_fragment
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer, answer_selection, prepare, search_hits
from pincite_server.policy import Policy
from pincite_server.question.question import Question, Selection, Turn
from pincite_server.question.resolve import resolve
from pincite_server.reply.records import Answer, Citation, Refusal, Suggestion

PAGES: dict[str, str | PageSource] = {
    "/kit/docs/install": PageSource(
        """# Install
Lantern runs on Linux and macOS.

## Requirements {#requirements}
Lantern needs Python 3.11 or newer. It uses 200 MB of memory.

## On Windows {#on windows/é}
On Windows, Lantern needs the subsystem for Linux.
""",
        breadcrumbs=("Guides", "Install"),
        landing={"on windows/é": (Landing("tab", "Windows"),)},
    ),
    "/kit/docs/caf%C3%A9": """# Café
## Menu {#menü}
The menu lists coffee and cake.

| Drink: coffee; Price: 3 euros | {#row "1"}
| Drink: tea; Price: 2 euros | {#row<2>}
""",
}


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("pipeline"), PAGES, base_url="/kit/")


def ask(answerer: Answerer, query: str, **fields: object) -> Answer | Refusal:
    return answer(answerer, Question(query, **fields))  # type: ignore[arg-type]


def citations_of(reply: Answer | Refusal) -> tuple[Citation, ...]:
    return reply.citations if isinstance(reply, Answer) else reply.nearest


def test_an_answer_quotes_the_docs_and_cites_the_heading(answerer: Answerer) -> None:
    reply = ask(answerer, "Which Python does Lantern need?")
    assert isinstance(reply, Answer)
    assert "Lantern needs Python 3.11 or newer." in reply.text
    assert reply.text.endswith(" [1]")
    assert reply.citations[0].url == "/kit/docs/install#requirements"
    assert reply.citations[0].title == "Guides: Install"
    assert reply.citations[0].stable_id.endswith("#requirements")
    assert reply.validation.passed
    assert 0.4 <= reply.validation.confidence_score < 1


def test_a_composed_answer_with_a_url_that_the_index_does_not_know_is_not_shown(
    answerer: Answerer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite_core.citation.join_fragment", lambda url, anchor: f"{url}#nowhere")
    outcome = prepare(resolve(answerer, Question("Which Python does Lantern need?"))).outcome
    assert isinstance(outcome.reply, Refusal)
    assert outcome.checked is not None
    assert (outcome.checked.reasons, outcome.checked.used_fallback) == (("invalid_reference",), True)
    assert "Python 3.11" not in outcome.reply.message


@pytest.mark.parametrize(("translated", "told"), [(False, ["untranslated"]), (True, [])])
def test_a_quotation_from_a_page_that_is_not_translated_says_so(
    tmp_path: Path, translated: bool, told: list[str]
) -> None:
    source = PageSource("# Install\n## Requirements {#needs}\nLantern needs Python 3.11.", translated=translated)
    french = Scope(1, "docs", "default", None, None, True, "fr")
    answerer = make_answerer(tmp_path, {"/fr/install": source}, scopes=(french,), default_locale="fr")
    reply = ask(answerer, "Lantern Python needs")
    assert isinstance(reply, Answer)
    assert [notice.code for notice in reply.notices] == told
    assert all("pas encore traduite" in notice.message for notice in reply.notices)


def test_a_question_the_docs_do_not_answer_is_refused_with_the_nearest_sections(answerer: Answerer) -> None:
    reply = ask(answerer, "Who won the zeppelin championship in Norway?")
    assert isinstance(reply, Refusal)
    assert reply.code == "no_evidence"
    assert reply.message.startswith("I don't have enough information to answer that question.")
    assert reply.suggestions == (
        Suggestion("contact", "Contact support"),
        Suggestion("rephrase", "Rephrase your question"),
    )
    assert 0 < len(reply.nearest) <= 3
    assert "zeppelin" in reply.learning_suggestions
    assert reply.evidence < 0.5


def test_a_refusal_without_an_answer_behind_it_says_that_none_was_replaced(answerer: Answerer) -> None:
    reply = answer(answerer, Question("Which moon of Jupiter is the largest?"))
    assert isinstance(reply, Refusal)
    assert (reply.validation.passed, reply.validation.used_fallback) == (False, False)
    assert reply.validation.reasons == ("no_evidence",)


def test_what_nobody_sees_of_a_question_comes_back_in_no_reply(answerer: Answerer) -> None:
    selection = Selection("Lantern\u200b needs Python\u202e 3.11 or newer. It uses 200 MB of memory.")
    asked = Question("How much\u2066 memory does it use?", mode="selection", selection=selection)
    reply = answer_selection(answerer, asked)
    assert isinstance(reply, Answer)
    assert not {"\u200b", "\u202e", "\u2066"} & set(f"{reply.text}{reply.citations[0].excerpt}")


def test_a_refusal_speaks_the_readers_language(answerer: Answerer) -> None:
    reply = ask(answerer, "挪威的飞艇冠军是谁？")
    assert isinstance(reply, Refusal)
    assert reply.message == "我没有足够的信息来回答这个问题。您可以联系支持人员或换一种方式提问。"


def test_an_empty_index_refuses_before_it_searches(tmp_path: Path) -> None:
    reply = ask(make_answerer(tmp_path, {"/a": "# A"}), "Anything?")
    assert isinstance(reply, Refusal)
    assert reply.code == "empty_index"
    assert reply.message == "The knowledge base is empty. Please contact an admin."
    assert "retrieve" not in reply.timings_ms


def test_every_stage_is_timed(answerer: Answerer) -> None:
    reply = ask(answerer, "Which Python does Lantern need?")
    assert list(reply.timings_ms) == ["scope", "embed", "retrieve", "compose", "guard", "total"]


def test_no_more_than_five_citations_and_used_ones_first(answerer: Answerer) -> None:
    reply = ask(answerer, "Lantern Python Linux coffee menu")
    cited = citations_of(reply)
    assert len(cited) <= 5
    assert [item.used for item in cited] == sorted((item.used for item in cited), reverse=True)
    assert len({item.url for item in cited}) == len(cited)


def test_a_long_question_is_cut_with_a_notice(answerer: Answerer) -> None:
    reply = ask(answerer, "Which Python does Lantern need? " * 100)
    assert [notice.code for notice in reply.notices] == ["query_truncated"]


def test_an_operators_threshold_is_obeyed(answerer: Answerer) -> None:
    strict = dataclasses.replace(answerer, policy=Policy(evidence_threshold=1.0))
    assert isinstance(ask(strict, "Which Python does Lantern need?"), Refusal)


def test_a_clients_own_embedding_is_used(answerer: Answerer) -> None:
    vector = tuple(float(x) for x in 3 * FakeEmbedder().encode(["coffee menu"])[0])
    reply = ask(answerer, "coffee menu", embedding=vector)
    assert reply.evidence == ask(answerer, "coffee menu").evidence


def test_an_embedding_alone_finds_what_is_near_and_quotes_it(answerer: Answerer) -> None:
    vector = tuple(map(float, FakeEmbedder().encode(["Which Python does Lantern need?"])[0]))
    patient = dataclasses.replace(answerer, policy=Policy(evidence_threshold=0.0))
    alone, asked = (ask(patient, query, embedding=vector) for query in ("", "Which Python does Lantern need?"))
    assert isinstance(alone, Answer)
    assert citations_of(alone)[0].url == citations_of(asked)[0].url


def test_an_embedding_alone_of_something_else_is_refused(answerer: Answerer) -> None:
    vector = tuple(map(float, -FakeEmbedder().encode(["Which Python does Lantern need?"])[0]))
    turns = (Turn("Which Python does Lantern need?", "Python 3.11 or later."),)
    reply = ask(answerer, "", embedding=vector, turns=turns)
    assert isinstance(reply, Refusal)
    assert not [notice for notice in reply.notices if notice.code == "question_rewritten"]


@pytest.mark.parametrize("vector", [(1.0, 2.0), (0.0,) * 64, (float("nan"),) * 64])
def test_an_embedding_that_does_not_fit_is_refused(answerer: Answerer, vector: tuple[float, ...]) -> None:
    with pytest.raises(ModelMismatchError, match="64 finite numbers"):
        ask(answerer, "coffee", embedding=vector)


def test_an_error_names_the_stage_it_came_from(answerer: Answerer) -> None:
    with pytest.raises(ModelMismatchError) as raised:
        ask(answerer, "coffee", embedding=(1.0,))
    assert raised.value.__notes__ == ["in the stage `embed`"]


def test_another_model_than_the_indexs_is_refused_with_the_fix(answerer: Answerer) -> None:
    class OtherModel(FakeEmbedder):
        info = ModelInfo("other-model", "1" * 64, 64, 256)

    with pytest.raises(ModelMismatchError, match=r"made with fake.*rebuild the index.*--model other-model"):
        Answerer.with_embedder(answerer.index, OtherModel())


def test_an_answerer_reads_the_day_of_the_build_beside_the_index(tmp_path: Path) -> None:
    build_index(tmp_path, {"/a": "# A\nText."})
    (tmp_path / "index.json").write_text('{"built_at": "2026-11-21T10:00:00Z", "other": 1}')
    assert Answerer.open(tmp_path).built_on == "2026-11-21"
    (tmp_path / "index.json").write_text("{")
    assert Answerer.open(tmp_path).built_on == ""


def calibrated(folder: Path, **changed: float) -> Answerer:
    weights = asdict(EvidenceSignals.uniform(0.0))
    folder.mkdir()
    return make_answerer(folder, PAGES, meta={"calibration": {**weights, **changed}})


def test_an_index_brings_its_own_calibration(tmp_path: Path) -> None:
    question = "Which Python does Lantern need?"
    assert isinstance(ask(calibrated(tmp_path / "never", bias=-9.0), question), Refusal)
    assert isinstance(ask(calibrated(tmp_path / "always", bias=9.0), question), Answer)


@pytest.mark.parametrize("changed", [{}, {"bias": 9.0, "signal_of_another_version": 1.0}])
def test_a_calibration_of_other_signals_is_not_used(tmp_path: Path, changed: dict[str, float]) -> None:
    assert calibrated(tmp_path / "other", **changed).calibration == DEFAULT_CALIBRATION


def test_many_threads_get_the_answers_of_one(answerer: Answerer) -> None:
    queries = ["Which Python does Lantern need?", "coffee price", "zeppelin", "On Windows"] * 6
    alone = [ask(answerer, query).evidence for query in queries]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda query: ask(answerer, query).evidence, queries)) == alone


def test_hits_are_ranked_and_carry_a_snippet(answerer: Answerer) -> None:
    hits = search_hits(answerer, "price of coffee", k=2)
    assert hits[0].anchor == 'row "1"'
    assert hits[0].snippet.startswith("Drink: coffee; Price: 3 euros")
    assert len(hits) == 2


words = st.sampled_from("Lantern Python needs coffee menu Windows Linux price tea how zeppelin ? <b> [1] `x`".split())


def known_urls(index: Index) -> set[str]:
    pages = {page.page_id: page.url for page in index.pages()}
    return {join_fragment(pages[target.page_id], target.anchor) for target in index.targets()}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.lists(words, min_size=1, max_size=8).map(" ".join), selected=st.booleans())
def test_every_url_that_leaves_is_a_page_of_the_index_and_an_anchor_of_that_page(
    answerer: Answerer, query: str, selected: bool
) -> None:
    selection = Selection("Lantern needs Python 3.11 or newer. It uses 200 MB of memory.", "/kit/docs/install/")
    question = Question(query, mode="selection" if selected else "corpus", selection=selection if selected else None)
    reply = answer_selection(answerer, question) if selected else answer(answerer, question)
    urls = {citation.url for citation in citations_of(reply)} | {hit.url for hit in search_hits(answerer, query)}
    assert urls <= known_urls(answerer.index)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.lists(words, min_size=1, max_size=6).map(" ".join))
def test_every_marker_in_an_answer_has_its_citation(answerer: Answerer, query: str) -> None:
    reply = ask(answerer, query)
    assume(isinstance(reply, Answer))
    assert isinstance(reply, Answer)
    markers = {int(found) for found in re.findall(r"(?<!\\)\[(\d+)\]", reply.text)}
    assert markers == {citation.n for citation in reply.citations if citation.used}
