"""Unit conversion: recognises a number that is a quantity of a text in another unit, such as 60000 for a minute."""

import math
from collections.abc import Iterator

from pincite_core.quoting.quantities import quantities_of, units_of

__all__ = ("comes_to",)

_SCALES: tuple[dict[str, float], ...] = (
    {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0},
    {"": 1.0, "kb": 1024.0, "mb": 1024.0**2, "gb": 1024.0**3, "tb": 1024.0**4},
    {"": 1.0, "kb": 1000.0, "mb": 1000.0**2, "gb": 1000.0**3, "tb": 1000.0**4},
)
"""The factor of each unit relative to the base unit of its kind; a size without a unit is in bytes."""


def comes_to(number: str, text: str, language: str) -> bool:
    """Return whether a number equals a duration or size in a text, converted to another unit.

    Args:
        number: A number in digits, with or without a unit.
        text: The text that contains the quantity; a unit without a number counts as one.
        language: The language of the text.
    """
    for value, units in quantities_of(number, language).items():
        for scale in _SCALES:
            amounts = list(_amounts(text, scale, language))
            for unit in scale if units <= {""} else units & scale.keys():
                if any(math.isclose(float(value) * scale[unit], amount) for amount in amounts):
                    return True
    return False


def _amounts(text: str, scale: dict[str, float], language: str) -> Iterator[float]:
    """Yield the quantities of a text with a unit of the scale, converted to the base unit."""
    for value, units in quantities_of(text, language).items():
        yield from (float(value) * scale[unit] for unit in units if unit and unit in scale)
    yield from (scale[unit] for unit in units_of(text, language) if unit in scale)
