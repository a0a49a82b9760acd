"""Code as it was typed."""

import pytest
from tests.unit.indexer.one_page import Unit, read


def code(content: str) -> list[str]:
    return [unit.text for unit in read(content).units if unit.kind == "code"]


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
    table = "<table><tr><th>A</tr><tr><td><pre>x = 1\ny = 2</pre></td></tr></table>"
    assert [unit.text for unit in read(table).units] == ["A: `x = 1` `y = 2`"]
