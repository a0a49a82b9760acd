"""Rows that read on their own, and code as it was typed."""

import pytest
from tests.unit.indexer.one_page import Unit, read


def rows(table: str) -> list[str]:
    return [unit.text for unit in read(f"<table>{table}</table>").units]


def code(content: str) -> list[str]:
    return [unit.text for unit in read(content).units if unit.kind == "code"]


def test_every_row_carries_the_names_of_its_columns() -> None:
    assert rows("<tr><th>Name<th>Default<tr><td>port<td>8080<tr><td>host<td>localhost") == [
        "Name: port; Default: 8080",
        "Name: host; Default: localhost",
    ]


def test_a_table_without_headers_is_its_cells() -> None:
    assert rows("<tr><td>port<td>8080") == ["port; 8080"]


def test_a_header_in_front_of_a_row_is_its_first_cell() -> None:
    assert rows("<tr><th>Name<th>Default<tr><th>port<td>8080") == ["Name: port; Default: 8080"]


def test_a_table_of_headers_alone_loses_nothing() -> None:
    assert rows("<thead><tr><th>Only<th>headers</thead>") == ["Only; headers"]


def test_a_cell_over_two_columns_stands_in_the_first_and_moves_no_other() -> None:
    assert rows("<tr><th>A<th>B<th>C<tr><td colspan=2>wide<td>third") == ["A: wide; C: third"]


def test_a_cell_over_two_rows_stands_in_both() -> None:
    assert rows("<tr><th>A<th>B<tr><td rowspan=2>both<td>1<tr><td>2<tr><td>own<td>3") == [
        "A: both; B: 1",
        "A: both; B: 2",
        "A: own; B: 3",
    ]


def test_a_long_cell_over_many_rows_is_not_repeated() -> None:
    long = "word " * 40
    assert rows(f"<tr><th>A<th>B<tr><td rowspan=2>{long}<td>1<tr><td>2")[1] == "B: 2"


@pytest.mark.parametrize("span", ["0", "-3", "²", "x", "", "9" * 5000])
def test_a_span_that_is_no_number_is_one(span: str) -> None:
    assert rows(f'<tr><th>A<th>B<tr><td colspan="{span}" rowspan="{span}">one<td>two')[0].startswith("A: one")


def test_a_table_in_a_cell_is_part_of_that_cell() -> None:
    nested = "one <table><tr><td>x</td><td>y</td></tr></table> tail"
    assert rows(f"<tr><th>A<th>B</tr><tr><td>{nested}</td><td>two</td></tr>") == ["A: one x y tail; B: two"]


def test_blocks_in_a_cell_are_parted_by_blanks() -> None:
    cell = "<p>p1</p><p>p2</p><ul><li>i1<li>i2</ul>a<br>b"
    assert rows(f"<tr><th>A</tr><tr><td>{cell}</td></tr>") == ["A: p1 p2 i1 i2 a b"]


def test_a_caption_stands_before_its_table() -> None:
    assert rows("<caption>Ports</caption><tr><td>8080") == ["Ports", "8080"]


@pytest.mark.parametrize(
    "lines",
    [
        '<div class="token-line">const a = 1;<br></div><div class="token-line">  b()<br></div>',
        '<span class="token-line"><span>const a = 1;</span><br></span><span class="token-line">  b()<br></span>',
        "<div>const a = 1;</div><div>  b()</div>",
        "<span>const a = 1;</span>\n<span>  b()</span>",
        "const a = 1;<br>  b()",
        "<span class='linenos'>1</span>const a = 1;\n<span class='linenos'>2</span>  b()",
    ],
    ids=["div-lines", "span-lines", "divs-without-br", "text-lines", "br", "line-numbers"],
)
def test_code_keeps_its_lines_and_indents(lines: str) -> None:
    assert code(f'<pre class="prism-code language-js"><code>{lines}</code></pre>') == [
        "```js\nconst a = 1;\n  b()\n```"
    ]


@pytest.mark.parametrize(
    "markup",
    [
        '<pre class="language-py">{}</pre>',
        '<pre><code class="language-py">{}</code></pre>',
        '<div class="language-py codeBlockContainer_x"><div><pre>{}</pre></div></div>',
        '<div class="highlight-py notranslate"><div class="highlight"><pre>{}</pre></div></div>',
    ],
)
def test_the_language_is_read_wherever_the_generator_puts_it(markup: str) -> None:
    assert code(markup.format("x = 1")) == ["```py\nx = 1\n```"]


def test_a_code_blocks_title_is_a_label_and_its_buttons_are_nothing() -> None:
    page = read(
        '<div class="language-js"><div class="codeBlockTitle_k">app.js</div><div class="codeBlockContent_k">'
        '<pre class="language-js"><code>run()</code></pre><div><button>Copy</button></div></div></div>'
    )
    assert [(unit.kind, unit.text) for unit in page.units] == [("heading", "app.js"), ("code", "```js\nrun()\n```")]


def test_code_that_holds_a_fence_gets_a_longer_one() -> None:
    assert code("<pre>```js\nx\n```</pre>") == ["````\n```js\nx\n```\n````"]


def test_the_files_of_an_interactive_example_are_code() -> None:
    files = "%7B%22App.js%22%3A%7B%22type%22%3A%22CODE%22%2C%22contents%22%3A%22const%20x%20%3D%201%3B%5Cn%22%7D%7D"
    assert code(f'<div class="snack-player" data-snack-files="{files}"></div>') == ["```js\nconst x = 1;\n```"]


@pytest.mark.parametrize("broken", ["%7B", "[1]", '{"a": 1}', "%FF", ""])
def test_broken_files_of_an_example_are_no_code_and_no_error(broken: str) -> None:
    assert code(f"<div data-snack-files='{broken}'></div>") == []


def test_inline_code_is_marked_and_an_empty_one_is_nothing() -> None:
    assert read("<p>Use <code>a b</code><code></code> now.</p>").units == [Unit("prose", "Use `a b` now.", "")]


def test_code_in_a_cell_stays_in_its_row() -> None:
    assert rows("<tr><th>A</tr><tr><td><pre>x = 1\ny = 2</pre></td></tr>") == ["A: `x = 1` `y = 2`"]
