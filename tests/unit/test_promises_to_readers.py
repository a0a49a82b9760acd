"""What docs/privacy.md, accessibility.md and browser-support.md tell is as the code and the tests are."""

import re
from pathlib import Path

import msgspec
import pytest

from pincite_server.observe.question_log import LoggedQuestion

ROOT = Path(__file__).parents[2]
PAGES = {
    name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("privacy", "accessibility", "browser-support")
}
SOURCES = "\n".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "widget/src").rglob("*.js")))


def test_the_fields_of_a_logged_question_are_those_that_the_privacy_page_names() -> None:
    told = PAGES["privacy"].partition("| a question |")[2].partition("| a vote |")[0]
    assert re.findall(r"`(\w+)`", told) == [field.name for field in msgspec.structs.fields(LoggedQuestion)]


def test_conversations_are_kept_as_long_as_the_privacy_page_says() -> None:
    assert "MAX_QUESTIONS = 20;" in SOURCES
    assert "MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;" in SOURCES
    assert "the last 20 questions, each for 7 days" in PAGES["privacy"]


def test_the_widget_sets_no_cookie() -> None:
    assert "Pincite sets no cookie." in PAGES["privacy"]
    assert "document.cookie" not in SOURCES


@pytest.mark.parametrize("page", ["accessibility", "browser-support"])
def test_every_test_that_a_page_names_is_there(page: str) -> None:
    names = set(re.findall(r"`(test_\w+(?:\.py)?|[\w.-]+\.test\.js)`", PAGES[page]))
    tests = [file for part in ("tests", "widget/test") for file in (ROOT / part).rglob("*.*")]
    known = {file.name for file in tests}
    known |= {
        name
        for file in tests
        if file.suffix == ".py"
        for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.M)
    }
    assert names
    assert names - known == set()


def test_every_feature_that_browsers_must_have_is_used() -> None:
    table = PAGES["browser-support"].partition("## Browser versions and features")[2].partition("So:")[0]
    features = [
        name for row in re.findall(r"^\| (.+?) \|", table, re.MULTILINE) for name in re.findall(r"`([^`<]+)`", row)
    ]
    assert len(features) >= 7
    assert [name for name in features if name not in SOURCES] == []


def test_the_language_level_is_that_of_the_bundle() -> None:
    (target,) = re.findall(r"target: '(\w+)'", (ROOT / "widget/build.js").read_text(encoding="utf-8"))
    assert f"`{target}`" in PAGES["browser-support"]
