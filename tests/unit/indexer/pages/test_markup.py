import pytest
from lxml import html

from pincite_indexer.pages.markup import content_root, is_ordinary, plain_text


@pytest.mark.parametrize(
    ("element", "ordinary"),
    [
        ("<span>word</span>", True),
        ('<span class="mr-2 text-sm" id="a">word</span>', True),
        ('<a href="/x" title="X">word</a>', True),
        ('<span class="sr-only">word</span>', False),
        ('<span class="material-icons-outlined">word</span>', False),
        ('<span class="badge-new">word</span>', False),
        ('<div class="wide admonition">word</div>', False),
        ('<div class="lang">word</div>', False),
        ('<div role="tabpanel">word</div>', False),
        ("<p hidden>word</p>", False),
        ('<p style="display: none">word</p>', False),
    ],
)
def test_an_element_is_ordinary_when_no_attribute_tells_more_than_its_tag(element: str, ordinary: bool) -> None:
    assert is_ordinary(html.fragment_fromstring(element)) is ordinary


@pytest.mark.parametrize("opening", ['<div class="vp-doc">', "<div class='x vp-doc'>", "<DIV CLASS=vp-doc>"])
def test_the_content_is_found_by_its_class_however_the_source_writes_it(opening: str) -> None:
    source = f"<html><body><main>menu {opening}text</div></main></body></html>"
    root = content_root(html.document_fromstring(source), source.encode(), ())
    assert root is not None
    assert root.text == "text"


@pytest.mark.parametrize(
    ("element", "text"),
    [
        ("<h2>Rotate <code>keys</code></h2>", "Rotate keys"),
        ("<h2>Rotate<!-- note --> keys <b>now</b></h2>", "Rotate keys now"),
        ("<h2>Rotate <nav>menu</nav>keys</h2>", "Rotate keys"),
        ('<h2>Rotate <span class="sr-only">link</span>keys</h2>', "Rotate keys"),
        ("<h2>Rotate<br>keys</h2>", "Rotate keys"),
        ('<a href="/x" aria-label="Keys"></a>', ""),
        ("<button> Keys </button>", "Keys"),
    ],
)
def test_a_name_is_the_text_of_an_element_without_boilerplate(element: str, text: str) -> None:
    assert plain_text(html.fragment_fromstring(element)) == text


def test_a_name_of_hostile_depth_is_read() -> None:
    element = html.fragment_fromstring("<p>Keys" + "<b>" * 240 + "deep" + "</b>" * 240 + "</p>")
    assert plain_text(element) == "Keysdeep"
