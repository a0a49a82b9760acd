"""Statistics of a language model's work on replies: written, judged and refused replies, tokens and time."""

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, get_args

from pincite_server.answering.sync_answerer import AskResult
from pincite_server.llm.messages import LlmRequest, Purpose
from pincite_server.reply.records import Answer, Refusal

__all__ = ("PurposeTotals", "Writing")

_REASON = "llm_dropped_for_"
_SLOW = 0.95


@dataclass(frozen=True, slots=True)
class PurposeTotals:
    """All requests of one purpose: their number, their tokens, and the median of their seconds."""

    requests: int
    tokens_read: int
    tokens_written: int
    median_seconds: float

    @classmethod
    def of(cls, requests: Sequence[LlmRequest]) -> Self:
        """Sum up requests; at least one is required."""
        return cls(
            len(requests),
            sum(one.tokens_read for one in requests),
            sum(one.tokens_written for one in requests),
            round(statistics.median(one.seconds for one in requests), 3),
        )


@dataclass(frozen=True, slots=True)
class Writing:
    """Sums over the replies that the model was asked for; all zero without such replies.

    Attributes:
        asked: Replies that the model was asked for.
        written: Replies that the model wrote.
        judged: Quoted replies for which the model judged every passage, including those that it then declined.
        unread: Quoted replies for which the model did not judge every passage.
        foreign: Replies refused after the search queries alone: nothing near was found, or the question is off topic.
        declined: Replies refused because the model found no answer in the excerpts.
        emptied: Replies refused because no written statement passed the checks.
        failed: Quoted replies for which the model failed or its budget was spent.
        shown: Statements that were released in written replies.
        doubtful: Released statements that the checks could neither prove nor reject.
        dropped: Statements that were not released.
        reasons: Dropped statements by reason; a statement may have several.
        tokens_read: Prompt tokens of all requests, including verification.
        tokens_written: Completion tokens of all requests, including verification.
        purposes: The requests by purpose, in the order of an answer.
        seconds: Seconds from the question to the whole reply, one value for each reply, sorted.
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
    def of(cls, replies: Iterable[AskResult]) -> Self:
        """Sum up replies; replies without the model do not count."""
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
        """The median time of a reply; 0 without replies."""
        return statistics.median(self.seconds) if self.seconds else 0.0

    @property
    def slow_seconds(self) -> float:
        """The 95th percentile of the time of a reply; 0 without replies."""
        return self.seconds[math.ceil(_SLOW * len(self.seconds)) - 1] if self.seconds else 0.0


def _is_foreign(asked: AskResult) -> bool:
    planned = asked.trace is not None and all(request.purpose == "plan" for request in asked.trace.requests)
    return planned and isinstance(asked.reply, Refusal)


def _by_purpose(requests: Iterable[LlmRequest]) -> Mapping[Purpose, PurposeTotals]:
    found: dict[Purpose, list[LlmRequest]] = {}
    for request in requests:
        found.setdefault(request.purpose, []).append(request)
    return {purpose: PurposeTotals.of(found[purpose]) for purpose in get_args(Purpose) if purpose in found}
