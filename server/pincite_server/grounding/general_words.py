"""Words so general that a writer may bring them in without claiming anything: "provides", "the option", "whereas"."""

from functools import cache

from pincite_core.phrasing import phrasing
from pincite_core.search.terms import terms

__all__ = ("general_stems",)

_INFLECTIONS = ("", "s", "es", "d", "ed", "ing")  # of English, whose stemmer does not know which words are verbs


@cache
def general_stems(language: str) -> frozenset[str]:
    """Return the stems of a language's general words. What such a word says wrongly shows in the words beside it."""
    claims = phrasing(language).claims
    forms = [*claims.general.split(), *(word + end for word in claims.general_verbs.split() for end in _INFLECTIONS)]
    return frozenset(term for form in forms for term in terms(form, language))
