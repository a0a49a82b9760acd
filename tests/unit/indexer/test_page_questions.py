from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.indexer.test_calibrate import content_of

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.read import Index
from pincite_core.index.schema import PAGE_QUESTIONS
from pincite_core.index.write import IndexContent, write_index
from pincite_indexer.moves.previous import Previous
from pincite_indexer.page_questions import page_questions, question_of

LANTERN = "/docs/lantern"
PAGES = {
    LANTERN: """# The lantern
## Polishing {#polishing}
Wax.

## Replacing the lantern wick {#wick}
Replacing the lantern wick takes a new lantern wick and a steady hand.

## How do I light the lantern? {#light}
Light the lantern with a long match held to the wick, and close the lantern glass.

## Writing invoices {#invoices}
""",
    "/docs/office": "# Office\n## Writing invoices {#invoices}\nWriting invoices is done on paper invoices.",
}


@pytest.fixture
def content(tmp_path: Path) -> IndexContent:
    return content_of(tmp_path, PAGES)


def offered(content: IndexContent, url: str, previous: Previous | None = None) -> object:
    found = page_questions(content, FakeEmbedder(), previous)[f"{PAGE_QUESTIONS}{url}"]
    assert isinstance(found, dict)
    return tuple(found["questions"])


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("Which port is used?", "Which port is used?"),
        ("How to mock a module", "How do I mock a module?"),
        ("Using fake timers", "How do I use fake timers?"),
        ("Running tests in parallel", "How do I run tests in parallel?"),
        ("Setting Up the Store", "How do I set up the Store?"),
        ("1. Install the CLI", "How do I install the CLI?"),
        ("Why you should use custom hooks", "Why you should use custom hooks"),
        ("Port konfigurieren", "Port konfigurieren"),
        ("安装插件", "安装插件"),
        ("Cấu hình cổng", "Cấu hình cổng"),
    ],
)
def test_a_heading_that_asks_or_names_a_task_is_a_question(heading: str, question: str) -> None:
    assert question_of(heading) == question


@pytest.mark.parametrize(
    "heading",
    [
        "Ports",
        "Type checking",
        "Default values",
        "Using",
        "What's next?",
        "What changes",
        "How long it takes",
        "Use " + "a" * 80,
    ],
)
def test_a_heading_that_names_a_thing_is_not_a_question(heading: str) -> None:
    assert question_of(heading) is None


def test_a_page_offers_the_questions_whose_best_section_is_their_own(content: IndexContent) -> None:
    assert offered(content, LANTERN) == ("How do I replace the lantern wick?", "How do I light the lantern?")


def test_a_question_that_another_page_answers_better_is_not_offered(content: IndexContent) -> None:
    assert "How do I write invoices?" not in offered(content, LANTERN)
    assert offered(content, "/docs/office") == ("How do I write invoices?",)


def test_posts_and_references_are_not_asked_about(content: IndexContent) -> None:
    content.pages[:] = [replace(page, source_type="api") for page in content.pages]
    assert page_questions(content, FakeEmbedder(), None) == {}


def test_an_unchanged_page_keeps_its_questions(content: IndexContent, tmp_path: Path) -> None:
    known = page_questions(content, FakeEmbedder(), None)
    kept = {"recipe": 1, "content_hash": content.pages[0].content_hash, "questions": ["Kept?"]}
    changed = {"recipe": 1, "content_hash": "another", "questions": ["Old?"]}
    first, second = (f"{PAGE_QUESTIONS}{page.url}" for page in content.pages)
    folder = tmp_path / "earlier"
    folder.mkdir()
    write_index(replace(content, meta={first: kept, second: changed}), folder / "index.db")
    previous = Previous(str(folder), Index.open(folder))
    again = page_questions(content, FakeEmbedder(), previous)
    assert again == {first: kept | {"questions": ("Kept?",)}, second: known[second]}


def test_authored_questions_replace_those_of_headings(content: IndexContent) -> None:
    content.pages[:] = [replace(page, source_type="api") for page in content.pages]
    found = page_questions(content, FakeEmbedder(), None, {LANTERN: ("Wick or wax?",)})
    assert {key: offer["questions"] for key, offer in found.items() if isinstance(offer, dict)} == {
        f"{PAGE_QUESTIONS}{LANTERN}": ("Wick or wax?",)
    }


def test_questions_that_the_author_took_away_are_not_kept_from_the_earlier_index(
    content: IndexContent, tmp_path: Path
) -> None:
    authored = page_questions(content, FakeEmbedder(), None, {LANTERN: ("Wick or wax?",)})
    write_index(replace(content, meta=authored), tmp_path / "index.db")
    previous = Previous(str(tmp_path), Index.open(tmp_path))
    again = page_questions(content, FakeEmbedder(), previous)
    assert again == page_questions(content, FakeEmbedder(), None)
