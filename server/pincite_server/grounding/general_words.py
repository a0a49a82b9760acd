"""General words that add no claim to a text, such as "provides", "the option" and "whereas"."""

from functools import cache

from pincite_core.phrasing import phrasing
from pincite_core.search.terms import terms

__all__ = ("general_stems",)

_INFLECTIONS = ("", "s", "es", "d", "ed", "ing")  # English suffixes; the stemmer does not recognise verbs


@cache
def general_stems(language: str) -> frozenset[str]:
    """Return the stems of a language's general words. Neighbouring words reveal a false use of a general word."""
    claims = phrasing(language).claims
    forms = [*claims.general.split(), *(word + end for word in claims.general_verbs.split() for end in _INFLECTIONS)]
    return frozenset(term for form in forms for term in terms(form, language))
