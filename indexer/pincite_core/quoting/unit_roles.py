"""What a question wants, and what a sentence is without its neighbours, by the table of its language (`phrasing`)."""

import re
from collections.abc import Sequence

from pincite_core.phrasing import phrasing
from pincite_core.types import UnitRole

__all__ = (
    "asks_how",
    "asks_whether",
    "leans_back",
    "lists_reading",
    "names_task",
    "role_of",
    "says_whether",
    "warns",
)

_COLONS = (":", "：")
_QUESTION_MARKS = ("?", "？", "؟")

_WARNING_WORDS = 4  # of a text itself, by which it says that it warns ("Deprecated since version 5")
_WARNING_SIGNS = 16  # the same, where no blanks part words
_WORD = re.compile(r"\w+")
_EDGE = re.compile(r"^\W+")
_UNPARTED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Signs of scripts without blanks, whose sentences are one "word" to a page that is in another language."""


def asks_how(query: str, language: str = "en") -> bool:
    """Whether a question wants to be shown, not only told."""
    return phrasing(language).questions.how.found_in(query)


def names_task(query: str, language: str = "en") -> bool:
    """Whether a question only names what is to be done ("rotate tokens"), as titles and searches do."""
    asks = phrasing(language).questions.fact.found_in(_EDGE.sub("", query))
    return not asks and not query.rstrip().endswith(_QUESTION_MARKS)


def asks_whether(query: str, language: str = "en") -> bool:
    """Whether a question wants to hear if something can be or is so."""
    return phrasing(language).questions.whether.found_in(query)


def says_whether(text: str, language: str = "en") -> bool:
    """Whether a sentence says what can be and what cannot."""
    return phrasing(language).sentences.whether.found_in(text)


def warns(labels: Sequence[str], text: str, language: str = "en") -> bool:
    """Whether an admonition, by its labels or its first words, tells of a danger or that something is deprecated.

    Themes leave their labels in English where nobody translated them.
    """
    own, english = phrasing(language).sentences.warns, phrasing("en").sentences.warns
    begins = " ".join(text.split()[:_WARNING_WORDS])
    begins = begins if phrasing(language).bounds != "none" else begins[:_WARNING_SIGNS]
    return own.found_in(begins) or any(own.found_in(label) or english.found_in(label) for label in labels)


def leans_back(text: str, language: str = "en") -> bool:
    """Whether a sentence begins with what only the words before it explain."""
    return phrasing(language).sentences.leans.found_in(text)


def lists_reading(title: str, language: str = "en") -> bool:
    """Whether a section, by its title, lists where to read on."""
    return phrasing(language).sentences.reading.found_in(_EDGE.sub("", title))


def role_of(text: str, kind: str, language: str = "en") -> UnitRole:
    """Return what a unit is without its neighbours; only prose and items can be anything but standing."""
    if text.endswith(_QUESTION_MARKS):
        return "asks"
    if kind not in {"prose", "item"}:
        return "stands"
    if text.endswith(_COLONS):
        return "announces"
    if phrasing(language).sentences.refers.found_in(text):
        return "refers"
    if kind == "prose" and _is_brief(text, phrasing(language).brief):
        return "fragment"
    return "leans" if leans_back(text, language) else "stands"


def _is_brief(text: str, fewest: int | None) -> bool:
    return fewest is not None and len(_WORD.findall(text)) < fewest and not _UNPARTED.search(text)
