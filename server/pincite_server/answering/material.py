"""What a language model may write an answer from, and what becomes of the question when it does not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pincite_core.search.ranking import RankedSection
from pincite_core.types import Landing
from pincite_server.answering.corpus.compose import Statement
from pincite_server.answering.outcome import GroundingScores, Outcome
from pincite_server.guards.chain import Finding, ValidationResult
from pincite_server.policy import GroundingMode
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Citation, Mode, ValidationInfo

__all__ = (
    "Citer",
    "Excerpt",
    "Material",
    "PassageVerdict",
    "Prepare",
    "Prepared",
    "QuerySearch",
    "Quotation",
    "SearchableMaterial",
    "WholeCheck",
)

PassageVerdict = Literal["yes", "partly", "no"]
"""Whether a passage answers a question, as a language model says."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of the docs that the model may cite.

    Attributes:
        title: Its heading path.
        text: Its Markdown.
        units: The places in it that can be cited, in order.
        number: The number that its marker has.
        is_quoted: Whether the prompt quotes it; else it is a place that a link of the others leads to.
    """

    title: str
    text: str
    units: tuple[Statement, ...] = ()
    number: int = 1
    is_quoted: bool = True

    @property
    def evidence(self) -> str:
        """What a claim about it may rest on."""
        return f"{self.title}\n{self.text}"


@dataclass(frozen=True, slots=True)
class WholeCheck:
    """What only the whole text can show."""

    findings: tuple[Finding, ...] = ()
    grounding: GroundingScores | None = None


class Citer(Protocol):
    """Numbers the places that one answer cites, in the order they are first cited."""

    def cite(self, claim: str, excerpts: Sequence[Excerpt]) -> tuple[int, ...]:
        """Return the numbers of the places in some excerpts that a claim rests on; none when there are too many."""
        ...

    def citations(self) -> tuple[Citation, ...]:
        """Return the citations, those used first."""
        ...

    def landing(self, number: int) -> tuple[Landing, ...]:
        """Return the tabs and details that hide the place with a number, outermost first."""
        ...


class Material(Protocol):
    """A question that has an answer, and what it was found in."""

    @property
    def resolved(self) -> ResolvedQuestion:
        """The question."""
        ...

    @property
    def mode(self) -> Mode:
        """Whether it was found in the site or in the reader's selection."""
        ...

    @property
    def evidence(self) -> float:
        """How likely the answer is in there, 0 to 1."""
        ...

    @property
    def grounding_mode(self) -> GroundingMode:
        """How each sentence is checked against what it cites."""
        ...

    def excerpts(self, tokens: int) -> tuple[Excerpt, ...]:
        """Return what the model is shown, in at most so many estimated tokens, cut at the ends of sentences."""
        ...

    def citer(self) -> Citer:
        """Return a fresh citer for one answer."""
        ...

    def check_whole(self, text: str, citations: Sequence[Citation]) -> WholeCheck:
        """Judge the text of all claims together."""
        ...

    def topics(self) -> tuple[str, ...]:
        """Return what to look at next when the answer did not pass."""
        ...

    def decline(self) -> Outcome:
        """Refuse because the model found no answer in the excerpts."""
        ...

    def fall_back(self, result: ValidationResult, validation: ValidationInfo) -> Outcome:
        """Refuse because nothing that the model wrote may be shown; no word of it is repeated."""
        ...


@dataclass(frozen=True, slots=True)
class QuerySearch:
    """One search: its query, the distinct sections found, best first, and the evidence (0 to 1) that they answer it."""

    query: str
    sections: tuple[RankedSection, ...]
    evidence: float


class SearchableMaterial(Material, Protocol):
    """Material from the site, to which further searches add sections."""

    @property
    def is_sufficient(self) -> bool:
        """Whether the evidence of the reader's own words is enough to answer."""
        ...

    @property
    def queries(self) -> tuple[str, ...]:
        """What was searched for: the question as it is read, then the queries of the plan."""
        ...

    def search(self, query: str) -> QuerySearch:
        """Search the scope of the question for a query of its plan."""
        ...

    def with_searches(self, searches: Sequence[QuerySearch]) -> "SearchableMaterial":
        """Return the material with what some searches found."""
        ...

    def may_answer(self, *, is_foreign: bool) -> bool:
        """Whether a model is to read what was found: not where it is clearly about something else.

        Args:
            is_foreign: Whether the plan says that the question is about something other than these docs; only
                sufficient evidence of the reader's own words outweighs that.
        """
        ...


class Quotation(Protocol):
    """The passages of a quoted answer, which a language model may judge before a reader sees them."""

    @property
    def resolved(self) -> ResolvedQuestion:
        """The question."""
        ...

    def texts(self) -> tuple[str, ...]:
        """Return each passage as it is shown, without its links; "" for one that no model may be shown."""
        ...

    def judged(self, verdicts: Sequence[PassageVerdict | None]) -> Outcome:
        """Return the reply after the model's verdicts, one a passage in order; None where it was not asked."""
        ...


@dataclass(frozen=True, slots=True)
class Prepared:
    """The extractive reply, and what a language model may make a better one of; None where there is nothing.

    Attributes:
        resolved: The question.
        outcome: The reply without a model.
        material: What a model may write from.
        searchable: The same where further searches can add to it.
        quotation: What a model may judge of the passages that are quoted.
    """

    resolved: ResolvedQuestion
    outcome: Outcome
    material: Material | None = None
    searchable: SearchableMaterial | None = None
    quotation: Quotation | None = None


Prepare = Callable[[ResolvedQuestion], Prepared]
"""An entry of the pipeline: `prepare` or `prepare_selection`."""
