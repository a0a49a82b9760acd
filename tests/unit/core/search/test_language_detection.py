"""Which language a question is in: told only where it is sure, since a wrong one searches the wrong docs."""

import hashlib
import json
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from pincite_core.search import language_detection
from pincite_core.search.language_detection import foreign_language, language_of_text

ROOT = Path(__file__).parents[4]
FOREIGN = ROOT / "indexer/pincite_indexer/data"
has_model = pytest.mark.skipif(sys.version_info >= (3, 14), reason="fastText is not built for this Python yet")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("docker compose 오류", "ko"),
        ("`maxRetries` の設定方法", "ja"),
        ("nginx返回错误413 Request Entity Too Large", "zh"),
        ("ตั้งค่า `maxRetries` อย่างไร", "th"),
        ("πώς ρυθμίζω το maxRetries;", "el"),
    ],
)
def test_a_script_of_one_language_tells_it(question: str, language: str) -> None:
    assert foreign_language(question, "en") == language


@has_model
@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("wie setze ich `maxRetries`?", "de"),
        ("WIE SETZE ICH DIE ANZAHL?", "de"),
        ("Où sont les logs ?", "fr"),
        ("¿Cómo se configura el puerto?", "es"),
        ("Como você instala o plugin?", "pt"),
        ("jak ustawić `maxRetries`?", "pl"),
        ("sunucu hangi portları kullanıyor?", "tr"),
        ("máy chủ dùng cổng nào?", "vi"),
        ("какие порты использует сервер?", "ru"),
        ("як вимкнути плагін?", "uk"),
        ("كيف أضبط `maxRetries`؟", "ar"),
        ("چگونه `maxRetries` را تنظیم کنم؟", "fa"),
        ("`maxRetries` कैसे सेट करें?", "hi"),
    ],
)
def test_a_question_in_a_few_words_is_recognised_among_names_of_code(question: str, language: str) -> None:
    assert foreign_language(question, "en") == language
    assert foreign_language(question, language) is None


@has_model
@pytest.mark.parametrize("question", ["Como desativá-lo?", "Como instalá-las no servidor?"])
def test_a_pronoun_behind_a_hyphen_is_portuguese(question: str) -> None:
    assert foreign_language(question, "pt") is None
    assert foreign_language(question, "es") == "pt"
    assert foreign_language("¿Cómo lo desactivo?", "pt") == "es"


@pytest.mark.parametrize(
    "question",
    [
        "install nginx",
        "CLI options",
        "docker compose up --build",
        "TypeError: undefined is not a function",
        "die on error",
        "jalapeño",
        "naïve bayes",
        "mit license",
        "Snapshot Testing with Jest",
        "How do I render 日本語 text?",
        "why does Müller sort after Mz",
        "α-β pruning",
        "`für immer` und `ewig`",
        "https://example.com/wie/setze/ich",
        "8080",
        "",
    ],
)
@pytest.mark.parametrize("home", ["en", "de", "ja"])
def test_keywords_names_and_code_are_of_no_language(question: str, home: str) -> None:
    assert foreign_language(question, home) in {None, "en"}
    assert foreign_language(question, "en") is None


@has_model
def test_an_english_question_is_foreign_to_german_docs_and_its_keywords_are_not() -> None:
    assert foreign_language("How do I set the number of retries?", "de-AT") == "en"
    assert foreign_language("server port configuration", "de") is None
    assert foreign_language("Was ist in den Docs so?", "de") is None


@has_model
def test_languages_that_are_nearly_the_same_are_not_taken_for_each_other() -> None:
    assert foreign_language("hvilke porte bruger serveren?", "no") is None
    assert foreign_language("開始方法", "ja") is None
    assert foreign_language("開始方法", "en") == "zh"


@has_model
def test_of_the_bundled_questions_hardly_any_is_taken_for_another_language() -> None:
    english = [
        question for kind in json.loads((FOREIGN / "foreign_questions.json").read_text()).values() for question in kind
    ]
    wrong = [question for question in english if question.isascii() and foreign_language(question, "en")]
    assert len(wrong) <= 5, wrong  # some of them are in other languages
    for file in sorted((FOREIGN / "foreign_questions").iterdir()):
        told = [foreign_language(question, "en") for question in file.read_text(encoding="utf-8").splitlines()]
        assert told.count(file.stem) >= 0.7 * len(told), file.stem
        assert sum(other not in {None, file.stem} for other in told) <= 0.06 * len(told), file.stem


@has_model
def test_a_pages_text_tells_its_language_unless_it_is_short_or_code() -> None:
    german = "Der Server lauscht auf einem Port, den die Umgebung vorgibt. Wer ihn ändert, startet ihn danach neu. " * 3
    assert language_of_text(german) == "de"
    assert language_of_text(german[:60]) is None
    assert (
        language_of_text("サーバーは環境変数で指定されたポートで待ち受けます。変更した後は再起動してください。" * 3)
        == "ja"
    )
    assert language_of_text("服务器监听环境变量指定的端口。更改后请重新启动服务器。" * 4) == "zh"
    assert language_of_text("const port = process.env.PORT; server.listen(port); " * 20) in {None, "en"}


def test_without_the_models_library_scripts_alone_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_detection, "_model", lambda: None)
    assert foreign_language("docker compose 오류", "en") == "ko"
    assert foreign_language("какие порты использует сервер?", "en") == "ru"
    assert foreign_language("wie setze ich `maxRetries`?", "en") is None


def test_the_model_is_the_one_whose_licence_stands_beside_it() -> None:
    folder = files("pincite_core.search")
    digest = hashlib.sha256(folder.joinpath("lid.176.ftz").read_bytes()).hexdigest()
    assert digest in folder.joinpath("lid.176.LICENSE.txt").read_text(encoding="utf-8")
