"""What flows through the four stages: plain frozen records, no behaviour, no wire format.

Question ─> choose scope ─> retrieve ─> compose ─> guard ─> Answer | Refusal
"""

from dataclasses import dataclass, field
from typing import Literal

from pincite_core.types import Landing, SourceType

__all__ = (
    "Answer",
    "ChosenScope",
    "Citation",
    "CitationSource",
    "Composer",
    "GroundingScores",
    "Mode",
    "Notice",
    "Opening",
    "Question",
    "Refusal",
    "RefusalCode",
    "Reply",
    "SearchHit",
    "Selection",
    "ShownClaim",
    "Step",
    "Support",
    "Turn",
    "ValidationInfo",
)

Mode = Literal["corpus", "selection"]
Composer = Literal["extractive", "llm"]
RefusalCode = Literal["no_evidence", "not_in_selection", "out_of_scope", "capability", "empty_index"]
CitationSource = SourceType | Literal["selected_text"]
Support = Literal["quoted", "verified", "doubtful"]


@dataclass(frozen=True, slots=True)
class Selection:
    """A passage the reader highlighted. `captured_at` is seconds since the epoch, None when not said."""

    text: str
    page_url: str | None = None
    captured_at: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the conversation and the answer the reader still sees."""

    query: str
    answer: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a reader asks, and where from. `embedding` is the client's own vector for `query`, when it sent one.

    `asked` is a follow-up as the reader put it, when `query` is what it means.
    """

    query: str
    mode: Mode = "corpus"
    selection: Selection | None = None
    version: str | None = None
    locale: str | None = None
    page_url: str | None = None
    turns: tuple[Turn, ...] = ()
    embedding: tuple[float, ...] | None = None
    asked: str | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader should know of how the question was treated (`truncated`, `widened`, ...)."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ChosenScope:
    """The filter that retrieval obeys: row ids of the index's scopes, and what to call them."""

    scope_ids: tuple[int, ...]
    locale: str
    version: str | None
    version_label: str | None
    plugin_id: str | None


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in the site. `n` is its number in the answer, 0 when it only qualifies; `url` is root-relative.

    `anchor` is the raw id, None for a whole page; `url` is None only for an unproved selection.
    """

    n: int
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
    landing: tuple[Landing, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """One statement of an answer as it is shown, how far it is proved, and the docs' own words that prove it (`quote`).

    `citations` are the numbers it cites; `landing` is what hides the quoted words on their page, outermost first.
    """

    text: str
    support: Support
    citations: tuple[int, ...]
    quote: str
    landing: tuple[Landing, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One ranked target. `score` is between 0 and 1 within one result list; higher is better."""

    url: str
    anchor: str | None
    stable_id: str
    title: str
    heading_path: tuple[str, ...]
    score: float
    snippet: str


@dataclass(frozen=True, slots=True)
class ValidationInfo:
    """The guards' verdict on an answer (confidence and fallback design, `validation_info`)."""

    passed: bool
    reasons: tuple[str, ...]
    used_fallback: bool
    confidence_score: float
    context_docs_count: int


@dataclass(frozen=True, slots=True)
class GroundingScores:
    """How like its passage an answer is, 0 to 1 each (ADR-003): by cosine, and by the share of its keywords."""

    similarity: float
    keyword_overlap: float


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer and a refusal share. `evidence` is the probability, 0 to 1, that the docs hold the answer.

    `grounding` is of the answer that was checked, shown or not; None when none was checked against a passage.
    """

    mode: Mode
    scope: ChosenScope
    notices: tuple[Notice, ...]
    evidence: float
    learning_suggestions: tuple[str, ...]
    timings_ms: dict[str, float] = field(default_factory=dict, kw_only=True)
    grounding: GroundingScores | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Answer(Reply):
    """A cited answer. `deltas` joined are its Markdown; citation markers in it are `[n]`; `claims` prove it."""

    composer: Composer
    deltas: tuple[str, ...]
    citations: tuple[Citation, ...]
    validation: ValidationInfo
    claims: tuple[ShownClaim, ...] = ()

    @property
    def text(self) -> str:
        """The whole answer as Markdown."""
        return "".join(self.deltas)


@dataclass(frozen=True, slots=True)
class Refusal(Reply):
    """The docs, or the passage, do not hold the answer: why in words (`reasons`), what to try, the nearest sections.

    `validation` is the verdict on an answer that was composed, failed its checks and is not shown; None without one.
    """

    code: RefusalCode
    message: str
    suggestions: tuple[str, ...]
    nearest: tuple[Citation, ...]
    reasons: tuple[str, ...] = ()
    validation: ValidationInfo | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """What is known of an answer before its first word."""

    mode: Mode
    scope: ChosenScope
    notices: tuple[Notice, ...]
    composer: Composer


Step = Opening | str | Answer | Refusal
"""A reply as it comes about: either the whole reply alone, or an opening, pieces of its text, and the whole answer."""
