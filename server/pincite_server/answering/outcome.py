"""What a question comes to: the reply as it is sent, and what is known of it and not sent."""

from dataclasses import dataclass, replace
from typing import Self

import msgspec

from pincite_server.llm.messages import LlmRequest
from pincite_server.reply.records import Answer, Notice, Opening, Progress, Refusal, ValidationInfo

__all__ = ("GroundingScores", "Outcome", "ReadingTrace", "Step")


@dataclass(frozen=True, slots=True)
class GroundingScores:
    """How like its passage an answer is, 0 to 1 each (ADR-003): by cosine, and by the share of its keywords."""

    similarity: float
    keyword_overlap: float


@dataclass(frozen=True, slots=True)
class ReadingTrace:
    """What a language model did for a reply.

    Attributes:
        queries: What was searched for: the question, then the queries of the plan.
        read: Row ids of the sections that it read, best first, as targets.
        requests: Its requests, in the order in which they ended.
    """

    queries: tuple[str, ...] = ()
    read: tuple[int, ...] = ()
    requests: tuple[LlmRequest, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A reply with what only the server itself is told.

    Attributes:
        reply: What is sent.
        pieces: An answer's Markdown, as a stream releases it; joined they are its text.
        checked: The verdict on the answer that was composed, shown or not; None without one.
        grounding: Of that answer; None when none was checked against a passage.
        trace: What a language model did for it; None when none was asked.
    """

    reply: Answer | Refusal
    pieces: tuple[str, ...] = ()
    checked: ValidationInfo | None = None
    grounding: GroundingScores | None = None
    trace: ReadingTrace | None = None

    def timed(self, timings_ms: dict[str, float]) -> Self:
        """Return the same with the stages' times as they are now."""
        return replace(self, reply=msgspec.structs.replace(self.reply, timings_ms=timings_ms))

    def with_notices(self, *notices: Notice) -> Self:
        """Return the same with further notices."""
        return replace(self, reply=msgspec.structs.replace(self.reply, notices=(*self.reply.notices, *notices)))


Step = Progress | Opening | str | Outcome
"""A reply as it comes about: what is done meanwhile, then either the whole outcome alone, or an opening, pieces of the
text, and the outcome."""
