"""Which kind of number a question asks for, and whether a sentence has one of that kind."""

import re
from typing import Literal

__all__ = ("Quantity", "has_quantity", "quantity_asked", "without_asking")

Quantity = Literal["duration", "size", "count", "number"]
"""What "how long", "how big" and "how many" ask for; `number` is any, where the question's words do not tell which."""

_TIMES = r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)"
_ASKED: dict[Quantity, re.Pattern[str]] = {
    "duration": re.compile(rf"\bhow (?:long|often|soon|old|quick(?:ly)?|many {_TIMES}|much time)\b", re.IGNORECASE),
    "size": re.compile(
        r"\bhow (?:big|large|heavy|many (?:\w*bytes?|characters)|much (?:memory|ram|disk|space|storage))\b",
        re.IGNORECASE,
    ),
    "count": re.compile(r"\bhow many\b", re.IGNORECASE),
    "number": re.compile(
        r"\bhow (?:much|fast|high|low|far)\b|\bwie (?:lang|viel|oft|gro|hoch)|\bcombien|\bcu[aá]nt"
        r"|bao nhiêu|bao lâu|多少|多久|多长|几个|几次|いくつ|どのくらい|何回|چند|چقدر",
        re.IGNORECASE,
    ),
}
_ASKING = re.compile(r"\bhow (?:long|many|much|big|large|often|fast|high|low|old|soon|far)\b", re.IGNORECASE)
_SOME = r"(?:\d[\d.,_]*|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half an?|every|few|several))"
_DURATION = re.compile(
    rf"{_SOME}[ \u00a0-]?(?:ms|s|secs?|mins?|h|hrs?|d|(?:milli|micro)seconds?|{_TIMES})\b"
    r"|\b(?:hourly|daily|weekly|monthly|yearly|forever|for ever|indefinitely)\b",
    re.IGNORECASE,
)
_SIZE = re.compile(rf"{_SOME}[ \u00a0-]?(?:[kmgt]i?b|(?:kilo|mega|giga|tera)?bytes?|characters?)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")


def quantity_asked(query: str) -> Quantity | None:
    """Return the kind of number that would answer a question; None when none would."""
    return next((kind for kind, pattern in _ASKED.items() if pattern.search(query)), None)


def has_quantity(text: str, kind: Quantity) -> bool:
    """Whether a text has a number of a kind: "60 seconds" is a duration and no count."""
    if kind == "duration":
        return bool(_DURATION.search(text))
    if kind == "size":
        return bool(_SIZE.search(text))
    if kind == "count":
        text = _SIZE.sub("", _DURATION.sub("", text))
    return bool(_DIGIT.search(text))


def without_asking(query: str) -> str:
    """Return a question without its "how long" and the like, whose words say nothing of the subject."""
    return _ASKED["number"].sub(" ", _ASKING.sub(" ", query))
