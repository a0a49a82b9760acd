"""The content of a page is found without a generator's name: by landmarks, or as the part with all of the prose."""

import pytest
from tests.unit.indexer.one_page import read_bytes

MENU = '<div class="menu"><ul><li><a href="/a">Installing the pump</a></li><li><a href="/b">Valves</a></li></ul></div>'
PUMP = "<h1>Pump</h1><p>It lifts nine metres.</p>"


def texts(body: str) -> list[str]:
    page = f"<!doctype html><html><head><title>Pump</title></head><body>{body}</body></html>"
    return [unit.text for unit in read_bytes(page.encode()).units]


@pytest.mark.parametrize(
    "body",
    [
        f'<div class="wrapper">{MENU}<div id="text">{PUMP}</div></div><div>Last changed in May</div>',
        f'<div><h1><a href="/">Garden</a></h1></div>{MENU}<div><div>{PUMP}</div></div>',
        f'<div role="dialog"><h4>Search</h4><p>Type to search.</p></div><div>{PUMP}</div>',
        f'<div class="container"><div class="col-content">{PUMP}</div><div class="side"><h3>Settings</h3></div></div>',
        f"<main><aside><h2>Garden</h2></aside><div><header><h3>Pump</h3></header><article>{PUMP}</article></div></main>",
        "<main><aside>Menu</aside><div><b>Pump</b><article><p>It lifts nine metres.</p></article></div></main>",
        f'<main><div class="toolbar"><p>Edit this page</p></div><article class="doc">{PUMP}</article></main>',
    ],
    ids=["menu", "name of the site", "dialog", "named", "article", "article without title", "toolbar"],
)
def test_menus_and_toolbars_around_the_content_are_left_out(body: str) -> None:
    assert texts(body) == ["It lifts nine metres."]


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("<div><h1>Pump</h1></div><div><p>It lifts nine metres.</p></div>", "It lifts nine metres."),
        ("<div><p>It lifts.</p></div><div>Its motor must never run without any water.</div>", "Its motor must"),
        ("<div><p>It lifts.</p></div><ul><li>Valve</li></ul><p>Close it.</p>", "- Valve Close it."),
        ("<main><article><h2>One</h2><p>First.</p></article><p>Second.</p></main>", "First. Second."),
        ("<main><article><h1>One</h1><p>1.</p></article><article><h1>Two</h1><p>2.</p></article></main>", "Two 2."),
        ('<div><pre class="fragment">open()</pre></div>', "open()"),
    ],
    ids=["title apart", "text without paragraph", "list", "article without title", "two articles", "code"],
)
def test_text_in_other_parts_is_kept(body: str, kept: str) -> None:
    assert kept in " ".join(texts(body))
