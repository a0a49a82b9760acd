"""Statements that have the docs' words and turn them: negated, exchanged, put in the opposite, or said too strongly.

A claim is compared clause by clause with the sentences that are nearest to it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pincite_core.phrasing import bounded, phrasing
from pincite_core.phrasing.table import Claims
from pincite_core.search.languages import is_paired, primary
from pincite_core.search.terms import terms
from pincite_server.grounding.evidence import leads_in, plain_text
from pincite_server.grounding.opposites import denied_beside, opposites_of
from pincite_server.grounding.stems import all_stems, asserted_stems, respelled

__all__ = ("Nearest", "contrasts", "exchanges", "negation_differs", "overstates")

_SAME_WORD = 5  # letters by which two of them are the same
_ALIGNED = 0.3  # share of a clause's stems from which a clause of the docs is the one it is taken from ...
_CLOSE = 0.4  # ... from which a sentence that denies a word of a claim is about the claim ...
_SURELY_ALIGNED = 0.5  # ... and from which it would have said that something is not so
_REACH = 2  # words that a negation turns round
_LETTERS = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"`[^`]+`|[\w$./@-]*\w")


@dataclass(frozen=True, slots=True)
class _Said:
    """What a language's table says of claims, as texts are compared by it."""

    language: str
    words: Claims
    clause_end: re.Pattern[str]
    part_end: re.Pattern[str]
    as_strong: tuple[tuple[str, ...], ...]
    opposites: Mapping[str, frozenset[str]]

    def negations(self, text: str) -> int:
        """Return how often a text negates."""
        return len(self.words.not_.words_in(text))

    def stem(self, word: str) -> str:
        """Return what a word is compared by."""
        return next(iter(terms(word, self.language)), word)


@cache
def _said(language: str) -> _Said:
    words = phrasing(language).claims
    pairs = (*words.opposites.both, *words.opposites.claims)
    return _Said(
        language=language,
        words=words,
        clause_end=re.compile(rf"[,;:()，、；：（）。،؛]|\s(?:{_any(words.clause_ends)})\s", re.IGNORECASE),
        part_end=re.compile(
            rf"[;:；：؛]|[,，،]?\s(?:{_any(words.part_ends)})\s|[,，、،](?:\s(?:{_any(words.then_ends)})\s)?",
            re.IGNORECASE,
        ),
        as_strong=tuple(tuple(group.split("|")) for group in words.as_strong),
        opposites=opposites_of(pairs, language),
    )


def _any(alternatives: Sequence[str]) -> str:
    return "|".join(alternatives) or "(?!)"


Held = tuple[frozenset[str], str]
"""What a stretch of the docs holds: its tokens and stems, and its text on one line."""
Pool = Sequence[tuple[str, Held]]


@dataclass(frozen=True, slots=True)
class Nearest:
    """What a claim is compared with: the sentences that say it, those around them, the headings above."""

    sentences: tuple[str, ...]
    around: tuple[str, ...]
    headings: tuple[str, ...]
    held: frozenset[str]
    language: str = "en"

    @property
    def text(self) -> str:
        """The nearest sentences."""
        return "\n".join(self.sentences)

    @property
    def headed(self) -> str:
        """The nearest sentences with their headings."""
        return "\n".join((*self.sentences, *self.headings))

    @property
    def wider(self) -> str:
        """The nearest sentences with those around them and their headings."""
        return "\n".join((*self.around, *self.headings))


def negation_differs(claim: str, near: Nearest) -> bool:
    """Whether a clause is negated where the docs' clause is not, or the reverse, and nothing near makes up for it."""
    said = _said(near.language)
    return (
        _denies_the_other(claim, near, said)
        or _affirms_the_denied(claim, near, said)
        or any(_turned(clause, claim, near, said) for clause in _clauses(claim, said))
    )


def contrasts(claim: str, near: Nearest) -> bool:
    """Whether a clause has a word where the docs' clause has its opposite: *after* for *before*."""
    said = _said(near.language)
    theirs = _split(near.sentences, said)
    for clause in _clauses(claim, said):
        best = _best(_stems(clause, near), theirs, said)
        ours = _words(clause, said)
        if best is not None and any(_is_opposite(word, ours, _words(best[0], said), said) for word in ours):
            return True
    return False


def overstates(claim: str, near: Nearest) -> bool:
    """Whether a claim has a word such as *always* or *must* for which the docs have nothing as strong."""
    said = _said(near.language)
    if not said.words.strong.found_in(claim):
        return False
    theirs = _split(near.sentences, said)
    return _is_stronger(claim, near.headed, said) or any(
        _is_stronger(clause, "\n".join((best[1], *near.headings)), said)
        for clause in _clauses(claim, said)
        if (best := _best(_stems(clause, near), theirs, said)) is not None
    )


def exchanges(claim: str, near: Nearest) -> bool:
    """Whether two parts of a claim each have what the docs say of the other: "A reads and B writes" for the reverse."""
    said = _said(near.language)
    parts = [(part, _tokens(part, said)) for part in _parts(claim, said)]
    if len(parts) < 2 or not near.around:
        return False
    prose = [sentence for sentence in near.around if "\n" not in sentence]  # a listing names everything at once
    whole = [(sentence, _held_by(sentence, said)) for sentence in prose]
    inside = [(part, _held_by(part, said)) for sentence in prose for part in _parts(sentence, said)]
    return any(
        _exchanged(one, other, pool)
        for pool in (whole, inside)
        if len(pool) > 1
        for place, (_, one) in enumerate(parts)
        for _, other in parts[place + 1 :]
    )


def _denies_the_other(claim: str, near: Nearest, said: _Said) -> bool:
    """Whether a claim denies what a sentence affirms, and affirms what it denies: "A and not B" for "B and not A"."""
    ours, asserted = _denied(claim, said), frozenset(asserted_stems(claim, said.language))
    for sentence in near.sentences:
        theirs = _denied(sentence, said)
        if (
            ours
            and theirs
            and ours.isdisjoint(theirs)
            and theirs <= asserted
            and ours <= frozenset(all_stems(sentence, said.language))
        ):
            return True
    return False


def _affirms_the_denied(claim: str, near: Nearest, said: _Said) -> bool:
    """Whether a claim without a negation has a word that one of the two nearest sentences denies and says just once."""
    if said.negations(claim) or leads_in(claim):
        return False
    ours = _stems(claim, near)
    for sentence in (one for one in near.sentences[:2] if "\n" not in one):
        asserted = asserted_stems(sentence, said.language)
        alike = len(ours.intersection(asserted)) >= _CLOSE * len(ours)
        if alike and any(asserted.count(stem) == 1 for stem in _denied(sentence, said) & ours):
            return True
    return False


def _is_stronger(text: str, told: str, said: _Said) -> bool:
    strong = {word.lower() for word in said.words.strong.words_in(text)}
    return any(not _has(word, told, said) and not _as_strong(word, told, said) for word in strong)


def _turned(clause: str, claim: str, near: Nearest, said: _Said) -> bool:
    negated = said.negations(clause) % 2 == 1
    wanted = _stems(clause, near)
    best = _best(wanted, _split(near.sentences, said), said) or _best(wanted, _split(near.around, said), said)
    if best is None:
        known = said.words.not_.found_in(near.wider) or said.words.nearly_not.found_in(near.text)
        return negated and not known
    told, sentence, share = best
    if negated == (said.negations(told) % 2 == 1):
        return False
    ours, others = said.negations(claim), said.negations(sentence)
    if negated:
        told_of = _denied(sentence, said) & _stems(claim, near)  # what the docs deny of the same things
        denied = _denied(clause, said) & frozenset().union(*(_denied(sentence, said) for sentence in near.around))
        nearly = _nearly_not(told, said) - _nearly_not(clause, said)
        return not denied and not (told_of and ours <= others) and not nearly
    return (
        share >= _SURELY_ALIGNED
        and (not ours or (others - ours) % 2 == 1)
        and not _nearly_not(clause, said) - _nearly_not(told, said)
    )


def _best(wanted: frozenset[str], theirs: Sequence[tuple[str, str]], said: _Said) -> tuple[str, str, float] | None:
    """Return the docs' clause that has most of some stems, with its sentence and their share; None when few are had."""
    if len(wanted) < 2 or not theirs:
        return None

    def share(clause: str) -> float:
        stems = frozenset(all_stems(clause, said.language))
        return len(wanted & stems) / len(wanted) - 0.005 * len(stems)

    scored = [(share(clause), clause, sentence) for clause, sentence in theirs]
    best = max(scored, key=lambda one: one[0])
    return (best[1], best[2], best[0]) if best[0] >= _ALIGNED else None


def _split(sentences: Sequence[str], said: _Said) -> list[tuple[str, str]]:
    """Return the clauses of some sentences, each with its sentence."""
    return [(clause, sentence) for sentence in sentences for clause in _clauses(sentence, said)]


def _clauses(text: str, said: _Said) -> list[str]:
    return [clause for clause in said.clause_end.split(text) if clause.strip()]


def _stems(clause: str, near: Nearest) -> frozenset[str]:
    return frozenset(respelled(stem, near.held) for stem in asserted_stems(clause, near.language))


def _denied(text: str, said: _Said) -> frozenset[str]:
    """Return the stems of what is said not to be so."""
    beside = denied_beside(text, said.words.not_, said.language)
    return frozenset(stem for words in beside for stem in asserted_stems(words, said.language)[:_REACH])


def _nearly_not(text: str, said: _Said) -> set[str]:
    return {word.lower()[:_SAME_WORD] for word in said.words.nearly_not.words_in(text)}


def _words(text: str, said: _Said) -> set[str]:
    """Return the words that may have opposites, by their stems; where blanks do not part words, all pairs of signs."""
    runs = _LETTERS.findall(text.lower())
    if is_paired(primary(said.language)):
        return {term for run in runs for term in terms(run, said.language)}
    return {said.stem(run) for run in runs}


def _is_opposite(word: str, ours: set[str], theirs: set[str], said: _Said) -> bool:
    others = said.opposites.get(word, frozenset())
    return word not in theirs and bool(others & theirs) and not others & ours


def _has(word: str, text: str, said: _Said) -> bool:
    bounds = phrasing(said.language).bounds
    return re.search(bounded((re.escape(word),), bounds), text, re.IGNORECASE) is not None


def _as_strong(word: str, text: str, said: _Said) -> bool:
    return any(_has(other, text, said) for words in said.as_strong if word in words for other in words)


def _parts(text: str, said: _Said) -> list[str]:
    """Return the parts of a sentence that may each say something of their own."""
    parts: list[str] = []
    for part in said.part_end.split(text):
        if not part.strip():
            continue
        if parts and len(_tokens(parts[-1], said)) < 2:
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    if len(parts) > 1 and len(_tokens(parts[-1], said)) < 2:
        last = parts.pop()
        parts[-1] += f" {last}"
    return parts


def _tokens(text: str, said: _Said) -> frozenset[str]:
    """Return what a text is about: pieces of code as they are, asserted words and opposites by their stems."""
    asserted = set(asserted_stems(text, said.language))
    found = (_token(match.group(), said) for match in _TOKEN.finditer(text))
    return frozenset(token for token in found if token.startswith("`") or token in asserted or token in said.opposites)


def _token(word: str, said: _Said) -> str:
    if word.startswith("`"):
        return "`" + plain_text(word).strip(".()")
    return next(iter(all_stems(word, said.language)), "")


def _held_by(text: str, said: _Said) -> Held:
    tokens = frozenset(_token(match.group(), said) for match in _TOKEN.finditer(text))
    return tokens | frozenset(all_stems(text, said.language)), plain_text(text)


def _exchanged(one: frozenset[str], other: frozenset[str], pool: Pool) -> bool:
    one, other = (frozenset(token for token in part if _any_holds(pool, token)) for part in (one, other))
    if any(all(_holds(held, token) for token in one | other) for _, held in pool):
        return False
    first, second = _nearest_two(one, other, pool)
    lost = any(not _holds(first, token) and _holds(second, token) for token in one - other)
    return lost and any(not _holds(second, token) and _holds(first, token) for token in other - one)


def _any_holds(pool: Pool, token: str) -> bool:
    return any(_holds(held, token) for _, held in pool)


def _nearest_two(one: frozenset[str], other: frozenset[str], pool: Pool) -> tuple[Held, Held]:
    """Return the two different places that two parts are likest to, one each."""

    def likeness(wanted: frozenset[str], held: Held) -> float:
        return sum(_holds(held, token) for token in wanted) - 0.01 * len(held[0])

    ones = [likeness(one, held) for _, held in pool]
    others = [likeness(other, held) for _, held in pool]
    pairs = ((ones[a] + others[b], a, b) for a in range(len(pool)) for b in range(len(pool)) if a != b)
    _, first, second = max(pairs)
    return pool[first][1], pool[second][1]


def _holds(held: Held, token: str) -> bool:
    tokens, text = held
    if token in tokens:
        return True
    if token.startswith("`"):
        return re.search(rf"(?<![\w$]){re.escape(token[1:])}(?![\w$])", text) is not None
    return respelled(token, tokens) in tokens
