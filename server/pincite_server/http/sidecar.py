"""What the routes share: made once, handed to each handler by Litestar as the dependency `sidecar`."""

from dataclasses import dataclass, field
from typing import Self

from pincite_server.http.counters import Counters
from pincite_server.http.idempotency import AnswerLedger
from pincite_server.http.worker import Worker
from pincite_server.indexes.live import LiveIndexes
from pincite_server.indexes.registry import IndexSet
from pincite_server.settings import Settings

__all__ = ("Sidecar",)


@dataclass(frozen=True, slots=True)
class Sidecar:
    """The running sidecar's parts."""

    settings: Settings
    live: LiveIndexes
    worker: Worker
    ledger: AnswerLedger = field(default_factory=AnswerLedger)
    counters: Counters = field(default_factory=Counters)

    @classmethod
    def build(cls, settings: Settings, live: LiveIndexes) -> Self:
        """Return a sidecar for opened indexes."""
        return cls(settings, live, Worker(settings.threads))

    @property
    def indexes(self) -> IndexSet:
        """The indexes that answer now; take them once a request."""
        return self.live.current
