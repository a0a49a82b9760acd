"""Statistics of a language model's work on replies, and their text: kinds of replies, tokens and time."""

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, get_args

from pincite_server.answering.sync_answerer import AskResult
from pincite_server.llm.messages import LlmRequest, Purpose
from pincite_server.reply.records import Answer, CheckReason, Refusal

__all__ = ("CHECK_WORDS", "Writing")

_REASON = "llm_dropped_for_"
_SLOW = 0.95

CHECK_WORDS: dict[CheckReason, str] = {
    "missing_citation": "without a source",
    "low_overlap": "with words that their source does not support",
    "unsupported_number": "with a number that their source does not have",
    "missing_uncertainty_no_context": "without a section that supports them",
    "hedging": "with more doubt than the docs have",
    "invalid_reference": "with a source that the docs do not have",
    "doubtful": "not fully supported",
    "not_confirmed": "not confirmed by the model's own check",
    "stands_alone": "that make no sense alone",
    "announces_nothing": "that announce something that does not follow",
    "incomplete": "cut off",
    "sentences_dropped": "after other dropped statements",
    "doubtful_claims": "beside doubtful statements",
}
"""Maps each reason for dropping a statement to its description."""


@dataclass(frozen=True, slots=True)
class _PurposeTotals:
    """All requests of one purpose."""

    requests: int
    tokens_read: int
    tokens_written: int
    median_seconds: float


@dataclass(frozen=True, slots=True)
class Writing:
    """Sums over the replies that the model was asked for; all zero without such replies."""

    asked: int  # replies that the model was asked for
    written: int  # replies that the model wrote
    judged: int  # quoted replies for which the model judged every passage, including those that it then declined
    unread: int  # quoted replies for which the model did not judge every passage
    foreign: int  # replies refused after the search queries alone: nothing near was found, or the question is off topic
    declined: int  # replies refused because the model found no answer in the excerpts
    emptied: int  # replies refused because no written statement passed the checks
    failed: int  # quoted replies for which the model failed or its budget was spent
    shown: int  # statements that were released in written replies
    doubtful: int  # released statements that the checks could neither prove nor reject
    dropped: int  # statements that were not released
    reasons: Mapping[str, int]  # dropped statements by reason; a statement may have several
    tokens_read: int  # prompt tokens of all requests, including verification
    tokens_written: int  # completion tokens of all requests, including verification
    purposes: Mapping[Purpose, _PurposeTotals]  # the requests by purpose, in the order of an answer
    seconds: Sequence[float]  # seconds from the question to the whole reply, one value for each reply, sorted

    @classmethod
    def of(cls, replies: Iterable[AskResult]) -> Self:
        """Sum up replies; replies without the model do not count."""
        listed = [asked for asked in replies if asked.counters]
        counted: Counter[str] = Counter()
        requests: dict[Purpose, list[LlmRequest]] = {purpose: [] for purpose in get_args(Purpose)}
        foreign = 0
        for asked in listed:
            counted.update(asked.counters)
            made = asked.trace.requests if asked.trace else ()
            for request in made:
                requests[request.purpose].append(request)
            only_planned = asked.trace is not None and all(request.purpose == "plan" for request in made)
            foreign += only_planned and isinstance(asked.reply, Refusal)
        written = [asked.reply for asked in listed if isinstance(asked.reply, Answer) and asked.reply.composer == "llm"]
        supports = Counter(claim.support for answer in written for claim in answer.claims)
        return cls(
            asked=len(listed),
            written=len(written),
            judged=counted["llm_judged_replies"],
            unread=counted["llm_unread_verdicts"],
            foreign=foreign,
            declined=counted["llm_declined"],
            emptied=counted["llm_fallbacks"],
            failed=counted["llm_degraded"],
            shown=supports.total(),
            doubtful=supports["doubtful"],
            dropped=counted["llm_dropped_sentences"],
            reasons={name.removeprefix(_REASON): n for name, n in sorted(counted.items()) if name.startswith(_REASON)},
            tokens_read=counted["llm_tokens_read"],
            tokens_written=counted["llm_tokens_written"],
            purposes={
                purpose: _PurposeTotals(
                    len(made),
                    sum(one.tokens_read for one in made),
                    sum(one.tokens_written for one in made),
                    round(statistics.median(one.seconds for one in made), 3),
                )
                for purpose, made in requests.items()
                if made
            },
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

    def lines(self) -> Iterator[str]:
        """Yield the statistics as text, line by line; none if the model was not asked."""
        if not self.asked:
            return
        words = {str(code): text for code, text in CHECK_WORDS.items()}
        reasons = ", ".join(f"{count} {words.get(reason, reason)}" for reason, count in self.reasons.items())
        dropped = f"{self.dropped} dropped" + (f" ({reasons})" if reasons else "")
        if self.shown or self.dropped:
            yield f"Statements written: {self.shown} shown, {self.doubtful} of them doubtful; {dropped}"
        yield f"Tokens: {self.tokens_read:,} read, {self.tokens_written:,} written"
        total = max(1, sum(one.tokens_read + one.tokens_written for one in self.purposes.values()))
        for purpose, one in self.purposes.items():
            share = (one.tokens_read + one.tokens_written) / total
            requests = f"{one.requests} request{'s' if one.requests != 1 else ''}"
            yield f"  {purpose}: {requests}, {share:.0%} of the tokens, {one.median_seconds:.1f} s (median)"
        if self.asked > 1:
            yield f"Seconds a reply: {self.median_seconds:.1f} (median), {self.slow_seconds:.1f} (95th percentile)"
        else:
            yield f"Seconds: {self.median_seconds:.1f}"
