"""Interfaces between a prepared answer and a language model: excerpts to cite, quotations to judge, and refusals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, ParamSpec, Protocol, TypeVar

from pincite_core.search.ranking import RankedSection
from pincite_server.answering.corpus.compose import Statement
from pincite_server.answering.outcome import GroundingScores, Outcome
from pincite_server.guards.chain import Finding, ValidationResult
from pincite_server.policy import GroundingMode
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Citation, Mode, ValidationInfo

__all__ = (
    "Citer",
    "Excerpt",
    "GenerationContext",
    "Offload",
    "PassageVerdict",
    "Prepare",
    "PreparedAnswer",
    "QuerySearch",
    "Quotation",
    "SearchableContext",
    "WholeCheck",
)

P = ParamSpec("P")
T = TypeVar("T")


class Offload(Protocol):
    """Runs a function off the event loop."""

    async def __call__(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the function's result."""


PassageVerdict = Literal["yes", "partly", "no"]
"""A language model's verdict on whether a passage answers a question."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of the docs that the model may cite.

    Attributes:
        title: Its heading path.
        text: Its Markdown.
        units: The citable units in the text, in order.
        number: The number in its citation marker.
        is_quoted: Whether the prompt quotes the text. If not, the excerpt is the target of a link in another excerpt.
    """

    title: str
    text: str
    units: tuple[Statement, ...] = ()
    number: int = 1
    is_quoted: bool = True

    @property
    def evidence(self) -> str:
        """The text that may support a claim about this excerpt."""
        return f"{self.title}\n{self.text}"


@dataclass(frozen=True, slots=True)
class WholeCheck:
    """The results of the checks that need the whole text."""

    findings: tuple[Finding, ...] = ()
    grounding: GroundingScores | None = None


class Citer(Protocol):
    """Assigns citation numbers in one answer, in the order of first use."""

    def cite(self, claim: str, excerpts: Sequence[Excerpt]) -> tuple[int, ...]:
        """Return the citation numbers of the places in `excerpts` that support a claim.

        The result is empty if the answer already has too many places.
        """

    def citations(self) -> tuple[Citation, ...]:
        """Return the citations, used ones first."""


class GenerationContext(Protocol):
    """A question, with the sections or the passage from which a language model may answer."""

    @property
    def resolved(self) -> ResolvedQuestion:
        """The question."""

    @property
    def mode(self) -> Mode:
        """Whether the context comes from the site or from the reader's selection."""

    @property
    def evidence(self) -> float:
        """The probability that the context holds the answer, 0 to 1."""

    @property
    def grounding_mode(self) -> GroundingMode:
        """How each sentence is checked against its citations."""

    def excerpts(self, tokens: int) -> tuple[Excerpt, ...]:
        """Return the excerpts for the prompt, at most `tokens` estimated tokens, cut at the ends of sentences."""

    def citer(self) -> Citer:
        """Return a new citer for one answer."""

    def check_whole(self, text: str, citations: Sequence[Citation]) -> WholeCheck:
        """Check the text of all claims together."""

    def topics(self) -> tuple[str, ...]:
        """Return topics that the reader can look up if the answer fails its checks."""

    def decline(self) -> Outcome:
        """Return the refusal for a model that found no answer in the excerpts."""

    def fall_back(self, result: ValidationResult, validation: ValidationInfo) -> Outcome:
        """Return the refusal for a written answer that failed its checks. The refusal repeats no word of the answer."""


@dataclass(frozen=True, slots=True)
class QuerySearch:
    """One search: its query, the distinct sections that it found, best first, and its evidence (0 to 1)."""

    query: str
    sections: tuple[RankedSection, ...]
    evidence: float


class SearchableContext(GenerationContext, Protocol):
    """GenerationContext from the site. Further searches can add sections to it."""

    @property
    def is_sufficient(self) -> bool:
        """Whether the search for the reader's own words has enough evidence for an answer."""

    @property
    def queries(self) -> tuple[str, ...]:
        """The search queries: the question as it was searched for, then the queries of the query plan."""

    def search(self, query: str) -> QuerySearch:
        """Search the question's scope for a query of its query plan."""

    def with_searches(self, searches: Sequence[QuerySearch]) -> "SearchableContext":
        """Return the context with the results of further searches."""

    def may_answer(self, *, is_foreign: bool) -> bool:
        """Whether a model should read the context; False if the context is clearly about another subject.

        `is_foreign` is the plan's verdict that the question is not about these docs. Only sufficient evidence for the
        reader's own words overrides it.
        """


class Quotation(Protocol):
    """The passages of a quoted answer. A language model may judge them before the reader sees them."""

    @property
    def resolved(self) -> ResolvedQuestion:
        """The question."""

    def texts(self) -> tuple[str, ...]:
        """Return each passage as the reader sees it, without links; "" for a passage that no model may read."""
        ...

    def judged(self, verdicts: Sequence[PassageVerdict | None]) -> Outcome:
        """Return the reply after the model's verdicts.

        `verdicts` has one verdict for each passage, in order; None for a passage that was not judged.
        """


@dataclass(frozen=True, slots=True)
class PreparedAnswer:
    """A quoted reply, with the context that a language model may use to improve it.

    Attributes:
        resolved: The question.
        outcome: The reply without a model.
        context: The context that a model may write from; None if there is none.
        searchable: The same context, if further searches can add to it; else None.
        quotation: The quoted passages that a model may judge; None if there are none.
        queries: The search queries, if a model planned them.
    """

    resolved: ResolvedQuestion
    outcome: Outcome
    context: GenerationContext | None = None
    searchable: SearchableContext | None = None
    quotation: Quotation | None = None
    queries: tuple[str, ...] = ()


Prepare = Callable[[ResolvedQuestion], PreparedAnswer]
"""An entry of the pipeline: `prepare` or `prepare_selection`."""
