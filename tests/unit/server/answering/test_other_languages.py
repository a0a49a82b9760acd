"""Readers who ask in another language than that of their page, without a language model."""

import sys
from pathlib import Path

import pytest
from tests.factories import PageSource, make_answerer, make_scope

from pincite_core.wording import LANGUAGES, name_of
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.question.question import Question, Selection, Turn
from pincite_server.reply.records import Answer, Refusal

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 14), reason="fastText is not built for this Python yet")

ENGLISH = "# Cache\nThe cache keeps pages for an hour.\n\n## maxRetries {#retries}\nSet maxRetries to 3 in the file."
FRENCH = (
    "# Cache\nLe cache garde les pages pendant une heure.\n\n## Vider {#vider}\nUn appel suffit pour vider le cache."
)
SCOPES = (
    make_scope(1, version="2.0"),
    make_scope(2, version="1.0", is_last=False),
    make_scope(3, version="2.0", locale="fr"),
)
PAGES = {
    "/docs/cache": PageSource(ENGLISH, 1),
    "/docs/1.0/cache": PageSource(ENGLISH, 2),
    "/fr/docs/cache": PageSource(FRENCH, 3),
}
CLEAR = "Quel appel suffit pour vider le cache ?"


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("both"), PAGES, scopes=SCOPES)


def ask(answerer: Answerer, query: str, **fields: object) -> Answer | Refusal:
    return answer(answerer, Question(query, **fields))  # type: ignore[arg-type]


def codes(reply: Answer | Refusal) -> list[str]:
    return [notice.code for notice in reply.notices]


@pytest.mark.parametrize(
    "where", [{"locale": "en"}, {"page_url": "/docs/cache"}, {"locale": "en", "version": "2.0"}, {}]
)
def test_a_question_in_another_of_the_sites_languages_is_answered_from_its_pages(
    answerer: Answerer, where: dict[str, str]
) -> None:
    reply = ask(answerer, CLEAR, **where)
    assert isinstance(reply, Answer)
    assert reply.citations[0].url == "/fr/docs/cache#vider"
    assert (reply.scope.locale, reply.scope.version) == ("fr", "2.0")
    assert codes(reply) == ["own_language_searched"]
    assert reply.notices[0].message.startswith("Votre question est en français")


def test_a_version_that_the_other_language_lacks_is_not_left(answerer: Answerer) -> None:
    for where in ({"version": "1.0"}, {"page_url": "/docs/1.0/cache"}):
        reply = ask(answerer, CLEAR, **where)
        assert (reply.scope.locale, reply.scope.version) == ("en", "1.0")
        assert codes(reply) == ["docs_language"]


def test_a_locale_that_was_chosen_stays(answerer: Answerer) -> None:
    reply = ask(answerer, CLEAR, locale="en", locale_chosen=True)
    assert reply.scope.locale == "en"
    assert codes(reply) == ["docs_language"]


def test_keywords_are_asked_of_the_readers_own_page(answerer: Answerer) -> None:
    assert ask(answerer, "cache pages", locale="fr").scope.locale == "fr"
    assert ask(answerer, "maxRetries", locale="en").notices == ()


def test_a_refusal_says_which_language_the_docs_are_in(answerer: Answerer) -> None:
    reply = ask(answerer, "Wie lösche ich die zwischengespeicherten Seiten wieder?")
    assert isinstance(reply, Refusal)
    assert reply.message.startswith("Mir fehlen die Informationen")
    assert codes(reply) == ["docs_language"]
    assert reply.notices[0].message.startswith("Die Dokumentation ist auf Englisch / Französisch;")
    assert (reply.suggestions[0].code, reply.suggestions[0].text) == (
        "docs_language",
        "Auf Englisch / Französisch fragen",
    )


def test_on_a_page_in_one_language_the_docs_others_are_named_after_it(answerer: Answerer) -> None:
    question = "Wie lösche ich die zwischengespeicherten Seiten wieder?"
    reply = ask(answerer, question, page_url="/fr/docs/cache")
    assert reply.notices[0].message.startswith("Die Dokumentation ist auf Französisch / Englisch;")
    earlier = ask(answerer, question, page_url="/docs/1.0/cache")  # which there is in English alone
    assert earlier.notices[0].message.startswith("Die Dokumentation ist auf Englisch;")


def test_words_that_both_languages_have_still_find_what_they_name(answerer: Answerer) -> None:
    reply = ask(answerer, "Was ist denn maxRetries?")
    assert isinstance(reply, Answer)
    assert "Set maxRetries to 3" in reply.text
    assert codes(reply) == ["docs_language"]


def test_a_language_without_messages_of_its_own_is_told_in_english(answerer: Answerer) -> None:
    reply = ask(answerer, "maxRetries nasıl ayarlanır ve nerede bulunur?")
    assert reply.notices[0].message.startswith("The documentation is in English / French,")


def test_docs_that_do_not_say_their_language_rightly_are_no_foreign_ones(tmp_path: Path) -> None:
    german = "# Sperren\nEine Sperre gilt dreißig Sekunden, wenn niemand sie verlängert. Wie lange ist die Frist?"
    chinese = "# 租约\n租约持续三十秒，除非有人延长它。"
    answerer = make_answerer(tmp_path, {"/sperren": german, "/lease": chinese})
    for query in ("Wie lange gilt eine Sperre, wenn niemand sie verlängert?", "租约持续三十秒吗？"):
        assert "docs_language" not in codes(ask(answerer, query))
    assert "docs_language" in codes(ask(answerer, "Comment est-ce que je peux vider le cache ?"))


def test_a_passage_is_answered_where_it_was_selected(answerer: Answerer) -> None:
    selection = Selection("The cache keeps pages for an hour. " * 2, "/docs/cache")
    reply = ask(answerer, CLEAR, mode="selection", selection=selection, page_url="/docs/cache")
    assert reply.scope.locale == "en"
    assert "own_language_searched" not in codes(reply)


def test_where_each_language_has_an_index_that_of_the_questions_language_answers(tmp_path: Path) -> None:
    english = make_answerer(tmp_path / "en", {"/docs/cache": PageSource(ENGLISH, 1)}, scopes=SCOPES[:1])
    french = make_answerer(
        tmp_path / "fr",
        {"/fr/docs/cache": PageSource(FRENCH)},
        scopes=(make_scope(version="2.0", locale="fr"),),
        default_locale="fr",
    )
    page, other = ServedIndex(english, {}), ServedIndex(french, {})
    both = IndexSet([page, other])
    asked = Question(CLEAR, locale="en", version="2.0")
    assert both.for_language(asked, page) == (other, asked)
    reply = answer(french, asked)
    assert reply.scope.locale == "fr"
    assert codes(reply) == ["own_language_searched"]
    unsaid = both.for_language(Question(CLEAR), page)
    assert (unsaid[0], unsaid[1].locale) == (other, "en")
    assert codes(answer(french, unsaid[1])) == ["own_language_searched"]
    assert both.for_language(Question(CLEAR, locale="en", version="1.0"), page)[0] is page
    assert both.for_language(Question(CLEAR, locale="en", locale_chosen=True), page)[0] is page
    assert both.for_language(Question("How do I clear the cache?", locale="en"), page)[0] is page
    assert both.for_language(Question("How do I clear the cache?", locale="fr"), other)[0] is page
    assert both.for_language(Question("Wie leere ich den Cache?", locale="en"), page)[0] is page
    after = (Turn(CLEAR, "Un appel suffit."),)
    assert both.for_language(Question("pourquoi ?", locale="en", turns=after), page)[0] is other
    assert both.for_language(Question("maxRetries", locale="en", turns=after), page)[0] is page


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_of_the_messages_calls_all_languages_by_name(language: str) -> None:
    names = {tag: name_of(tag, language) for tag in ("en", "de-AT", "tr", "zh-TW", "nb")}
    assert all(name not in {"", tag} for tag, name in names.items())
    assert name_of("tlh", language) == "tlh"
    assert len(set(names.values())) == len(names)
