"""What kind of thing a question asks for, and whether a text has one to offer."""

import re
from typing import Literal

from pincite_server.grounding.quantities import asks_for_number, holds_number
from pincite_server.grounding.stems import all_stems

__all__ = ("AskedFor", "asked_for", "offers", "without_question_words")

AskedFor = Literal["person", "date", "number", "thing"]

_KINDS: tuple[tuple[AskedFor, re.Pattern[str]], ...] = (
    # In docs "when" asks for a condition as often as for a date, unless it asks about the past.
    (
        "date",
        re.compile(
            r"\b(?:what|which) (?:year|date|day|month|century|decade)\b|\bwhen (?:was|were|did|had)\b", re.IGNORECASE
        ),
    ),
    ("person", re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)),
)
_DATE = re.compile(
    r"\b\d{1,4}\b|\b\d+(?:st|nd|rd|th)\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|"
    r"December|century|decade|day|week|month|year|spring|summer|autumn|winter|after|before|during|until|since|when)\b",
    re.IGNORECASE,
)
_CAPITALISED = re.compile(r"(?<=[\w,;:)'\"] )[\"'(]?[A-Z][\w.'-]+")
_PEOPLE = re.compile(
    r"\b(?:\w+(?:ers?|ors?|ists?|ians?|ees?|men|women|people|team|group|community|users?|admins?|everyone|anyone|nobody))\b"
)
_QUESTION_WORDS = re.compile(
    r"\b(?:how (?:many|much|old|often|far|long|tall|large|big)|what (?:kind|type|sort|number|name)s? of|"
    r"what (?:is|was|are|were) the (?:name|term|number)s? (?:of|for)|who|whom|whose|when|where|why|what|which|how)\b",
    re.IGNORECASE,
)


def asked_for(question: str) -> AskedFor:
    """Return the kind of thing that would answer a question; `thing` when any might."""
    if asks_for_number(question):
        return "number"
    return next((kind for kind, pattern in _KINDS if pattern.search(question)), "thing")


def offers(kind: AskedFor, text: str, question: str) -> bool:
    """Whether a text has something of a kind that the question does not name itself."""
    if kind == "number":
        return holds_number(text)
    if kind == "date":
        return bool(_DATE.search(text))
    if kind == "person":
        named = set(all_stems(question))
        people = [*_CAPITALISED.findall(text), *_PEOPLE.findall(text)]
        return any(not named.issuperset(all_stems(person)) for person in people)
    return True


def without_question_words(question: str) -> str:
    """Return what a question says of its subject."""
    return _QUESTION_WORDS.sub(" ", question)
