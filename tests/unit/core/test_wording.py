import re
from importlib import resources
from pathlib import Path
from typing import get_args

import msgspec
import pytest

import pincite_server
from pincite_core import rules
from pincite_core.wording import LANGUAGES, Key, language_of, say

PLACEHOLDER = re.compile(r"\{(\w+)\}")


def table(language: str) -> dict[str, str]:
    data = resources.files("pincite_core.wording").joinpath(f"{language}.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, str])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything(language: str) -> None:
    assert set(table(language)) == set(get_args(Key))
    assert all(message.strip() for message in table(language).values())


def test_the_sidecar_or_the_shared_rules_name_every_message_key() -> None:
    room = Path(pincite_server.__file__).parent
    files = [*room.rglob("*.py"), Path(rules.__file__)]
    named = {word for file in files for word in re.findall(r"""["'](\w+)["']""", file.read_text(encoding="utf-8"))}
    assert set(get_args(Key)) - named == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_has_the_same_blanks_to_fill(language: str) -> None:
    english = table("en")
    for key, message in table(language).items():
        assert set(PLACEHOLDER.findall(message)) == set(PLACEHOLDER.findall(english[key])), key


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_no_message_was_left_in_english(language: str) -> None:
    same = {key for key, message in table(language).items() if message == table("en")[key]}
    assert same <= {"corpus_untitled"}


def test_english_is_the_specifications_wording() -> None:
    corpus = "Physical AI book"
    assert say("no_evidence", "en") == (
        "I don't have enough information to answer that question. "
        "You might try contacting support or rephrasing your question."
    )
    assert say("empty_index", "en") == "The knowledge base is empty. Please contact an admin."
    assert say("not_in_selection", "en") == "The selected text does not contain the answer."
    assert say("selection_truncated", "en") == "Selected text truncated to 10,000 characters."
    assert say("out_of_scope", "en", corpus=corpus) == (
        "I can only answer questions based on the Physical AI book. This topic isn't covered in the available material."
    )
    assert say("capability_realtime", "en", corpus=corpus, date="2026-11-21") == (
        "I only have information from the Physical AI book as of 2026-11-21. "
        "I cannot provide real-time or current information."
    )
    assert say("capability_code", "en", corpus=corpus) == (
        "I can explain concepts from the Physical AI book but cannot write code or provide implementation details."
    )
    assert say("framing_selection", "en") == "Based on your selected text..."
    assert say("speculative", "en") == "Note: This answer may be speculative"
    assert (say("suggest_contact", "en"), say("suggest_rephrase", "en")) == (
        "Contact support",
        "Rephrase your question",
    )


def test_an_unknown_language_is_answered_in_english() -> None:
    assert say("no_evidence", "tlh") == say("no_evidence", "en")
    assert say("no_evidence", "uk") == say("no_evidence", "en")
    assert say("no_evidence", "") == say("no_evidence", "en")


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("zh", "zh"),
        ("zh-CN", "zh"),
        ("zh-Hans", "zh"),
        ("zh-Hans-HK", "zh"),
        ("zh-TW", "zh-Hant"),
        ("zh_TW", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-MO", "zh-Hant"),
        ("zh-Hant", "zh-Hant"),
        ("zh-Hant-TW", "zh-Hant"),
        ("pt", "pt"),
        ("pt-BR", "pt"),
        ("pt-PT", "pt"),
        ("ko-KR", "ko"),
        ("ru-RU", "ru"),
        ("de_AT", "de"),
    ],
)
def test_a_tag_finds_the_nearest_table(tag: str, language: str) -> None:
    assert say("no_evidence", tag) == table(language)["no_evidence"]


@pytest.mark.parametrize(
    ("text", "locale", "language"),
    [
        ("How do I start?", "en", "en"),
        ("How do I start?", "de-AT", "de"),
        ("如何开始？", "en", "zh"),
        ("始め方は？", "en", "ja"),
        ("開始方法", "ja", "ja"),
        ("چگونه شروع کنم؟", "en", "fa"),
        ("Làm thế nào để bắt đầu?", "en", "vi"),
        ("Où est la forêt ?", "fr", "fr"),
        ("naïve café", "en", "en"),
        ("كيف أقوم بإعداد الخادم؟", "en", "en"),
        ("كيف أقوم بإعداد الخادم؟", "fa", "fa"),
        ("플러그인을 어떻게 설치하나요?", "en", "ko"),
        ("plugin 설치", "zh", "ko"),
        ("Como você instala o plugin?", "pt-BR", "pt"),
        ("Como você instala o plugin?", "en", "en"),
        ("Як встановити плагін?", "ru", "ru"),
        ("Как установить плагин?", "en", "ru"),
        ("Как установить плагин?", "ru-RU", "ru"),
        ("Как да инсталирам приставка?", "bg", "en"),
        ("Як встановити плагін?", "uk", "en"),
        ("Як встановити плагін?", "en", "en"),
        ("如何開始？", "en", "zh-Hant"),
        ("如何开始？", "ko", "zh"),
        ("中文", "en", "zh"),
        ("如何开始？", "zh-TW", "zh-Hant"),
        ("如何開始？", "zh-CN", "zh"),
    ],
)
def test_a_script_gives_its_language_away(text: str, locale: str, language: str) -> None:
    assert language_of(text, locale) == language
