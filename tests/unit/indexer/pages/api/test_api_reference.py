"""Web APIs: an operation is a section with its method and path, and each parameter, field and response is a row."""

from pathlib import Path

import pytest
from tests.unit.indexer.api_pages import DOCUSAURUS, PAGES, REDOC, SWAGGER_UI
from tests.unit.indexer.one_page import Read, Unit, document, read, read_bytes

from pincite_indexer.markdown.page_text import PageText, page_text
from pincite_indexer.pages.api.api_reference import may_describe_api

every_tool = pytest.mark.parametrize("tool", PAGES)
TITLE = "Reserve a berth — POST /berths/{harbor}"


def rows(page: Read) -> list[str]:
    return [unit.text for unit in page.units if unit.kind == "row"]


def page_of(tool: str) -> Read:
    """Return the page of a tool, which is inside `main` for the tools that write it there."""
    if tool == "docusaurus":
        return read(PAGES[tool])
    return read_bytes(f"<!doctype html><html lang=en><title>Marina</title><body>{PAGES[tool]}</body></html>".encode())


@every_tool
def test_an_operation_has_its_method_and_path_in_its_title(tool: str) -> None:
    assert TITLE in [target.title for target in page_of(tool).targets]


@pytest.mark.parametrize(
    ("tool", "anchor"),
    [("docusaurus", ""), ("redoc", "tag/berths/operation/reserve"), ("swagger-ui", "operations-berths-reserve")],
)
def test_an_operation_is_cited_by_its_id(tool: str, anchor: str) -> None:
    page = page_of(tool)
    assert next(target.anchor for target in page.targets if target.title == TITLE) == anchor
    assert page.cited("Keeps a berth for one boat.") == anchor


@every_tool
def test_the_method_and_the_path_are_text(tool: str) -> None:
    shown = [unit for unit in page_of(tool).units if unit.text.startswith("POST /berths/{harbor}")]
    assert [unit.kind for unit in shown] == ["prose"]


def test_parameters_and_fields_of_docusaurus_are_rows() -> None:
    assert rows(read(DOCUSAURUS)) == [
        "Name: nights; Type: integer; Default: 2; Description: Length of the stay.",
        "Name: boat_id; Type: string<uuid>; Required: required; Description: The boat that stays.",
        "Name: owner; Type: object[]; Description: Who pays.",
        "Name: owner.street; Type: string; Possible values: <= 80 characters",
    ]


def test_parameters_fields_and_responses_of_redoc_are_rows() -> None:
    assert rows(page_of("redoc")) == [
        "Name: nights; Type: integer; Default: 2; Description: Length of the stay.",
        "Name: flag; Type: string; Description: Country of the boat.",
        "Name: boat_id; Required: required; Type: string <uuid>; Description: The boat that stays.",
        "Name: owner; Type: object; Description: Who pays.",
        "Name: owner.street; Required: required; Type: string; Description: Street and number.",
        "Code: 201; Description: The berth is kept.",
        "Code: 404; Description: The harbor is not known.",
    ]


def test_parameters_fields_and_responses_of_swagger_ui_are_rows() -> None:
    assert rows(page_of("swagger-ui")) == [
        "Name: nights; Type: integer; In: query; Description: Length of the stay.; Default: 2",
        "Name: boat_id; Required: required; Type: string ($uuid); Description: The boat that stays.",
        "Name: owner; Type: Person",
        "Name: owner.street; Type: string; maxLength: 80",
        "Code: 201; Description: The berth is kept.",
        "Code: 404; Description: The harbor is not known.",
    ]


def test_the_cells_of_a_row_are_in_the_order_of_the_page_so_that_a_quoted_row_is_found_there() -> None:
    page = page_of("swagger-ui").draft
    row = next(piece for piece in page.pieces if piece.text.startswith("Name: nights"))
    shown = "".join(text for column, text in getattr(row, "cells", ()) if column != "Default")
    assert "".join(character for character in shown if character.isalnum()).casefold() in page.letters


def test_a_row_has_its_cells_by_column() -> None:
    row = next(piece for piece in read(DOCUSAURUS).draft.pieces if piece.text.startswith("Name: boat_id"))
    assert not hasattr(row, "level")
    assert row.cells == (
        ("Name", "boat_id"),
        ("Type", "string<uuid>"),
        ("Required", "required"),
        ("Description", "The boat that stays."),
    )


def test_a_field_in_a_closed_details_element_is_read_and_opened() -> None:
    row = next(unit for unit in read(DOCUSAURUS).units if "owner.street" in unit.text)
    assert row.anchor == "request"
    assert [label[:5] for label in row.labels] == ["Body", "owner"]


def test_responses_in_tabs_have_their_codes() -> None:
    assert Unit("prose", "The harbor is not known.", "responses", ("404",)) in read(DOCUSAURUS).units


@every_tool
def test_nothing_but_words_of_the_description_is_text(tool: str) -> None:
    texts = [unit.text for unit in page_of(tool).units if unit.kind != "code"]
    assert not [
        text for text in texts if text in {"{", "}", "[", "]", "Array ["} or "No links" in text or "Base" in text
    ]


def test_a_deprecated_operation_says_so_below_its_title() -> None:
    assert Unit("prose", "Deprecated", "tag/berths/operation/reserve") in page_of("redoc").units


def test_an_example_that_readers_can_fold_is_code() -> None:
    code = [unit.text for unit in page_of("redoc").units if unit.kind == "code"]
    assert code == ['```json\n{\n  "boat_id": "7d3f"\n}\n```']


def test_the_description_of_a_tag_is_not_in_its_title() -> None:
    page = page_of("swagger-ui")
    assert page.target("operations-tag-berths").title == "berths"
    assert page.cited("Places for boats.") == "operations-tag-berths"


def test_a_field_whose_name_is_a_badges_word_keeps_its_name() -> None:
    assert rows(read(DOCUSAURUS.replace("boat_id", "optional").replace("nights", "deprecated")))[:2] == [
        "Name: deprecated; Type: integer; Default: 2; Description: Length of the stay.",
        "Name: optional; Type: string<uuid>; Required: required; Description: The boat that stays.",
    ]


def test_a_bold_word_in_a_description_is_no_column() -> None:
    field = read(
        DOCUSAURUS.replace("<p>The boat that stays.</p>", "<p><strong>Note:</strong> See <a href=/b>boats</a>.</p>")
    )
    assert "Required: required; Description: Note: See boats." in rows(field)[1]
    assert [link.href for link in field.draft.links] == ["/b"]


def test_letters_of_the_page_prove_a_selection_in_a_row() -> None:
    assert "berthsharborkeepsaberthforoneboat" in page_of("docusaurus").draft.letters
    assert "integerquerylengthofthestaydefaultvalue2requestbodyboatid" in page_of("swagger-ui").draft.letters


@pytest.mark.parametrize(
    ("content", "title"),
    [
        (
            "<h2 id=a>List boats</h2><p>All of them.</p><p><span class=badge>GET</span> <code>/boats</code></p>",
            "List boats — GET /boats",
        ),
        ("<h2 id=a><span>GET</span><code>/boats</code></h2><p>All of them.</p>", "GET /boats"),
        ("<div id=a><div><b>get</b><span>/boats/:id</span></div><p>One boat.</p></div>", "GET /boats/:id"),
        (
            "<h2 id=a>List boats</h2><div><b>GET</b><b>https://api.example/boats</b></div>",
            "List boats — GET https://api.example/boats",
        ),
    ],
)
def test_markup_of_no_known_tool_is_read_by_its_structure(content: str, title: str) -> None:
    assert read(content).target("a").title == title


def test_operations_below_each_other_have_their_own_titles() -> None:
    one = "<h2 id={0}>{0} boats</h2><p><b>{1}</b> <code>/boats</code></p><p>To {0}.</p>"
    page = read(one.format("list", "GET") + one.format("add", "POST"))
    assert [target.title for target in page.targets[1:]] == ["list boats — GET /boats", "add boats — POST /boats"]


@pytest.mark.parametrize(
    "content",
    [
        "<h2 id=a>Requests</h2><pre><code><span>GET</span> <span>/boats</span></code></pre>",
        "<h2 id=a>Requests</h2><ul><li><b>GET</b> <code>/boats</code></li></ul>",
        "<h2 id=a>Requests</h2><table><tr><td>GET</td><td>/boats</td></tr></table>",
        "<h2 id=a>Requests</h2><p>Send <b>GET</b> <i>or another method</i> to /boats.</p>",
        "<h2 id=a>Requests</h2><p>Methods are <code>get</code> and <code>/set</code>.</p>",
    ],
)
def test_examples_lists_and_sentences_are_no_operations(content: str) -> None:
    assert read(content).target("a").title == "Requests"


def test_brackets_in_code_stay_on_the_page_of_an_api() -> None:
    page = read(DOCUSAURUS + "<pre><code><span>[</span>\n<span>]</span></code></pre>")
    assert "```\n[\n]\n```" in [unit.text for unit in page.units]


@pytest.mark.parametrize(
    ("source", "expected"),
    [(b"<b>GET</b>", True), (b"<i>delete /a</i>", True), (b'<i class="openapi-a">', True), (b"<p>getter</p>", False)],
)
def test_most_pages_are_known_by_their_source_to_describe_no_api(source: bytes, expected: bool) -> None:
    assert may_describe_api(source) is expected


@every_tool
def test_the_markdown_for_agents_has_titles_and_tables(tmp_path: Path, tool: str) -> None:
    (tmp_path / "page.html").write_text(document(PAGES[tool]).replace("main>", "div>"), encoding="utf-8")
    text = page_text(tmp_path, PageText("page.html", "/api/", "https://docs.example.com/api/", "Marina"))
    assert f"# {TITLE}" in text
    line = next(line for line in text.splitlines() if "boat_id" in line and line.startswith("|"))
    assert "required" in line
    assert "| Name |" in text


@pytest.mark.parametrize("content", [REDOC, SWAGGER_UI])
def test_a_page_is_read_alike_with_blanks_between_its_tags(content: str) -> None:
    def texts(html: str) -> list[str]:
        return [unit.text for unit in read_bytes(f"<html><body>{html}</body></html>".encode()).units]

    assert texts(content.replace("><td", "> <td").replace("</tr><", "</tr>\n<")) == texts(content)


def test_an_operation_of_the_http_domain_is_a_section_with_its_whole_path() -> None:
    term = (
        '<dl class="http get"><dt class="sig sig-object http" id="get-boats"><span class="sig-name">GET </span>'
        '<span class="sig-name">/boats/</span><span class="sig-paren">(</span>int:<em>number</em>'
        '<span class="sig-paren">)</span></dt><dd><p>Returns one boat.</p></dd></dl>'
    )
    page = read(term)
    assert (page.target("get-boats").title, page.target("get-boats").kind) == ("GET /boats/(int:number)", "member")
    assert page.cited("Returns one boat.") == "get-boats"


def test_a_badge_after_a_word_is_a_word_of_its_own() -> None:
    page = read(
        DOCUSAURUS.replace("<h3>Body</h3>", "<h3>Body<strong class=openapi-schema__required>required</strong></h3>")
    )
    assert "Body required" in [label for unit in page.units for label in unit.labels]


def test_a_panel_has_the_label_of_its_own_tab_if_the_others_are_not_in_the_page() -> None:
    tabs = (
        '<ul role="tablist"><li role="presentation"><button role="tab" id="a1=">Example</button></li><li '
        'role="presentation"><button role="tab" id="b1=">Schema</button></li></ul><div role="tabpanel" id="c1=" '
        'aria-labelledby="b1="><p>Boats are objects.</p></div>'
    )
    page = read(DOCUSAURUS + tabs)
    assert Unit("prose", "Boats are objects.", "responses", ("Schema",)) in page.units


def test_other_tabs_on_the_page_of_an_api_keep_their_labels() -> None:
    tabs = (
        '<div role="tablist"><button role="tab" id="a" aria-controls="p">npm</button><button role="tab" id="b" '
        'aria-controls="q">Yarn</button></div><div role="tabpanel" id="p"><p>npm i</p></div>'
        '<div role="tabpanel" id="q"><p>yarn add</p></div>'
    )
    page = read(DOCUSAURUS + tabs)
    assert [unit.labels for unit in page.units if unit.anchor in {"p", "q"}] == [("npm",), ("Yarn",)]


OPERATION = "<h1>Add a boat</h1><p><b>POST</b> <code>/boats</code></p><h2 id=body>Body</h2>"


@pytest.mark.parametrize(
    "fields",
    [
        (
            '<div class="f"><span class="n">boat_id</span><span class="t">uuid</span><span class="r">required</span>'
            '<p>The boat.</p></div><div class="f"><span class="n">nights</span><span class="t">integer</span>'
            "<p>Length of the stay.</p></div>"
        ),
        (
            "<ul><li><div><strong>boat_id</strong><span>uuid</span><em>required</em></div><div>The boat.</div></li>"
            "<li><div><strong>nights</strong><span>integer</span></div><div>Length of the stay.</div></li></ul>"
        ),
        (
            '<div class="list"><div><div class="head"><code>boat_id</code><span>uuid</span><span>required</span></div>'
            '<p>The boat.</p></div><div><div class="head"><code>nights</code><span>integer</span></div>'
            "<p>Length of the stay.</p></div></div>"
        ),
    ],
)
def test_boxes_of_an_unknown_tool_are_rows(fields: str) -> None:
    assert rows(read(OPERATION + fields)) == [
        "Name: boat_id; Type: uuid; Required: required; Description: The boat.",
        "Name: nights; Type: integer; Description: Length of the stay.",
    ]


@pytest.mark.parametrize(
    "content",
    [
        "<p>The header <code>boat</code> is <strong>required</strong>.</p>",
        "<p><b>Note</b> <b>required</b></p>",
        "<ul><li><a href=/a>boat</a> <em>optional</em></li></ul>",
        "<div><h3>Boats</h3><span>required</span></div>",
    ],
)
def test_sentences_and_headings_with_a_badges_word_are_no_rows(content: str) -> None:
    assert rows(read(OPERATION + content)) == []
