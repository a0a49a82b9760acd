"""Check the text of a language model, unit by unit, before a reader sees it.

A unit is a sentence, list item or code block. Its links and unknown markers are removed, and its claim is compared with
the excerpts that it cites. A proved unit is shown as it is, and an undecided one is marked as doubtful. A unit is
dropped if it is wrong, or if it rests only on instructions to the model.

A lead-in is shown only if a unit of its list or code block is shown. A statement that the docs do not cover something
needs no citation. It is shown before the first cited unit, and alone it is no answer.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pincite_core.quoting.prompt_injection import unaddressed
from pincite_core.strip_invisible import strip_invisible
from pincite_server.answering.generation import Excerpt, GenerationContext
from pincite_server.answering.markdown import escape_prose
from pincite_server.answering.written.links import plain_emphasis, without_links
from pincite_server.answering.written.markers import Markers
from pincite_server.answering.written.units import WrittenUnit
from pincite_server.grounding.absence import absent_topic, said_beside_absence, states_absence, where_stated
from pincite_server.grounding.claims import ClaimVerdict, Proof, judge_claim
from pincite_server.grounding.evidence import Evidence, leads_in
from pincite_server.grounding.keyword_overlap import validate_response_in_context
from pincite_server.grounding.nearness import Nearness
from pincite_server.grounding.stems import asserted_stems
from pincite_server.guards.chain import Claim, ConfidenceValidator, Draft, Finding, ValidationResult, must_fall_back
from pincite_server.reply.records import CheckReason, ShownClaim, Support

__all__ = ("Gate", "JudgedUnit")

_MOST_DROPPED = 6  # dropped units; a model without a valid citation by then will not write one
_NEAREST = 2  # excerpts to check a sentence without a marker against; it may summarise both
_FEWEST_WORDS = 2  # words of a sentence that lost a URL; "See ." says nothing
_WORD = re.compile(r"\w+")
_STEP = re.compile(r"\s*(\d{1,3})[.)]\s")
_LIST_MARK = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")
_QUOTE_MARK = re.compile(r"\s*(?:>\s?)+")
_FENCE_LINE = re.compile(r"\s*(?:`{3,}|~{3,}).*")
_LINK_MARK = re.compile(r" ?\(→ (\d{1,3})\)")
# Every other unsupported claim is `low_overlap`: the cited text does not support it.
_REASONS: dict[str, CheckReason] = {"number": "unsupported_number"}


@dataclass(frozen=True, slots=True)
class JudgedUnit:
    """A unit with its verdict.

    Attributes:
        unit: The unit as the model wrote it.
        text: Its words, without links and markers.
        cited: The positions of the excerpts that it rests on. If `is_absent`, those that seem to cover the topic.
        verdict: Whether these excerpts prove it.
        findings: The findings of the checks.
        translated: Its translation; "" to show its own words.
        is_absent: Whether the unit only says that the docs do not cover something.
    """

    unit: WrittenUnit
    text: str
    cited: tuple[int, ...]
    verdict: ClaimVerdict
    findings: tuple[Finding, ...]
    translated: str = ""
    is_absent: bool = False

    @property
    def shown(self) -> str:
        """The words that the reader sees."""
        return self.translated or self.text

    @property
    def announces(self) -> bool:
        """Whether the unit is a lead-in to a list or a code block."""
        return self.unit.kind != "code" and leads_in(self.text)

    def settled(self, supported: bool) -> "JudgedUnit":
        """Return the unit after its second check by the model."""
        if supported:
            return replace(self, verdict=replace(self.verdict, proof="verified"), findings=())
        return replace(self, findings=(*self.findings, Finding("not_confirmed", "hard", self.text)))


class Gate:
    """Checks one answer. It may be used by several threads, but not at the same time.

    Units are judged as they arrive (`judge`), and shown or dropped in the same order (`release`). In between, a second
    check by the model may decide doubtful units.

    Attributes:
        declined: Whether the model said, before anything was released, that the excerpts do not hold the answer.
        claims: The released statements, each with its support.
        written: The words of these statements in the docs' language, as they were checked.
        released: The Markdown of these statements, one piece for each unit.
        dropped: The findings in units that were dropped.
        passed_over: The findings in units that were released nevertheless (guards set to warn).
        counts: The numbers of dropped sentences, markers and URLs, by counter name.
    """

    def __init__(self, context: GenerationContext, excerpts: Sequence[Excerpt], markers: Markers) -> None:
        self.citer = context.citer()
        self.declined = False
        self.claims: list[ShownClaim] = []
        self.written: list[str] = []
        self.released: list[str] = []
        self.dropped: list[Finding] = []
        self.passed_over: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self._context = context
        self._excerpts = [replace(excerpt, text=unaddressed(_LINK_MARK.sub("", excerpt.text))) for excerpt in excerpts]
        self._places = {excerpt.number: place for place, excerpt in enumerate(excerpts)}
        self._quoted = tuple(place for place, excerpt in enumerate(excerpts) if excerpt.is_quoted)
        self.excerpt_texts = tuple(self._excerpts[place].evidence for place in self._quoted)
        self._markers = markers
        self._policy = context.resolved.answerer.policy
        self._question = unaddressed(context.resolved.question.query) or context.resolved.question.query
        self._locale = context.resolved.scope.locale
        self._before: WrittenUnit | None = None
        self._leads: list[JudgedUnit] = []
        self._absent: list[JudgedUnit] = []  # held back until a cited unit follows
        self._orphans = False

    @property
    def checks(self) -> bool:
        """Whether units are judged at all. If not, all units are shown, and none is called verified."""
        return self._policy.validators_enabled

    @property
    def is_hopeless(self) -> bool:
        """Whether six sentences were dropped and none was released, so that the reader need not wait for the rest."""
        return not self.released and self.counts["llm_dropped_sentences"] >= _MOST_DROPPED

    def judge(self, unit: WrittenUnit) -> JudgedUnit | None:
        """Return a unit with its verdict; None for a unit without words, or after the model has declined."""
        read = self._read(unit)
        if self.declined or not read.text:
            return None
        if unit.kind == "code":
            return self._with_findings(JudgedUnit(unit, read.text, *self._code(read.text, read.cited), ()))
        claim = read.text
        if states_absence(read.text, self._locale, declared=read.declares_absence):
            beside = said_beside_absence(read.text, self._locale)
            if not (beside and read.cited):
                return JudgedUnit(unit, read.text, *self._absence(read.text), (), is_absent=True)
            claim = beside
        if not self.checks:
            return JudgedUnit(unit, read.text, read.cited, ClaimVerdict("verified", (), ""), ())
        return self._with_findings(JudgedUnit(unit, read.text, *self._claim(claim, read.cited, read.strange), ()))

    def release(self, judged: JudgedUnit) -> tuple[str, ...]:
        """Return the Markdown to release: a unit with its lead-in, or nothing."""
        if judged.unit.kind == "prose":
            self._drop_leads()
            self._orphans = False
        if self.drops(judged) or (self._orphans and judged.unit.kind != "prose"):
            self._orphans = self._orphans or judged.announces
            self._drop(judged.findings)
            return ()
        if judged.is_absent and not self.released:
            self._absent.append(judged)
            return ()
        if judged.announces:
            self._leads.append(judged)
            return ()
        first = len(self.released)
        for one in (*self._absent, *self._leads, judged):
            self._show(one)
        self._absent.clear()
        self._leads.clear()
        return tuple(self.released[first:])

    def drops(self, judged: JudgedUnit) -> bool:
        """Whether the findings in a unit are a reason to drop it."""
        return must_fall_back(ValidationResult(judged.findings), self._policy.strictness)

    def finish(self) -> None:
        """Drop lead-ins without content; decline if the model only said what the docs do not cover."""
        self._drop_leads()
        self.declined = self.declined or bool(self._absent)
        self._absent.clear()

    def evidence_of(self, units: Sequence[JudgedUnit]) -> tuple[str, ...]:
        """Return the distinct excerpts that some units cite; for a unit without citations, the nearest excerpts."""
        places = {place for unit in units for place in unit.cited or self._nearest_places(unit.text)}
        return tuple(self._excerpts[place].evidence for place in sorted(places & {*self._quoted} or places))

    def _nearest_places(self, text: str) -> tuple[int, ...]:
        """Return the excerpts that together contain most of a text's words. Each adds words that the others lack."""
        left, found = {*asserted_stems(text, self._locale)}, list[int]()
        while left and len(found) < _NEAREST:
            best = max(self._quoted, key=lambda place: len(left & self._evidence[place].held))
            if not left & self._evidence[best].held:
                break
            found.append(best)
            left -= self._evidence[best].held
        return tuple(found)

    @cached_property
    def _evidence(self) -> tuple[Evidence, ...]:
        return tuple(Evidence.of(excerpt.title, excerpt.text, self._locale) for excerpt in self._excerpts)

    @cached_property
    def _shown(self) -> Evidence:
        return Evidence.joined([self._evidence[place] for place in self._quoted])

    @cached_property
    def _nearness(self) -> Nearness | None:
        return Nearness.measured(self._context.resolved.answerer.embedder, self._question, self._locale)

    def _read(self, unit: WrittenUnit) -> "_ReadUnit":
        """Return a unit's own words and the information in its markers."""
        text, urls = strip_invisible(unit.text), 0
        if unit.kind != "code":
            text, urls = without_links(plain_emphasis(text), "\n".join(self.excerpt_texts))
            text = _LINK_MARK.sub(lambda link: f" {self._markers.marker(int(link[1]))}", text)
        marked = self._markers.read(text)
        words = marked.text
        if unit.kind != "code":
            mark = (_LIST_MARK if unit.kind == "item" else _QUOTE_MARK).match(words)
            words = words[mark.end() :] if mark else words
        cited = tuple(self._places[number] for number in marked.excerpts if number in self._places)
        unknown = marked.unknown + len(marked.excerpts) - len(cited)
        self.counts["llm_dropped_urls"] += urls
        self.counts["llm_dropped_markers"] += unknown
        emptied = urls > 0 and len(_WORD.findall(words)) < _FEWEST_WORDS
        readable = not emptied and any(character.isalnum() for character in words) and self._markers.nonce not in words
        words = words.strip() if readable else ""
        self.declined = self.declined or (marked.declines and not words and not self.claims and not self._absent)
        return _ReadUnit(words, cited, bool(unknown) and not cited, marked.declines)

    def _with_findings(self, judged: JudgedUnit) -> JudgedUnit:
        return replace(judged, findings=self._findings(judged)) if self.checks else judged

    def _absence(self, text: str) -> tuple[tuple[int, ...], ClaimVerdict]:
        """Judge a statement that the docs do not cover a topic; it is doubtful if an excerpt seems to cover it."""
        topic = absent_topic(text, self._locale) if self.checks else frozenset[str]()
        stating = tuple(place for place in self._quoted if where_stated(topic, self._evidence[place]))
        return stating, ClaimVerdict("doubtful" if stating else "verified", (), "")

    def _code(self, block: str, cited: tuple[int, ...]) -> tuple[tuple[int, ...], ClaimVerdict]:
        """Judge a code block; each of its lines must be in one excerpt, regardless of indentation."""
        lines = [" ".join(line.split()) for line in block.splitlines() if not _FENCE_LINE.fullmatch(line)]
        texts = {place: " ".join(self._excerpts[place].text.split()) for place in self._quoted}
        holders = [place for place, text in texts.items() if all(line in text for line in lines)]
        own = tuple(place for place in cited if place in holders) or tuple(holders[:1])
        return own or cited, ClaimVerdict("verified" if own else "unsupported", (), block)

    def _claim(self, text: str, cited: tuple[int, ...], strange: bool) -> tuple[tuple[int, ...], ClaimVerdict]:
        """Judge a sentence or item, and correct its citation if another excerpt proves it.

        A missing citation is added, with the two nearest excerpts if one does not suffice. A marker that names no
        excerpt is not corrected, because text in the docs may have asked for it.
        """
        if self._context.grounding_mode == "adr-003":
            evidence = "\n".join(self._excerpts[place].evidence for place in cited)
            encode = self._context.resolved.answerer.embedder.encode
            proof: Proof = "verified"
            if not validate_response_in_context(text, evidence, encode).passed:
                proof = "unsupported"
            return cited, ClaimVerdict(proof, (), self._judged(text, cited).quote if cited else "")
        first = self._judged(text, cited or self._quoted)
        if first.proof == "unsupported" or strange or leads_in(text) or (cited and first.proof == "verified"):
            return cited, first
        for place in (place for place in self._quoted if place not in cited):
            if (verdict := self._judged(text, (place,))).proof == "verified":
                return (place,), verdict
        nearest = self._nearest_places(text)
        if not cited and first.proof == "verified" and self._judged(text, nearest).proof == "verified":
            return nearest, first
        return cited, first

    def _judged(self, text: str, places: Sequence[int]) -> ClaimVerdict:
        cited = Evidence.joined([self._evidence[place] for place in places])
        return judge_claim(text, cited, self._shown, self._question, self._nearness)

    def _findings(self, judged: JudgedUnit) -> tuple[Finding, ...]:
        found: list[Finding] = []
        if not judged.cited and not judged.announces:
            found.append(Finding("missing_citation", "hard", judged.text))
        if judged.verdict.proof == "unsupported":
            reason = _REASONS.get(judged.verdict.doubts[0], "low_overlap") if judged.verdict.doubts else "low_overlap"
            found.append(Finding(reason, "hard", judged.text))
        elif judged.verdict.proof == "doubtful":
            found.append(Finding("doubtful", "soft", judged.text))
        found.extend(
            ConfidenceValidator().check(Draft("llm", (Claim(judged.text, None),), self.excerpt_texts, self._locale))
        )
        return tuple(found)

    def _drop(self, findings: Sequence[Finding]) -> None:
        result = ValidationResult(tuple(findings) or (Finding("stands_alone", "hard"),))
        self.dropped.extend(result.findings)
        self.counts.update(["llm_dropped_sentences", *(f"llm_dropped_for_{one}" for one in result.reasons)])

    def _drop_leads(self) -> None:
        for _ in self._leads:
            self._drop((Finding("announces_nothing", "hard"),))
        self._leads.clear()

    def _show(self, judged: JudgedUnit) -> None:
        cited = [] if judged.is_absent else [self._excerpts[place] for place in judged.cited]
        numbers = self.citer.cite(judged.text, cited)
        if cited and not numbers:  # the answer has too many places
            self._drop((Finding("missing_citation", "hard", judged.text),))
            return
        doubtful = judged.verdict.proof == "doubtful" and self._policy.strictness == "hybrid"
        self.passed_over.extend(one for one in judged.findings if one.reason != "doubtful")
        proved: Support = "absent" if judged.is_absent else "verified"
        support: Support = proved if judged.verdict.proof == "verified" and self.checks else "doubtful"
        quote = judged.verdict.quote if cited else ""
        first = sum(len(claim.markers) for claim in self.claims)
        markers = tuple(range(first, first + len(numbers)))
        self.claims.append(ShownClaim(judged.shown, support, numbers, quote.replace("`", ""), markers=markers))
        self.written.append(judged.text)
        self.counts["llm_translated_sentences"] += bool(judged.translated)
        self.counts["llm_doubtful_sentences"] += doubtful
        self.released.append(self._render(judged, numbers, doubtful=doubtful))

    def _render(self, judged: JudgedUnit, numbers: Sequence[int], *, doubtful: bool) -> str:
        before, self._before, unit = self._before, judged.unit, judged.unit
        marks = "".join(f"[{number}]" for number in numbers)
        gap = _gap(before, unit)
        if unit.kind == "code":
            return f"{gap}{judged.text}\n{marks}".rstrip()
        doubt = f" *({self._context.resolved.say('not_fully_proved')})*" if doubtful else ""
        step = _STEP.match(unit.text)  # a numbered step keeps its number, to show the order
        mark = "" if unit.kind != "item" else f"{step.group(1)}. " if step else "- "
        return f"{gap}{mark}{escape_prose(' '.join(judged.shown.split()))} {marks}".rstrip() + doubt


@dataclass(frozen=True, slots=True)
class _ReadUnit:
    """A unit as it was read.

    Attributes:
        text: Its words.
        cited: The positions of the excerpts that it cites.
        strange: Whether it has markers, and all of them name no excerpt.
        declares_absence: Whether a marker says that the docs do not cover something.
    """

    text: str
    cited: tuple[int, ...]
    strange: bool
    declares_absence: bool


def _gap(before: WrittenUnit | None, unit: WrittenUnit) -> str:
    if before is None:
        return ""
    if before.kind == unit.kind == "item":
        return "\n"
    return " " if before.kind == unit.kind == "prose" and not unit.opens else "\n\n"
