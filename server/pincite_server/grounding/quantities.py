"""Numbers: which a text holds, with which units, whether they are another text's, which kind a question asks for."""

import re
from collections.abc import Iterator, Mapping
from typing import Literal

__all__ = (
    "ORDINALS",
    "SPELLED_NUMBERS",
    "Quantity",
    "asks_for_number",
    "contradicted_numbers",
    "has_quantity",
    "holds_number",
    "numbers_of",
    "quantities_of",
    "quantity_asked",
    "spelled_numbers_of",
    "unsupported_quantities",
    "unsupported_units",
    "without_asking",
)

SPELLED_NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
}
ORDINALS = {"first": "1", "second": "2", "third": "3", "1st": "1", "2nd": "2", "3rd": "3"}
_COUNTING = {
    **SPELLED_NUMBERS,
    "single": "1",
    "sole": "1",
    "twice": "2",
    "double": "2",
    "thrice": "3",
    "third": "3",
    "fourth": "4",
    "fifth": "5",
    "sixth": "6",
    "seventh": "7",
    "eighth": "8",
    "ninth": "9",
}
_NUMBER = re.compile(r"(?<![\w.])(\d+(?:[.,]\d+)*)\s?(%|[kKMGT]i?B|[mµun]?s\b|ms\b|[a-z]{1,3}\b)?")
_SPELLED_WORD = re.compile(rf"\b(?:{'|'.join(list(SPELLED_NUMBERS)[:13])})\b", re.IGNORECASE)
_QUANTITY = re.compile(
    r"(?<![\w.])(\d+(?:[.,]\d+)*)(?:st|nd|rd|th)?\b[\s-]?(%|[^\W\d_]+)?"  # 30 seconds
    r"|(?<!\w)([A-Za-z]+)[\s-]([a-z]+)"  # thirty-second, if the first is a number
)
_DIGITS_INSIDE = re.compile(r"\d+")
_WORD_OR_NUMBER = re.compile(r"\d+(?:\.\d+)*|[A-Za-z][\w-]*|%")
_AROUND_BEFORE, _AROUND_AFTER = 1, 3  # words beside a number that say what it counts
_SMALL_WORDS = frozenset("the a an of in to is it for and or as by with that this than".split())
_AMBIGUOUS_UNITS = frozenset("s h d k m g t x mi min second times".split())  # letters and words that may be none
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
_ASKS_FOR_NUMBER = re.compile(
    r"\bhow (?:many|much|old|often|far|long|tall|large|big)\b|\bwhat (?:number|percent\w*|share|proportion)\b",
    re.IGNORECASE,
)
_SOME_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?|"
    r"billions?|half|thirds?|quarters?|several|many|few|most|all|none|no|single|double|twice|once|every|each|daily|"
    r"hourly|weekly|monthly|yearly|annual\w*|always|never|forever|unlimited|until|any|both|twenty|thirty|forty|fifty|"
    r"sixty|seventy|eighty|ninety|seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur\w+)\b",
    re.IGNORECASE,
)


def numbers_of(text: str) -> set[str]:
    """Return the numbers of a text, without thousands separators or trailing zeros after a point."""
    return {_plain(match.group(1)) for match in _NUMBER.finditer(text)}


def spelled_numbers_of(text: str) -> set[str]:
    """Return the numbers up to twelve that a text has as words, in digits."""
    return {SPELLED_NUMBERS[match.group().lower()] for match in _SPELLED_WORD.finditer(text)}


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


def contradicted_numbers(sentence: str, near: str, known: str = "") -> list[str]:
    """Return the numbers of a sentence, spelled ones too, in whose place the text near it has others.

    Args:
        sentence: One sentence of an answer.
        near: The sentences that say it.
        known: What else may have the number: a heading, the question.
    """
    theirs = list(_counted(near))
    given = {value for value, _, _ in _counted(known)}
    found = []
    for value, word, around in _counted(sentence):
        same = max((len(around & others) for other, _, others in theirs if other == value), default=0)
        instead = max((len(around & others) for other, _, others in theirs if other != value), default=0)
        if value not in given and word != "one" and instead > same:
            found.append(word)
    return found


def unsupported_units(sentence: str, near: str) -> set[str]:
    """Return the units that a sentence names and the text near it does not: milliseconds where that says seconds."""
    named = {word for word in _words(sentence) if word not in _AMBIGUOUS_UNITS}
    return _units_in(named) - _units_in(_words(near))


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


def asks_for_number(question: str) -> bool:
    """Whether a question asks how many, how long, which share and the like."""
    return bool(_ASKS_FOR_NUMBER.search(question))


def holds_number(text: str) -> bool:
    """Whether a text has something to say how many: digits, number words, "daily", "always"."""
    return bool(_SOME_NUMBER.search(text))


def _counted(text: str) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield each number with the word it stands as and the words around it, by their beginnings."""
    words = [word.lower() for word in _WORD_OR_NUMBER.findall(text)]
    for place, word in enumerate(words):
        value = _plain(word) if word[0].isdigit() else _COUNTING.get(word)
        if value is not None:
            around = words[max(0, place - _AROUND_BEFORE) : place] + words[place + 1 : place + 1 + _AROUND_AFTER]
            yield value, word, frozenset(other[:6] for other in around if other not in _SMALL_WORDS)


def _units_in(words: set[str]) -> set[str]:
    return {_UNITS[word] for word in words if word in _UNITS}


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD_OR_NUMBER.findall(text)}


def _plain(number: str) -> str:
    joined = re.sub(r",(?=\d{3}(?:\D|$))", "", number).replace(",", ".")
    return joined.rstrip("0").rstrip(".") if joined.count(".") == 1 else joined


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for match in _QUANTITY.finditer(text):
        if match.group(1) is not None:
            yield _read(match)
        elif match.group(3).lower() in SPELLED_NUMBERS:
            yield SPELLED_NUMBERS[match.group(3).lower()], _UNITS.get(match.group(4).lower(), "")


def _read(match: re.Match[str]) -> tuple[str, str]:
    plain = next(iter(numbers_of(match.group(1))), match.group(1))
    return plain, _UNITS.get((match.group(2) or "").lower(), "")
