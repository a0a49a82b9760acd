import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite_server.answering.markdown import escape_prose

RENDERER = MarkdownIt("commonmark", {"html": True})


def shown(markdown: str) -> str:
    """Return what a reader sees of one line of Markdown."""
    tokens = RENDERER.parse(markdown)
    inline = [child for token in tokens for child in (token.children or [])]
    assert all(child.type in {"text", "code_inline", "softbreak", "text_special"} for child in inline), markdown
    return "".join(child.content for child in inline)


@pytest.mark.parametrize(
    "text",
    [
        "A Map<T> is *not* a <b>tag</b>.",
        "Set __dirname and my_var_name [1] or ![x](y).",
        "AT&amp;T and &lt;script&gt; stay as they are.",
        "1. is no list, # no heading, - no item.",
        "1) first",
        "# not a heading",
        "- not an item",
        "+ not an item",
        "> not a quote",
        "a ~~b~~ and a lone ` tick",
        "<script>alert('xss')</script>",
        "https://evil.example stays text",
        "===",
    ],
)
def test_docs_text_shows_exactly_as_it_is(text: str) -> None:
    assert shown(escape_prose(text)) == text


def test_inline_code_stays_code() -> None:
    assert escape_prose("Use `Map<T>` or ``a`b``, *now*.") == "Use `Map<T>` or ``a`b``, \\*now\\*."


@given(st.text(st.sampled_from("ab *_<>[]()`#+-=~!|&;:.1\\/"), min_size=1, max_size=40))
def test_no_text_becomes_a_tag_link_or_emphasis(text: str) -> None:
    tokens = RENDERER.parse("x " + escape_prose(text) + " y")
    children = [child.type for token in tokens for child in (token.children or [])]
    assert not {"html_inline", "link_open", "image", "em_open", "strong_open"} & set(children)
