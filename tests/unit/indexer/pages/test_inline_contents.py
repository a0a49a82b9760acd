"""Tables of contents in the text of a page, and lists of links that look like them."""

import pytest
from tests.unit.indexer.one_page import read

FILL = '<ul><li><a href="#fill">Fill</a></li></ul>'
LIST = f'<ul><li><a href="#oil">Oil</a>{FILL}</li><li><a href="#wick">Wick</a></li></ul>'
TEXT = (
    '<h2 id="oil">Oil<a href="#oil">#</a></h2><p>Oil burns.</p><h3 id="fill">Fill</h3><p>Fill it.</p>'
    '<section id="wick"><h2>Wick</h2><p>Draws.</p></section>'
)
SECTIONS = ["Oil", "Oil burns.", "Fill", "Fill it.", "Wick", "Draws."]


def texts(content: str) -> list[str]:
    return [piece.text for piece in read(content).draft.pieces]


@pytest.mark.parametrize(
    "contents",
    [
        LIST,
        f'<div class="toc">{LIST}</div>',
        f'<div class="contents topic" id="contents"><p class="topic-title">Contents</p>{LIST}</div>',
        f'<div id="toc" class="toc"><div id="toctitle">Table of Contents</div>{LIST}</div>',
        f'<h2 class="no_toc" id="toc">Table of contents</h2>{LIST}<hr>',
        f"<h2>On this page</h2>{LIST}",
        f"<details><summary>Table of contents</summary>{LIST}</details>",
    ],
)
def test_a_list_that_repeats_the_headings_is_not_content(contents: str) -> None:
    assert texts(f"<h1>Lamp</h1><p>Intro.</p>{contents}{TEXT}") == ["Lamp", "Intro.", *SECTIONS]


@pytest.mark.parametrize(
    ("contents", "kept"),
    [
        (f"<p>A lamp has these parts:</p>{LIST}", ["A lamp has these parts:", "- Oil", "  - Fill", "- Wick"]),
        ('<ul><li><a href="#oil">Oil</a></li><li><a href="#wick">Wick</a></li></ul>', ["- Oil", "- Wick"]),
        (LIST.replace("Fill<", "Fill</a> daily<a><"), ["- Oil", "  - Fill daily", "- Wick"]),
        (LIST.replace("#fill", "lamp.html"), ["- Oil", "  - Fill", "- Wick"]),
    ],
    ids=["after-a-sentence", "two-links", "with-text", "to-another-page"],
)
def test_a_list_that_says_more_than_the_headings_is_content(contents: str, kept: list[str]) -> None:
    assert texts(f"<h1>Lamp</h1><div>{contents}</div>{TEXT}") == ["Lamp", *kept, *SECTIONS]


def test_the_title_and_the_sentence_beside_a_table_of_contents_stay() -> None:
    header = f"<div><h1>Lamp</h1><div>Ada</div><div>{LIST}</div></div>"
    assert texts(header + TEXT) == ["Lamp", "Ada", *SECTIONS]
    assert texts(f"<h1>Lamp</h1><div><p>Intro.</p>{LIST}</div>{TEXT}") == ["Lamp", "Intro.", *SECTIONS]


def test_a_heading_that_can_be_cited_stays_above_a_list_of_the_page() -> None:
    page = read(f'<h1>Lamp</h1><h2 id="parts">Parts</h2>{LIST}{TEXT}')
    assert page.target("parts").title == "Parts"
