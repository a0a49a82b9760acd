"""Numbers with their units: thirty minutes are not thirty seconds."""

import re
from collections.abc import Iterator, Mapping

from pincite_server.grounding.stems import SPELLED_NUMBERS
from pincite_server.guards.numbers import numbers_of

__all__ = ("quantities_of", "unsupported_quantities")

_QUANTITY = re.compile(
    r"(?<![\w.])(\d+(?:[.,]\d+)*)(?:st|nd|rd|th)?\b[\s-]?(%|[^\W\d_]+)?"  # 30 seconds
    r"|(?<!\w)([A-Za-z]+)[\s-]([a-z]+)"  # thirty-second, if the first is a number
)
_DIGITS_INSIDE = re.compile(r"\d+")
_UNITS = {
    spelling: unit
    for unit, spellings in {
        "ms": "ms millisecond milliseconds",
        "s": "s sec secs second seconds",
        "min": "min mins minute minutes",
        "h": "h hr hrs hour hours",
        "d": "d day days",
        "week": "week weeks",
        "month": "month months",
        "year": "year years",
        "byte": "byte bytes",
        "kb": "k kb kib kilobyte kilobytes",
        "mb": "m mb mib megabyte megabytes",
        "gb": "g gb gib gigabyte gigabytes",
        "tb": "t tb tib terabyte terabytes",
        "%": "% percent",
        "thousand": "thousand",
        "million": "million",
        "billion": "billion",
        "px": "px pixel pixels",
        "mm": "mm millimeter millimeters millimetre millimetres",
        "cm": "cm centimeter centimeters centimetre centimetres",
        "metre": "meter meters metre metres",
        "km": "km kilometer kilometers kilometre kilometres",
        "mile": "mi mile miles",
        "times": "times x",
        "core": "core cores",
    }.items()
    for spelling in spellings.split()
}


def quantities_of(text: str) -> dict[str, set[str]]:
    """Return the numbers of a text, those inside names and spelled ones included, with the units that follow each.

    A number without a unit, or with a word that is none, has the unit "".
    """
    found: dict[str, set[str]] = {number: {""} for number in _DIGITS_INSIDE.findall(text)}
    seen: set[str] = set()
    for number, unit in _pairs(text):
        units = found.setdefault(number, set())
        if number not in seen:
            units.clear()
            seen.add(number)
        units.add(unit)
    return found


def unsupported_quantities(sentence: str, held: Mapping[str, set[str]]) -> list[str]:
    """Return the numbers in digits that a passage lacks or has with other units only, as the sentence has them.

    Args:
        sentence: One sentence of an answer.
        held: The `quantities_of` the passage.
    """
    found = []
    for match in _QUANTITY.finditer(sentence):
        if match.group(1) is None:
            continue
        number, unit = _read(match)
        if number not in held or (unit and "" not in held[number] and unit not in held[number]):
            found.append(match.group().strip() if unit and number in held else match.group(1))
    return found


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for match in _QUANTITY.finditer(text):
        if match.group(1) is not None:
            yield _read(match)
        elif match.group(3).lower() in SPELLED_NUMBERS:
            yield SPELLED_NUMBERS[match.group(3).lower()], _UNITS.get(match.group(4).lower(), "")


def _read(match: re.Match[str]) -> tuple[str, str]:
    plain = next(iter(numbers_of(match.group(1))), match.group(1))
    return plain, _UNITS.get((match.group(2) or "").lower(), "")
