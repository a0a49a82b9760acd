"""Derives a unit's role and its searchable facts from its own text."""

import re
from functools import lru_cache
from typing import get_args

from pincite_core.quoting.quantities import Quantity, has_quantity
from pincite_core.quoting.unit_roles import leans_back, role_of, says_whether
from pincite_core.types import UnitFact, UnitKind, UnitRole, fact_bits

__all__ = ("CONTINUED", "continues_code", "unit_facts")

CONTINUED = " …"
"""The suffix after the language of a code block that continues the previous part."""

_QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)
_SIGNATURE = re.compile(r"[\w\]]\(\w")  # its parameters are the other terms of its list
_REMEMBERED = 1 << 15  # cached units; versions of a page share most of their units


@lru_cache(_REMEMBERED)
def unit_facts(text: str, kind: UnitKind, language: str) -> tuple[UnitRole, int]:
    """Return a unit's role and its `fact_bits`, derived only from its own text."""
    role = role_of(text, kind, language)
    facts: dict[UnitFact, bool] = {
        "leans": kind == "prose" and (role == "fragment" or leans_back(text, language)),
        "goes_on": kind == "code" and continues_code(text),
        "whether": says_whether(text, language),
        "entry": kind == "term" and _SIGNATURE.search(text) is None,
        "case": kind == "row" and "`" not in text.partition(";")[0],
    }
    facts |= {quantity: has_quantity(text, quantity, language) for quantity in _QUANTITIES}
    return role, fact_bits(facts)


def continues_code(text: str) -> bool:
    """Return whether a code block continues the previous part."""
    return text.partition("\n")[0].endswith(CONTINUED)
