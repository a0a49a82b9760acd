"""Files of a site over HTTP: compressed where they are text, in parts where a client wants parts, never twice."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.integration.serving import ask, build_tiny_index, question, serve

TEXTS = {
    "index.html": "<body>" + "Lantern listens on port 8080. " * 200 + "</body>",
    "app.js": "export const port = 8080;\n" * 200,
    "style.css": "p { color: black }\n" * 200,
    "data.json": '{"port": 8080}' + " " * 2000,
    "icon.svg": "<svg>" + "<g></g>" * 500 + "</svg>",
    "404.html": "<body>" + "There is nothing here. " * 200 + "</body>",
}
FILM = bytes(range(256)) * 1000
AS_IT_IS = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build")
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "film.mp4").write_bytes(FILM)
    (folder / "small.css").write_text("p { color: black }")
    build_tiny_index(folder / "pincite")
    return folder


@pytest.fixture(scope="module")
def client(site: Path) -> Iterator[httpx.Client]:
    with serve("--site", site) as running:
        yield running


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "404.html"])
def test_a_text_goes_out_compressed_to_who_takes_it_so_and_as_it_is_to_others(client: httpx.Client, name: str):
    packed = client.get(f"/kit/{name}", headers={"Accept-Encoding": "br, gzip"})
    plain = client.get(f"/kit/{name}", headers=AS_IT_IS)
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(TEXTS[name]) / 5
    assert "content-encoding" not in plain.headers
    assert packed.text == plain.text == TEXTS[name]
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert packed.headers["content-type"] == plain.headers["content-type"]
    assert packed.headers["etag"] != plain.headers["etag"], "a cache must not take the one for the other"


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_an_unchanged_text_is_not_sent_again_in_either_form(client: httpx.Client, encoding: str):
    accepted = {"Accept-Encoding": encoding}
    etag = client.get("/kit/app.js", headers=accepted).headers["etag"]
    for known in (etag, f'"another", {etag}', f"W/{etag}", "*"):
        again = client.get("/kit/app.js", headers={**accepted, "If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert (again.headers["etag"], again.headers["vary"]) == (etag, "Accept-Encoding")
    other = {"Accept-Encoding": "identity" if encoding == "gzip" else "gzip", "If-None-Match": etag}
    assert client.get("/kit/app.js", headers=other).status_code == 200


def test_a_page_that_is_not_there_is_compressed_and_never_unchanged(client: httpx.Client):
    missing = client.get("/kit/nothing")
    assert (missing.status_code, missing.headers["content-encoding"]) == (404, "gzip")
    again = client.get("/kit/nothing", headers={"If-None-Match": missing.headers["etag"]})
    assert (again.status_code, again.text) == (404, TEXTS["404.html"])


def test_head_tells_what_get_would_send(client: httpx.Client):
    for headers in (AS_IT_IS, {"Accept-Encoding": "gzip"}):
        head, whole = (client.request(method, "/kit/app.js", headers=headers) for method in ("HEAD", "GET"))
        assert head.content == b""
        for name in ("content-length", "etag", "content-type"):
            assert head.headers[name] == whole.headers[name]


def test_media_and_what_fits_into_a_packet_go_out_as_they_are(client: httpx.Client):
    for name in ("film.mp4", "small.css", "pincite/index.db"):
        reply = client.get(f"/kit/{name}")
        assert "content-encoding" not in reply.headers
        assert "vary" not in reply.headers


@pytest.mark.parametrize(
    ("wanted", "start", "end"), [("bytes=0-99", 0, 100), ("bytes=255000-", 255_000, 256_000), ("bytes=-5", -5, None)]
)
def test_a_part_of_a_file_is_sent_alone(client: httpx.Client, wanted: str, start: int, end: int | None):
    part = client.get("/kit/film.mp4", headers={"Range": wanted})
    assert (part.status_code, part.content) == (206, FILM[start:end])
    assert part.headers["content-range"].endswith("/256000")


def test_a_part_beyond_the_end_is_refused_with_the_size(client: httpx.Client):
    beyond = client.get("/kit/film.mp4", headers={"Range": "bytes=256000-"})
    assert (beyond.status_code, beyond.headers["content-range"]) == (416, "bytes */256000")


def test_a_part_of_another_version_is_the_whole_file(client: httpx.Client):
    whole = client.get("/kit/film.mp4")
    wanted = {"Range": "bytes=0-9", "If-Range": whole.headers["etag"]}
    assert client.get("/kit/film.mp4", headers=wanted).status_code == 206
    assert client.get("/kit/film.mp4", headers={**wanted, "If-Range": '"another"'}).status_code == 200


def test_a_part_of_a_text_is_a_part_of_the_text_as_it_is(client: httpx.Client):
    part = client.get("/kit/app.js", headers={"Range": "bytes=0-24", "Accept-Encoding": "gzip"})
    assert (part.status_code, part.text) == (206, "export const port = 8080;")
    assert "content-encoding" not in part.headers


def test_a_text_that_was_built_again_is_sent_anew(site: Path, client: httpx.Client):
    page = site / "again.html"
    page.write_text("before " * 500)
    first = client.get("/kit/again")
    page.write_text("after  " * 500)
    second = client.get("/kit/again", headers={"If-None-Match": first.headers["etag"]})
    assert (second.status_code, second.text) == (200, "after  " * 500)


def test_pages_with_the_chat_put_in_are_compressed_as_well(site: Path):
    with serve("--site", site, "--widget") as client:
        packed, plain = client.get("/kit/"), client.get("/kit/", headers=AS_IT_IS)
        assert packed.headers["content-encoding"] == "gzip"
        assert "<pincite-chat" in packed.text
        assert packed.text == plain.text
        again = client.get("/kit/", headers={"If-None-Match": packed.headers["etag"]})
        assert again.status_code == 304


def test_events_and_answers_are_never_compressed(client: httpx.Client):
    events = {"Accept": "text/event-stream", "Accept-Encoding": "gzip"}
    for headers in (events, {"Accept-Encoding": "gzip"}):
        reply = client.post("/api/chat", json=question("Which port does Lantern listen on?"), headers=headers)
        assert reply.status_code == 200
        assert "content-encoding" not in reply.headers
    assert "content-encoding" not in client.get("/api/stream-check", headers=events).headers


def test_the_loader_goes_out_compressed(site: Path, client: httpx.Client):
    loader = (Path(__file__).parents[2] / "widget" / "dist" / "pincite.js").read_bytes()
    (site / "pincite" / "pincite.js").write_bytes(loader)
    with client.stream("GET", "/kit/pincite/pincite.js", headers={"Accept-Encoding": "gzip"}) as reply:
        assert gzip.decompress(b"".join(reply.iter_raw())) == loader
    assert ask(client, "Which port does Lantern listen on?").status_code == 200
