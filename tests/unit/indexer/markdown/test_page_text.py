"""A page as Markdown: the words that it shows, with the signs that Markdown has for what they are."""

from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from tests.unit.indexer.one_page import document

from pincite_indexer.markdown.page_text import PageText, page_text

URL = "https://docs.example.com/docs/leases/"


def written(folder: Path, content: str, title: str = "Leases") -> str:
    """Return the Markdown of a page with this content, without its title."""
    (folder / "page.html").write_text(document(f"<main>{content}</main>"), encoding="utf-8")
    text = page_text(folder, PageText("page.html", "/docs/leases/", URL, title))
    assert text.startswith(f"# {title}\n\n")
    return text.removeprefix(f"# {title}\n\n").rstrip("\n")


@pytest.mark.parametrize(
    ("content", "markdown"),
    [
        ("<h2 id=a>How <code>long</code><a class=hash-link href=#a>#</a></h2>", "## How `long`"),
        ("<p>It is <strong>thirty</strong> <em>seconds</em>.</p>", "It is **thirty** *seconds*."),
        ("<p>See <a href=../queues#a>queues</a>.</p>", "See [queues](https://docs.example.com/docs/queues#a)."),
        ("<img src=/a.png alt='A lease'>", "![A lease](https://docs.example.com/a.png)"),
        ("<ul><li>one<ul><li>two</ul><li>three</ul>", "- one\n  - two\n- three"),
        ("<ol start=3><li>one<li>two</ol>", "3. one\n4. two"),
        ("<ol type=a start=3><li>one<li><p>two</p></ol>", "- c. one\n- d. two"),
        ("<ol reversed><li>one<li>two</ol>", "- 2\\. one\n- 1\\. two"),
        ("<ol><li>one<li value=9>two</ol>", "- 1\\. one\n- 9\\. two"),
        ("<ol style='list-style:none'><li>one</ol>", "- one"),
        ("<div role=list><div role=listitem>one</div><div role=listitem>two</div></div>", "- one\n- two"),
        (
            "<ul><li><input type=checkbox checked> one<li><label><input type=checkbox></label> two</ul>",
            "- [x] one\n- [ ] two",
        ),
        ("<dl><dt>term<dd>what it <b>is</b></dl>", "**term**\n\n- what it **is**"),
        ("<details><summary>More</summary><p>text</p></details>", "**More**\n\ntext"),
        ("<details><summary><strong>All</strong> boats</summary><p>text</p></details>", "**All boats**\n\ntext"),
        ("<p>a<button>Copy</button>b<nav>menu</nav></p>", "ab"),
        ("<p>shown<span class=sr-only> not shown</span></p>", "shown"),
        ("<p>one<br>two</p>", "one\\\ntwo"),
    ],
)
def test_each_part_of_a_page_has_its_sign(tmp_path: Path, content: str, markdown: str) -> None:
    assert written(tmp_path, content) == markdown


def test_code_keeps_its_language_lines_and_fences(tmp_path: Path) -> None:
    code = "<div class='language-js'><pre><code>const a = `b`;\n\n```\nreturn *a*</code></pre></div>"
    assert written(tmp_path, code) == "````js\nconst a = `b`;\n\n```\nreturn *a*\n````"


def test_a_table_has_its_header_and_bars_within_cells_are_escaped(tmp_path: Path) -> None:
    table = (
        "<table><thead><tr><th>Key</th><th>Means</th></tr></thead>"
        "<tbody><tr><td><code>a|b</code></td><td>one<br>two</td></tr></tbody></table>"
    )
    assert written(tmp_path, table).splitlines() == ["| Key | Means |", "| --- | --- |", "| `a\\|b` | one two |"]


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        (
            "<thead><tr><th rowspan=2>Lamp<th colspan=2>Price<tr><th>New<th>Used</thead><tr><td>Oil<td>9<td>4",
            ["| Lamp | Price / New | Price / Used |", "| --- | --- | --- |", "| Oil | 9 | 4 |"],
        ),
        (
            "<tr><th>Item<th>Price<tr><th colspan=2>Lamps<tr><td rowspan=2>Oil<td>9<tr><td><a href=/x>4</a>",
            [
                "| Item | Price |",
                "| --- | --- |",
                "| **Lamps** |  |",
                "| Oil | 9 |",
                "| Oil | [4](https://docs.example.com/x) |",
            ],
        ),
        (
            "<caption>Lamps</caption><tr><th>Item<th>Price<tr><td colspan=2>None",
            ["Lamps", "", "| Item | Price |", "| --- | --- |", "| None |  |"],
        ),
        (
            "<tr><th>Item<th>Price<tr><td>Oil<td>9<tr><th>Item<th>Weight<tr><td>Oil<td>3 kg<tr><th>Sum<th>3 kg",
            [
                "| Item | Price |",
                "| --- | --- |",
                "| Oil | 9 |",
                "",
                "| Item | Weight |",
                "| --- | --- |",
                "| Oil | 3 kg |",
                "| Sum | 3 kg |",
            ],
        ),
        ("<tr><td><b>Item</b><td><b>Price</b><tr><td>Oil<td>9", ["| Item | Price |", "| --- | --- |", "| Oil | 9 |"]),
    ],
)
def test_a_table_has_one_header_row_with_whole_names(tmp_path: Path, table: str, lines: list[str]) -> None:
    assert written(tmp_path, f"<table>{table}</table>").splitlines() == lines


def test_a_table_that_only_places_its_content_is_left_out(tmp_path: Path) -> None:
    table = "<table role=presentation><tr><td><h3>Oil</h3><p>Burns.</p><td><h3>Gas</h3><pre>light</pre></table>"
    assert written(tmp_path, table) == "### Oil\n\nBurns.\n\n### Gas\n\n```\nlight\n```"


def test_headings_signatures_and_grids_of_reference_pages(tmp_path: Path) -> None:
    heading = "<table><tr><td colspan=2><h2>Functions</h2><tr><td>void<td>open ()</table>"
    signature = "<table class=memname><tr><td>void open<td>(<td>int<td><em>mode</em><td>)</table>"
    cells = "<div class=table-header>Type</div><div class=table-header>Method</div><div>int</div><div>size()</div>"
    assert written(tmp_path, f"{heading}{signature}<div class=summary-table>{cells}</div>") == (
        "## Functions\n\n|  |  |\n| --- | --- |\n| void | open () |\n\nvoid open ( int *mode* )\n\n"
        "| Type | Method |\n| --- | --- |\n| int | size() |"
    )


def test_a_table_of_divs_is_a_table(tmp_path: Path) -> None:
    row = "<div role=row><div role={0}>{1}</div><div role={0}>{2}</div></div>"
    rows = row.format("columnheader", "Item", "Price") + row.format("cell", "Oil", "9")
    table = f"<div role=table><div role=rowgroup>{rows}</div></div>"
    assert written(tmp_path, table).splitlines() == ["| Item | Price |", "| --- | --- |", "| Oil | 9 |"]


def test_tabs_stand_below_one_another_under_their_labels(tmp_path: Path) -> None:
    tabs = (
        "<div><ul role=tablist><li role=tab>npm</li><li role=tab>Yarn</li></ul>"
        "<div role=tabpanel><p>first</p></div><div role=tabpanel hidden><p>second</p></div></div>"
    )
    assert written(tmp_path, tabs) == "**npm**\n\nfirst\n\n**Yarn**\n\nsecond"


def test_an_admonition_is_a_quotation_under_its_word(tmp_path: Path) -> None:
    note = '<div class="theme-admonition alert"><div class="admonitionHeading_x">tip</div><p>Mind it.</p></div>'
    assert written(tmp_path, note) == "> **tip**\n>\n> Mind it."


def test_a_card_is_a_link_of_its_heading(tmp_path: Path) -> None:
    card = '<a href="/docs/jobs"><h2>Jobs</h2><p>What they are.</p></a>'
    assert written(tmp_path, card) == "## [Jobs](https://docs.example.com/docs/jobs)\n\nWhat they are."


@pytest.mark.parametrize(
    "text",
    [
        "# no heading",
        "- no item",
        "1. no number",
        "> no quotation",
        "a *star* and a_name and _one_ and __init__",
        "[no](link) and [x]: y and ![z](w)",
        "<b>no tag</b> &amp; no entity, `no code` and ~~no line~~",
        "C:\\path\\*",
        "---",
        "===",
    ],
)
def test_signs_in_a_text_read_back_as_they_were(tmp_path: Path, text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    markdown = written(tmp_path, f"<p>before</p><p>{escaped}</p>")
    html = MarkdownIt("commonmark").enable("strikethrough").render(markdown)
    assert html == f"<p>before</p>\n<p>{escaped.replace('>', '&gt;')}</p>\n"


def test_a_page_with_a_title_of_its_own_gets_no_second_one(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(document("<main><h1>Own</h1><p>text</p></main>"), encoding="utf-8")
    assert page_text(tmp_path, PageText("page.html", "/", URL, "Other")) == "# Own\n\ntext\n"


def test_a_page_that_is_nested_without_end_has_no_markdown_and_breaks_nothing(tmp_path: Path) -> None:
    deep = "<blockquote>" * 900 + "text" + "</blockquote>" * 900
    (tmp_path / "page.html").write_text(document(f"<main>{deep}</main>"), encoding="utf-8")
    assert page_text(tmp_path, PageText("page.html", "/", URL, "Deep")) == ""
