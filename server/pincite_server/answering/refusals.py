"""Honest refusals: why, what to try, and the nearest sections."""

from collections.abc import Sequence

from pincite_core.search.ranking import RankedSection, SearchResult
from pincite_server.answering.citations import nearest_citations
from pincite_server.answering.situation import Situation
from pincite_server.answering.topics import missing_topics
from pincite_server.guards.boundaries import Boundary
from pincite_server.model import GroundingScores, Mode, Refusal, RefusalCode, ValidationInfo
from pincite_server.wording import Key

__all__ = ("NEAREST", "refuse", "refuse_boundary", "refuse_empty_index", "refuse_no_evidence")

NEAREST = 3  # sections shown with a refusal
_SUGGESTIONS: tuple[Key, ...] = ("suggest_contact", "suggest_rephrase")


def refuse(
    situation: Situation,
    code: RefusalCode,
    message: str,
    *,
    mode: Mode = "corpus",
    nearest: Sequence[RankedSection] = (),
    evidence: float = 0.0,
    suggestions: tuple[Key, ...] = _SUGGESTIONS,
    learning: tuple[str, ...] = (),
    reasons: tuple[str, ...] = (),
    validation: ValidationInfo | None = None,
    grounding: GroundingScores | None = None,
) -> Refusal:
    """Return a refusal that shows the first three of the `nearest` sections."""
    return Refusal(
        mode=mode,
        scope=situation.scope,
        notices=situation.notices,
        evidence=round(evidence, 4),
        learning_suggestions=learning,
        code=code,
        message=message,
        suggestions=tuple(situation.say(key) for key in suggestions),
        nearest=nearest_citations(situation.engine.index, nearest, NEAREST),
        reasons=reasons,
        validation=validation,
        grounding=grounding,
        timings_ms=situation.clock.timings(),
    )


def refuse_no_evidence(
    situation: Situation, result: SearchResult, evidence: float, nearest: Sequence[RankedSection]
) -> Refusal:
    """Refuse because the docs do not hold the answer; the topics that they lack are named."""
    learning = missing_topics(result.query.text, result.rarity)
    message = situation.say("no_evidence")
    return refuse(situation, "no_evidence", message, nearest=nearest, evidence=evidence, learning=learning)


def refuse_empty_index(situation: Situation) -> Refusal:
    """Refuse because there is nothing to search."""
    return refuse(situation, "empty_index", situation.say("empty_index"), suggestions=("suggest_contact",))


def refuse_boundary(situation: Situation, boundary: Boundary) -> Refusal:
    """Refuse what docs cannot do: write code, do things, know the present, or speak of a blocked topic."""
    corpus, built_on = situation.corpus, situation.engine.built_on
    if boundary == "blocked_topic":
        message = situation.say("out_of_scope", corpus=corpus)
        return refuse(situation, "out_of_scope", message, suggestions=("suggest_scope", "suggest_rephrase"))
    if boundary == "code":
        message = situation.say("capability_code", corpus=corpus)
    elif boundary == "act":
        message = situation.say("capability_act", corpus=corpus)
    elif built_on:
        message = situation.say("capability_realtime", corpus=corpus, date=built_on)
    else:
        message = situation.say("capability_realtime_undated", corpus=corpus)
    return refuse(situation, "capability", message, suggestions=("suggest_rephrase", "suggest_scope"))
