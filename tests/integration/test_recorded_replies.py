"""A few replies as documentation: both engines give what `tests/cases/replies.md` shows.

`python -m tests.integration.test_recorded_replies` records them anew. Random sites test the rules
(`test_browser_differential`).
"""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from tests.integration.browser_engine import Asked, browser_engine, sidecar_reply
from tests.integration.example_sites import build_site

from pincite_core.index.read import Index
from pincite_core.search import engine

RECORDED = Path(__file__).parents[1] / "cases" / "replies.md"
QUESTIONS = {
    "en": (
        Asked("How long is a lease?"),
        Asked("and for webhooks?", turns=("How long is a lease?",)),
        Asked("hq queue set NAME --lease 5m"),
        Asked("what does hq.Lease.give_back do"),
        Asked("dead leters"),
        Asked("HQ-1202"),
        Asked("How do I bake bread?", least=None),
        Asked("Write me a plugin"),
    ),
    "de": (Asked("Datenbankverbindung", locale="de"),),
    "zh": (Asked("怎么备份数据库？", locale="zh"),),
}


def text_of(asked: Asked, reply: dict[str, Any]) -> str:
    """Return a question and its reply as Markdown."""
    lines = [f"## {' → '.join((*asked.turns, asked.query))}", ""]
    lines += [f"*{notice['code']}*: {notice['message']}\n" for notice in reply["notices"]]
    if reply["type"] == "refusal":
        lines += [f"**{reply['code']}** {reply['message']}", ""]
        lines += [f"- {one['code']}: {one['text']}" for one in reply["suggestions"]]
    else:
        lines += ["````markdown", reply["answer"], "````", ""]
    for one in reply["nearest"] if reply["type"] == "refusal" else reply["citations"]:
        mark = f"{one['n']}." if one["n"] else "-"
        lines.append(f"{mark} {one['url']} ({' › '.join(one['heading_path'])})")
    return "\n".join([*lines, ""])


@pytest.mark.parametrize("language", QUESTIONS)
def test_both_engines_reply_as_recorded(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_LEAST_RESCORED", 4000)  # all rows, as the browser
    recorded = RECORDED.read_text(encoding="utf-8")
    folder = build_site(language, tmp_path)
    index = Index.open(folder)
    with browser_engine() as browser:
        for asked in QUESTIONS[language]:
            text, reply = sidecar_reply(index, asked)
            assert text_of(asked, reply) in recorded
            assert text_of(asked, browser.reply(folder, asked, text)[1]) in recorded


def main() -> None:
    """Record the sidecar's replies."""
    engine._LEAST_RESCORED = 4000
    parts = ["# Recorded replies\n\nQuestions about the example site, answered with any evidence but where it says so."]
    for language, questions in QUESTIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            index = Index.open(build_site(language, Path(folder)))
            parts += [text_of(asked, sidecar_reply(index, asked)[1]) for asked in questions]
    RECORDED.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
