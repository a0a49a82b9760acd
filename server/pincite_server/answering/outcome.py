"""The outcome of a question: the reply to send, and the records that only the server keeps."""

from dataclasses import dataclass, replace
from typing import Self

import msgspec

from pincite_server.llm.messages import LlmRequest
from pincite_server.reply.records import Answer, Notice, Refusal, ValidationInfo

__all__ = ("GroundingScores", "Outcome", "ReadingTrace")


@dataclass(frozen=True, slots=True)
class GroundingScores:
    """The similarity of an answer to its passage (METRIC-1): cosine, and share of shared keywords, 0 to 1 each."""

    similarity: float
    keyword_overlap: float


@dataclass(frozen=True, slots=True)
class ReadingTrace:
    """A language model's work on a reply.

    Attributes:
        queries: The search queries: the question, then the queries of the query plan.
        read: Row ids of the sections that the model read, as targets, best first.
        requests: The model's requests, in the order in which they ended.
    """

    queries: tuple[str, ...] = ()
    read: tuple[int, ...] = ()
    requests: tuple[LlmRequest, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A reply with records that are not sent to the reader.

    Attributes:
        reply: The reply to send.
        pieces: An answer's Markdown in the pieces of the stream; joined they are its text.
        checked: The verdict on the composed answer, even if that answer is not shown; None if there is none.
        grounding: The grounding scores of that answer; None if it was not checked against a passage.
        trace: The language model's work; None if no model was called.
    """

    reply: Answer | Refusal
    pieces: tuple[str, ...] = ()
    checked: ValidationInfo | None = None
    grounding: GroundingScores | None = None
    trace: ReadingTrace | None = None

    def timed(self, timings_ms: dict[str, float]) -> Self:
        """Return the same outcome with new stage timings."""
        return replace(self, reply=msgspec.structs.replace(self.reply, timings_ms=timings_ms))

    def with_notices(self, *notices: Notice) -> Self:
        """Return the same outcome with further notices."""
        return replace(self, reply=msgspec.structs.replace(self.reply, notices=(*self.reply.notices, *notices)))
