"""What is settled about a question before it is answered."""

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.factories import make_answerer

from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.policy import Policy
from pincite_server.question import resolve as module
from pincite_server.question.question import Question, Turn
from pincite_server.question.resolve import resolve
from pincite_server.reply.records import Refusal

SITEMAP = "How do I turn on the sitemap?"
PAGE = (
    "# Sitemap\nTurn on the sitemap with the option sitemap.\n\n"
    "## Blogs {#blogs}\nTurn on the sitemap for blogs with the option blogs.\n\n"
    "## Prices {#prices}\nThe sitemap of the ticket prices is an option."
)
reads_languages = pytest.mark.skipif(sys.version_info >= (3, 14), reason="fastText is not built for this Python yet")


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    policy = Policy(blocked_topics=("ticket prices",))
    return make_answerer(tmp_path_factory.mktemp("docs"), {"/docs/sitemap": PAGE}, policy=policy)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    counted: Counter[str] = Counter()

    def counting(name: str) -> Callable[..., Any]:
        function = getattr(module, name)

        def count(*arguments: Any) -> Any:
            counted[name] += 1
            return function(*arguments)

        return count

    for name in ("scope_of_question", "crossed_boundary", "parse_query", "language_of"):
        monkeypatch.setattr(module, name, counting(name))
    return counted


def test_an_answer_takes_one_scope_one_boundary_one_language_and_one_parse(
    answerer: Answerer, calls: Counter[str]
) -> None:
    answer(answerer, Question(SITEMAP, turns=(Turn("What is a plugin?", ""),)))
    assert calls == dict.fromkeys(("scope_of_question", "crossed_boundary", "parse_query", "language_of"), 1)


def test_a_follow_up_is_resolved_as_a_whole_question_and_keeps_the_words_of_the_reader(answerer: Answerer) -> None:
    resolved = resolve(answerer, Question("and for\u200b blogs?", turns=(Turn(SITEMAP, ""),), embedding=(1.0,)))
    assert resolved.asked.query == "and for blogs?"
    assert resolved.question.query == resolved.query.text == f"{SITEMAP} and for blogs?"
    assert resolved.question.embedding is None
    assert [notice.code for notice in resolved.notices] == ["question_rewritten"]


def test_a_follow_up_crosses_the_boundary_of_the_question_that_it_follows(answerer: Answerer) -> None:
    question = Question("why?", turns=(Turn("What are the ticket prices?", ""),))
    resolved = resolve(answerer, question)
    assert (resolved.asked_boundary, resolved.boundary) == (None, "blocked_topic")
    reply = answer(answerer, question)
    assert isinstance(reply, Refusal)
    assert reply.code == "out_of_scope"


def test_words_beyond_the_limit_of_the_encoder_refuse_nothing(answerer: Answerer) -> None:
    long = f"{SITEMAP} {'It is an option of the sitemap for blogs. ' * 40}"[:1900]
    resolved = resolve(answerer, Question(f"{long} What are the ticket prices?"))
    assert (resolved.asked_boundary, resolved.boundary) == ("blocked_topic", None)
    assert [notice.code for notice in resolved.notices] == ["query_truncated"]


def test_a_translation_keeps_the_language_of_the_reader(answerer: Answerer) -> None:
    resolved = resolve(answerer, Question("Hogyan kapcsolom be?", locale="en")).restated(SITEMAP, "hu")
    assert (resolved.question.query, resolved.asked.query) == (SITEMAP, "Hogyan kapcsolom be?")
    assert (resolved.reader_language, resolved.scope.locale) == ("hu", "en")
    assert [notice.code for notice in resolved.notices] == ["question_translated"]


def test_a_restated_question_is_timed_anew_and_can_be_restated_again(answerer: Answerer) -> None:
    first = resolve(answerer, Question("and for blogs?", turns=(Turn(SITEMAP, ""),)))
    second = first.restated("How do I turn on the blogs?")
    assert second.clock is not first.clock
    assert set(second.clock.timings()) == {"scope", "total"}
    assert (second.asked, second.asked_scope) == (first.asked, first.asked_scope)
    assert second.notices[0].message == "Understood as: How do I turn on the blogs?"


@reads_languages
def test_the_docs_languages_are_named_in_the_language_of_the_reader(answerer: Answerer) -> None:
    resolved = resolve(answerer, Question("Wie schalte ich denn die Sitemap wieder ein?"))
    assert (resolved.language, resolved.reader_language, resolved.docs_languages) == ("de", "de", "Englisch")
    assert resolve(answerer, Question(SITEMAP)).docs_languages == ""
