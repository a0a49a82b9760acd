"""Text that a page hides from readers is no content; what readers open is."""

import pytest
from tests.unit.indexer.one_page import document, read, read_bytes

SEEN = "<h1>Leases</h1><p>A lease lasts a minute.</p>"


def texts(content: str) -> list[str]:
    return [unit.text for unit in read(SEEN + content).units]


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>Secret</p>",
        '<p hidden="">Secret</p>',
        '<i class="material-icons">Secret</i>',
        '<p style="position:absolute;clip:rect(0 0 0 0)">Secret</p>',
        '<div style="display:none"><p>Secret</p></div>',
        '<p style="color:red; DISPLAY : none !important">Secret</p>',
        '<p style="visibility:hidden">Secret</p>',
        '<p style="font-size:0">Secret</p>',
        '<p style="font-size:0.0em">Secret</p>',
        '<p style="color:#ffffff">Secret</p>',
        '<p style="color:white;background:#FFF">Secret</p>',
        '<p style="color:rgb(255, 255, 255)">Secret</p>',
        '<p style="color:transparent">Secret</p>',
        "<!-- Secret -->",
        "<template><p>Secret</p></template>",
        "<pre hidden><code>Secret</code></pre>",
        "<ul><li hidden>Secret</li></ul>",
    ],
)
def test_hidden_text_is_no_content(hidden: str) -> None:
    assert texts(hidden) == ["A lease lasts a minute."]


@pytest.mark.parametrize(
    "shown",
    [
        '<div role="tabpanel" hidden><p>Shown</p></div>',
        '<p hidden="until-found">Shown</p>',
        '<details><summary></summary><div style="display:none"><p>Shown</p></div></details>',
        '<p style="color:white;background-color:#333">Shown</p>',
        '<div style="background:black"><p style="color:#fff">Shown</p></div>',
        '<p style="font-size:0.9em">Shown</p>',
        '<p style="--color:white;background-color:white">Shown</p>',
        '<p aria-hidden="false">Shown</p>',
        '<p aria-hidden="true">Shown</p>',
    ],
)
def test_what_readers_see_or_open_is_content(shown: str) -> None:
    assert "Shown" in texts(shown)


def test_part_of_a_sentence_or_of_a_heading_may_be_hidden() -> None:
    page = read(
        '<h1>Leases<span hidden> Secret</span></h1><p>A lease<span style="display:none"> never</span> ends.</p>'
    )
    assert [target.title for target in page.targets] == ["Leases"]
    assert [unit.text for unit in page.units] == ["A lease ends."]


def test_a_hidden_mark_beside_a_heading_is_still_its_anchor() -> None:
    page = read('<h1>A</h1><h2><a id="b" class="x" aria-hidden="true" href="#b">link</a>Next</h2><p>Text.</p>')
    assert page.cited("Text.") == "b"
    assert page.target("b").title == "Next"


def test_no_text_of_a_page_has_characters_that_show_nothing() -> None:
    content = "<h1>Ti\u202etle</h1><p>Ig\u200bnore\U000e0041 this.</p><pre><code>a\u200b = 1\u2066</code></pre>"
    page = read_bytes(document(content, "<title>Ti\u202etle | Si\u2066te</title>").encode())
    assert [target.title for target in page.targets] == ["Title"]
    assert [unit.text for unit in page.units] == ["Ignore this.", "```\na = 1\n```"]
    assert page.draft.facts.site_title == "Site"
