"""Selection mode: the citation and the refusal for a passage, and the context from which a language model writes."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.quoting.prompt_injection import addressed_from, asks_about_assistants
from pincite_core.search.terms import terms
from pincite_core.units import truncate_to_tokens
from pincite_server.answering.citations import cite_target, excerpt_of
from pincite_server.answering.generation import Citer, Excerpt, WholeCheck
from pincite_server.answering.outcome import GroundingScores, Outcome
from pincite_server.answering.passage.passage import split_passage
from pincite_server.answering.passage.provenance import PassagePlace
from pincite_server.answering.replies import missing_topics, refuse
from pincite_server.answering.retrieve import retrieve
from pincite_server.grounding.verdict import validate_grounding
from pincite_server.guards.chain import ValidationResult
from pincite_server.policy import GroundingMode
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Citation, Mode, ValidationInfo

__all__ = ("PassageContext", "cite_passage", "refuse_passage")


def cite_passage(resolved: ResolvedQuestion, passage: str, place: PassagePlace | None) -> Citation:
    """Return the citation of a passage: its target, or an unverified citation without a URL if the place is unknown."""
    excerpt = excerpt_of(passage)
    if place is None:
        return _unproved(excerpt)
    return cite_target(resolved.answerer.index, place.target.target_id, 1, excerpt, place.chunk_id)


def _unproved(excerpt: str) -> Citation:
    return Citation(
        n=1,
        used=True,
        stable_id="",
        title="",
        heading_path=(),
        section="",
        page="",
        url=None,
        anchor=None,
        chunk_id=None,
        source_type="selected_text",
        excerpt=excerpt,
        verified=False,
    )


def refuse_passage(
    resolved: ResolvedQuestion,
    passage: str,
    evidence: float,
    reasons: tuple[str, ...] = (),
    validation: ValidationInfo | None = None,
    scores: GroundingScores | None = None,
) -> Outcome:
    """Return the refusal for a passage without the answer, with the question's missing words and related sections."""
    answerer, question = resolved.answerer, resolved.question
    with resolved.clock.stage("retrieve"):
        encoded = answerer.encode(resolved.query.text, question.embedding, question.embedding_tokens)
        result = retrieve(answerer, encoded, resolved.query, resolved.scope)
    lacking = missing_topics(result.query, result.rarity, frozenset(terms(passage, result.query.language)))
    named = tuple(resolved.say("reason_not_in_selection", term=f"*{word}*") for word in lacking)
    shares_words = not set(resolved.query.terms).isdisjoint(terms(passage, resolved.query.language))
    general = resolved.say("reason_not_said" if shares_words else "reason_unrelated")
    return refuse(
        resolved,
        "not_in_selection",
        resolved.say("not_in_selection"),
        mode="selection",
        nearest=result.sections,
        evidence=evidence,
        suggestions=("whole_site", "rephrase"),
        learning=lacking,
        reasons=reasons or named or (general,),
        validation=validation,
        grounding=scores,
    )


@dataclass(frozen=True, slots=True)
class PassageContext:
    """The reader's selection as the context for a model. `place` is its verified position on the page, or None."""

    resolved: ResolvedQuestion
    passage: str
    evidence: float
    place: PassagePlace | None
    grounding_mode: GroundingMode
    mode: Mode = "selection"

    def excerpts(self, tokens: int) -> tuple[Excerpt, ...]:
        """Return the passage, or as many of its sentences as fit, without text that addresses the model."""
        passage = self.passage
        if not asks_about_assistants(self.resolved.question.query):
            passage = passage[: addressed_from(passage, mentions=True)]
        end = len(truncate_to_tokens(passage, tokens))
        if end < len(passage):
            units = split_passage(passage, self.resolved.scope.locale)
            end = max((unit.end for unit in units if unit.end <= end), default=end)
        title = " > ".join(self.place.target.heading_path) if self.place else ""
        return (Excerpt(title, passage[:end]),) if passage.strip() else ()

    def citer(self) -> Citer:
        """Return a citer of the passage."""
        return _PassageCiter(cite_passage(self.resolved, self.passage, self.place))

    def check_whole(self, text: str, citations: Sequence[Citation]) -> WholeCheck:
        """Compute the grounding scores of the whole text; each claim was already checked."""
        answerer = self.resolved.answerer
        grounding = validate_grounding(
            self.passage,
            self.resolved.query.text,
            text,
            answerer.embedder.encode,
            mode=self.grounding_mode,
            text_language=self.resolved.scope.locale,
        )
        return WholeCheck((), GroundingScores(grounding.similarity, grounding.keyword_overlap))

    def topics(self) -> tuple[str, ...]:
        """Return no topics: the only topic is the passage."""
        return ()

    def decline(self) -> Outcome:
        """Return the refusal for a passage without the answer."""
        return refuse_passage(self.resolved, self.passage, self.evidence)

    def fall_back(self, result: ValidationResult, validation: ValidationInfo) -> Outcome:
        """Return the same refusal; its reasons contain only words of the question."""
        return refuse_passage(self.resolved, self.passage, self.evidence, validation=validation)


class _PassageCiter:
    """Cites the passage for every claim."""

    def __init__(self, citation: Citation) -> None:
        self._citation = citation

    def cite(self, claim: str, excerpts: Sequence[Excerpt]) -> tuple[int, ...]:
        return (1,) if excerpts else ()

    def citations(self) -> tuple[Citation, ...]:
        return (self._citation,)
