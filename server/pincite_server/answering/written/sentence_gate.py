"""What a language model writes, judged unit by unit before a reader sees any of it.

A unit (sentence, list item, code block) loses its links and the markers that name nothing, is checked against what it
cites, and is released with the numbers of its citations, or dropped.
"""

import re
from collections import Counter
from collections.abc import Sequence

from pincite_server.answering.markdown import escape_prose
from pincite_server.answering.material import Excerpt, Material
from pincite_server.answering.written.links import plain_emphasis, without_links
from pincite_server.answering.written.markers import Markers
from pincite_server.answering.written.units import WrittenUnit
from pincite_server.grounding.verdict import is_supported
from pincite_server.guards.chain import Claim, Draft, Finding, ValidationResult, must_fall_back
from pincite_server.guards.release import build_chain

__all__ = ("SentenceGate",)

_MOST_DROPPED = 6  # more than an answer has; a model that cites nothing by then will not begin to
_LIST_MARK = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+")
_QUOTE_MARK = re.compile(r"(?:>\s?)+")
_FENCE_LINE = re.compile(r"\s*(?:`{3,}|~{3,}).*")


class SentenceGate:
    """Judges one answer. Used by one thread after the other, never by two at once.

    Attributes:
        declined: The model said that the excerpts do not hold the answer, before anything was released.
        claims: What was released, as statements.
        released: The same as Markdown, one piece a unit.
        dropped: What was found in the units that were not.
        passed_over: What was found in units that were released all the same (guards set to warn).
        counts: How many sentences, markers and URLs were dropped, by counter's name.
    """

    def __init__(self, material: Material, excerpts: Sequence[Excerpt], markers: Markers) -> None:
        self.citer = material.citer()
        self.declined = False
        self.claims: list[Claim] = []
        self.released: list[str] = []
        self.dropped: list[Finding] = []
        self.passed_over: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self.context = tuple(excerpt.evidence for excerpt in excerpts)
        self._material = material
        self._excerpts = excerpts
        self._markers = markers
        self._chain = build_chain(material.situation.engine.policy)
        self._before: WrittenUnit | None = None

    @property
    def is_hopeless(self) -> bool:
        """Whether so much was dropped, and nothing released, that the reader need not wait for the rest."""
        return not self.released and self.counts["llm_dropped_sentences"] >= _MOST_DROPPED

    def admit(self, unit: WrittenUnit) -> str | None:
        """Return a unit as the Markdown to release, None when it is dropped."""
        text, cited = self._read(unit)
        if self.declined or not text:
            return None
        excerpts = [self._excerpts[number - 1] for number in cited]
        if unit.kind == "code" and not excerpts:
            excerpts = [excerpt for excerpt in self._excerpts if _holds_code(excerpt.text, text)][:1]
        claim = Claim(text, "\n".join(excerpt.evidence for excerpt in excerpts) or None)
        result = self._judge(claim, unit)
        numbers = () if self._drops(result) else self.citer.cite(text, excerpts)
        if self._drops(result) or (excerpts and not numbers):
            self.dropped.extend(result.findings)
            self.counts.update(["llm_dropped_sentences", *(f"llm_dropped_for_{one}" for one in result.reasons)])
            return None
        self.claims.append(claim)
        self.passed_over.extend(result.findings)
        self.released.append(self._render(unit, text, numbers))
        return self.released[-1]

    def _read(self, unit: WrittenUnit) -> tuple[str, tuple[int, ...]]:
        """Return a unit's own words and the excerpts it cites."""
        text, urls = unit.text, 0
        if unit.kind != "code":
            text, urls = without_links(plain_emphasis(text), "\n".join(self.context))
        marked = self._markers.read(text)
        self.counts["llm_dropped_urls"] += urls
        self.counts["llm_dropped_markers"] += marked.unknown
        self.declined = self.declined or (marked.declines and not self.claims)
        mark = _LIST_MARK if unit.kind == "item" else _QUOTE_MARK
        words = marked.text if unit.kind == "code" else mark.sub("", marked.text, count=1)
        readable = any(character.isalnum() for character in words) and self._markers.nonce not in words
        return (words.strip(), marked.excerpts) if readable else ("", ())

    def _judge(self, claim: Claim, unit: WrittenUnit) -> ValidationResult:
        """Return what is wrong with a claim: all validators, and whether its evidence supports it."""
        if not self._material.situation.engine.policy.validators_enabled:
            return ValidationResult(())
        found = list(self._chain.run(Draft("llm", (claim,), self.context)).findings)
        if claim.evidence is not None and not self._is_supported(claim.text, claim.evidence, unit):
            found.append(Finding("low_overlap", "hard"))
        return ValidationResult(tuple(found))

    def _is_supported(self, text: str, evidence: str, unit: WrittenUnit) -> bool:
        """Whether a sentence follows from its evidence; code must stand in it, line for line."""
        if unit.kind == "code":
            return _holds_code(evidence, text)
        situation = self._material.situation
        encode, mode = situation.engine.embedder.encode, self._material.grounding_mode
        return is_supported(evidence, situation.question.query, text, encode, mode)

    def _drops(self, result: ValidationResult) -> bool:
        return must_fall_back(result, self._material.situation.engine.policy.strictness)

    def _render(self, unit: WrittenUnit, text: str, numbers: Sequence[int]) -> str:
        before, self._before = self._before, unit
        marks = "".join(f"[{number}]" for number in numbers)
        gap = _gap(before, unit)
        if unit.kind == "code":
            return f"{gap}{text}\n{marks}".rstrip()
        bullet = "- " if unit.kind == "item" else ""
        return f"{gap}{bullet}{escape_prose(' '.join(text.split()))} {marks}".rstrip()


def _gap(before: WrittenUnit | None, unit: WrittenUnit) -> str:
    if before is None:
        return ""
    if before.kind == unit.kind == "item":
        return "\n"
    return " " if before.kind == unit.kind == "prose" and not unit.opens else "\n\n"


def _holds_code(evidence: str, block: str) -> bool:
    """Whether every line of a fenced block stands in the evidence, however it is indented."""
    held = " ".join(evidence.split())
    lines = (" ".join(line.split()) for line in block.splitlines() if not _FENCE_LINE.fullmatch(line))
    return all(line in held for line in lines)
