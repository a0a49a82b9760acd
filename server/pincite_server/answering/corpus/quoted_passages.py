"""Build a quoted answer from passages: cite, check and render them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite_core.quoting.likelihood import answer_likelihood
from pincite_core.quoting.prompt_injection import addresses_assistant, asks_about_assistants
from pincite_core.quoting.unit_text import plain_text
from pincite_core.urls import join_fragment
from pincite_server.answering.citations import MAX_CITATIONS, cite_all
from pincite_server.answering.corpus.compose import Passage, Statement
from pincite_server.answering.corpus.corpus_context import CorpusContext
from pincite_server.answering.corpus.likelihood import answer_signals, judged_likelihood
from pincite_server.answering.corpus.render import PassageLinks, markers_of, render_passages, title_of
from pincite_server.answering.generation import PassageVerdict
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.replies import build_answer, missing_topics
from pincite_server.guards.chain import Claim, Draft
from pincite_server.guards.release import GuardVerdict, guard_answer, references_hold
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Citation, Notice, ShownClaim

__all__ = ("QuotedPassages",)

_ORDER: Mapping[PassageVerdict | None, int] = {"yes": 0, "partly": 1, None: 2, "no": 3}


@dataclass(frozen=True, slots=True)
class QuotedPassages:
    """The passages of a quoted answer, the answer first, at least one; and the context that they come from."""

    context: CorpusContext
    passages: tuple[Passage, ...]

    @property
    def resolved(self) -> ResolvedQuestion:
        """The question."""
        return self.context.resolved

    def outcome(self) -> Outcome:
        """Return the answer in search order, or a refusal if the answer fails its checks."""
        return self._shown(self.passages, self._likelihood())

    def texts(self) -> tuple[str, ...]:
        """Return each passage as the reader sees it, without links; "" for a passage that addresses an AI assistant."""
        places = (statement.target_id for passage in self.passages for statement in passage.statements)
        numbers = {place: number for number, place in enumerate(dict.fromkeys(places), start=1)}
        titled = zip(self.passages, self._titles(self.passages), strict=True)
        shown = ["".join(render_passages([passage], [title], numbers, {})) for passage, title in titled]
        if asks_about_assistants(self.resolved.query.text):
            return tuple(shown)
        return tuple("" if addresses_assistant(text, mentions=True) else text for text in shown)

    def judged(self, verdicts: Sequence[PassageVerdict | None]) -> Outcome:
        """Return the answer with the passages in the order of the model's verdicts, and a confidence from the verdicts.

        If every verdict is "no", return the refusal for too little evidence.
        """
        if set(verdicts) == {"no"}:
            return self.context.decline()
        by_verdict = sorted(zip(verdicts, self.passages, strict=True), key=lambda pair: _ORDER[pair[0]])
        likely = judged_likelihood(self._likelihood(), verdicts)
        return self._shown([passage for _, passage in by_verdict], likely)

    def _likelihood(self) -> float:
        return answer_likelihood(answer_signals(self.context.result, self.passages))

    def _shown(self, passages: Sequence[Passage], likely: float) -> Outcome:
        resolved, result = self.resolved, self.context.result
        answerer, clock = resolved.answerer, resolved.clock
        statements = [statement for passage in passages for statement in passage.statements]
        with clock.stage("compose"):
            numbers, citations = cite_all(answerer.index, statements, result.sections)
        with clock.stage("guard"):
            invalid = references_hold(answerer.index, citations)
            verdict = guard_answer(self._draft(statements), answerer.policy, invalid, likely)
        if verdict.info.used_fallback:
            return self.context.fall_back(verdict.result, verdict.info)
        pieces = render_passages(passages, self._titles(passages), numbers, _links(resolved, passages))
        claims = _claims(passages, numbers)
        noted = resolved.with_notices(*_untranslated(resolved, statements))
        return self._answer(noted, pieces, claims, citations, verdict)

    def _draft(self, statements: Sequence[Statement]) -> Draft:
        claims = tuple(Claim(statement.text, statement.chunk.text) for statement in statements)
        context = tuple(section.chunk.text for section in self.context.result.sections[:MAX_CITATIONS])
        return Draft("extractive", claims, context, self.context.result.query.language)

    def _titles(self, passages: Sequence[Passage]) -> list[str]:
        sections = self.resolved.answerer.index.targets_by_id(_sections(passages))
        return [title_of(sections[passage.section.target_id].heading_path) for passage in passages]

    def _answer(
        self,
        noted: ResolvedQuestion,
        pieces: tuple[str, ...],
        claims: tuple[ShownClaim, ...],
        citations: tuple[Citation, ...],
        verdict: GuardVerdict,
    ) -> Outcome:
        result = self.context.result
        warning = (f"\n\n{noted.say('speculative')}",) if verdict.warn else ()
        return build_answer(
            noted,
            mode="corpus",
            composer="extractive",
            pieces=(*pieces, *warning),
            citations=citations,
            evidence=self.context.evidence,
            validation=verdict.info,
            learning=() if verdict.result.passed else missing_topics(result.query, result.idf),
            claims=claims,
        )


def _sections(passages: Sequence[Passage]) -> set[int]:
    return {passage.section.target_id for passage in passages}


def _untranslated(resolved: ResolvedQuestion, statements: Sequence[Statement]) -> tuple[Notice, ...]:
    """Return a notice if a quoted page has no translation and repeats the default language's text."""
    pages = resolved.answerer.index.pages_by_id({statement.chunk.page_id for statement in statements})
    if all(page.translated for page in pages.values()):
        return ()
    return (Notice("untranslated", resolved.say("untranslated")),)


def _links(resolved: ResolvedQuestion, passages: Sequence[Passage]) -> PassageLinks:
    """Return the URLs within the site that the statements link to."""
    index = resolved.answerer.index
    links = (link.to for passage in passages for one in passage.statements for link in one.unit.links)
    targets = index.targets_by_id(to for to in links if isinstance(to, int))
    pages = index.pages_by_id({target.page_id for target in targets.values()})
    return {
        to: resolved.address(join_fragment(pages[target.page_id].url, target.anchor)) for to, target in targets.items()
    }


def _claims(passages: Sequence[Passage], numbers: Mapping[int, int]) -> tuple[ShownClaim, ...]:
    """Return the statements word for word, each with its citation."""
    statements = [statement for passage in passages for statement in passage.statements]
    return tuple(
        ShownClaim(
            statement.text,
            "quoted",
            (number,),
            plain_text(statement.text, statement.unit),
            () if marker is None else (marker,),
        )
        for statement, marker in zip(statements, markers_of(passages, numbers), strict=True)
        for number in (numbers[statement.target_id],)
    )
