"""Detect the expected answer type of a question, and whether a text has something of that type."""

import re
from typing import Literal

from pincite_core.phrasing import phrasing
from pincite_core.quoting.quantities import asks_for_number, holds_number
from pincite_server.grounding.stems import all_stems

__all__ = ("AskedFor", "asked_for", "offers", "without_question_words")

AskedFor = Literal["person", "date", "number", "thing"]

_CAPITALISED = re.compile(r"(?<=[\w,;:)'\"] )[\"'(]?[A-ZÀ-ÖØ-ÞА-ЯЁ][\w.'-]+")


def asked_for(question: str, language: str = "en") -> AskedFor:
    """Return the kind of thing that would answer a question; `thing` if the kind is unknown.

    In docs, "when" asks for a condition as often as for a date, unless the question is about the past.
    """
    asked = phrasing(language).questions
    if asks_for_number(question, language):
        return "number"
    if asked.date.found_in(question):
        return "date"
    return "person" if asked.person.found_in(question) else "thing"


def offers(kind: AskedFor, text: str, question: str, language: str = "en") -> bool:
    """Whether a text has something of the expected kind. A person in the question does not count.

    Args:
        kind: The kind that the question asks for.
        text: A sentence of a passage.
        question: The question as asked.
        language: The passage's language. If its script has no capitals to mark names, any text may name a person.
    """
    if kind == "number":
        return holds_number(text, language)
    if kind == "date":
        return _holds_date(text, language)
    if kind == "person":
        return _holds_person(text, question, language)
    return True


def _holds_date(text: str, language: str) -> bool:
    dates = phrasing(language).sentences.dates
    return not dates or dates.found_in(text)


def _holds_person(text: str, question: str, language: str) -> bool:
    people = phrasing(language).sentences.people
    if not people:
        return True
    named = set(all_stems(question, language))
    found = (*_CAPITALISED.findall(text), *people.words_in(text))
    return any(not named.issuperset(all_stems(person, language)) for person in found)


def without_question_words(question: str, language: str = "en") -> str:
    """Return the words of a question's subject, without question words."""
    return phrasing(language).questions.words.removed_from(question)
