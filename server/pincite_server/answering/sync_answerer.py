"""Synchronous answering for programs that have no event loop of their own: one question at a time."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from pincite_server.answerer import Answerer
from pincite_server.answering.generation import Prepare
from pincite_server.answering.outcome import Outcome, ReadingTrace
from pincite_server.answering.pipeline import prepare
from pincite_server.answering.reply_broadcast import ReplyBroadcast
from pincite_server.answering.written.answer_question import answer_question
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.llm.model import LanguageModel
from pincite_server.question.question import Question
from pincite_server.reply.records import Answer, Refusal

__all__ = ("AskResult", "SyncAnswerer")

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AskResult:
    """A complete reply, with the language model's counters and trace.

    Attributes:
        reply: The reply.
        counters: The counters of `GET /ready` that changed (`llm_calls`, `llm_dropped_for_low_overlap`, ...). Empty if
            no model was called.
        trace: The search queries, the sections that the model read, and its requests. None if no model was called.
    """

    reply: Answer | Refusal
    counters: Mapping[str, int] = field(default_factory=dict)
    trace: ReadingTrace | None = None


class SyncAnswerer:
    """Answers questions synchronously, as the sidecar does.

    The text that a language model writes is checked. If the model fails, the answer quotes the docs.

    Close the object, or use it in a `with` statement. Use it in one thread only, and only if that thread runs no event
    loop.

    Without settings of a language model (`llm`), answers quote the docs.
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

    def ask(self, answerer: Answerer, question: Question, how: Prepare = prepare) -> AskResult:
        """Return the complete reply to a question.

        `how` prepares the quoted answer.
        """
        self._counters.clear()

        async def replied() -> Outcome:
            make = partial(answer_question, answerer, question, how, _inline, model=self.model)
            return await ReplyBroadcast(make).outcome()

        outcome = self.run(replied())
        counted = {name: amount for name, amount in self._counters.items() if amount}
        return AskResult(outcome.reply, counted, outcome.trace)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the model's event loop and return its result."""
        return self._runner.run(work)

    def _count(self, name: str, amount: int) -> None:
        self._counters[name] += amount


async def _inline(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function directly: no other task waits for this event loop."""
    return function(*args, **kwargs)
