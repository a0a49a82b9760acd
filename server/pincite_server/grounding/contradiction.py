"""Contradiction detection: finds claims that negate, exchange, reverse or overstate a statement of the docs.

A claim is compared clause by clause with the nearest sentences of the docs.
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

_SAME_WORD = 5  # two words count as equal if these first letters are equal
# Least share of a clause's stems in the docs' text:
_ALIGNED = 0.3  # to align the clause with a clause of the docs
_CLOSE = 0.4  # to relate a claim to a sentence that negates one of its words
_SURELY_ALIGNED = 0.5  # to expect a negation of the docs in the claim as well
_REACH = 2  # words in the scope of a negation
_LETTERS = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"`[^`]+`|[\w$./@-]*\w")


@dataclass(frozen=True, slots=True)
class _Rules:
    """A language's rules for claims, compiled for comparison."""

    language: str
    words: Claims
    clause_end: re.Pattern[str]
    part_end: re.Pattern[str]
    as_strong: tuple[tuple[str, ...], ...]
    opposites: Mapping[str, frozenset[str]]

    def negations(self, text: str) -> int:
        return len(self.words.not_.words_in(text))


@cache
def _rules_of(language: str) -> _Rules:
    words = phrasing(language).claims
    pairs = (*words.opposites.both, *words.opposites.claims)
    return _Rules(
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
"""The tokens and stems of a part of the docs, and its plain text on one line."""
Pool = Sequence[tuple[str, Held]]


@dataclass(frozen=True, slots=True)
class Nearest:
    """The source text nearest to a claim: its nearest sentences, the sentences around them, and the headings."""

    sentences: tuple[str, ...]
    around: tuple[str, ...]
    headings: tuple[str, ...]
    held: frozenset[str]
    language: str = "en"

    @property
    def text(self) -> str:
        """The sentences nearest to the claim, one a line."""
        return "\n".join(self.sentences)

    @property
    def wider(self) -> str:
        """Return the nearest sentences, the sentences around them, and the headings."""
        return "\n".join((*self.around, *self.headings))


def negation_differs(claim: str, near: Nearest) -> bool:
    """Return whether the negations of a claim and of the docs differ, and no nearby text explains the difference."""
    rules = _rules_of(near.language)
    return (
        _denies_the_other(claim, near, rules)
        or _affirms_the_denied(claim, near, rules)
        or any(_turned(clause, claim, near, rules) for clause in _clauses(claim, rules))
    )


def contrasts(claim: str, near: Nearest) -> bool:
    """Return whether a clause has the opposite of a word in the docs' clause: *after* for *before*."""
    rules = _rules_of(near.language)
    theirs = _split(near.sentences, rules)
    for clause in _clauses(claim, rules):
        best = _best(_stems(clause, near), theirs, rules)
        if best is None:
            continue
        ours, told = _words(clause, rules), _words(best[0], rules)
        opposites = {word: rules.opposites.get(word, frozenset()) for word in ours - told}
        if any(others & told and not others & ours for others in opposites.values()):
            return True
    return False


def overstates(claim: str, near: Nearest) -> bool:
    """Return whether a claim has a word such as *always* or *must*, and the docs have no word as strong."""
    rules = _rules_of(near.language)
    if not rules.words.strong.found_in(claim):
        return False
    theirs = _split(near.sentences, rules)
    return _is_stronger(claim, "\n".join((*near.sentences, *near.headings)), rules) or any(
        _is_stronger(clause, "\n".join((best[1], *near.headings)), rules)
        for clause in _clauses(claim, rules)
        if (best := _best(_stems(clause, near), theirs, rules)) is not None
    )


def exchanges(claim: str, near: Nearest) -> bool:
    """Return whether a claim swaps the content of two parts: "A reads and B writes" for "B reads and A writes"."""
    rules = _rules_of(near.language)
    parts = [(part, _tokens(part, rules)) for part in _parts(claim, rules)]
    if len(parts) < 2 or not near.around:
        return False
    prose = [sentence for sentence in near.around if "\n" not in sentence]  # a code listing contains all names
    whole = [(sentence, _held_by(sentence, rules)) for sentence in prose]
    inside = [(part, _held_by(part, rules)) for sentence in prose for part in _parts(sentence, rules)]
    return any(
        _exchanged(one, other, pool)
        for pool in (whole, inside)
        if len(pool) > 1
        for place, (_, one) in enumerate(parts)
        for _, other in parts[place + 1 :]
    )


def _denies_the_other(claim: str, near: Nearest, rules: _Rules) -> bool:
    """Return whether a claim and a sentence negate each other's words: "A and not B" for "B and not A"."""
    ours, asserted = _denied(claim, rules), frozenset(asserted_stems(claim, rules.language))
    return bool(ours) and any(
        ours.isdisjoint(theirs) and theirs <= asserted and ours.issubset(all_stems(sentence, rules.language))
        for sentence in near.sentences
        if (theirs := _denied(sentence, rules))
    )


def _affirms_the_denied(claim: str, near: Nearest, rules: _Rules) -> bool:
    """Return whether a claim without negation affirms a word that one of the two nearest sentences only negates."""
    if rules.negations(claim) or leads_in(claim):
        return False
    ours = _stems(claim, near)
    for sentence in (one for one in near.sentences[:2] if "\n" not in one):
        asserted = asserted_stems(sentence, rules.language)
        alike = len(ours.intersection(asserted)) >= _CLOSE * len(ours)
        if alike and any(asserted.count(stem) == 1 for stem in _denied(sentence, rules) & ours):
            return True
    return False


def _is_stronger(text: str, told: str, rules: _Rules) -> bool:
    strong = {word.lower() for word in rules.words.strong.words_in(text)}
    groups = {word: {word}.union(*(group for group in rules.as_strong if word in group)) for word in strong}
    return any(not any(_has(one, told, rules) for one in group) for group in groups.values())


def _turned(clause: str, claim: str, near: Nearest, rules: _Rules) -> bool:
    negated = rules.negations(clause) % 2 == 1
    wanted = _stems(clause, near)
    best = _best(wanted, _split(near.sentences, rules), rules) or _best(wanted, _split(near.around, rules), rules)
    if best is None:
        known = rules.words.not_.found_in(near.wider) or rules.words.nearly_not.found_in(near.text)
        return negated and not known
    told, sentence, share = best
    if negated == (rules.negations(told) % 2 == 1):
        return False
    ours, others = rules.negations(claim), rules.negations(sentence)
    if negated:
        told_of = _denied(sentence, rules) & _stems(claim, near)  # words of the claim that the docs negate
        denied = _denied(clause, rules) & frozenset().union(*(_denied(sentence, rules) for sentence in near.around))
        nearly = _nearly_not(told, rules) - _nearly_not(clause, rules)
        return not denied and not (told_of and ours <= others) and not nearly
    return (
        share >= _SURELY_ALIGNED
        and (not ours or (others - ours) % 2 == 1)
        and not _nearly_not(clause, rules) - _nearly_not(told, rules)
    )


def _best(wanted: frozenset[str], theirs: Sequence[tuple[str, str]], rules: _Rules) -> tuple[str, str, float] | None:
    """Return the docs' clause with the most wanted stems, its sentence and the share; None if the share is low."""
    if len(wanted) < 2 or not theirs:
        return None

    def share(clause: str) -> float:
        stems = frozenset(all_stems(clause, rules.language))
        return len(wanted & stems) / len(wanted) - 0.005 * len(stems)

    scored = [(share(clause), clause, sentence) for clause, sentence in theirs]
    best = max(scored, key=lambda one: one[0])
    return (best[1], best[2], best[0]) if best[0] >= _ALIGNED else None


def _split(sentences: Sequence[str], rules: _Rules) -> list[tuple[str, str]]:
    return [(clause, sentence) for sentence in sentences for clause in _clauses(sentence, rules)]


def _clauses(text: str, rules: _Rules) -> list[str]:
    return [clause for clause in rules.clause_end.split(text) if clause.strip()]


def _stems(clause: str, near: Nearest) -> frozenset[str]:
    return frozenset(respelled(stem, near.held) for stem in asserted_stems(clause, near.language))


def _denied(text: str, rules: _Rules) -> frozenset[str]:
    """Return the stems in the scope of a text's negations."""
    beside = denied_beside(text, rules.words.not_, rules.language)
    return frozenset(stem for words in beside for stem in asserted_stems(words, rules.language)[:_REACH])


def _nearly_not(text: str, rules: _Rules) -> set[str]:
    return {word.lower()[:_SAME_WORD] for word in rules.words.nearly_not.words_in(text)}


def _words(text: str, rules: _Rules) -> set[str]:
    """Return the stems of all words, for a lookup of opposites; bigrams for scripts without spaces."""
    runs = _LETTERS.findall(text.lower())
    if is_paired(primary(rules.language)):
        return {term for run in runs for term in terms(run, rules.language)}
    return {next(iter(terms(run, rules.language)), run) for run in runs}


def _has(word: str, text: str, rules: _Rules) -> bool:
    bounds = phrasing(rules.language).bounds
    return re.search(bounded((re.escape(word),), bounds), text, re.IGNORECASE) is not None


def _parts(text: str, rules: _Rules) -> list[str]:
    """Split a sentence into parts that may make separate statements; each part has at least two tokens."""
    parts: list[str] = []
    for part in rules.part_end.split(text):
        if not part.strip():
            continue
        if parts and len(_tokens(parts[-1], rules)) < 2:
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    if len(parts) > 1 and len(_tokens(parts[-1], rules)) < 2:
        last = parts.pop()
        parts[-1] += f" {last}"
    return parts


def _tokens(text: str, rules: _Rules) -> frozenset[str]:
    """Return the content tokens of a text: code spans unchanged, and the stems of content words and opposites."""
    asserted = set(asserted_stems(text, rules.language))
    found = (_token(match.group(), rules) for match in _TOKEN.finditer(text))
    return frozenset(token for token in found if token.startswith("`") or token in asserted or token in rules.opposites)


def _token(word: str, rules: _Rules) -> str:
    if word.startswith("`"):
        return "`" + plain_text(word).strip(".()")
    return next(iter(all_stems(word, rules.language)), "")


def _held_by(text: str, rules: _Rules) -> Held:
    tokens = frozenset(_token(match.group(), rules) for match in _TOKEN.finditer(text))
    return tokens | frozenset(all_stems(text, rules.language)), plain_text(text)


def _exchanged(one: frozenset[str], other: frozenset[str], pool: Pool) -> bool:
    one, other = (
        frozenset(token for token in part if any(_holds(held, token) for _, held in pool)) for part in (one, other)
    )
    if any(all(_holds(held, token) for token in one | other) for _, held in pool):
        return False
    first, second = _nearest_two(one, other, pool)
    lost = any(not _holds(first, token) and _holds(second, token) for token in one - other)
    return lost and any(not _holds(second, token) and _holds(first, token) for token in other - one)


def _nearest_two(one: frozenset[str], other: frozenset[str], pool: Pool) -> tuple[Held, Held]:
    """Return two different entries of the pool, the best match of `one` and of `other`."""

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
