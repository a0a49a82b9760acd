"""Detect follow-up questions and expand them with the question before: "and for blogs?", "how do I turn it off then".

A follow-up is incomplete by its form in its language (`phrasing`). It has a typical first or last phrase, has a pronoun
without a noun before it, or consists of a few words that name no subject. In doubt, a question is no follow-up. A
wrongly expanded question gets a wrong answer; a missed follow-up is only searched as it is.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from pincite_core.index.read import Index
from pincite_core.phrasing import asked_in, phrasing
from pincite_core.phrasing.follow_up_patterns import follow_up_patterns
from pincite_core.rules import FOLLOW_UPS
from pincite_core.search.terms import STOP_WORDS, content_terms, terms
from pincite_server.question.question import Turn

__all__ = ("expand_follow_up", "is_follow_up")


@dataclass(frozen=True, slots=True)
class _Forms:
    """The compiled patterns of a language, and a function that counts content terms.

    `relational` are stems of words that name no subject of their own: "what is the default", "any example". In a
    language without such stems, all words count the same, and `weigh` depends only on a text's length.
    """

    polite: re.Pattern[str]
    asks: re.Pattern[str]
    opens: re.Pattern[str]
    closes: re.Pattern[str]
    whole: re.Pattern[str]
    pronouns: re.Pattern[str]
    leads: re.Pattern[str]
    relational: frozenset[str]
    weigh: Callable[[str], float]


def is_follow_up(query: str, locale: str = "en") -> bool:
    """Whether a question depends on the question before it. `locale` is that of the searched pages."""
    forms = _forms(asked_in(query, locale))
    bare = _bare(query, forms)
    if not bare or FOLLOW_UPS.quoted.search(bare) or _length(bare) > FOLLOW_UPS.most_words:
        return False
    asks = forms.asks.match(bare) is not None
    return _depends_by_form(bare, forms, asks or query.rstrip().endswith(tuple(FOLLOW_UPS.question_marks))) or (
        asks and bool(forms.relational) and _named(bare) <= forms.relational
    )


def _depends_by_form(bare: str, forms: _Forms, is_asked: bool) -> bool:
    """Whether a question depends on an earlier one, by the words of its language."""
    if forms.whole.match(bare):
        return True
    weight = forms.weigh(bare)
    if weight > FOLLOW_UPS.most_terms:
        return False
    leads, pronoun = forms.leads.match(bare), forms.pronouns.search(bare)
    if forms.opens.match(bare) or forms.closes.search(bare):
        return True
    if is_asked and leads is not None and not leads["opening"] and _length(bare) <= FOLLOW_UPS.fragment_words:
        return True
    # A pronoun without a noun before it. A statement that names a subject is no follow-up: "Install it on a Mac" is how
    # people search for the product itself.
    names_subject = not is_asked and weight > FOLLOW_UPS.most_before
    return pronoun is not None and not names_subject and forms.weigh(bare[: pronoun.start()]) <= FOLLOW_UPS.most_before


def expand_follow_up(query: str, turns: Sequence[Turn], index: Index, locale: str = "en") -> str | None:
    """Return a follow-up combined with the earlier question; None for a question that is complete in itself.

    A follow-up is not expanded if the docs lack at least half of its content terms. Otherwise "will it rain tomorrow"
    would get the answer to the earlier question. `turns` has the oldest first; `locale` is that of the searched pages.
    """
    if not turns or not is_follow_up(query, locale):
        return None
    earlier = [turn.query for turn in turns]
    complete = [number for number, asked in enumerate(earlier) if not is_follow_up(asked, locale)]
    named = _named(query, locale) - _forms(asked_in(query, locale)).relational
    if not complete or (named and 2 * len(index.document_frequencies(named)) <= len(named)):
        return None
    expanded = earlier[complete[-1]].strip()
    for later in (*earlier[complete[-1] + 1 :], query):
        expanded = _joined(expanded[: FOLLOW_UPS.longest].strip(), later.strip(), _forms(asked_in(later, locale)))
    return expanded


def _joined(before: str, query: str, forms: _Forms) -> str:
    """Append a follow-up to a question, or replace the question's last phrase with the follow-up's similar phrase."""
    phrase = forms.leads.match(_bare(query, forms))
    if phrase is not None:
        for word in list(FOLLOW_UPS.word.finditer(before))[1:][-FOLLOW_UPS.phrase_words : -1]:
            if word.group().casefold() == phrase["by"].casefold():
                return f"{before[: word.start()]}{phrase['phrase']}?"
    return f"{before} {query}" if before.endswith(tuple(FOLLOW_UPS.ends)) else f"{before}? {query}"


def _bare(query: str, forms: _Forms) -> str:
    """Return a question without polite words before it and without punctuation at its ends."""
    return forms.polite.sub("", query.strip(FOLLOW_UPS.before_words)).strip(FOLLOW_UPS.after_words)


def _length(text: str) -> float:
    """Return the number of words; a Chinese or Japanese character counts as half a word."""
    return len(FOLLOW_UPS.cjk.findall(text)) / 2 + len(FOLLOW_UPS.word.findall(FOLLOW_UPS.cjk.sub(" ", text)))


def _named(text: str, language: str = "en") -> set[str]:
    """Return the content terms of a text; none if it has only stop words. To look them up, name the docs' language."""
    return {*content_terms(text, language)} - {term for word in STOP_WORDS for term in terms(word)}


@cache
def _forms(language: str) -> _Forms:
    words = phrasing(language).follow_ups
    found = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in follow_up_patterns(words).items()}
    return _Forms(
        **found,
        relational=frozenset(words.relational.split()),
        weigh=(lambda text: len(_named(text)))
        if words.relational
        else (lambda text: _length(text) / FOLLOW_UPS.words_a_term),
    )
