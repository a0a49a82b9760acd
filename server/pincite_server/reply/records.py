"""The reply records, which are sent unchanged. docs/http-api.md describes each field.

JSON has the order of the fields. Data that must not be sent belongs into `pincite_server.answering.outcome`.
"""

from typing import Literal

from msgspec import Struct, field

from pincite_core.types import Landing, SourceType

__all__ = (
    "Answer",
    "AnsweredScope",
    "CheckReason",
    "Citation",
    "CitationSource",
    "Composer",
    "Mode",
    "Notice",
    "Opening",
    "Phase",
    "Progress",
    "Refusal",
    "RefusalCode",
    "ReplyHead",
    "ResolvedId",
    "SearchHit",
    "ShownClaim",
    "Suggestion",
    "SuggestionCode",
    "Support",
    "ValidationInfo",
)

Mode = Literal["corpus", "selection"]
Composer = Literal["extractive", "llm"]
RefusalCode = Literal["no_evidence", "not_in_selection", "out_of_scope", "capability", "empty_index"]
CheckReason = Literal[
    "missing_citation",
    "low_overlap",
    "unsupported_number",
    "missing_uncertainty_no_context",
    "hedging",
    "invalid_reference",
    "doubtful",
    "not_confirmed",
    "stands_alone",
    "announces_nothing",
    "incomplete",
    "sentences_dropped",
    "doubtful_claims",
]
"""The reasons of failed checks. The widget has a text for each (`check_...`), in every language."""
SuggestionCode = Literal["contact", "rephrase", "other_topic", "whole_site", "docs_language"]
Support = Literal["quoted", "verified", "doubtful", "absent"]
Phase = Literal["searching", "reading", "checking"]
CitationSource = SourceType | Literal["selected_text"]


class Notice(Struct, frozen=True):
    """Something the reader should know of how the question was treated (`truncated`, `widened`, ...)."""

    code: str
    message: str


class Suggestion(Struct, frozen=True):
    """Something the reader can do after a refusal, in the reader's language (`text`)."""

    code: SuggestionCode
    text: str


class AnsweredScope(Struct, frozen=True, omit_defaults=True):
    """The filter that a reply obeyed.

    `site` is the title of the site that answers, or those of all that refuse, where several are asked; elsewhere None,
    and not sent.
    """

    locale: str
    version: str | None
    version_label: str | None
    plugin_id: str | None
    site: str | None = None


class Citation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A place in the site. `n` is its number in the answer, None when it only qualifies; `url` is root-relative.

    `anchor` is the raw id, None for a whole page; `url` is None only for an unproved selection. `site` is the title of
    the place's site where several are asked at once; elsewhere None, and not sent.
    """

    n: int | None
    used: bool
    stable_id: str
    title: str
    heading_path: tuple[str, ...]
    section: str
    page: str
    url: str | None
    anchor: str | None
    chunk_id: int | None
    source_type: CitationSource
    excerpt: str
    verified: bool
    site: str | None = None


class SearchHit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One ranked target. `score` is between 0 and 1 within one result list; higher is better.

    `site` is as in `Citation`.
    """

    url: str
    anchor: str | None
    stable_id: str
    title: str
    heading_path: tuple[str, ...]
    score: float
    snippet: str
    site: str | None = None


class ResolvedId(Struct, frozen=True, omit_defaults=True):
    """What became of a stable ID; `nearest` only for a lost one."""

    url: str | None
    title: str | None
    status: Literal["current", "moved", "lost"]
    nearest: SearchHit | None = None


class ShownClaim(Struct, frozen=True):
    """One statement of an answer as it is shown, how far it is proved, and the docs' own words that prove it (`quote`).

    `absent` is a statement that the docs do not cover something: it cites nothing and quotes nothing.

    `citations` are the numbers it cites; `landing` is what hides the quoted words on their page, outermost first.
    `markers` are the places, among the answer's citation markers, of those at its paragraph, item, row or code, from 0.
    """

    text: str
    support: Support
    citations: tuple[int, ...]
    quote: str
    landing: tuple[Landing, ...] = ()
    markers: tuple[int, ...] = ()


class ValidationInfo(Struct, frozen=True):
    """The guards' verdict on an answer (confidence and fallback design, `validation_info`).

    `passed` is None when they were turned off; `reasons` then has `not_checked`.
    """

    passed: bool | None
    reasons: tuple[CheckReason | RefusalCode | Literal["not_checked"], ...]
    used_fallback: bool
    confidence_score: float
    context_docs_count: int


class ReplyHead(Struct, frozen=True, kw_only=True):
    """What is known of a reply before its first word: whose question it answers, from which index and scope.

    `message_id` and `session_id` are the question's own, "" for one that has none; `built_at` is the time of the build
    as `index.json` has it, None when that is not at hand.
    """

    message_id: str
    session_id: str
    index_id: str
    built_at: str | None
    mode: Mode
    scope: AnsweredScope
    notices: tuple[Notice, ...]


class Progress(Struct, frozen=True, omit_defaults=True):
    """What is being done for a reader who waits: the event `status`.

    `queries` are searched for, and the sections of the `titles` read; `checking` comes while the last statements are
    checked.
    """

    phase: Phase
    queries: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()


class Opening(ReplyHead, frozen=True, kw_only=True, tag_field="type", tag="answer"):
    """The beginning of an answer: the event `answer_start`."""

    composer: Composer


class Answer(ReplyHead, frozen=True, kw_only=True, tag_field="type", tag="answer"):
    """A cited answer. `text` is Markdown with citation markers `[n]`.

    `evidence` is the probability, 0 to 1, that the docs hold the answer.
    """

    composer: Composer
    text: str = field(name="answer")
    citations: tuple[Citation, ...]
    claims: tuple[ShownClaim, ...] = ()
    confidence_score: float
    evidence: float
    validation: ValidationInfo = field(name="validation_info")
    learning_suggestions: tuple[str, ...]
    timings_ms: dict[str, float]


class Refusal(ReplyHead, frozen=True, kw_only=True, tag_field="type", tag="refusal"):
    """The docs, or the passage, do not hold the answer: why in words (`reasons`), what to try, the nearest sections.

    `searched` are the queries that were searched for, where a language model planned them.

    `validation` is of the answer that was composed and is not shown. Where none was, its one reason is the `code`.
    """

    code: RefusalCode
    message: str
    reasons: tuple[str, ...]
    suggestions: tuple[Suggestion, ...]
    searched: tuple[str, ...] = ()
    nearest: tuple[Citation, ...]
    evidence: float
    validation: ValidationInfo = field(name="validation_info")
    learning_suggestions: tuple[str, ...]
    timings_ms: dict[str, float]
