"""How long a request's head may take to arrive: uvicorn sets no limit, and an application sees nothing before it."""

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ("head_deadline",)


class _HeadDeadline(H11Protocol):
    """Closes a connection on which nothing is being answered and no request's head becomes whole in time.

    What follows an answer that did not wait for its request's body counts as the next head, so that this is no way
    around the limit either.
    """

    seconds: ClassVar[float]
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._start()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._timer is None:
            self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _start(self) -> None:
        self._timer = self.loop.call_later(self.seconds, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def head_deadline(seconds: float) -> type[H11Protocol]:
    """Return the protocol for `uvicorn.Config(http=...)` that gives a request's head `seconds` to arrive."""

    class HeadDeadline(_HeadDeadline):
        pass

    HeadDeadline.seconds = seconds
    return HeadDeadline
