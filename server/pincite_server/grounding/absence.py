"""Absence statements: detects claims that the docs do not cover a topic, and checks whether an excerpt covers it.

Such a statement has no citation, and no excerpt can prove it. It is false only if an excerpt states the missing topic.
"""

import re

from pincite_core.phrasing import phrasing
from pincite_core.search.languages import primary
from pincite_server.grounding.evidence import Evidence
from pincite_server.grounding.stems import asserted_stems, respelled

__all__ = ("absent_topic", "said_beside_absence", "states_absence", "where_stated")

_FEWEST_TOPIC_STEMS = 3  # with fewer stems, any sentence about the product would match the topic
_DOCS = (
    r"(?:docs?|documentation|excerpts?|sections?|pages?|guides?|reference|manual|handbook|material|text|sources?)"
    r"(?: (?:of|for|on|about) [\w.`'’ -]{1,40}?)?(?: (?:here|provided|shown|given|quoted|available|above))?"
)
_COVER = (
    r"(?:mention|cover|say|state|describe|document|specify|explain|include|contain|list|give|provide|address|discuss"
    r"|show|answer|tell|define|name|offer|spell out|indicate|detail|go into|have|cite|note|talk about|speak of)"
)
_COVERS_NONE = (
    r"(?:says?|gives?|contains?|ha(?:s|ve)|lists?|mentions?|provides?|describes?|offers?|includes?|shows?) "
    r"(?:nothing|no|neither)"
)
_COVERED = (
    r"(?:mentioned|covered|said|stated|described|documented|specified|explained|included|contained|listed|given"
    r"|provided|addressed|discussed|shown|answered|told|defined|named|detailed|found|spelled out|noted|part)"
)
_NOT = r"(?:do|does|did|is|are|was|were|has|have|can)(?: not|n['’]t)"
_IN_DOCS = rf"(?:in|by|of) (?:(?:the|these|this|its) )?{_DOCS}"
_FORMS = (
    rf"{_DOCS} (?:also |still )?(?:{_NOT}|never)(?: \w+ly| itself| themselves| further)? {_COVER}\b",
    rf"{_DOCS} (?:also )?{_COVERS_NONE}\b",
    rf"(?:is|are|was|were)(?: not|n['’]t)(?: \w+ly)? {_COVERED}\b[^.;]{{0,60}}\b{_IN_DOCS}",
    rf"(?:nothing|no \w[^.;]{{0,60}})\b[^.;]{{0,40}}\b{_IN_DOCS}",
    rf"(?:not|no|nothing|never|without)\b[^.;]{{0,60}}\b{_COVERED} (?:here|there|anywhere)",
    rf"(?:no|nothing)\b[^.;]{{0,40}}\b{_DOCS} {_COVER}s?\b",
    r"undocumented\b|silent (?:on|about)\b",
)
_ABSENCE = re.compile(rf"\b(?:{'|'.join(_FORMS)})", re.IGNORECASE)
_TURN = re.compile(
    r"(?:[,;:—–]| -)\s+(?:but|however|though|although|yet|while|only|it|they|the|instead|what)\b|;\s", re.IGNORECASE
)


def states_absence(text: str, language: str = "en", *, declared: bool = False) -> bool:
    """Return whether a sentence says that the docs do not cover something.

    If the writer marked the sentence as an absence statement (`declared`), a negation is enough. Without the mark, only
    English sentences are detected.
    """
    if declared and phrasing(language).claims.not_.found_in(text):
        return True
    return primary(language) == "en" and _ABSENCE.search(text) is not None


def said_beside_absence(text: str, language: str = "en") -> str:
    """Return an English sentence without its absence clauses; "" if nothing remains or there is no such clause."""
    if primary(language) != "en":
        return ""
    starts = [0, *(turn.start() + 1 for turn in _TURN.finditer(text))]
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    clauses = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    clauses[-1] = clauses[-1].strip()
    said = [clause for clause in clauses if not _ABSENCE.search(clause)]
    return " ".join(said) if len(said) < len(clauses) else ""


def absent_topic(text: str, language: str = "en") -> frozenset[str]:
    """Return the stems of the topic that an absence statement says is missing."""
    return frozenset(asserted_stems(_ABSENCE.sub(" ", text) if primary(language) == "en" else text, language))


def where_stated(topic: frozenset[str], evidence: Evidence) -> bool:
    """Return whether one sentence of the docs contains all stems of the missing topic."""
    wanted = {respelled(stem, evidence.held) for stem in topic}
    if len(wanted) < _FEWEST_TOPIC_STEMS:
        return False
    return any(wanted <= stems for stems in evidence.stems)
