"""Texts of a site are compressed once, within bounds, for clients that take them so."""

import asyncio
import gzip
from pathlib import Path

import pytest

from pincite_server.http.site_files import CompressedTexts, accepts_gzip

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
def test_a_client_says_whether_it_takes_gzip(header: str, accepts: bool):
    assert accepts_gzip(header) is accepts


class Reading:
    """Reads one text, and counts how often."""

    def __init__(self, text: bytes = TEXT) -> None:
        self.text = text
        self.count = 0

    def __call__(self) -> bytes:
        self.count += 1
        return self.text


def test_a_version_is_compressed_once_for_all_who_ask_at_the_same_time():
    async def asked() -> list[bytes]:
        texts = CompressedTexts()
        return await asyncio.gather(*(texts.of(Path("a.html"), "1", read) for _ in range(20)))

    read = Reading()
    assert {gzip.decompress(body) for body in asyncio.run(asked())} == {TEXT}
    assert read.count == 1


def test_a_new_version_takes_the_place_of_the_old():
    async def asked() -> bytes:
        texts = CompressedTexts()
        await texts.of(Path("a.html"), "1", Reading())
        return await texts.of(Path("a.html"), "2", Reading(b"new " * 1000))

    assert gzip.decompress(asyncio.run(asked())) == b"new " * 1000


def test_what_does_not_shrink_goes_out_as_it_is_and_is_tried_once():
    async def asked() -> list[bytes]:
        texts = CompressedTexts()
        return [await texts.of(Path("a.html"), "1", read) for _ in range(2)]

    read = Reading(b"x")
    assert asyncio.run(asked()) == [b"", b""]
    assert read.count == 1


def test_beyond_the_bound_texts_go_out_as_they_are_until_others_are_gone(tmp_path: Path):
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
