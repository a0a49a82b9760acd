"""Classifies questions by the answer that they ask for, and units by their role and their searchable facts."""

import re
from collections.abc import Sequence
from functools import lru_cache

from pincite_core.phrasing import phrasing
from pincite_core.quoting.quantities import quantities_in
from pincite_core.types import UnitFact, UnitKind, UnitRole, fact_bits

__all__ = (
    "CONTINUED",
    "STRUCK",
    "asks_how",
    "asks_whether",
    "continues_code",
    "is_struck",
    "leans_back",
    "lists_reading",
    "names_task",
    "role_of",
    "says_whether",
    "unit_facts",
    "warns",
)

CONTINUED = " …"
"""The suffix after the language of a code block that continues the previous part."""

STRUCK = re.compile(r"(?<!~)~~(?=[^\s~])[^\n]+?~~(?!~)")
"""Struck-out text, which the docs no longer claim."""

_SIGNATURE = re.compile(r"[\w\]]\(\w")  # its parameters are the other terms of its list
_REMEMBERED = 1 << 15  # cached units; versions of a page share most of their units
_COLONS = (":", "：")
_QUESTION_MARKS = ("?", "？", "؟")

_WARNING_WORDS = 4  # first words of a text that may mark it as a warning ("Deprecated since version 5")
_WARNING_SIGNS = 16  # the same in characters, for scripts without spaces
_WORD = re.compile(r"\w+")
_EDGE = re.compile(r"^\W+")
_SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Characters of scripts without spaces, in which a whole sentence would count as one word."""


def asks_how(query: str, language: str = "en") -> bool:
    """Return whether a question asks for instructions or an example, not only for a statement."""
    return phrasing(language).questions.how.found_in(query)


def names_task(query: str, language: str = "en") -> bool:
    """Return whether a question only names a task ("rotate tokens"), as titles and search queries do."""
    asks = phrasing(language).questions.fact.found_in(_EDGE.sub("", query))
    return not asks and not query.rstrip().endswith(_QUESTION_MARKS)


def asks_whether(query: str, language: str = "en") -> bool:
    """Return whether a question asks if something is possible or true."""
    return phrasing(language).questions.whether.found_in(query)


def says_whether(text: str, language: str = "en") -> bool:
    """Return whether a sentence says what is possible and what is not."""
    return phrasing(language).sentences.whether.found_in(text)


def warns(labels: Sequence[str], text: str, language: str = "en") -> bool:
    """Return whether the labels or first words of an admonition mark a danger or a deprecation.

    English labels count in every language, because themes do not translate all labels.
    """
    own, english = phrasing(language).sentences.warns, phrasing("en").sentences.warns
    begins = " ".join(text.split()[:_WARNING_WORDS])
    begins = begins if phrasing(language).bounds != "none" else begins[:_WARNING_SIGNS]
    return own.found_in(begins) or any(own.found_in(label) or english.found_in(label) for label in labels)


def leans_back(text: str, language: str = "en") -> bool:
    """Return whether the start of a sentence depends on the previous text."""
    return phrasing(language).sentences.leans.found_in(text)


def lists_reading(title: str, language: str = "en") -> bool:
    """Return whether the title of a section marks it as a list of further reading."""
    return phrasing(language).sentences.reading.found_in(_EDGE.sub("", title))


def role_of(text: str, kind: str, language: str = "en") -> UnitRole:
    """Return the role of a unit without its neighbours; units other than prose and items are `asks` or `stands`."""
    if text.endswith(_QUESTION_MARKS):
        return "asks"
    if kind not in {"prose", "item"}:
        return "stands"
    if text.endswith(_COLONS):
        return "announces"
    if phrasing(language).sentences.refers.found_in(text):
        return "refers"
    fewest = phrasing(language).brief
    if kind == "prose" and fewest is not None and len(_WORD.findall(text)) < fewest and not _SPACELESS.search(text):
        return "fragment"
    return "leans" if leans_back(text, language) else "stands"


@lru_cache(_REMEMBERED)
def unit_facts(text: str, kind: UnitKind, language: str) -> tuple[UnitRole, int]:
    """Return a unit's role and its `fact_bits`, derived only from its own text."""
    struck = kind != "code" and is_struck(text)
    if kind != "code" and "~~" in text:
        text = STRUCK.sub("", text).strip()
    role = "fragment" if struck else role_of(text, kind, language)
    facts: dict[UnitFact, bool] = {
        "leans": kind == "prose" and _leans(text, role, language),
        "goes_on": kind == "code" and continues_code(text),
        "whether": says_whether(text, language),
        "entry": kind == "term" and _SIGNATURE.search(text) is None,
        "case": kind == "row" and "`" not in text.partition(";")[0],
    }
    facts.update(dict.fromkeys(quantities_in(text, language), True))
    return role, fact_bits(facts)


def _leans(text: str, role: UnitRole, language: str) -> bool:
    if role in {"fragment", "leans", "stands"}:  # `role_of` has searched the text already
        return role != "stands"
    return leans_back(text, language)


def is_struck(text: str) -> bool:
    """Return whether all words of a text are struck out."""
    return "~~" in text and not any(map(str.isalnum, STRUCK.sub("", text)))


def continues_code(text: str) -> bool:
    """Return whether a code block continues the previous part."""
    return text.partition("\n")[0].endswith(CONTINUED)
