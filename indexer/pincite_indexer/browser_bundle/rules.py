"""The rules of the answering engine as JSON for browsers: `pincite_core.rules`, and the constants of search.

A pattern is `{"pattern": ..., "flags": ...}` in JavaScript's syntax.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import get_args

import msgspec

from pincite_core.quoting.quantities import Quantity
from pincite_core.rules import RULES
from pincite_core.search.bm25 import K1, LEAST_IDF, B
from pincite_core.search.candidates import MOST_CANDIDATES, OF_A_PAGE
from pincite_core.search.fusion import COSINES, FIRST_PLACE, LEXICAL, OTHER_PLACES, SAME_COSINE, TEXT_ALONE, TEXTS
from pincite_core.search.late_interaction import TOKEN_BYTES, TOKEN_LEVELS
from pincite_core.search.priors import PRIOR_PATTERNS, PRIOR_WEIGHTS
from pincite_core.search.ranking import BM25_SATURATION, NAMED_BONUS, SECTIONS_FOR_COVERAGE, TOP
from pincite_core.search.terms import CODE_PATTERN
from pincite_indexer.browser_bundle.javascript import in_javascript
from pincite_indexer.browser_bundle.postings import MOST_TIMES
from pincite_indexer.browser_bundle.units import UNIT_NAMES

__all__ = ("browser_rules",)

_FLAGS = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"))


@cache
def browser_rules() -> Mapping[str, object]:
    """Return all rules by group and name, as JSON-compatible values."""
    return {name: _json(group) for name, group in {**RULES, **_search_rules()}.items()}


def _search_rules() -> dict[str, object]:
    return {
        "fusion": {
            "first_place": dict(FIRST_PLACE.items()),
            "other_places": dict(OTHER_PLACES.items()),
            "text_alone": TEXT_ALONE,
            "same_cosine": SAME_COSINE,
            "named_bonus": NAMED_BONUS,
            "cosines": sorted(COSINES),
            "lexical": LEXICAL,
            "texts": TEXTS,
        },
        "bm25": {"k1": K1, "b": B, "least_rarity": LEAST_IDF, "saturation": BM25_SATURATION},
        "search": {
            "candidates": MOST_CANDIDATES,
            "of_a_page": OF_A_PAGE,
            "sections": SECTIONS_FOR_COVERAGE,
            "top": TOP,
        },
        "tokens": {"bytes": TOKEN_BYTES, "levels": TOKEN_LEVELS},
        "postings": {"most_times": MOST_TIMES},
        "priors": {**PRIOR_WEIGHTS, **PRIOR_PATTERNS},
        "units": {**UNIT_NAMES, "quantities": get_args(Quantity)},
        "codes": {"pattern": CODE_PATTERN},
    }


def _json(value: object) -> object:
    if isinstance(value, re.Pattern):
        flags = "".join(letter for flag, letter in _FLAGS if value.flags & flag)
        if value.flags & re.ASCII:  # its word classes are JavaScript's own without the flag u
            return {"pattern": value.pattern, "flags": flags}
        return {"pattern": in_javascript(value.pattern), "flags": f"{flags}u"}
    if isinstance(value, msgspec.Struct):
        return {name: _json(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {name: _json(one) for name, one in value.items()}
    return [_json(one) for one in value] if isinstance(value, tuple | list) else value
