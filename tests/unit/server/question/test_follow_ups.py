import json
from pathlib import Path

import pytest
from tests.factories import make_answerer

from pincite_core.wording import LANGUAGES
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.evaluation.questions import read_questions
from pincite_server.question.follow_ups import expand_follow_up, is_follow_up
from pincite_server.question.question import Question, Turn
from pincite_server.reply.records import Answer, Refusal

ROOT = Path(__file__).parents[4]
SITEMAP = "How do I turn on the sitemap for docs?"
PAGE = """# Sitemap
The sitemap plugin lists every page of the docs and of the blogs for search answerers.

## Turn on the sitemap for docs {#docs}
Set the option sitemap to true to turn on the sitemap for docs on Windows and Linux.

## Turn on the sitemap for blogs {#blogs}
Set the option blogs of the plugin to true to turn on the sitemap for blogs.
"""


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return make_answerer(tmp_path_factory.mktemp("follow-ups"), {"/docs/sitemap": PAGE}, title="Lantern")


@pytest.mark.parametrize(
    "query",
    [
        "and for blogs?",
        "what about v2?",
        "why?",
        "but why not",
        "how do I turn it off then",
        "OK thanks, and on Windows?",
        "Is there a default?",
        "can I change that?",
        "for blogs?",
        "same for the blog",
        "does this also work on Windows",
        "tell me more",
        "und für Blogs?",
        "Warum?",
        "Wie schalte ich das wieder aus?",
        "Geht das auch mit Docker?",
        "et pour les blogs ?",
        "pourquoi ?",
        "Comment le désactiver ?",
        "¿y para los blogs?",
        "¿Por qué?",
        "¿cómo lo desactivo?",
        "còn blog thì sao?",
        "tại sao?",
        "làm sao tắt nó?",
        "那博客呢？",
        "为什么？",
        "怎么关闭它？",
        "ではブログは？",
        "なぜですか？",
        "それを無効にするには？",
        "و برای بلاگ؟",
        "چرا؟",
        "چطور آن را غیرفعال کنم؟",
        "那部落格呢？",
        "為什麼？",
        "要怎麼關閉它？",
        "這會影響嗎？",
        "그럼 블로그는?",
        "블로그는요?",
        "왜 그런가요?",
        "그걸 어떻게 끄나요?",
        "e para blogs?",
        "por quê?",
        "Como desativá-lo?",
        "Isso funciona no Windows?",
        "А для блога?",
        "Почему?",
        "Как его отключить?",
        "Это работает в Windows?",
        "Для блогов?",
    ],
)
def test_what_stands_for_nothing_alone_is_a_follow_up(query: str) -> None:
    """On a site in its language, if not on any."""
    assert any(is_follow_up(query, locale) for locale in LANGUAGES)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?",
        "How do I turn on the sitemap?",
        "snapshots",
        "AND operator in filters",
        "Is it possible to run the tests in a browser?",
        "install it on a Mac",
        "Why does the build fail on Windows?",
        "How do I create a store and configure it?",
        "TypeError: that is not a function",
        "Was ist ein Reducer?",
        "Gibt es eine Vorlage für Blogs?",
        "Wie aktiviere ich die Sitemap?",
        "Comment activer le plan du site ?",
        "¿Cómo activo el mapa del sitio?",
        "Làm thế nào để bật sơ đồ trang?",
        "如何启用站点地图？",
        "这个插件怎么安装？",
        "サイトマップを有効にするには？",
        "چگونه نقشه سایت را فعال کنم؟",
        "如何啟用網站地圖？",
        "這個外掛怎麼安裝？",
        "사이트맵은 어떻게 켜나요?",
        "플러그인을 설치하려면?",
        "Como ativar o mapa do site?",
        "Para que serve o sitemap?",
        "Como instalar plugins e suas dependências?",
        "Как включить карту сайта?",
        "В чём разница версий?",
        "С чего начать установку?",
        "Как установить плагины и их зависимости?",
    ],
)
def test_what_says_its_subject_stands_alone(query: str) -> None:
    assert not any(is_follow_up(query, locale) for locale in LANGUAGES)


def test_of_the_questions_people_asked_about_sites_none_but_a_bare_what_about_or_it_is_a_follow_up() -> None:
    asked = [
        question.question
        for file in [*(ROOT / "bench/questions").glob("*.yml"), ROOT / "examples/site/questions.yml"]
        for question in read_questions(file)
    ]
    for file in (ROOT / "bench/questions/graded").glob("*.jsonl"):
        asked += [json.loads(line)["question"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(asked) > 1000
    assert [text for text in asked if is_follow_up(text)] == ["does it phone home?"]


def test_a_follow_up_is_read_after_the_question_before_it(answerer: Answerer) -> None:
    turns = [Turn("What is a plugin?", "A part."), Turn("How do I turn on the sitemap?", "Set it.")]
    assert expand_follow_up("why?", turns, answerer.index) == "How do I turn on the sitemap? why?"


def test_a_phrase_takes_the_place_of_the_one_like_it(answerer: Answerer) -> None:
    assert (
        expand_follow_up("and for blogs?", [Turn(SITEMAP, "")], answerer.index)
        == "How do I turn on the sitemap for blogs?"
    )


def test_several_follow_ups_are_read_back_to_what_stood_alone(answerer: Answerer) -> None:
    turns = [Turn(SITEMAP, ""), Turn("and for blogs?", "")]
    whole = "How do I turn on the sitemap for blogs? and on windows?"
    assert expand_follow_up("and on windows?", turns, answerer.index) == whole


def test_without_an_earlier_question_that_stands_alone_a_follow_up_stays_as_it_is(answerer: Answerer) -> None:
    assert expand_follow_up("why?", [], answerer.index) is None
    assert expand_follow_up("why?", [Turn("and then?", "")], answerer.index) is None


def test_words_that_the_docs_do_not_know_are_not_hidden_behind_those_that_they_know(answerer: Answerer) -> None:
    reply = answer(answerer, Question("and who won the election?", turns=(Turn(SITEMAP, ""),)))
    assert isinstance(reply, Refusal)
    assert not reply.notices


def test_the_reply_to_a_follow_up_says_how_it_was_understood(answerer: Answerer) -> None:
    reply = answer(answerer, Question("and for blogs?", turns=(Turn(SITEMAP, ""),)))
    assert isinstance(reply, Answer)
    assert [notice.code for notice in reply.notices] == ["question_rewritten"]
    assert reply.notices[0].message == "Understood as: How do I turn on the sitemap for blogs?"
    assert reply.citations[0].anchor == "blogs"


def test_a_request_to_act_is_not_made_a_question_by_the_one_before_it(answerer: Answerer) -> None:
    reply = answer(answerer, Question("what if not, write it for me", turns=(Turn("Write me a sitemap", ""),)))
    assert isinstance(reply, Refusal)


def test_a_question_about_a_selection_is_never_read_with_another(answerer: Answerer) -> None:
    reply = answer(answerer, Question("why?", mode="selection", turns=(Turn(SITEMAP, ""),)))
    assert "question_rewritten" not in [notice.code for notice in reply.notices]
