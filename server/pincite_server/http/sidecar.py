"""What the routes share: made once, handed to each handler by Litestar as the dependency `sidecar`."""

import os
from dataclasses import dataclass, field
from typing import Self

from pincite_server.http.comparison import Comparison
from pincite_server.http.counters import Counters
from pincite_server.http.idempotency import AnswerLedger
from pincite_server.http.worker import Worker
from pincite_server.indexes.live import LiveIndexes
from pincite_server.indexes.registry import IndexSet
from pincite_server.llm.model import LanguageModel
from pincite_server.llm.settings import LlmSettings
from pincite_server.observe.metrics import Metrics
from pincite_server.observe.question_log import QuestionLog
from pincite_server.observe.state import StateCollector
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
    metrics: Metrics = field(default_factory=Metrics)
    comparison: Comparison = field(default_factory=Comparison)
    questions: QuestionLog | None = None
    model: LanguageModel | None = None

    @classmethod
    def build(cls, settings: Settings, live: LiveIndexes, llm: LlmSettings | None = None) -> Self:
        """Return a sidecar for opened indexes, and for a language model when there is one.

        Raises:
            InputError: The setting `compare` cannot be used.
        """
        counters = Counters()
        sidecar = cls(
            settings,
            live,
            Worker(settings.threads),
            counters=counters,
            comparison=Comparison.from_assignments(settings.compare, os.environ),
            questions=QuestionLog(settings.log_questions) if settings.log_questions else None,
            model=LanguageModel(llm, counters.add) if llm else None,
        )
        sidecar.metrics.registry.register(StateCollector(live, sidecar.counters.snapshot))
        return sidecar

    @property
    def indexes(self) -> IndexSet:
        """The indexes that answer now; take them once a request."""
        return self.live.current
