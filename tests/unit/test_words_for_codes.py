"""Whatever code the server sends, readers see words for it, in every language."""

import re
from pathlib import Path
from typing import get_args

import pytest

from pincite_core.wording import LANGUAGES
from pincite_server.evaluation.writing import CHECK_WORDS
from pincite_server.http.transport.problems import PROBLEMS
from pincite_server.reply.records import CheckReason

STRINGS = Path(__file__).parents[2] / "widget/src/strings"
SAID_AS_ANY_FAILURE = {
    "invalid_request",
    "invalid_embedding",
    "not_found",
    "method_not_allowed",
    "body_too_slow",
    "message_id_conflict",
    "id_lost",
    "body_too_large",
    "unknown_host",
    "unsupported_media_type",
    "internal_error",
}
"""Problems that a reader can do nothing about but try again."""


def words(language: str) -> set[str]:
    files = [STRINGS / f"{language}.js", *((STRINGS / "en").glob("*.js") if language == "en" else ())]
    return {key for file in files for key in re.findall(r"^  (\w+):", file.read_text(encoding="utf-8"), re.MULTILINE)}


def test_the_widget_speaks_the_languages_of_the_server() -> None:
    assert {file.stem for file in STRINGS.glob("*.js")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_widget_has_words_for_whatever_a_check_finds(language: str) -> None:
    assert {f"check_{reason}" for reason in get_args(CheckReason)} == {
        key for key in words(language) if key.startswith("check_")
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_widget_has_words_for_every_problem_that_a_reader_can_meet(language: str) -> None:
    said = {f"error_{code}" for code in set(PROBLEMS) - SAID_AS_ANY_FAILURE}
    assert (said | {"error_failed"}) - words(language) == set()
    assert SAID_AS_ANY_FAILURE - set(PROBLEMS) == set()


def test_the_command_line_has_words_for_whatever_a_check_finds() -> None:
    assert set(CHECK_WORDS) == set(get_args(CheckReason))
