"""The files of a site: gzip compression within bounds, and the added chat."""

import asyncio
import gzip
from pathlib import Path

import pytest

from pincite_server.http.site_files import CompressedTexts, accepts_gzip, widget_tag, with_widget

TEXT = b"The image listens on port 8080. " * 100


@pytest.mark.parametrize(
    ("header", "accepts"),
    [
        ("gzip, deflate, br", True),
        ("GZIP;q=0.5", True),
        ("*", True),
        ("gzip; q=0", False),
        ("gzip;q=0.0, br", False),
        ("*, gzip;q=0", False),
        ("br", False),
        ("identity", False),
        ("", False),
    ],
)
def test_gzip_is_accepted_with_a_weight_above_zero(header: str, accepts: bool):
    assert accepts_gzip(header) is accepts


class Reading:
    """Reads one text, and counts how often."""

    def __init__(self, text: bytes = TEXT) -> None:
        self.text = text
        self.count = 0

    def __call__(self) -> bytes:
        self.count += 1
        return self.text


def test_simultaneous_requests_compress_a_version_once():
    async def asked() -> list[bytes]:
        texts = CompressedTexts()
        return await asyncio.gather(*(texts.of(Path("a.html"), "1", read) for _ in range(20)))

    read = Reading()
    assert {gzip.decompress(body) for body in asyncio.run(asked())} == {TEXT}
    assert read.count == 1


def test_a_new_version_replaces_the_old():
    async def asked() -> bytes:
        texts = CompressedTexts()
        await texts.of(Path("a.html"), "1", Reading())
        return await texts.of(Path("a.html"), "2", Reading(b"new " * 1000))

    assert gzip.decompress(asyncio.run(asked())) == b"new " * 1000


def test_a_text_that_does_not_shrink_is_sent_uncompressed_and_tried_once():
    async def asked() -> list[bytes]:
        texts = CompressedTexts()
        return [await texts.of(Path("a.html"), "1", read) for _ in range(2)]

    read = Reading(b"x")
    assert asyncio.run(asked()) == [b"", b""]
    assert read.count == 1


def test_a_full_cache_sends_texts_uncompressed_until_files_are_deleted(tmp_path: Path):
    kept, late, later = (tmp_path / name for name in ("kept.html", "late.html", "later.html"))
    kept.write_bytes(TEXT)

    async def asked() -> list[bytes]:
        texts = CompressedTexts(most_bytes=1)
        first = await texts.of(kept, "1", Reading())
        second = [await texts.of(late, "1", read) for _ in range(2)]
        kept.unlink()
        return [first, *second, await texts.of(later, "1", Reading())]

    read = Reading()
    bodies = asyncio.run(asked())
    assert [bool(body) for body in bodies] == [True, False, False, True]
    assert read.count == 0, "however often it is asked for, no work is done for it"


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
def test_the_chat_is_added_at_the_end_of_the_body(page: bytes, before: bytes, after: bytes) -> None:
    assert with_widget(page, TAG) == before + TAG + after


def test_a_page_that_has_the_chat_is_left_as_it_is() -> None:
    page = b"<body><pincite-chat></pincite-chat></body>"
    assert with_widget(page, TAG) == page
