"""docs/troubleshooting.md quotes messages as Pincite says them, so that a search for one finds its cause."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
SYMPTOMS = re.findall(r"^### (.+)$", PAGE, re.MULTILINE)
_GAP = "…"
_SAID = re.compile(r"(?:says|say) `([^`]+)`")
MESSAGES = [text for symptom in SYMPTOMS for text in re.findall(r"^`(.+)`$", symptom)] + _SAID.findall(PAGE)


def in_python(file: Path) -> Iterator[str]:
    """Yield the texts of a module, those put together from parts too, with a gap for what is filled in."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else _GAP for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def in_javascript(file: Path) -> str:
    """Return a module's source with the parts of its texts joined and a gap for what is filled in."""
    joined = re.sub(r"['\"`]\s*\+\s*['\"`]", "", file.read_text(encoding="utf-8"))
    return re.sub(r"\$?\{\w[^{}]*\}", _GAP, joined).replace("\\'", "'")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    python = [
        text for part in ("indexer", "server") for file in (ROOT / part).rglob("*.py") for text in in_python(file)
    ]
    scripts = [*(ROOT / "widget/src").rglob("*.js"), *(ROOT / "docusaurus-plugin/src").rglob("*.js")]
    wording = json.loads((ROOT / "indexer/pincite_core/wording/en.json").read_text(encoding="utf-8")).values()
    return [*python, *map(in_javascript, scripts), *(re.sub(r"\{\w+\}", _GAP, text) for text in wording)]


def pattern_of(message: str) -> re.Pattern[str]:
    return re.compile("[^\n]*?".join(re.escape(part.strip()) for part in message.split(_GAP)))


@pytest.mark.parametrize("message", MESSAGES)
def test_every_message_that_the_page_quotes_is_said_somewhere(message: str, texts: list[str]) -> None:
    assert any(map(pattern_of(message).search, texts))


def test_a_message_that_nobody_says_would_be_noticed(texts: list[str]) -> None:
    assert not any(map(pattern_of("The index at … has gone fishing (…).").search, texts))


def test_there_are_twenty_symptoms_each_with_what_to_do() -> None:
    assert len(SYMPTOMS) == len(set(SYMPTOMS)) >= 20
    assert len(MESSAGES) >= 20
    bodies = re.split(r"^### .+$", PAGE, flags=re.MULTILINE)[1:]
    assert [body for body in bodies if len(body.partition("\n## ")[0].split()) < 10] == []
