"""Code without anything that its reader does not type, in the markup of the highlighters and generators in use."""

import re
from pathlib import Path

import pytest
from tests.unit.indexer.one_page import document, read

from pincite_indexer.markdown.page_text import PageText, page_text

TWO = "kettle fill\nkettle boil"
_FIXTURE = Path(__file__).parents[4] / "fixtures" / "code-kinds.html"
KINDS = dict(re.findall(r"<!-- kind: (\S+) -->\n(.*?)\n(?=<!-- kind|\Z)", _FIXTURE.read_text(), re.DOTALL))


def markdown(content: str, folder: Path) -> str:
    """Return a page as Markdown for agents."""
    (folder / "page.html").write_text(document(content), encoding="utf-8")
    return page_text(folder, PageText("page.html", "/page", "https://docs.test/page", "Page"))


def code(content: str) -> list[str]:
    """Return the text of each code block, without its fence."""
    units = [unit.text for unit in read(content).units if unit.kind == "code"]
    return ["\n".join(text.split("\n")[1:-1]) for text in units]


@pytest.mark.parametrize("kind", KINDS)
def test_only_typed_text_is_code(kind: str) -> None:
    assert code(f"<h2 id=a>A</h2>{KINDS[kind]}") == [TWO]


@pytest.mark.parametrize("kind", KINDS)
def test_the_markdown_for_agents_has_the_same_code(kind: str, tmp_path: Path) -> None:
    text = markdown(f"<h1>Kettle</h1>{KINDS[kind]}<p>Drink.</p>", tmp_path)
    assert re.fullmatch(rf"# Kettle\n\n```\w*\n{TWO}\n```\n\nDrink\.\n*", text)


@pytest.mark.parametrize(
    ("markup", "typed"),
    [
        ('<span class="token number">1</span>\n<span class="token number">2</span>', "1\n2"),
        ('<span class="mi">1</span>: a\n<span class="mi">2</span>: b', "1: a\n2: b"),
        ('<span style="color:#005cc5">1</span>,a\n<span style="color:#005cc5">2</span>,b', "1,a\n2,b"),
        ("<span>1</span>\nkettle", "1\nkettle"),
        ("1 kettle\n2 cups", "1 kettle\n2 cups"),
        ('<span class="co">3</span>\nx', "3\nx"),
        ('<span data-line="">42</span>\n<span data-line="">7</span>', "42\n7"),
        ("kettle<b>!</b> (1)", "kettle! (1)"),
        ("  indented\n\ttab  \n\n\nend", "  indented\n\ttab  \n\n\nend"),
        ('<span class="line">a</span>\n<span class="line"></span>\n<span class="line">b</span>', "a\n\nb"),
        ('<div class="line">a</div><div class="line"></div><div class="line">b</div>', "a\n\nb"),
        (
            '<div class="ec-line"><div class="code">a</div></div><div class="ec-line"><div>\n</div></div>b',
            "a\n\nb",
        ),
        ("<samp>$ </samp><kbd>kettle <var>NAME</var></kbd>", "$ kettle NAME"),
        ("<span aria-hidden=true>kettle fill</span>", "kettle fill"),
    ],
)
def test_what_a_reader_types_stays(markup: str, typed: str) -> None:
    assert code(f"<pre><code>{markup}</code></pre>") == [typed]
    assert code(f"<pre>{markup}</pre>") == [typed]


@pytest.mark.parametrize(
    ("markup", "typed"),
    [
        ("port = 1\n<del>host = a</del>\nhost = b", "port = 1\nhost = b"),
        ("port = <s>1</s> 2", "port =  2"),
        ('<span class="line diff remove">a</span>\n<span class="line diff add">b</span>', "b"),
        ('<span class="line">a</span>\n<span class="line highlighted-remove diff-remove">b</span>', "a"),
        (
            '<div class="ec-line highlight del"><div class="code">a</div></div><div class="ec-line"><div>b</div></div>',
            "b",
        ),
        ('<div class="token-line code-block-deleted-line">a<br></div><div class="token-line">b<br></div>', "b"),
    ],
)
def test_removed_lines_are_not_code(markup: str, typed: str) -> None:
    assert code(f'<pre class="language-toml"><code>{markup}</code></pre>') == [typed]


@pytest.mark.parametrize(
    "markup",
    [
        '<span class="gd">-a</span>\n<span class="gi">+b</span>',
        '<span class="token deleted-sign deleted"><span class="token prefix deleted">-</span>'
        '<span class="token line">a\n</span></span><span class="token inserted">+b</span>',
        '<span class="hljs-deletion">-a</span>\n<span class="hljs-addition">+b</span>',
        '<span class="gd">-</span><span class="gd">a</span>\n+b',
    ],
    ids=["pygments", "prism", "highlight.js", "split-token"],
)
def test_a_diff_stays_as_typed(markup: str) -> None:
    assert code(f'<pre><code class="language-diff">{markup}</code></pre>') == ["-a\n+b"]


def test_output_is_a_block_of_its_own_after_the_typed_lines() -> None:
    session = (
        '<div class="highlight-pycon"><pre><span class="gp">&gt;&gt;&gt; </span><span class="k">def</span> boil():\n'
        '<span class="gp">... </span>    <span class="k">return</span> 100\n'
        '<span class="gp">&gt;&gt;&gt; </span>boil()\n<span class="go">100</span>\n</pre></div>'
    )
    assert code(session) == ["def boil():\n    return 100\nboil()", "100"]


@pytest.mark.parametrize(
    "markup",
    [
        '<pre><code class="language-console" data-lang="console">{}</code></pre>',
        '<div class="language-sh"><button class="copy"></button><span class="lang">sh</span><pre>{}</pre></div>',
    ],
    ids=["antora", "vitepress"],
)
def test_a_prompt_in_the_text_is_left_out_where_the_copy_button_leaves_it_out(markup: str) -> None:
    assert code(markup.format("$ kettle boil\nready")) == ["kettle boil", "ready"]


@pytest.mark.parametrize("name", ["hljs-meta prompt_", "token shell-symbol important", "prompt"])
def test_a_prompt_in_an_element_of_its_own_is_not_typed(name: str) -> None:
    assert code(f'<pre><code><span class="{name}">$ </span>kettle boil</code></pre>') == ["kettle boil"]
    assert code(f'<pre><code><span class="{name}">kettle boil</span></code></pre>') == ["kettle boil"]


def test_any_other_prompt_in_the_text_stays() -> None:
    assert code('<pre class="language-sh">$ kettle boil</pre>') == ["$ kettle boil"]


def test_a_comment_before_a_prompt_is_typed_and_not_output() -> None:
    session = '<span class="gp">$ </span>kettle boil\nready\n# and again\n<span class="gp">$ </span>kettle boil'
    assert code(f"<pre>{session}</pre>") == ["kettle boil\n# and again\nkettle boil", "ready"]


def test_a_command_over_several_lines_is_typed_as_a_whole() -> None:
    assert code('<pre><span class="gp">$ </span>kettle \\\n  --boil\nready</pre>') == ["kettle \\\n  --boil", "ready"]


@pytest.mark.parametrize(
    "around",
    [
        '<figure><pre>{}</pre><div class="copy"><button data-code="a\x7f\x7f\tb"></button></div></figure>',
        '<div data-snippet-clipboard-copy-content="a\n\n\tb"><pre>{}</pre></div>',
        '<div><button data-clipboard-text="a\n\n\tb"></button><pre>{}</pre></div>',
        '<div><pre>{}</pre><div><clipboard-copy value="a\n\n\tb"></clipboard-copy></div></div>',
    ],
)
def test_white_space_is_that_of_the_copy_button(around: str) -> None:
    assert code(around.format("<div>a</div><div>    b</div>")) == ["a\n\n\tb"]


def test_the_file_name_above_code_is_a_label() -> None:
    page = read("<figure><figcaption><span>kettle.toml</span></figcaption><pre>heat = 100</pre></figure>")
    assert [(unit.kind, unit.text) for unit in page.units] == [
        ("heading", "kettle.toml"),
        ("code", "```\nheat = 100\n```"),
    ]


def test_numbers_of_a_list_after_the_code_are_no_code() -> None:
    code_of_two = "<pre><code>kettle fill # (1)!\nkettle boil <span class=c1># now (2)</span></code></pre>"
    assert code(f"<div>{code_of_two}</div><ol><li>Cold water.<li>It is loud.</ol>") == [
        "kettle fill\nkettle boil # now"
    ]
    assert code(f"<div>{code_of_two}</div><p>Tea.</p>") == ["kettle fill # (1)!\nkettle boil # now (2)"]


def test_a_picture_of_a_callout_is_no_code() -> None:
    assert code('<pre>kettle fill <img src="callouts/1.png" alt="1">\nkettle boil</pre>') == [
        "kettle fill\nkettle boil"
    ]


def test_a_copy_button_with_another_text_changes_nothing() -> None:
    assert code('<figure><pre>kettle fill --hot</pre><button data-code="kettle fill"></button></figure>') == [
        "kettle fill --hot"
    ]


def test_code_in_a_cell_keeps_its_lines_apart() -> None:
    page = read("<table><tr><th>Do<tr><td><pre>kettle fill\nkettle boil</pre></table>")
    assert [unit.text for unit in page.units] == ["Do: `kettle fill` `kettle boil`"]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("Run <code>fill</code><code>boil</code> now", "Run `fill` `boil` now"),
        ("Run <code>fill</code><br><code>boil</code> now", "Run `fill` `boil` now"),
        ("Run <code>fill<br>boil</code> now", "Run `fill` `boil` now"),
        ("Run <code><del>fill</del> boil</code> now", "Run `boil` now"),
        ("Edit <code>.env </code>first", "Edit `.env` first"),
        ("Run <code>fill\nit</code> now", "Run `fill it` now"),
        ("Run <code>a `b`</code> now", "Run `` a `b` `` now"),
        ("Run <code>get_<wbr>lamp</code>s", "Run `get_lamp`s"),
    ],
)
def test_inline_code_neither_joins_nor_breaks(markup: str, text: str) -> None:
    assert [unit.text for unit in read(f"<p>{markup}</p>").units] == [text]


@pytest.mark.parametrize(
    "markup",
    [
        '<pre class="mermaid">{}</pre>',
        '<div class="mermaid">{}</div>',
        '<pre><code class="language-mermaid">{}</code></pre>',
        '<div class="highlight-mermaid"><pre>{}</pre></div>',
    ],
)
def test_a_diagram_is_its_labels(markup: str) -> None:
    source = "graph TD\n  A[Water filled] --&gt;|boil| B{Hot enough?}\n  B --&gt; C(Tea)"
    page = read(f"<h2 id=a>A</h2><p>Before.</p>{markup.format(source)}")
    assert [(unit.kind, unit.text) for unit in page.units if unit.kind != "heading"] == [
        ("prose", "Before."),
        ("prose", "Water filled; boil; Hot enough?; Tea"),
    ]


def test_a_drawn_diagram_is_the_texts_of_its_picture() -> None:
    picture = "<svg><style>.a{fill:red}</style><text>Water</text><text>Tea</text></svg>"
    assert [unit.text for unit in read(f'<div class="mermaid">{picture}</div>').units] == ["Water; Tea"]


def test_the_source_of_a_formula_is_text() -> None:
    page = read(r'<pre><code class="language-math">E = m c^2</code></pre>')
    assert [(unit.kind, unit.text) for unit in page.units] == [("prose", "E = m c^2")]
