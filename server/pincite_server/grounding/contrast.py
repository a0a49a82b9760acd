"""Statements that have the docs' words and turn them: negated, exchanged, put in the opposite, or said too strongly.

A claim is compared clause by clause with the sentences that are nearest to it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.search.terms import terms
from pincite_server.grounding.evidence import plain_text
from pincite_server.grounding.stems import all_stems, asserted_stems, respelled

__all__ = ("Nearest", "contrasts", "exchanges", "overstates", "turns_round")

_CLAUSE_END = re.compile(
    r"[,;:()]|\s(?:but|and|so|because|whereas|while|which|where|although|though|however|or|then|when|if|since|even)\s",
    re.IGNORECASE,
)
_PART_END = re.compile(r"[;:]|,?\s(?:while|whereas|but|and)\s|,(?:\s(?:so|or)\s)?", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|no|never|none|nobody|nothing|cannot|without|neither|\w+n['’]t)\b", re.IGNORECASE)
_NEARLY_NOT = re.compile(
    r"\b(?:except\w*|unless|only|avoid\w*|fail\w*|instead|rather|rarely|hardly|less|few|fewer|lack\w*|prevent\w*|"
    r"disabl\w*|redundant|impossible|un(?!der|til|ique|it|ion|less|iv)\w+|non\w*|ignor\w*|refus\w*|denied|deny|forbid\w*|"
    r"stop\w*|miss\w*|invalid|wrong|otherwise|other than|exclud\w*|discourag\w*|empty|remov\w*|skip\w*|omit\w*|broken|"
    r"break\w*|unlike|too|difficult|hard|zero|null|undefined)\b",
    re.IGNORECASE,
)
"""Words that negate in other words: "cannot be empty" and "an empty one fails"."""
_SAME_WORD = 5  # letters by which two of them are the same
_ALIGNED = 0.3  # share of a clause's stems from which a clause of the docs is the one it is taken from ...
_SURELY_ALIGNED = 0.5  # ... and from which it would have said that something is not so
_REACH = 2  # words that a negation turns round
_STRONG = re.compile(
    r"\b(?:always|all|every|everyone|everything|any|must|never|ever|guarantees?|requires?|whatever|no matter|"
    r"without exception|as soon as|for good|in every case|at any time|alone|entirely|unnecessary|"
    r"whether or not)\b",
    re.IGNORECASE,
)
_AS_STRONG = tuple(
    tuple(words.split("|"))
    for words in (
        "must|have to|has to|need to|needs to|required|requires|require|necessary|needed",
        "all|every|each|any|everyone|everything|whole|entire|always|anything|anywhere",
        "always|every|each|automatically",
        "never|no|not|none",
        "guarantee|guarantees|ensure|ensures",
        "whatever|any|however",
        "at any time|anytime|any time",
        "as soon as|once|when",
        "for good|permanent|permanently",
        "whether or not|regardless|even if",
        "entirely|entire",
        "unnecessary|redundant|not need|no need",
    )
)
_OPPOSITE_WORDS = (
    "before after|prior after|first last|first second|more fewer|more less|increase decrease|increases decreases|"
    "increasing decreasing|positive negative|with without|higher lower|high low|highest lowest|always never|"
    "always sometimes|must may|must might|required optional|add remove|adds removes|old new|older newer|"
    "minimum maximum|start stop|pause resume|stop resume|parent child|relative absolute|single multiple|enable disable|"
    "enabled disabled|all some|all none|early late|read write|start end|below above|under over|thin fat|"
    "hidden visible|largest smallest|left right|directly indirectly|inside outside|public private|static dynamic|"
    "allow forbid|include exclude|global local|internal external|input output|ascending descending|lazy eager|"
    "synchronous asynchronous|sync async|push pull|up down"
)
_TOKEN = re.compile(r"`[^`]+`|[\w$./@-]*\w")


def _stem(word: str) -> str:
    return next(iter(terms(word)), word)


def _opposite_words() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _OPPOSITE_WORDS.split("|"):
        one, other = (_stem(word) for word in pair.split())
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


_OPPOSITES = _opposite_words()


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

    @property
    def text(self) -> str:
        """The nearest sentences."""
        return "\n".join(self.sentences)

    @property
    def wider(self) -> str:
        """The nearest sentences with those around them and their headings."""
        return "\n".join((*self.around, *self.headings))


def turns_round(claim: str, near: Nearest) -> bool:
    """Whether a clause is negated where the docs' clause is not, or the reverse, and nothing near makes up for it."""
    return _denies_the_other(claim, near) or any(_turned(clause, claim, near) for clause in _clauses(claim))


def contrasts(claim: str, near: Nearest) -> bool:
    """Whether a clause has a word where the docs' clause has its opposite: *after* for *before*."""
    theirs = _split(near.sentences)
    for clause in _clauses(claim):
        best = _best(_stems(clause, near.held), theirs)
        ours = _words(clause)
        if best is not None and any(_is_opposite(word, ours, _words(best[0])) for word in ours):
            return True
    return False


def overstates(claim: str, near: Nearest) -> bool:
    """Whether a claim has a word such as *always* or *must* for which the docs have nothing as strong."""
    strong = {match.group().lower() for match in _STRONG.finditer(claim)}
    return any(not _has(word, near.wider) and not _as_strong(word, near.wider) for word in strong)


def exchanges(claim: str, near: Nearest) -> bool:
    """Whether two parts of a claim each have what the docs say of the other: "A reads and B writes" for the reverse."""
    parts = [(part, _tokens(part)) for part in _parts(claim)]
    if len(parts) < 2 or not near.around:
        return False
    prose = [sentence for sentence in near.around if "\n" not in sentence]  # a listing names everything at once
    whole = [(sentence, _held_by(sentence)) for sentence in prose]
    inside = [(part, _held_by(part)) for sentence in prose for part in _parts(sentence)]
    return any(
        _exchanged(one, other, pool)
        for pool in (whole, inside)
        if len(pool) > 1
        for place, (_, one) in enumerate(parts)
        for _, other in parts[place + 1 :]
    )


def _denies_the_other(claim: str, near: Nearest) -> bool:
    """Whether a claim denies what a sentence affirms, and affirms what it denies: "A and not B" for "B and not A"."""
    ours, asserted = _denied(claim), frozenset(asserted_stems(claim))
    for sentence in near.sentences:
        theirs = _denied(sentence)
        if (
            ours
            and theirs
            and ours.isdisjoint(theirs)
            and theirs <= asserted
            and ours <= frozenset(all_stems(sentence))
        ):
            return True
    return False


def _turned(clause: str, claim: str, near: Nearest) -> bool:
    negated = len(_NOT.findall(clause)) % 2 == 1
    wanted = _stems(clause, near.held)
    best = _best(wanted, _split(near.sentences)) or _best(wanted, _split(near.around))
    if best is None:
        return negated and not _NOT.search(near.wider) and not _NEARLY_NOT.search(near.text)
    told, sentence, share = best
    if negated == (len(_NOT.findall(told)) % 2 == 1):
        return False
    ours, others = len(_NOT.findall(claim)), len(_NOT.findall(sentence))
    if negated:
        told_of = _denied(sentence) & _stems(claim, near.held)  # what the docs deny of the same things
        denied = _denied(clause) & frozenset().union(*(_denied(sentence) for sentence in near.around))
        return not denied and not (told_of and ours <= others) and not _nearly_not(told) - _nearly_not(clause)
    return (
        share >= _SURELY_ALIGNED
        and (not ours or (others - ours) % 2 == 1)
        and not _nearly_not(clause) - _nearly_not(told)
    )


def _best(wanted: frozenset[str], theirs: Sequence[tuple[str, str]]) -> tuple[str, str, float] | None:
    """Return the docs' clause that has most of some stems, with its sentence and their share; None when few are had."""
    if len(wanted) < 2 or not theirs:
        return None

    def share(clause: str) -> float:
        stems = frozenset(all_stems(clause))
        return len(wanted & stems) / len(wanted) - 0.005 * len(stems)

    scored = [(share(clause), clause, sentence) for clause, sentence in theirs]
    best = max(scored, key=lambda one: one[0])
    return (best[1], best[2], best[0]) if best[0] >= _ALIGNED else None


def _split(sentences: Sequence[str]) -> list[tuple[str, str]]:
    """Return the clauses of some sentences, each with its sentence."""
    return [(clause, sentence) for sentence in sentences for clause in _clauses(sentence)]


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE_END.split(text) if clause.strip()]


def _stems(clause: str, held: frozenset[str]) -> frozenset[str]:
    return frozenset(respelled(stem, held) for stem in asserted_stems(clause))


def _denied(text: str) -> frozenset[str]:
    """Return the stems of what is said not to be so."""
    after = (asserted_stems(text[match.end() :])[:_REACH] for match in _NOT.finditer(text))
    return frozenset(stem for stems in after for stem in stems)


def _nearly_not(text: str) -> set[str]:
    return {match.group().lower()[:_SAME_WORD] for match in _NEARLY_NOT.finditer(text)}


def _words(text: str) -> set[str]:
    return {_stem(word) for word in re.findall(r"[a-z]+", text.lower())}


def _is_opposite(word: str, ours: set[str], theirs: set[str]) -> bool:
    others = _OPPOSITES.get(word, frozenset())
    return word not in theirs and bool(others & theirs) and not others & ours


def _has(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) is not None


def _as_strong(word: str, text: str) -> bool:
    return any(_has(other, text) for words in _AS_STRONG if word in words for other in words)


def _parts(text: str) -> list[str]:
    """Return the parts of a sentence that may each say something of their own."""
    parts: list[str] = []
    for part in _PART_END.split(text):
        if not part.strip():
            continue
        if parts and len(_tokens(parts[-1])) < 2:
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    if len(parts) > 1 and len(_tokens(parts[-1])) < 2:
        last = parts.pop()
        parts[-1] += f" {last}"
    return parts


def _tokens(text: str) -> frozenset[str]:
    """Return what a text is about: pieces of code as they are, asserted words and opposites by their stems."""
    asserted = set(asserted_stems(text))
    found = (_token(match.group()) for match in _TOKEN.finditer(text))
    return frozenset(token for token in found if token.startswith("`") or token in asserted or token in _OPPOSITES)


def _token(word: str) -> str:
    if word.startswith("`"):
        return "`" + plain_text(word).strip(".()")
    return next(iter(all_stems(word)), "")


def _held_by(text: str) -> Held:
    tokens = frozenset(_token(match.group()) for match in _TOKEN.finditer(text))
    return tokens | frozenset(all_stems(text)), plain_text(text)


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
