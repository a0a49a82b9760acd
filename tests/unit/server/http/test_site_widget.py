"""The chat on pages of a site that was built without it."""

import pytest

from pincite_server.http.site_files import widget_tag, with_widget

TAG = widget_tag("/kit", 'Cats & "Dogs"')


def test_the_tag_names_the_site_and_loads_from_its_own_base_path() -> None:
    text = TAG.decode()
    assert 'src="/kit/pincite/pincite.js"' in text
    assert 'base-url="/kit/"' in text
    assert 'site-title="Cats &amp; &quot;Dogs&quot;"' in text


@pytest.mark.parametrize(
    ("page", "before", "after"),
    [
        (b"<body><p>x</p></body></html>", b"<body><p>x</p>", b"</body></html>"),
        (b"<body><p>x</BODY >", b"<body><p>x", b"</BODY >"),
        (b"<!doctype html><p>x", b"<!doctype html><p>x", b""),
        (b"<pre>&lt;/body> </body></pre></body>", b"<pre>&lt;/body> </body></pre>", b"</body>"),
    ],
    ids=["plain", "odd spelling", "minified", "a second end tag"],
)
def test_the_chat_stands_at_the_end_of_the_body(page: bytes, before: bytes, after: bytes) -> None:
    assert with_widget(page, TAG) == before + TAG + after


def test_a_page_that_has_the_chat_is_left_as_it_is() -> None:
    page = b"<body><pincite-chat></pincite-chat></body>"
    assert with_widget(page, TAG) == page
