"""Questions answered one after another, each to its end, for programs that have no event loop of their own."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from pincite_server.answerer import Answerer
from pincite_server.answering.material import Prepare
from pincite_server.answering.outcome import Outcome, ReadingTrace
from pincite_server.answering.pipeline import prepare
from pincite_server.answering.written.live import live_reply
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.llm.model import LanguageModel
from pincite_server.question.question import Question
from pincite_server.reply.records import Answer, Refusal

__all__ = ("Asked", "Asker")

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """A reply, and what the language model did for it.

    `counters` has the names of those that `GET /ready` shows (`llm_calls`, `llm_dropped_for_low_overlap`, ...); it is
    empty when no model was asked. `trace` is then None; else it has the queries, the sections read and the requests.
    """

    reply: Answer | Refusal
    counters: Mapping[str, int] = field(default_factory=dict)
    trace: ReadingTrace | None = None


class Asker:
    """Asks as the sidecar does: what a language model writes is checked, and quoted instead when the model fails.

    Close it, or use it in a `with`. Belongs to one thread that runs no event loop.

    Args:
        llm: The language model's settings; None to quote the docs.
    """

    def __init__(self, llm: LlmSettings | None = None) -> None:
        self._counters: Counter[str] = Counter()
        self._runner = asyncio.Runner()
        self.model = LanguageModel(llm, self._count) if llm else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections to the model."""
        if self.model is not None:
            self._runner.run(self.model.aclose())
        self._runner.close()

    def ask(self, answerer: Answerer, question: Question, how: Prepare = prepare) -> Asked:
        """Return the whole reply to a question, which `how` answers in the docs' own words."""
        self._counters.clear()
        outcome = self.run(_outcome(answerer, question, how, self.model))
        counted = {name: amount for name, amount in self._counters.items() if amount}
        return Asked(outcome.reply, counted, outcome.trace)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what other work with the model returns, done on its event loop."""
        return self._runner.run(work)

    def _count(self, name: str, amount: int) -> None:
        self._counters[name] += amount


async def _outcome(answerer: Answerer, question: Question, how: Prepare, model: LanguageModel | None) -> Outcome:
    async with aclosing(live_reply(answerer, question, how, _inline, model)) as steps:
        *_, last = [step async for step in steps]
    assert isinstance(last, Outcome)
    return last


async def _inline(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run what computes where it is asked for: nobody else waits for this event loop."""
    return function(*args, **kwargs)
