"""A model's material in selection mode: the passage, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.units import truncate_to_tokens
from pincite_server.answering.passage.passage import split_passage
from pincite_server.answering.passage.passage_replies import cite_passage, refuse_passage
from pincite_server.answering.passage.provenance import Place
from pincite_server.answering.situation import Situation
from pincite_server.answering.written.material import Citer, Excerpt, WholeCheck
from pincite_server.grounding.verdict import validate_grounding
from pincite_server.guards.chain import Finding, ValidationResult
from pincite_server.model import Citation, GroundingScores, Mode, Refusal, ValidationInfo
from pincite_server.policy import GroundingMode

__all__ = ("PassageMaterial",)


@dataclass(frozen=True, slots=True)
class PassageMaterial:
    """The reader's selection; `place` is where it stands, None when that is not proved."""

    situation: Situation
    passage: str
    evidence: float
    place: Place | None
    grounding_mode: GroundingMode
    mode: Mode = "selection"

    def excerpts(self, tokens: int) -> tuple[Excerpt, ...]:
        """Return the passage, or as many of its sentences as fit."""
        end = len(truncate_to_tokens(self.passage, tokens))
        if end < len(self.passage):
            units = split_passage(self.passage, self.situation.scope.locale)
            end = max((unit.end for unit in units if unit.end <= end), default=end)
        title = " > ".join(self.place.target.heading_path) if self.place else ""
        return (Excerpt(title, self.passage[:end]),)

    def citer(self) -> Citer:
        """Return a citer of the passage."""
        return _PassageCiter(cite_passage(self.situation, self.passage, self.place))

    def check_whole(self, text: str, citations: Sequence[Citation]) -> WholeCheck:
        """Judge the whole text against the passage: sentences that each pass may not do so together."""
        engine = self.situation.engine
        grounding = validate_grounding(
            self.passage, self.situation.question.query, text, engine.embedder.encode, mode=self.grounding_mode
        )
        findings = () if grounding.grounded else (Finding("low_overlap", "hard"),)
        return WholeCheck(findings, GroundingScores(grounding.similarity, grounding.keyword_overlap))

    def topics(self) -> tuple[str, ...]:
        """Return nothing: the topic is the passage."""
        return ()

    def decline(self) -> Refusal:
        """Refuse with the sentence for a passage without the answer."""
        return refuse_passage(self.situation, self.passage, self.evidence)

    def fall_back(self, result: ValidationResult, validation: ValidationInfo) -> Refusal:
        """Refuse with the same sentence; the reasons name words of the question alone."""
        return refuse_passage(self.situation, self.passage, self.evidence, validation=validation)


class _PassageCiter:
    """Everything cites the one passage."""

    def __init__(self, citation: Citation) -> None:
        self._citation = citation

    def cite(self, claim: str, excerpts: Sequence[Excerpt]) -> tuple[int, ...]:
        return (self._citation.n,) if excerpts else ()

    def citations(self) -> tuple[Citation, ...]:
        return (self._citation,)
