"""The reply records, which are sent unchanged. docs/http-api.md describes each field.

`Citation` is in `pincite_core.citation`, because the build writes its fields for browsers.
JSON has the order of the fields. Data that must not be sent belongs into `pincite_server.answering.outcome`.
"""

from typing import Literal

from msgspec import Struct, field

from pincite_core.citation import Citation
from pincite_core.rules import SuggestionCode

__all__ = (
    "Answer",
    "AnsweredScope",
    "CheckReason",
    "Citation",
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
Support = Literal["quoted", "verified", "doubtful", "absent"]
Phase = Literal["searching", "reading", "checking"]


class Notice(Struct, frozen=True):
    """A notice for the reader about how the question was handled (`truncated`, `widened`, ...)."""

    code: str
    message: str


class Suggestion(Struct, frozen=True):
    """A suggestion of what to do after a refusal; `text` is in the reader's language."""

    code: SuggestionCode
    text: str


class AnsweredScope(Struct, frozen=True, omit_defaults=True):
    """The version and language filter of a reply.

    If several sites are asked, `site` is the title of the answering site, or the titles of all refusing sites.
    Otherwise it is None and not sent.
    """

    locale: str
    version: str | None
    version_label: str | None
    plugin_id: str | None
    site: str | None = None


class SearchHit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A search result. `score` is between 0 and 1, comparable within one result list; higher is better.

    `site` is the title of the place's site if several sites are asked; otherwise it is None and not sent.
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
    """The resolution of a stable ID; `nearest` is set only for a lost ID."""

    url: str | None
    title: str | None
    status: Literal["current", "moved", "lost"]
    nearest: SearchHit | None = None


class ShownClaim(Struct, frozen=True):
    """A statement of an answer as shown, with its degree of proof (`support`) and the docs' text that proves it.

    The support `absent` marks a statement that the docs do not cover something; it has no citation and no quote.

    `quote` is the proving text, `citations` are the numbers that the statement cites. `markers` are the
    positions, from 0, of the statement's citation markers among all markers of the answer; they stand at its paragraph,
    item, row or code.
    """

    text: str
    support: Support
    citations: tuple[int, ...]
    quote: str
    markers: tuple[int, ...] = ()


class ValidationInfo(Struct, frozen=True):
    """The result of an answer's validation (CONF-4).

    `passed` is None if the guards were off; `reasons` then has `not_checked`.
    """

    passed: bool | None
    reasons: tuple[CheckReason | RefusalCode | Literal["not_checked"], ...]
    used_fallback: bool
    confidence_score: float
    context_docs_count: int


class ReplyHead(Struct, frozen=True, kw_only=True):
    """The fields of a reply that are known before its first word: the question's ids, the index and the scope.

    `message_id` and `session_id` are the question's, or "". `built_at` is the build time in `index.json`, None without
    that file.
    """

    message_id: str
    session_id: str
    index_id: str
    built_at: str | None
    mode: Mode
    scope: AnsweredScope
    notices: tuple[Notice, ...]


class Progress(Struct, frozen=True, omit_defaults=True):
    """The event `status`: the progress of an answer.

    `queries` are the search queries, `titles` those of the sections that are read. The phase `checking` is sent while
    the last statements are checked.
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
    """A refusal: the docs, or the passage, do not hold the answer.

    It has the reasons in words (`reasons`), suggestions and the nearest sections. `searched` are the search queries of
    a language model, if it was asked. `validation` is the result for the composed answer that is not shown; without
    such an answer, its only reason is the `code`.
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
