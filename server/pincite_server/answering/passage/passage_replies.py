"""The two things that every reply from a passage needs: its one citation, and the refusal."""

from pincite_core.search.query import parse_query
from pincite_core.search.terms import content_terms, terms
from pincite_server.answering.citations import cite_target, excerpt_of
from pincite_server.answering.passage.provenance import Place
from pincite_server.answering.refusals import refuse
from pincite_server.answering.retrieve import retrieve
from pincite_server.answering.situation import Situation
from pincite_server.answering.topics import missing_topics
from pincite_server.model import Citation, GroundingScores, Refusal, ValidationInfo

__all__ = ("cite_passage", "refuse_passage")


def cite_passage(situation: Situation, passage: str, place: Place | None) -> Citation:
    """Return the one citation: the target that holds the passage, or an unproved one without a URL."""
    excerpt = excerpt_of(passage)
    if place is None:
        return _unproved(excerpt)
    return cite_target(situation.engine.index, place.target.target_id, 1, excerpt, place.chunk_id)


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
    situation: Situation,
    passage: str,
    evidence: float,
    reasons: tuple[str, ...] = (),
    validation: ValidationInfo | None = None,
    scores: GroundingScores | None = None,
) -> Refusal:
    """Refuse with the exact sentence, the question's words that the passage lacks, and related sections of the site."""
    engine, question = situation.engine, situation.question
    with situation.clock.stage("retrieve"):
        encoded = engine.encode(question.query, question.embedding)
        result = retrieve(engine, encoded, parse_query(question.query), situation.scope)
    lacking = missing_topics(result.query.text, result.rarity, frozenset(terms(passage)))
    named = tuple(situation.say("reason_not_in_selection", term=f"*{word}*") for word in lacking)
    shares_words = not set(content_terms(question.query)).isdisjoint(terms(passage))
    general = situation.say("reason_not_said" if shares_words else "reason_unrelated")
    return refuse(
        situation,
        "not_in_selection",
        situation.say("not_in_selection"),
        mode="selection",
        nearest=result.sections,
        evidence=evidence,
        suggestions=("suggest_whole_site", "suggest_rephrase"),
        learning=lacking,
        reasons=reasons or named or (general,),
        validation=validation,
        grounding=scores,
    )
