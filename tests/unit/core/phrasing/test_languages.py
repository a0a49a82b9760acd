import json
from pathlib import Path

import pytest

from pincite_core.phrasing import asked_in, phrasing
from pincite_core.quoting.unit_facts import asks_how
from pincite_server.evaluation.questions import read_questions
from pincite_server.guards.boundaries import crossed_boundary

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("question", "locale", "language"),
    [
        ("How do I pause a queue?", "en", "en"),
        ("How do I pause a queue?", "fr", "en"),
        ("What does a comment in the config cost?", "fr", "en"),
        ("Comment supprimer une file ?", "fr", "fr"),
        ("queue pause", "fr", "fr"),
        ("Comment supprimer une file ?", "fr-CA", "fr"),
        ("Warum?", "en", "de"),
        ("WAR file deployment", "en", "en"),
        ("¿y para los blogs?", "en", "es"),
        ("如何启用？", "en", "zh"),
        ("如何啟用？", "en", "zh-Hant"),
        ("如何啟用？", "zh-TW", "zh-Hant"),
        ("如何启用？", "ja", "ja"),
        ("始め方は？", "zh", "ja"),
        ("어떻게 켜나요?", "en", "ko"),
        ("Как включить?", "en", "ru"),
        ("Як увімкнути?", "uk", "uk"),
        ("چگونه شروع کنم؟", "en", "fa"),
        ("كيف أبدأ؟", "en", "ar"),
        ("Làm sao bật?", "en", "vi"),
    ],
)
def test_a_question_is_read_in_the_language_that_its_words_give_away(question: str, locale: str, language: str) -> None:
    assert asked_in(question, locale) == language


def test_a_code_comment_is_no_question_of_how_in_french() -> None:
    question = "What does a comment in the config cost?"
    assert not asks_how(question, asked_in(question, "en"))
    assert not asks_how(question, asked_in(question, "fr"))


@pytest.mark.parametrize("tag", ["zh-TW", "zh-HK", "zh_Hant", "zh-Hant-HK"])
def test_traditional_chinese_has_its_own_table(tag: str) -> None:
    assert phrasing(tag).questions.how.found_in("怎麼啟用")
    assert phrasing("pt-BR") is phrasing("pt")


def asked() -> list[str]:
    """Return the questions that people asked about sites, in several languages."""
    files = [*(ROOT / "bench/questions").glob("**/*.jsonl")]
    rows = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    texts = [row[key] for row in rows for key in ("question", "asked", "before") if isinstance(row.get(key), str)]
    for file in [*(ROOT / "bench/questions").glob("**/*.yml"), ROOT / "examples/site/questions.yml"]:
        texts += [question.question for question in read_questions(file)]
    return list(dict.fromkeys(texts))


def test_of_the_questions_that_people_asked_none_is_taken_for_a_wish_but_those_that_are() -> None:
    texts = asked()
    assert len(texts) > 1000
    crossed = {text: boundary for text in texts if (boundary := crossed_boundary(text))}
    assert crossed == {"Write a poem about the sea": "act", "Wie wird das Wetter morgen in Berlin?": "realtime"}
