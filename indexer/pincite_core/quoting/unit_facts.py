"""What a unit is by its own words: its role, and the facts that a question may ask about."""

from functools import lru_cache
from typing import get_args

from pincite_core.quoting.quantities import Quantity, has_quantity
from pincite_core.quoting.unit_roles import leans_back, role_of, says_whether
from pincite_core.types import UnitFact, UnitKind, UnitRole, fact_bits

__all__ = ("CONTINUED", "continues_code", "unit_facts")

CONTINUED = " …"
"""What follows the language of a code block that goes on from the part before it."""

_QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)
_REMEMBERED = 1 << 15  # units; versions of a page repeat most of each other's


@lru_cache(_REMEMBERED)
def unit_facts(text: str, kind: UnitKind, language: str) -> tuple[UnitRole, int]:
    """Return a unit's role and its `fact_bits`, as far as its own words tell them."""
    role = role_of(text, kind, language)
    facts: dict[UnitFact, bool] = {
        "leans": kind == "prose" and (role == "fragment" or leans_back(text, language)),
        "goes_on": kind == "code" and continues_code(text),
        "whether": says_whether(text, language),
        "case": kind == "row" and "`" not in text.partition(";")[0],
    }
    facts |= {quantity: has_quantity(text, quantity, language) for quantity in _QUANTITIES}
    return role, fact_bits(facts)


def continues_code(text: str) -> bool:
    """Whether a code block goes on from the part before it."""
    return text.partition("\n")[0].endswith(CONTINUED)
