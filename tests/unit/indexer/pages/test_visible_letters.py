"""Which letters of a page are kept as shown: all that a browser's selection may hold, and nothing that nobody sees."""

import pytest
from tests.unit.indexer.one_page import read, read_bytes

SCRIPT = "<script>let secret;</script>"


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (
            '<div class="theme-admonition"><div class="admonitionHeading_x">Note</div><p>Keep it.</p></div>',
            "notekeepit",
        ),
        ('<div class="codeBlockTitle_x">app.js</div><pre><code>run()</code></pre>', "appjsrun"),
        ("<p>One.</p><nav><a href='/b'>Next</a></nav>", "onenext"),
        ("<table><tr><th>Key</th></tr><tr><td>port</td></tr><tr><td>host</td></tr></table>", "keyporthost"),
        ("<ul role='tablist'><li role='tab'>npm</li></ul><div role='tabpanel' hidden><p>Hi.</p></div>", "npmhi"),
        ("<h2>Use<a class='headerlink' href='#use'>¶</a></h2><p>Text <em>in</em> line.</p>", "usetextinline"),
        ("<button>Copy</button><details><summary>More</summary>Less</details>", "copymoreless"),
    ],
)
def test_labels_titles_and_furniture_are_shown_in_their_place(content: str, shown: str) -> None:
    assert read(content).draft.letters == shown


@pytest.mark.parametrize(
    "content",
    [SCRIPT, "<style>p{}</style>", "<p hidden>secret</p>", "<p style='display: none'>secret</p>", "<!-- secret -->"],
)
def test_what_nobody_sees_is_not_shown(content: str) -> None:
    assert read(f"<p>Seen.</p>{content}<p>Too.</p>").draft.letters == "seentoo"


def test_what_is_close_around_the_content_is_shown_and_menus_are_not() -> None:
    page = read_bytes(
        b"<html><body><header>Site</header><main><aside><a href='/menu'>Menu</a></aside><nav>Home</nav>"
        b"<article><div class='theme-doc-markdown markdown'><h1>Page</h1><p>Text.</p></div>"
        b"<a href='/edit'>Edit this page</a></article><a href='/next'>Next: Jobs</a></main><footer>Foot</footer>"
    )
    assert page.draft.letters == "homepagetexteditthispagenextjobs"
    assert page.draft.other_hrefs == ("/edit", "/next")


def test_what_ends_a_page_whose_content_is_the_landmark_itself_is_shown_too() -> None:
    page = read_bytes(
        b"<html><body><header>Site</header><div><div><article role='main'><h1>Page</h1><p>Text.</p></article></div>"
        b"<footer><a href='/next'>Next: Jobs</a></footer><aside>On this page</aside></div><footer>Foot</footer>"
    )
    assert page.draft.letters == "pagetextnextjobs"
    assert page.draft.other_hrefs == ("/next",)


@pytest.mark.parametrize(
    "content", ["<div role='main'><h1>Page</h1><p>Text.</p></div>", "<article><h1>Page</h1><p>Text.</p></article>"]
)
def test_letters_after_the_landmark_count_if_it_ends_with_the_content(content: str) -> None:
    page = read_bytes(
        f"<html><body><header>Site</header><div class='document'><div>{content}</div><!-- no -->Or</div>in"
        f"{SCRIPT}<div hidden>secret</div><nav><a href='/b'>Con<!-- no -->tents</a> of<p hidden>secret</p></nav>"
        f"<footer>{'Foot ' * 100}<a href='/far'>Far</a></footer>".encode()
    )
    assert page.draft.letters.startswith("pagetextorincontentsoffootfoot")
    assert len(page.draft.letters) == len("pagetext") + 200
    assert page.draft.other_hrefs == ("/b",)  # so that a page whose menu leads to a private one tells nothing of it


def test_ids_of_drawings_and_hidden_parts_stay() -> None:
    page = read("<svg><g id='drawn'><title>secret</title></g></svg><p hidden id='gone'>secret</p><p>Text.</p>")
    assert {"drawn", "gone"} <= page.draft.ids
    assert page.draft.letters == "text"


@pytest.mark.parametrize("blanks", [1, 30_000])
def test_letters_around_the_content_are_the_nearest_ones_in_a_long_menu(blanks: int) -> None:
    menu = ("Menu " * 200 + " " * blanks).encode()
    page = read_bytes(
        b"<html><body><main><div>" + menu + b"</div><article><div class='theme-doc-markdown markdown'><h1>Page</h1>"
        b"<p>Text.</p></div></article><div>" + b" " * blanks + b"Next " * 200 + b"</div></main></body></html>"
    )
    assert page.draft.letters == "menu" * 50 + "pagetext" + "next" * 50


def test_a_content_in_a_hidden_landmark_is_read() -> None:
    page = read_bytes(
        b"<html><body><main style='display: none'>Wait<article><div class='theme-doc-markdown markdown'><h1>Page</h1>"
        b"<p>Text.</p></div></article></main></body></html>"
    )
    assert "pagetext" in page.draft.letters
