"""What a language model did for some replies: how many it wrote or judged, what was dropped, tokens and time."""

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, get_args

from pincite_server.answering.asker import Asked
from pincite_server.llm.messages import LlmRequest, Purpose
from pincite_server.reply.records import Answer, Refusal

__all__ = ("PurposeTotals", "Writing")

_REASON = "llm_dropped_for_"
_SLOW = 0.95


@dataclass(frozen=True, slots=True)
class PurposeTotals:
    """All requests of one purpose: how many, their tokens, and the median of their seconds."""

    requests: int
    tokens_read: int
    tokens_written: int
    median_seconds: float

    @classmethod
    def of(cls, requests: Sequence[LlmRequest]) -> Self:
        """Sum up at least one request."""
        return cls(
            len(requests),
            sum(one.tokens_read for one in requests),
            sum(one.tokens_written for one in requests),
            round(statistics.median(one.seconds for one in requests), 3),
        )


@dataclass(frozen=True, slots=True)
class Writing:
    """Sums over the replies that the model was asked for; all zero when it was asked for none.

    Attributes:
        asked: Replies that it was asked for.
        written: Those that it wrote.
        judged: Quoted ones of which it said which passages answer, those that it then declined among them.
        unread: Quoted ones of which it did not say that of every passage.
        foreign: Refused after the plan alone: nothing near was found, or the question is about something else.
        declined: Refused because it found no answer in what it was shown.
        emptied: Refused because nothing that it wrote passed the checks.
        failed: Quoted because it failed, or its budget was spent.
        shown: Statements in what it wrote, as released.
        doubtful: Those of them that the checks could not settle.
        dropped: Statements that were not released.
        reasons: How many of these for each reason; one may have several.
        tokens_read: In all requests, the second look's among them.
        tokens_written: The same.
        purposes: The requests by what they were for, in the order of an answer.
        seconds: From the question to the whole reply, of each reply, sorted.
    """

    asked: int
    written: int
    judged: int
    unread: int
    foreign: int
    declined: int
    emptied: int
    failed: int
    shown: int
    doubtful: int
    dropped: int
    reasons: Mapping[str, int]
    tokens_read: int
    tokens_written: int
    purposes: Mapping[Purpose, PurposeTotals]
    seconds: Sequence[float]

    @classmethod
    def of(cls, replies: Iterable[Asked]) -> Self:
        """Sum up replies; those without the model do not count."""
        listed = [asked for asked in replies if asked.counters]
        counted: Counter[str] = Counter()
        for asked in listed:
            counted.update(asked.counters)
        answers = [asked.reply for asked in listed if isinstance(asked.reply, Answer)]
        written = [answer for answer in answers if answer.composer == "llm"]
        supports = Counter(claim.support for answer in written for claim in answer.claims)
        return cls(
            asked=len(listed),
            written=len(written),
            judged=counted["llm_judged_replies"],
            unread=counted["llm_unread_verdicts"],
            foreign=sum(map(_is_foreign, listed)),
            declined=counted["llm_declined"],
            emptied=counted["llm_fallbacks"],
            failed=counted["llm_degraded"],
            shown=supports.total(),
            doubtful=supports["doubtful"],
            dropped=counted["llm_dropped_sentences"],
            reasons={name.removeprefix(_REASON): n for name, n in sorted(counted.items()) if name.startswith(_REASON)},
            tokens_read=counted["llm_tokens_read"],
            tokens_written=counted["llm_tokens_written"],
            purposes=_by_purpose(one for asked in listed if asked.trace for one in asked.trace.requests),
            seconds=tuple(sorted(asked.reply.timings_ms["total"] / 1000 for asked in listed)),
        )

    @property
    def median_seconds(self) -> float:
        """The time that half of the replies took at most; 0 of none."""
        return statistics.median(self.seconds) if self.seconds else 0.0

    @property
    def slow_seconds(self) -> float:
        """The time that 95 % of the replies took at most; 0 of none."""
        return self.seconds[math.ceil(_SLOW * len(self.seconds)) - 1] if self.seconds else 0.0


def _is_foreign(asked: Asked) -> bool:
    planned = asked.trace is not None and all(request.purpose == "plan" for request in asked.trace.requests)
    return planned and isinstance(asked.reply, Refusal)


def _by_purpose(requests: Iterable[LlmRequest]) -> Mapping[Purpose, PurposeTotals]:
    found: dict[Purpose, list[LlmRequest]] = {}
    for request in requests:
        found.setdefault(request.purpose, []).append(request)
    return {purpose: PurposeTotals.of(found[purpose]) for purpose in get_args(Purpose) if purpose in found}
