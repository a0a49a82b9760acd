"""A host that an index is fetched from cannot send us elsewhere, keep us for ever, or speak through our messages.

Of this machine's addresses 127.0.0.2 counts as public here, and names lead where a test says.
"""

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.integration.hosting import Host, Reply, deploy, host

from pincite_core.deployed import guarded_client, web
from pincite_core.deployed.web import WebOrigin
from pincite_core.errors import IndexFetchError, IndexFileError, InputError

PUBLIC, PRIVATE = "127.0.0.2", "127.0.0.1"
INFO, DATABASE = "/kit/pincite/index.json", "/kit/pincite/index.db"
SECRET = "of the inner network"

Names = dict[str, list[str]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """Where each name leads, look by look; the last place stays."""
    leads: Names = {"docs.example": [PUBLIC], "cdn.example": [PUBLIC], "inner.example": [PRIVATE]}
    known = socket.getaddrinfo

    def look_up(name: str, *arguments: object, **options: object) -> object:
        places = leads.get(name, [name])
        place = places.pop(0) if len(places) > 1 else places[0]
        return known(place, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(guarded_client.socket, "getaddrinfo", look_up)
    monkeypatch.setattr(guarded_client, "is_public", lambda address: address == PUBLIC)
    return leads


@pytest.fixture
def site(tmp_path: Path, names: Names) -> Iterator[Host]:
    deploy(tmp_path / "site", 8080)
    with host(tmp_path / "site", address=PUBLIC) as running:
        yield running


@pytest.fixture
def inner(tmp_path: Path) -> Iterator[Host]:
    """A host of the private network that answers whoever asks."""
    (tmp_path / "inner").mkdir()
    with host(tmp_path / "inner") as running:
        running.instead["/secret"] = Reply(200, SECRET.encode())
        running.instead[INFO] = Reply(200, SECRET.encode())
        yield running


def at(name: str, site: Host, path: str = "/kit/pincite/") -> str:
    return f"http://{name}:{site.server.server_port}{path}"


def redirected(site: Host, location: str, status: int = 302) -> None:
    site.instead[INFO] = Reply(status, b"words of the host", {"Location": location})


def refused(url: str, *hosts: str) -> str:
    with pytest.raises(IndexFetchError) as error:
        WebOrigin(url, hosts).look()
    return str(error.value)


def build_id(url: str, *hosts: str) -> str:
    return WebOrigin(url, hosts).look().indexes[0].facts.build_id


def test_a_redirect_to_another_path_of_the_host_is_followed(site: Host) -> None:
    site.instead["/old/index.json"] = Reply(301, b"", {"Location": INFO})
    assert build_id(at("docs.example", site, "/old/index.json")) == "b-8080"


def test_a_redirect_to_another_host_is_not_followed_unless_it_was_allowed(site: Host) -> None:
    url = at("docs.example", site)
    redirected(site, at("cdn.example", site, "/elsewhere/index.json"))
    site.instead["/elsewhere/index.json"] = Reply(200, (site.folder / INFO.lstrip("/")).read_bytes())
    told = refused(url)
    assert "redirects to another host or port" in told
    assert "PINCITE_REDIRECT_HOSTS" in told
    assert "cdn.example" not in told
    assert site.sent["/elsewhere/index.json"] == 0
    assert build_id(url, "CDN.example") == "b-8080"


@pytest.mark.parametrize("location", ["//{}/secret", "http://{}/secret", "http://[::ffff:127.0.0.1]:{port}/secret"])
def test_a_redirect_to_a_private_host_never_reaches_it(site: Host, inner: Host, location: str) -> None:
    port = inner.server.server_port
    redirected(site, location.format(f"{PRIVATE}:{port}", port=port))
    refused(at("docs.example", site))
    assert not inner.sent


def test_not_even_an_allowed_host_leads_from_a_public_one_to_a_private_address(site: Host, inner: Host) -> None:
    redirected(site, at("inner.example", inner, "/secret"))
    told = refused(at("docs.example", site), "inner.example")
    assert "leads to a private address" in told
    assert not inner.sent


def test_a_public_name_that_comes_to_lead_to_a_private_address_is_not_asked_there(tmp_path: Path, names: Names) -> None:
    """DNS rebinding: the address is looked up once for each connection, and that is where it goes."""
    names["docs.example"] = [PUBLIC, PRIVATE]
    deploy(tmp_path / "site", 8080)
    with host(tmp_path / "site", address=PUBLIC) as site, host(tmp_path / "site", site.server.server_port) as inner:
        origin = WebOrigin(at("docs.example", site))
        assert origin.look().indexes[0].facts.build_id == "b-8080"
        with pytest.raises(IndexFetchError, match="leads to a private address"):
            origin.look()
        assert not inner.sent


def test_of_a_names_public_and_private_addresses_only_the_public_ones_are_tried(
    tmp_path: Path, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, 0)) for address in (PUBLIC, PRIVATE)]
    monkeypatch.setattr(guarded_client.socket, "getaddrinfo", lambda *_, **__: both)
    deploy(tmp_path / "site", 8080)
    with host(tmp_path / "site") as inner:  # nobody answers at the public address
        assert "cannot be fetched" in refused(at("docs.example", inner))
        assert not inner.sent


def test_a_private_host_that_the_user_names_is_used(tmp_path: Path, names: Names) -> None:
    deploy(tmp_path / "site", 8080)
    with host(tmp_path / "site") as site:
        assert build_id(at("127.0.0.1", site)) == build_id(at("inner.example", site)) == "b-8080"


def test_a_private_host_may_not_send_to_another_port_of_its_machine(tmp_path: Path, names: Names, inner: Host) -> None:
    deploy(tmp_path / "site", 8080)
    with host(tmp_path / "site") as site:
        redirected(site, at(PRIVATE, inner, "/secret"))
        assert "another host or port" in refused(at(PRIVATE, site))
    assert not inner.sent


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://docs.example/a", "http://[", "gopher:a", "//"])
def test_a_redirect_to_what_is_no_web_address_is_refused(site: Host, location: str) -> None:
    redirected(site, location)
    assert location not in refused(at("docs.example", site)).replace("http://docs.example", "")


def test_redirects_are_counted(site: Host) -> None:
    for number in range(20):
        site.instead[f"/{number}/index.json"] = Reply(302, b"", {"Location": f"/{number + 1}/index.json"})
    assert "too many redirects" in refused(at("docs.example", site, "/0/index.json"))
    assert sum(site.sent.values()) == 6


def test_the_body_of_a_redirect_is_not_read(site: Host) -> None:
    endless = Reply(302, b"x" * (1 << 20), {"Location": "/new/index.json"}, seconds_a_block=5)
    site.instead[INFO] = endless
    site.instead["/new/index.json"] = Reply(200, (site.folder / INFO.lstrip("/")).read_bytes())
    assert build_id(at("docs.example", site)) == "b-8080"


@pytest.mark.parametrize("status", [403, 404, 500, 503])
def test_no_word_of_the_host_stands_in_a_message(site: Host, inner: Host, status: int) -> None:
    site.instead[INFO] = Reply(status, b"words of the host", {"X-Words": "words of the host"})
    with pytest.raises(IndexFileError) as error:
        WebOrigin(at("docs.example", site, INFO)).look()
    assert "words" not in str(error.value)


RAW: dict[str, bytes] = {
    "a reason": b"HTTP/1.1 500 words of the host\r\nContent-Length: 0\r\n\r\n",
    "no HTTP": b"words of the host\r\n\r\n",
    "a header without a name": b"HTTP/1.1 200 OK\r\n: words of the host\r\n\r\n",
    "a length that is none": b"HTTP/1.1 200 OK\r\nContent-Length: words of the host\r\n\r\n",
    "a length beyond all bounds": b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
    "an encoding": b"HTTP/1.1 200 OK\r\nContent-Encoding: words-of-the-host\r\nContent-Length: 1\r\n\r\nx",
    "a redirect": b"HTTP/1.1 302 Found\r\nLocation: http://words of the host:x/\r\nContent-Length: 0\r\n\r\n",
    "a chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nwords of the host\r\n",
}


@contextmanager
def speaking(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """Answer each connection as `talk` does; yield the address of the index."""
    with socket.create_server((PUBLIC, 0)) as server, ExitStack() as connections:

        def serve() -> None:
            while True:
                try:
                    connection = connections.enter_context(server.accept()[0])
                    connection.recv(4096)
                    talk(connection)
                except OSError:
                    return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://docs.example:{server.getsockname()[1]}/index.json"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join(10)


@pytest.mark.parametrize("raw", RAW)
def test_no_word_of_a_damaged_reply_stands_in_a_message(names: Names, raw: str) -> None:
    def talk(connection: socket.socket) -> None:
        connection.sendall(RAW[raw])
        connection.shutdown(socket.SHUT_WR)

    with speaking(talk) as url:
        told = refused(url)
    assert "words" not in told
    assert told.startswith(url)


@pytest.mark.parametrize("before", [b"", b"HTTP/1.1 200 OK\r\nX-A: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_a_host_that_drips_is_left_after_the_time_for_all_of_it(
    names: Names, monkeypatch: pytest.MonkeyPatch, before: bytes
) -> None:
    """Each byte comes soon enough for a time-out between two; the status, a header, or the body never ends."""
    monkeypatch.setattr(web, "_MOST_INFO_SECONDS", 1)
    gone = threading.Event()

    def talk(connection: socket.socket) -> None:
        connection.sendall(before)
        while not gone.wait(0.05):
            connection.sendall(b"a")

    with speaking(talk) as url:
        told = refused(url)
        gone.set()
    assert "very slow" in told


@pytest.mark.timeout(20)  # less than the time-out between two bytes
def test_a_host_that_falls_silent_is_left_after_the_time_for_all_of_it(
    names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "_MOST_INFO_SECONDS", 1)
    with speaking(lambda connection: connection.sendall(b"HTTP/1.1 200 OK\r\n")) as url:
        assert "very slow" in refused(url)


def test_a_compressed_file_is_unpacked_no_further_than_it_may_be_large(
    site: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = gzip.compress(bytes(400 << 20), 9)
    site.instead[DATABASE] = Reply(200, bomb, {"Content-Encoding": "gzip"})
    origin = WebOrigin(at("docs.example", site))
    database = origin.look().indexes[0].database
    received: list[int] = []
    with pytest.raises(IndexFetchError, match=f"is larger than {database.most:,} bytes"):
        received.extend(map(len, origin.blocks(database)))
    assert max(received, default=0) <= 1 << 16
    assert sum(received) <= database.most


def test_a_compressed_file_arrives_as_it_was(site: Host) -> None:
    data = (site.folder / DATABASE.lstrip("/")).read_bytes()
    site.instead[DATABASE] = Reply(200, gzip.compress(data), {"Content-Encoding": "gzip"})
    origin = WebOrigin(at("docs.example", site))
    assert b"".join(origin.blocks(origin.look().indexes[0].database)) == data


@pytest.mark.parametrize("url", ["http://[::1/", "http://a:port/", "https://"])
def test_what_is_no_url_is_told(url: str) -> None:
    with pytest.raises((InputError, IndexFetchError)):
        WebOrigin(url).look()
