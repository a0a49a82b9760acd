"""Parts of pages that their authors keep out of search."""

from pathlib import Path

import pytest
from tests.unit.indexer.one_page import document, read
from tests.unit.indexer.sites import docs_page, make_site

from pincite_indexer.markdown.page_text import PageText, page_text

KETTLE = "<h2 id=kettle>Kettle</h2><p>The kettle holds two litres.</p>"
OFFER = "<p>Win a second kettle.</p>"


def texts(content: str) -> list[str]:
    return [piece.text for piece in read(content).draft.pieces]


@pytest.mark.parametrize(
    "marked",
    [
        f"<div data-pagefind-ignore>{OFFER}</div>",
        f'<div data-pagefind-ignore="">{OFFER}</div>',
        f'<div data-pagefind-ignore="index">{OFFER}</div>',
        f'<div data-pagefind-ignore="all"><h2 id=offer>Offer</h2>{OFFER}</div>',
        f"<section data-search-exclude>{OFFER}</section>",
        "<p data-search-exclude>Win a second kettle.</p>",
        "<p><span data-nosnippet>Win a second kettle.</span></p>",
        f'<div data-swiftype-index="false">{OFFER}</div>',
        f"<div data-elastic-exclude>{OFFER}</div>",
        "<p class='note no-search'>Win a second kettle.</p>",
        "<p class='nosearch'>Win a second kettle.</p>",
        f"<div class='robots-nocontent'>{OFFER}</div>",
        f"<div class='quarto-exclude-from-search-index'>{OFFER}</div>",
        f"<noindex>{OFFER}</noindex>",
        f"<!-- googleoff: index -->{OFFER}<!--googleon: index-->",
        f"<!--googleoff: all-->{OFFER}and more<p>and more</p>",
        "<pre data-nosnippet>kettle --win</pre>",
        "<img alt='A kettle to win' src=kettle.png data-nosnippet>",
        f"<details data-pagefind-ignore><summary>Offer</summary>{OFFER}</details>",
    ],
)
def test_marked_parts_are_neither_text_nor_visible_letters(tmp_path: Path, marked: str) -> None:
    page = read(KETTLE + marked).draft
    assert [piece.text for piece in page.pieces] == ["Kettle", "The kettle holds two litres."]
    assert page.letters == read(KETTLE).draft.letters
    (tmp_path / "page.html").write_text(document(KETTLE + marked))
    markdown = page_text(tmp_path, PageText("page.html", "/page.html", "/page.html", "Page"))
    assert markdown == "# Page\n\n## Kettle\n\nThe kettle holds two litres.\n"


@pytest.mark.parametrize(
    "value", ["data-pagefind-ignore=false", "data-search-exclude='False'", "data-swiftype-index=true"]
)
def test_a_mark_with_the_value_false_has_no_effect(value: str) -> None:
    assert texts(f"<div {value}><p>The kettle holds two litres.</p></div>") == ["The kettle holds two litres."]


def test_words_before_and_after_a_marked_part_stay_apart() -> None:
    assert texts("<p>Fill it.</p><div data-nosnippet>No.</div>Boil it.") == ["Fill it.", "Boil it."]
    assert texts("<p>Fill <span data-nosnippet>not </span>it.</p>") == ["Fill it."]


def test_a_marked_heading_of_material_for_mkdocs_keeps_out_its_section() -> None:
    section = (
        "<h2 id=old data-search-exclude>Old kettles</h2><p>They held one litre.</p><h3 id=rust>Rust</h3><p>Much.</p>"
    )
    assert texts(f"{section}after{KETTLE}") == ["Kettle", "The kettle holds two litres."]
    assert texts(f"<section>{section}</section>{KETTLE}") == ["Kettle", "The kettle holds two litres."]
    wrapped = '<div class="heading"><h2 id=old data-search-exclude>Old</h2></div><p>They held one litre.</p>'
    assert texts(f"{wrapped}<div>{KETTLE}</div>") == ["Kettle", "The kettle holds two litres."]


def test_cells_and_items_keep_their_columns_and_numbers() -> None:
    rows = "<tr><th>Kettle<th class=nosearch>Litres<tr><td>Small<td data-nosnippet>1<tr><td>Large<td>2"
    assert [unit.text for unit in read(f"<table>{rows}</table>").units][-1].startswith("Kettle: Large; Litres: 2")
    assert texts("<ol><li>Fill.<li data-nosnippet>Wait.<li>Boil.</ol>") == ["1. Fill.", "3. Boil."]


def test_ids_and_links_of_marked_parts_stay_known() -> None:
    page = read("<p>Text.<div data-pagefind-ignore><h2 id=offer>Offer</h2><a href=/shop>Shop</a></div>").draft
    assert page.ids == {"offer"}
    assert page.other_hrefs == ("/shop",)


@pytest.mark.parametrize(
    "page",
    [
        "<!doctype html><html><title>T</title><body data-pagefind-ignore=all><main><p>Secret.</p></main>",
        "<!doctype html><html><title>T</title><body><main data-pagefind-ignore><p>Secret.</p></main>",
        "<!doctype html><title>T</title><main><article data-pagefind-ignore><p>Secret.</p></article></main>",
        docs_page(
            "<div data-pagefind-ignore><p>Secret.</p></div>", "secret", head='<link rel=canonical href="/secret">'
        ),
    ],
)
def test_a_page_is_kept_out_if_its_whole_content_is_marked(tmp_path: Path, page: str) -> None:
    site = make_site(tmp_path, {"index.html": document("<p>Home."), "secret.html": page})
    assert [page.draft.file for page in site.pages] == ["index.html"]
    assert [(item.file, item.reason) for item in site.skipped] == [("secret.html", "noindex (data-pagefind-ignore)")]


def test_marks_in_contents_that_several_pages_share_have_an_effect(tmp_path: Path) -> None:
    content = KETTLE + "<p data-nosnippet>Win a second kettle.</p>"
    pages = {
        f"{name}/index.html": docs_page(content, name, head=f'<link rel="canonical" href="https://k.example/{name}/">')
        for name in ("one", "two")
    }
    site = make_site(tmp_path, pages)
    assert {piece.text for page in site.pages for piece in page.draft.pieces} == {
        "Kettle",
        "The kettle holds two litres.",
    }


def test_pages_without_the_body_mark_are_kept_out_if_another_page_has_it(tmp_path: Path) -> None:
    files = {
        "index.html": "<!doctype html><html><title>T</title><body><main data-pagefind-body><p>Home.</p></main>",
        "draft/index.html": document("<p>Not found by readers."),
    }
    site = make_site(tmp_path / "one", files)
    assert [page.draft.file for page in site.pages] == ["index.html"]
    assert site.skipped[0].reason == "noindex (no data-pagefind-body)"
    assert len(make_site(tmp_path / "two", files, keep_noindex=True).pages) == 2
