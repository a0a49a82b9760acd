"""Empty anchors at the end of a paragraph that its author did not close: they name what follows, not the paragraph."""

import pytest
from tests.unit.indexer.one_page import Read, read

from pincite_indexer.pages.records import Heading

RESULT_CODES = """<a name="cantopen"></a>
<h3>(14) CANTOPEN</h3>
<p>
  It cannot be opened.


<!---------------------------------->
{}
<h3>(15) PROTOCOL</h3>
<p>
  It cannot be locked.
"""


def cited(page: Read, *texts: str) -> list[str]:
    return [page.cited(text) for text in texts]


@pytest.mark.parametrize(
    "anchor",
    [
        '<a name="protocol"></a>',
        '<a id="protocol"></a>',
        '<span id="protocol"></span>',
        '<a name="protocol">\n</a>\n<!-- a code -->\n<br>\n',
        '<b><a name="protocol"></a></b>',
        '<a name="protocol"></a></p>',
        '<a name="protocol"></a></p><hr><div>',
    ],
)
def test_an_anchor_after_a_paragraphs_text_is_the_following_headings(anchor: str) -> None:
    page = read(RESULT_CODES.format(anchor))
    assert page.anchors == {"cantopen": "heading", "protocol": "heading"}
    assert page.target("protocol").heading_path == ("Page", "(15) PROTOCOL")
    assert cited(page, "It cannot be opened.", "It cannot be locked.") == ["cantopen", "protocol"]


def test_of_several_anchors_after_a_paragraphs_text_the_last_is_the_headings_and_the_others_are_targets_too() -> None:
    page = read(RESULT_CODES.format('<a name="locking"></a>\n<a name="wal"></a>\n</p><a name="protocol"></a>'))
    assert cited(page, "It cannot be opened.", "It cannot be locked.") == ["cantopen", "protocol"]
    assert page.anchors == {"cantopen": "heading", "protocol": "heading", "locking": "other", "wal": "other"}
    assert [page.targets[page.target(name).parent or 0].anchor for name in ("locking", "wal")] == ["protocol"] * 2


def test_a_heading_keeps_its_own_id_beside_anchors_after_the_paragraph_before_it() -> None:
    page = read('<h2 id="a">A</h2><p id="one">One.\n<a name="old"></a>\n<h2 id="b">B</h2><p>Two.')
    assert cited(page, "One.", "Two.") == ["one", "b"]
    assert page.target("old").heading_path == ("Page", "B", "B")
    assert [piece.anchor for piece in page.draft.pieces if isinstance(piece, Heading)] == ["a", "b"]


@pytest.mark.parametrize(
    ("following", "text"),
    [
        ("<p>Two.", "Two."),
        ("<p><b>Two</b>.", "Two."),
        ("</p>Two.<p>", "Two."),
        ("<div><p>Two.", "Two."),
        ("<ul><li>Two.</ul>", "- Two."),
        ("<pre>two</pre>", "```\ntwo\n```"),
    ],
)
def test_an_anchor_after_a_paragraphs_text_names_the_block_that_follows(following: str, text: str) -> None:
    page = read(f'<p>One.\n<a name="x"></a>\n{following}<p>Three.')
    assert cited(page, "One.", text, "Three.") == ["", "x", ""]
    assert list(page.anchors) == ["x"]


def test_an_anchor_after_text_outside_a_paragraph_belongs_to_the_next_block() -> None:
    page = read('<h2 id="a">A</h2>One.<a name="x"></a><h2>B</h2>Two.')
    assert cited(page, "One.", "Two.") == ["a", "x"]


def test_an_anchor_before_a_paragraphs_text_still_names_it_when_another_comes_after() -> None:
    page = read('<p><a name="one"></a>One.<a name="two"></a><p>Two.<p>Three.')
    assert cited(page, "One.", "Two.", "Three.") == ["one", "two", ""]


@pytest.mark.parametrize(
    "paragraph",
    [
        '<p><a name="x"></a>One.',
        '<p>One<a name="x"></a>.',
        '<p>On<a name="x">e.</a>',
        '<p>One.<a name="x"></a><img src="plan.png">',
        '<p>One.<a name="x"><img src="plan.png"></a>',
        '<p>One.<a name="x"></a><svg></svg>',
        '<p>One.<img src="plan.png" id="x">',
        '<p>One.<a id="x" href="#x"></a>',  # a permalink, drawn by a style sheet
        '<p>One.<a id="x"></a><a class="headerlink" href="#x">¶</a>',
        '<p>One.<a id="x"></a><i id="icon"></i>',
        '<p>One.<span id="x"><a class="footnote-ref" href="#note">1</a></span>',
        '<p>One.<a name="x"></a><p><img src="plan.png">',
        '<div><p>One.<a name="x"></a></div>',
        "<ul><li>One.<a name='x'></a></ul>",
        '<ul><li><p>One.<a id="x" class="list-anchor-link"></a><p>More.</ul>',
        '<dl><dt>T<dd>One.<a name="x"></a></dl>',
        '<table><tr><td>One.<a name="x"></a></table>',
    ],
)
@pytest.mark.parametrize("following", ["<h2>Two</h2><p>Three.", "<p>Three."])
def test_any_other_anchor_names_the_block_it_stands_in(paragraph: str, following: str) -> None:
    page = read(f"<h1>Page</h1>{paragraph}{following}")
    assert page.cited("Three.") == ""
    assert next(unit.anchor for unit in page.units if "One" in unit.text) == "x"


def test_an_anchor_after_the_last_paragraph_names_that() -> None:
    assert read('<p>One.<p>Two.<a name="x"></a>').cited("Two.") == "x"


@pytest.mark.parametrize("heading", ["<h2></h2>", '<h2><a class="headerlink" href="#x">¶</a></h2>'])
def test_a_heading_without_text_takes_no_anchor_from_a_paragraph(heading: str) -> None:
    assert cited(read(f'<p>One.<a name="x"></a>{heading}<p>Two.'), "One.", "Two.") == ["x", ""]


def test_an_anchor_names_nothing_that_has_to_be_opened_when_it_stands_outside_itself() -> None:
    page = read('<p>One.<a name="x"></a></p><details><summary>More</summary><h2>Two</h2><p>Three.</details>')
    assert cited(page, "One.", "More", "Three.") == ["x", "", ""]


def test_thousands_of_anchors_in_a_row_are_read_in_time_that_grows_with_them() -> None:
    names = "".join(f'<a name="n{number}"></a>\n' for number in range(20_000))
    page = read(f"<p>One.{names}<h2>Two</h2><p>Three.")
    assert page.cited("One.") == ""
    assert page.cited("Three.") == "n19999"
    assert len(page.anchors) == 20_000


def test_links_stay_with_the_paragraph_that_an_anchor_ends() -> None:
    page = read('<p>See <a href="/one">one</a>.<a name="x"></a><h2>Two</h2><p>See <a href="/two">two</a>.')
    assert [(link.piece, link.href) for link in page.draft.links] == [(0, "/one"), (2, "/two")]


def test_the_anchors_of_a_page_are_its_ids_wherever_they_stand() -> None:
    assert "x" in read('<p>One.<a name="x"></a><h2>Two</h2>').draft.ids
