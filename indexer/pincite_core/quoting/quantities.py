"""Quantities: extracts numbers and units from texts, compares them, and detects questions that ask for a number."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from pincite_core.phrasing import Phrases, bounded, phrasing
from pincite_core.phrasing.phrases import Bounds
from pincite_core.phrasing.table import Groups

__all__ = (
    "Quantity",
    "asks_for_number",
    "contradicted_numbers",
    "has_quantity",
    "holds_number",
    "numbers_of",
    "quantities_in",
    "quantities_of",
    "quantity_asked",
    "spelled_numbers_of",
    "units_of",
    "unsaid_counts",
    "unsupported_numbers",
    "unsupported_quantities",
    "unsupported_units",
    "without_asking",
)

_EXPONENT = r"(?:[⁺⁻]?[⁰¹²³⁴-⁹]+|\^[-+]?\d+)?"  # 10⁶, or 10^6 as people type it
_NUMERAL = rf"\d+(?:[.,]\d+)*{_EXPONENT}"
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_BLANKS = {",": "", ".": "\u00a0\u202f", " ": " \u00a0\u202f"}  # spaces allowed as thousands separators, by `Groups`
_ANY_BLANK = re.compile("[ \u00a0\u202f]")
_IN_POINTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_TENTH_VERSION = re.compile(r"[1-9]\d*\.[1-9]0")  # 3.10 is not 3.1; 2.0 is 2
_DIGITS_INSIDE = re.compile(rf"\d+{_EXPONENT}")
_AROUND_BEFORE, _AROUND_AFTER = 1, 3  # neighbouring words that identify what a number counts
_SMALL_WORDS = frozenset("the a an of in to is it for and or as by with that this than".split())
_MOST_SPELLED = 12
_SYMBOLS = {
    "ms": "ms",
    "s": "s",
    "min": "min",
    "h": "h",
    "d": "d",
    "kb": "k kb kib",
    "mb": "m mb mib",
    "gb": "g gb gib",
    "tb": "t tb tib",
    "%": "%",
    "px": "px",
    "mm": "mm",
    "cm": "cm",
    "km": "km",
    "times": "x",
}
"""The symbols of units, common to all languages."""
_AMBIGUOUS_SYMBOLS = frozenset("s h d k m g t x min".split())  # symbols that are not always units
_TIME_SYMBOLS = r"ms|s|min|h|d"
_DIGITS = r"\d[\d.,_]*"
_SIZE_SYMBOLS = r"[kmgt]i?b"
_DIGIT = re.compile(r"\d")

Quantity = Literal["duration", "size", "count", "number"]
"""The kinds of numbers that questions ask for: "how long", "how big", "how many". `number` is a number of any kind."""


_QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)


@dataclass(frozen=True, slots=True)
class _Known:
    """A language's rules for numbers and units, compiled to patterns and mappings."""

    groups: Groups
    number: re.Pattern[str]
    quantity: re.Pattern[str]
    word_or_number: re.Pattern[str]
    spelled: Mapping[str, str]
    counting: Mapping[str, str]
    units: Mapping[str, str]
    ambiguous: frozenset[str]
    spelled_word: re.Pattern[str]
    duration: re.Pattern[str]
    size: re.Pattern[str]
    maybe: tuple[re.Pattern[str], re.Pattern[str]]
    glued: re.Pattern[str] | None


@cache
def _known(language: str) -> _Known:
    table = phrasing(language)
    numbers = table.numbers
    spelled = {word: str(value) for word, value in numbers.spelled.items()}
    counting = {**spelled, **{word: str(value) for word, value in numbers.counting.items()}}
    written = [*_SYMBOLS.items(), *numbers.units.items()]
    units = {spelling: unit for unit, spellings in written for spelling in spellings.split()}
    small = [word for word, value in numbers.spelled.items() if value <= _MOST_SPELLED]
    often = table.sentences.often
    numeral = _numeral(numbers.groups)
    inside = rf"\d+(?:\.\d+)*{_EXPONENT}" if numbers.groups == "," else numeral  # "1,2" may be two numbers
    return _Known(
        groups=numbers.groups,
        number=re.compile(rf"(?<![\w.])({numeral})\s?(%|[kKMGT]i?B|[mµun]?s\b|ms\b|[a-z]{{1,3}}\b)?"),
        quantity=re.compile(
            rf"(?<![\w.])({numeral})(?:st|nd|rd|th)?\b[\s-]?(%|[^\W\d_]+)?"  # 30 seconds
            r"|(?<!\w)([^\W\d_]+)[\s-]([^\W\d_A-Z]+)"  # thirty-second, if the first is a number
        ),
        word_or_number=re.compile(rf"{inside}|[^\W\d_][\w-]*|%"),
        spelled=spelled,
        counting=counting,
        units=units,
        ambiguous=_AMBIGUOUS_SYMBOLS | frozenset(numbers.ambiguous.split()),
        spelled_word=re.compile(bounded(small, table.bounds), re.IGNORECASE),
        duration=_amount(numbers.some, (_TIME_SYMBOLS, *numbers.times), table.bounds, often.has),
        size=_amount(numbers.some, (_SIZE_SYMBOLS, *numbers.sizes), table.bounds),
        maybe=_maybe_amounts(
            numbers.some, (_TIME_SYMBOLS, *numbers.times, _SIZE_SYMBOLS, *numbers.sizes), table.bounds, often.has
        ),
        glued=_glued(units, numeral) if table.bounds != "words" else None,
    )


def _numeral(groups: Groups) -> str:
    """Return the pattern of numbers in digits for the thousands separator of a language."""
    blanks = _BLANKS[groups]
    return rf"(?:\d{{1,3}}(?:[{blanks}]\d{{3}})+(?:,\d+)?(?!\d){_EXPONENT}|{_NUMERAL})" if blanks else _NUMERAL


def _amount(some: Sequence[str], units: Sequence[str], bounds: Bounds, else_: Sequence[str] = ()) -> re.Pattern[str]:
    """Return a pattern that matches a number in digits or words with one of the units, or one of the words `else_`."""
    number = rf"(?:{_DIGITS}|{bounded(some, bounds)})"
    return re.compile(rf"{number}{_unit(units, bounds)}|{bounded(else_, bounds)}", re.IGNORECASE)


def _maybe_amounts(
    some: Sequence[str], units: Sequence[str], bounds: Bounds, else_: Sequence[str]
) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of which one matches if any pattern of `_amount` does: for digits, and for words.

    Two patterns take a fourth of the time of one, which must try every position of a text.
    """
    in_words = f"{bounded(some, bounds)}{_unit(units, bounds)}|{bounded(else_, bounds)}"
    return re.compile(_DIGITS + _unit(units, bounds), re.IGNORECASE), re.compile(in_words, re.IGNORECASE)


def _unit(units: Sequence[str], bounds: Bounds) -> str:
    after = r"(?!\w)" if bounds == "words" else r"(?![A-Za-z])"
    return rf"[ \u00a0\u202f-]?(?:{'|'.join(units)}){after}"


def _glued(units: Mapping[str, str], numeral: str) -> re.Pattern[str]:
    """Return a pattern that matches a number with a non-ASCII unit, with or without spaces around the unit."""
    longest = sorted((unit for unit in units if not unit.isascii()), key=len, reverse=True)
    return re.compile(rf"({numeral})\s?({'|'.join(map(re.escape, longest))})")


def numbers_of(text: str, language: str = "en") -> set[str]:
    """Return the numbers of a text, without thousands separators or trailing zeros after a decimal point.

    The language decides the format: 1.500 is 1500 in German and 1.5 in English, and 1 500 is one number in French. A
    possible version such as 3.10 keeps its trailing zero.
    """
    known = _known(language)
    return {_plain(match.group(1), known.groups) for match in known.number.finditer(text)}


def spelled_numbers_of(text: str, language: str = "en") -> set[str]:
    """Return the spelled-out numbers up to twelve in a text, as digits."""
    known = _known(language)
    return {known.spelled[match.group().lower()] for match in known.spelled_word.finditer(text)}


def quantities_of(text: str, language: str = "en") -> dict[str, set[str]]:
    """Return the numbers of a text with the units that follow each, including numbers in names and spelled-out numbers.

    A number has the unit "" if no unit follows it.
    """
    found: dict[str, set[str]] = {_power(number): {""} for number in _DIGITS_INSIDE.findall(text)}
    seen: set[str] = set()
    for number, unit in _pairs(text, _known(language)):
        units = found.setdefault(number, set())
        if number not in seen:
            units.clear()
            seen.add(number)
        units.add(unit)
    return found


def unsupported_numbers(text: str, evidence: str, language: str) -> list[str]:
    """Return the numbers of a text that its evidence contains neither in digits nor spelled out."""
    left = numbers_of(text, language)
    if left:  # skip the long evidence for the many claims without numbers
        left -= numbers_of(evidence, language)
    return sorted(left - spelled_numbers_of(evidence, language)) if left else []


def unsupported_quantities(sentence: str, held: Mapping[str, set[str]], language: str = "en") -> list[str]:
    """Return a sentence's numbers in digits that a passage lacks or contains only with other units.

    Args:
        sentence: One sentence of an answer.
        held: The result of `quantities_of` for the passage.
        language: The language of both texts.
    """
    found = []
    for match in _matches(sentence, _known(language)):
        if match.group(1) is None:
            continue
        number, unit = _read(match, _known(language))
        if number not in held or (unit and "" not in held[number] and unit not in held[number]):
            found.append(match.group().strip() if unit and number in held else match.group(1))
    return found


def contradicted_numbers(sentence: str, near: str, known: str = "", language: str = "en") -> list[str]:
    """Return the numbers of a sentence that the source replaces with other numbers in the same context.

    Both numbers in digits and spelled-out numbers count.

    Args:
        sentence: One sentence of an answer.
        near: The sentences of the source nearest to the sentence.
        known: Other texts that may contain the number: a heading, the question.
        language: The language of all texts.
    """
    table = _known(language)
    theirs = list(_counted(near, table))
    given = {value for value, _, _ in _counted(known, table)}
    found = []
    for value, word, around in _counted(sentence, table):
        same = max((len(around & others) for other, _, others in theirs if other == value), default=0)
        instead = max((len(around & others) for other, _, others in theirs if other != value), default=0)
        if value not in given and word != "one" and instead > same:
            found.append(word)
    return found


def unsaid_counts(sentence: str, text: str, language: str = "en") -> list[str]:
    """Return the number words of a sentence ("three", "twice") if a text lacks their value; ignore the value 1."""
    known = _known(language)
    counts = [(value, word) for value, word, _ in _counted(sentence, known) if value != "1" and not word[0].isdigit()]
    if not counts:
        return []  # the common case; skip the long text
    said = {value for value, _, _ in _counted(text, known)} | quantities_of(text, language).keys()
    return [word for value, word in counts if value not in said]


def unsupported_units(sentence: str, near: str, language: str = "en") -> set[str]:
    """Return the units of a sentence that the nearby source text lacks, such as milliseconds instead of seconds."""
    known = _known(language)
    return units_of(sentence, language) - _units_in(_words(near, known), known)


def units_of(text: str, language: str = "en") -> set[str]:
    """Return the unambiguous units in a text, with or without a number: `min` for "a minute"."""
    known = _known(language)
    return _units_in({word for word in _words(text, known) if word not in known.ambiguous}, known)


def quantity_asked(query: str, language: str = "en") -> Quantity | None:
    """Return the kind of number that a question asks for; None if the question asks for no number."""
    asked = phrasing(language).questions
    kinds: Mapping[Quantity, Phrases] = {
        "duration": asked.duration,
        "size": asked.size,
        "count": asked.count,
        "number": asked.number,
    }
    return next((kind for kind, phrases in kinds.items() if phrases.found_in(query)), None)


def has_quantity(text: str, kind: Quantity, language: str = "en") -> bool:
    """Return whether a text contains a number of a kind; "60 seconds" is a duration but not a count."""
    known = _known(language)
    if kind == "duration":
        return bool(known.duration.search(text))
    if kind == "size":
        return bool(known.size.search(text))
    if kind == "count" and _DIGIT.search(text):
        text = known.size.sub("", known.duration.sub("", text))
    return bool(_DIGIT.search(text))


def quantities_in(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """Return the kinds of the numbers that a text contains; one quick test answers for most texts."""
    in_digits, in_words = _known(language).maybe
    if in_digits.search(text) or in_words.search(text):
        return tuple(kind for kind in _QUANTITIES if has_quantity(text, kind, language))
    return ("count", "number") if _DIGIT.search(text) else ()


def without_asking(query: str, language: str = "en") -> str:
    """Remove phrases such as "how long" from a question, because they do not describe its subject."""
    return phrasing(language).questions.asking.removed_from(query)


def asks_for_number(question: str, language: str = "en") -> bool:
    """Return whether a question asks for an amount: how many, how long, which share."""
    return phrasing(language).questions.amount.found_in(question)


def holds_number(text: str, language: str = "en") -> bool:
    """Return whether a text states an amount: digits, number words, "daily", "always"."""
    return bool(_DIGIT.search(text)) or phrasing(language).sentences.amounts.found_in(text)


def _counted(text: str, known: _Known) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield each number as (value, spelling, prefixes of the words around the number)."""
    words = [word.lower() for word in known.word_or_number.findall(text)]
    for place, word in enumerate(words):
        value = _plain(word, known.groups) if word[0].isdigit() else known.counting.get(word)
        if value is not None:
            around = words[max(0, place - _AROUND_BEFORE) : place] + words[place + 1 : place + 1 + _AROUND_AFTER]
            yield value, word, frozenset(other[:6] for other in around if other not in _SMALL_WORDS)


def _units_in(words: set[str], known: _Known) -> set[str]:
    return {known.units[word] for word in words if word in known.units}


def _words(text: str, known: _Known) -> set[str]:
    """Return the words of a text, and the units attached to numbers without a space."""
    words = {word.lower() for word in known.word_or_number.findall(text)}
    return words if known.glued is None else words | {match.group(2) for match in known.glued.finditer(text)}


def _power(number: str) -> str:
    """Return a number with its exponent after `^`."""
    if number.isdecimal():
        return number
    base = number.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻").partition("^")[0]
    exponent = number[len(base) :].lstrip("^").translate(_RAISED)
    return f"{base}^{exponent}" if exponent else number


def _plain(number: str, groups: Groups) -> str:
    base, raised, exponent = _power(number).partition("^")
    return _plain_decimal(base, groups) + raised + exponent


def _plain_decimal(number: str, groups: Groups) -> str:
    joined = _ANY_BLANK.sub("", number)
    if groups == ".":
        joined = joined.replace(".", "") if _IN_POINTS.fullmatch(joined) else joined
    elif groups == ",":
        joined = re.sub(r",(?=\d{3}(?:\D|$))", "", joined)
    if _TENTH_VERSION.fullmatch(joined):
        return joined
    joined = joined.replace(",", ".")
    return joined.rstrip("0").rstrip(".") if joined.count(".") == 1 else joined


def _pairs(text: str, known: _Known) -> Iterator[tuple[str, str]]:
    for match in _matches(text, known):
        if match.group(1) is not None:
            yield _read(match, known)
        elif match.group(3).lower() in known.spelled:
            yield known.spelled[match.group(3).lower()], known.units.get(match.group(4).lower(), "")


def _matches(text: str, known: _Known) -> Iterator[re.Match[str]]:
    """Yield the matches of numbers in a text; numbers with an attached unit come first."""
    glued = [] if known.glued is None else list(known.glued.finditer(text))
    yield from glued
    taken = {match.start() for match in glued}
    yield from (match for match in known.quantity.finditer(text) if match.start() not in taken)


def _read(match: re.Match[str], known: _Known) -> tuple[str, str]:
    return _plain(match.group(1), known.groups), known.units.get((match.group(2) or "").lower(), "")
