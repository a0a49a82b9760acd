"""A proxy in front of the sidecar, whose replies a test can hold up or cut off at a word of theirs."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

__all__ = ("Hold", "Wire", "wire_to")

_CHUNK = 65_536
_PATIENCE = 60  # seconds after which a reply that no test let go on goes on by itself


@dataclass
class Hold:
    """Holds the next reply that says a word for the n-th time, before that word."""

    word: bytes
    occurrence: int
    seen: int = 0
    cuts: bool = False
    decided: threading.Event = field(default_factory=threading.Event)

    def release(self) -> None:
        """Let the rest arrive."""
        self.decided.set()

    def cut(self) -> None:
        """Cut the connection: the rest never arrives."""
        self.cuts = True
        self.decided.set()

    def place_in(self, data: bytes) -> int | None:
        """Return where in the data the reply is to stop, counting what has been seen before."""
        start = data.find(self.word)
        while start >= 0:
            self.seen += 1
            if self.seen == self.occurrence:
                return start
            start = data.find(self.word, start + 1)
        return None


@dataclass
class Wire:
    """Carries bytes both ways, as told. The sidecar writes an event at a time, so a word is never split."""

    upstream: tuple[str, int]
    address: str = ""
    _next: Hold | None = None
    _held: list[Hold] = field(default_factory=list)

    def hold_before(self, word: str, occurrence: int = 1) -> Hold:
        """Hold the next reply that says the word, before it. Later replies arrive whole."""
        self._next = Hold(word.encode(), occurrence)
        self._held.append(self._next)
        return self._next

    def reset(self) -> None:
        """Let go of everything that is held, and hold no more."""
        self._next = None
        for hold in self._held:
            hold.release()
        self._held.clear()

    def carry_back(self, upstream: socket.socket, browser: socket.socket) -> None:
        """Carry the sidecar's bytes to the browser, as told, until either hangs up."""
        with suppress(OSError):
            while data := upstream.recv(_CHUNK):
                hold = self._next
                stop = hold.place_in(data) if hold else None
                if hold is None or stop is None:
                    browser.sendall(data)
                    continue
                self._next = None
                browser.sendall(data[:stop])
                hold.decided.wait(_PATIENCE)
                if hold.cuts:
                    break
                browser.sendall(data[stop:])
        with suppress(OSError):
            browser.shutdown(socket.SHUT_RDWR)


class _Listener(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False  # the browser keeps its connections open

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        super().__init__(("127.0.0.1", 0), _Connection)


class _Connection(socketserver.BaseRequestHandler):
    server: _Listener

    def handle(self) -> None:
        wire, browser = self.server.wire, self.request
        with suppress(OSError), socket.create_connection(wire.upstream) as upstream:
            back = threading.Thread(target=wire.carry_back, args=(upstream, browser), daemon=True)
            back.start()
            while data := browser.recv(_CHUNK):
                upstream.sendall(data)
            upstream.shutdown(socket.SHUT_RDWR)
            back.join()


@contextmanager
def wire_to(address: str) -> Iterator[Wire]:
    """Listen on a free port for as long as the context lasts, in front of the server at an address."""
    parts = urlsplit(address)
    wire = Wire((parts.hostname or "", parts.port or 80))
    with _Listener(wire) as listener:
        wire.address = f"http://127.0.0.1:{listener.server_address[1]}"
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        try:
            yield wire
        finally:
            wire.reset()
            listener.shutdown()
