"""Numbers that are a quantity of the text in another unit: 60000, of a minute, where milliseconds are wanted."""

import math
from collections.abc import Iterator

from pincite_core.quoting.quantities import quantities_of, units_of

__all__ = ("comes_to",)

_SCALES: tuple[dict[str, float], ...] = (
    {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0},
    {"": 1.0, "kb": 1024.0, "mb": 1024.0**2, "gb": 1024.0**3, "tb": 1024.0**4},
    {"": 1.0, "kb": 1000.0, "mb": 1000.0**2, "gb": 1000.0**3, "tb": 1000.0**4},
)
"""How much each unit of a kind is of the others; a size without a unit is in bytes."""


def comes_to(number: str, text: str, language: str) -> bool:
    """Return whether a number is what a duration or size of a text comes to in another unit.

    Args:
        number: In digits, with or without a unit.
        text: What names the quantity; a unit that stands without a number counts one.
        language: Of the text.
    """
    for value, units in quantities_of(number, language).items():
        for scale in _SCALES:
            amounts = list(_amounts(text, scale, language))
            for unit in scale if units <= {""} else units & scale.keys():
                if any(math.isclose(float(value) * scale[unit], amount) for amount in amounts):
                    return True
    return False


def _amounts(text: str, scale: dict[str, float], language: str) -> Iterator[float]:
    """Yield the quantities of a text that have a unit of a kind, in the smallest terms of that kind."""
    for value, units in quantities_of(text, language).items():
        yield from (float(value) * scale[unit] for unit in units if unit and unit in scale)
    yield from (scale[unit] for unit in units_of(text, language) if unit in scale)
