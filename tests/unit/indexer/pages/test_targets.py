"""Which ids of a page are targets, of what kind, and which text each is cited for."""

import pytest
from tests.unit.indexer.one_page import Unit, read

from pincite_core.types import Landing


def test_a_heading_with_an_id_is_a_target_and_its_permalink_is_no_text() -> None:
    page = read(
        '<h2 class="anchor" id="use">Use it<a class="hash-link" href="#use" aria-label="x">\u200b</a></h2><p>Text.'
    )
    assert page.target("use").title == "Use it"
    assert page.target("use").heading_path == ("Page", "Use it")
    assert page.units == [Unit("prose", "Text.", "use")]


def test_headings_nest_by_their_levels() -> None:
    page = read("<h2 id=a>A</h2><h3 id=b>B</h3><h4 id=c>C</h4><h2 id=d>D</h2>")
    assert page.target("c").heading_path == ("Page", "A", "B", "C")
    assert page.target("d").heading_path == ("Page", "D")
    assert [target.parent for target in page.targets] == [None, 0, 1, 2, 0]


def test_a_pages_h1_without_an_id_is_its_title_and_no_text() -> None:
    page = read("<header><h1>Real title</h1></header><p>Text.")
    assert page.targets[0].title == "Real title"
    assert page.units == [Unit("prose", "Text.", "")]


def test_a_heading_without_an_id_stays_in_the_text() -> None:
    page = read("<h2 id=a>A</h2><p>One.</p><h3>By hand</h3><p>Two.</p>")
    assert page.units[1:] == [Unit("heading", "By hand", "a"), Unit("prose", "Two.", "a")]


def test_a_heading_without_an_id_ends_the_sections_of_its_level() -> None:
    page = read("<h2 id=a>A</h2><p>One.</p><h2>By hand</h2><p>Two.</p>")
    assert page.cited("One.") == "a"
    assert page.cited("Two.") == ""


def test_an_empty_heading_keeps_its_id() -> None:
    page = read("<h2 id=a>A</h2><h3 id=-1></h3><p>Text.")
    assert page.target("-1").title == "A"
    assert page.cited("Text.") == "-1"


def test_of_duplicate_ids_the_first_wins_as_in_a_browser() -> None:
    page = read("<h2 id=a>One</h2><p>1</p><h2 id=a>Two</h2><p>2</p>")
    assert [target.anchor for target in page.targets] == ["", "a"]
    assert page.target("a").title == "One"
    assert page.cited("2") == ""


@pytest.mark.parametrize(
    ("written", "anchor"),
    [
        ("a &quot;b&quot;", 'a "b"'),
        ("it's", "it's"),
        ("日本 語", "日本 語"),
        ("🎉", "🎉"),
        ("50%", "50%"),
        ("a&amp;b", "a&b"),
    ],
)
def test_an_id_is_kept_as_it_is_in_the_page(written: str, anchor: str) -> None:
    page = read(f'<h2 id="{written}">Heading</h2><p>Text.')
    assert page.cited("Text.") == anchor
    assert anchor in page.draft.ids


def test_a_row_with_an_id_is_cited_as_that_row() -> None:
    page = read(
        "<h2 id=o>Options</h2><table><thead><tr><th>Name<th>Type</thead>"
        "<tr id=opt-a><td><code>alpha</code><td>int<tr id=opt-b><td>beta<td>str</table><p>After."
    )
    assert page.units == [
        Unit("row", "Name: `alpha`; Type: int", "opt-a"),
        Unit("row", "Name: beta; Type: str", "opt-b"),
        Unit("prose", "After.", "o"),
    ]
    assert page.target("opt-a").kind == "row"
    assert page.target("opt-a").heading_path == ("Page", "Options", "alpha")


@pytest.mark.parametrize(
    "cell", ["<td id=x>alpha</td>", "<td><span id=x></span>alpha</td>", "<td><a id=x></a>alpha</td>"]
)
def test_an_id_in_a_cell_names_its_row(cell: str) -> None:
    page = read(f"<table><tr><th>Name<th>Type</tr><tr>{cell}<td>int</td></tr></table>")
    assert page.units == [Unit("row", "Name: alpha; Type: int", "x")]
    assert page.anchors == {"x": "row"}


def test_a_list_item_with_an_id_is_cited_as_that_item() -> None:
    page = read("<ul><li id=a>Alpha: the first</li><li>Beta</li></ul>")
    assert page.units == [Unit("item", "- Alpha: the first", "a"), Unit("item", "- Beta", "")]
    assert page.target("a").title == "Alpha"
    assert page.anchors == {"a": "item"}


def test_an_empty_anchor_in_an_item_is_an_option() -> None:
    page = read('<ul><li><p><a id="o-1" class="list-anchor-link"></a><code>force</code> Skips checks.</p></li></ul>')
    assert page.units == [Unit("item", "- `force` Skips checks.", "o-1")]
    assert page.anchors == {"o-1": "option"}


@pytest.mark.parametrize("empty", ["<a id=x></a>", "<a name=x></a>", "<span id=x></span>"])
def test_an_empty_anchor_in_a_paragraph_names_the_paragraph(empty: str) -> None:
    page = read(f"<p>Before.</p><p>{empty}Here it is.</p><p>After.</p>")
    assert [page.cited(text) for text in ("Before.", "Here it is.", "After.")] == ["", "x", ""]


def test_a_standalone_anchor_belongs_to_the_next_block() -> None:
    page = read("<p>Before.</p><a id=x></a><p>Here it is.</p>")
    assert page.cited("Here it is.") == "x"
    assert page.cited("Before.") == ""


def test_an_anchor_after_the_last_text_is_still_a_target() -> None:
    assert read("<p>The end.</p><a id=end></a>").anchors == {"end": "other"}


def test_a_term_names_its_definitions_and_the_next_term_does_not_inherit_it() -> None:
    page = read("<dl><dt id=x>X</dt><dd>One. <p>Two.</p></dd><dd>Three.</dd><dt>Y</dt><dd>Four.</dd></dl>")
    assert [page.cited(text) for text in ("X", "One.", "Two.", "Three.")] == ["x"] * 4
    assert [page.cited(text) for text in ("Y", "Four.")] == ["", ""]
    assert page.anchors == {"x": "term"}


def test_terms_that_share_a_definition_share_the_id_of_the_first() -> None:
    page = read("<dl><dt id=one>f(x)</dt><dt>f(x, y)</dt><dd>Computes.</dd></dl>")
    assert page.cited("Computes.") == "one"


def test_details_are_a_target_that_holds_its_body_and_ends_with_it() -> None:
    page = read("<h2 id=h>H</h2><details id=d><summary>More</summary><p>Inside.</p></details><p>After.</p>")
    assert page.anchors == {"h": "heading", "d": "details"}
    assert page.target("d").landing == (Landing("details", "More"),)
    assert (page.cited("Inside."), page.cited("After.")) == ("d", "h")


def test_details_with_an_id_are_a_section_under_their_summary() -> None:
    page = read(
        "<h2 id=h>H</h2><p>Before.</p><details id=d><summary>May <code>x</code> run?</summary><p>Yes.</p></details>"
        "<p>After."
    )
    assert page.target("d").heading_path == ("Page", "H", "May x run?")
    assert [item.block.text for item in page.target("d").blocks] == ["Yes."]
    assert [item.block.text for item in page.target("h").blocks] == ["Before.", "After."]


def test_headings_inside_details_with_an_id_nest_below_their_summary() -> None:
    page = read("<h2 id=h>H</h2><details id=d><summary>More</summary><h3 id=deep>Deep</h3><p>In.</details>")
    assert page.target("deep").heading_path == ("Page", "H", "More", "Deep")


def test_the_summary_of_details_without_an_id_labels_the_next_block() -> None:
    page = read("<h2 id=h>H</h2><details><summary>May it run?</summary><p>Yes.</p></details>")
    assert page.units == [
        Unit("heading", "May it run?", "h", ("May it run?",)),
        Unit("prose", "Yes.", "h", ("May it run?",)),
    ]


def test_a_heading_in_details_needs_them_open_and_ends_with_them() -> None:
    page = read("<h2 id=h>H</h2><details><summary>More</summary><h3 id=deep>Deep</h3><p>In.</p></details><p>After.</p>")
    assert page.target("deep").landing == (Landing("details", "More"),)
    assert (page.cited("In."), page.cited("After.")) == ("deep", "h")


def test_a_typedoc_member_is_its_heading_with_the_id_inside() -> None:
    page = read(
        '<h2>Methods</h2><section class="tsd-panel"><h3 class="tsd-panel-header"><a class="tsd-anchor">'
        '<span id="assign" class="tsd-anchor-id"></span></a>assign</h3><p>Assigns.</p></section>'
    )
    assert page.anchors == {"assign": "member"}
    assert page.cited("Assigns.") == "assign"
    assert page.units[0] == Unit("heading", "Methods", "")


def test_a_card_with_an_id_is_a_target() -> None:
    page = read('<div class="card" id="x"><p>Start here.</p></div><p>After.</p>')
    assert (page.cited("Start here."), page.cited("After.")) == ("x", "")


def test_a_heading_outranks_the_container_around_it() -> None:
    page = read("<div id=box><p>Intro.</p><h2 id=h>H</h2><p>Text.</p></div>")
    assert (page.cited("Intro."), page.cited("Text.")) == ("box", "h")


@pytest.mark.parametrize(
    ("content", "title", "said"),
    [
        ("<h1>Rewriting pages</h1><p>How.", "Pages | Harbor", "Rewriting pages"),
        ("<h1>Harbor 3.2</h1><h1>Pages</h1><p>How.", "Pages — Harbor 3.2", "Pages"),  # the site's name above each page
        ("<h1>1. Overview</h1><p>How.<h1>2. Pages</h1><p>So.", "Rewriting pages", "Rewriting pages"),
        ("<h1>Pages</h1><p>How.<h1>Books</h1><p>So.", "Pages | Harbor", "Pages"),
        ("<h1>1. Overview</h1><p>How.<h1>2. Pages</h1><p>So.", "", "1. Overview"),
        ("<p>How.", "Pages | Harbor", "Pages"),
    ],
)
def test_the_title_is_the_only_h1_or_else_the_title_element(content: str, title: str, said: str) -> None:
    assert read(content, head=f"<title>{title}</title>").targets[0].title == said


def test_menus_and_search_boxes_are_boilerplate_in_any_element() -> None:
    menu = '<div role="navigation"><h3 id="toc">Contents</h3></div><div role="search"><h3 id="find">Search</h3></div>'
    page = read(f"<h1>Pages</h1><p>How.</p>{menu}")
    assert not page.anchors
    assert [unit.text for unit in page.units] == ["How."]


@pytest.mark.parametrize(
    ("base", "hrefs"),
    [
        ("/docs/", ["/docs/one", "/two", "/docs/#x", "https://other.example/", "http://["]),
        ("", ["one", "/two", "#x", "https://other.example/", "http://["]),
        (
            "https://docs.example/a/b",
            [
                "https://docs.example/a/one",
                "https://docs.example/two",
                "https://docs.example/a/b#x",
                "https://other.example/",
                "http://[",
            ],
        ),
    ],
)
def test_links_start_from_the_base_that_a_page_names(base: str, hrefs: list[str]) -> None:
    links = "".join(
        f'<p><a href="{href}">A</a></p>' for href in ("one", "/two", "#x", "https://other.example/", "http://[")
    )
    page = read(links, head=f'<title>Page</title><base target="_top"><base href="{base}"><base href="/not/">')
    assert [link.href for link in page.draft.links] == hrefs


def test_links_know_the_section_they_stand_in() -> None:
    page = read('<p><a href="/one">One</a></p><h2 id=h>H</h2><p>Text <a href="#x">two</a>.</p>')
    assert [(link.piece, link.href, link.text) for link in page.draft.links] == [(0, "/one", "One"), (2, "#x", "two")]


def test_text_after_a_nested_section_belongs_to_the_section_around_it() -> None:
    page = read(
        '<section><h2 id="a">Pump</h2><p>One.</p>'
        '<section><h3 id="b">Valve</h3><p>Two.</p></section><p>Three.</p></section>'
        '<p>Four.</p><section><h2 id="c">Tank</h2></section><p>Five.</p>'
    )
    assert page.cited("Two.") == "b"
    assert page.cited("Three.") == "a"
    assert page.cited("Four.") == ""
    assert page.cited("Five.") == "c"  # a section of a title alone
    assert page.target("b").heading_path[-2:] == ("Pump", "Valve")


def test_a_closed_dialog_is_no_content() -> None:
    texts = [unit.text for unit in read("<p>A.</p><dialog><p>B.</p></dialog><dialog open><p>C.</p></dialog>").units]
    assert texts == ["A.", "C."]
