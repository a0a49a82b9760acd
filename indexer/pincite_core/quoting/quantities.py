"""Numbers: which a text holds, with which units, whether they are another text's, which kind a question asks for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

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

_NUMERAL = r"\d+(?:[.,]\d+)*"
_BLANKS = {",": "", ".": "\u00a0\u202f", " ": " \u00a0\u202f"}  # that part thousands, by what usually does
_ANY_BLANK = re.compile("[ \u00a0\u202f]")
_IN_POINTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_TENTH_VERSION = re.compile(r"[1-9]\d*\.[1-9]0")  # 3.10 is not 3.1; 2.0 is 2
_DIGITS_INSIDE = re.compile(r"\d+")
_AROUND_BEFORE, _AROUND_AFTER = 1, 3  # words beside a number that say what it counts
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
"""Of units, which all languages write alike."""
_AMBIGUOUS_SYMBOLS = frozenset("s h d k m g t x min".split())  # letters that may be no unit
_TIME_SYMBOLS = r"ms|s|min|h|d"
_SIZE_SYMBOLS = r"[kmgt]i?b"
_DIGIT = re.compile(r"\d")

Quantity = Literal["duration", "size", "count", "number"]
"""What "how long", "how big" and "how many" ask for; `number` is any, where the question's words do not tell which."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What a language's table says of numbers and units, as texts are searched for it."""

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
    inside = r"\d+(?:\.\d+)*" if numbers.groups == "," else numeral  # 1,2 may be two numbers
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
        glued=_glued(units, numeral) if table.bounds != "words" else None,
    )


def _numeral(groups: Groups) -> str:
    """Return what finds a number in digits, by what parts its thousands."""
    blanks = _BLANKS[groups]
    return rf"(?:\d{{1,3}}(?:[{blanks}]\d{{3}})+(?:,\d+)?(?!\d)|{_NUMERAL})" if blanks else _NUMERAL


def _amount(some: Sequence[str], units: Sequence[str], bounds: Bounds, else_: Sequence[str] = ()) -> re.Pattern[str]:
    """Return what finds a number in digits or words with one of some units, or one of some words instead."""
    number = rf"(?:\d[\d.,_]*|{bounded(some, bounds)})"
    after = r"(?!\w)" if bounds == "words" else r"(?![A-Za-z])"
    return re.compile(
        rf"{number}[ \u00a0\u202f-]?(?:{'|'.join(units)}){after}|{bounded(else_, bounds)}",
        re.IGNORECASE,
    )


def _glued(units: Mapping[str, str], numeral: str) -> re.Pattern[str]:
    """Return what finds a number with its unit where no blank need part them, nor end the unit."""
    longest = sorted((unit for unit in units if not unit.isascii()), key=len, reverse=True)
    return re.compile(rf"({numeral})\s?({'|'.join(map(re.escape, longest))})")


def numbers_of(text: str, language: str = "en") -> set[str]:
    """Return the numbers of a text, without thousands separators or trailing zeros after a point.

    Read as its language writes them: 1.500 is 1500 in German and 1.5 in English, 1 500 one number in French. What may
    be a version keeps its zero: 3.10.
    """
    known = _known(language)
    return {_plain(match.group(1), known.groups) for match in known.number.finditer(text)}


def spelled_numbers_of(text: str, language: str = "en") -> set[str]:
    """Return the numbers up to twelve that a text has as words, in digits."""
    known = _known(language)
    return {known.spelled[match.group().lower()] for match in known.spelled_word.finditer(text)}


def quantities_of(text: str, language: str = "en") -> dict[str, set[str]]:
    """Return the numbers of a text, those inside names and spelled ones included, with the units that follow each.

    A number without a unit, or with a word that is none, has the unit "".
    """
    found: dict[str, set[str]] = {number: {""} for number in _DIGITS_INSIDE.findall(text)}
    seen: set[str] = set()
    for number, unit in _pairs(text, _known(language)):
        units = found.setdefault(number, set())
        if number not in seen:
            units.clear()
            seen.add(number)
        units.add(unit)
    return found


def unsupported_numbers(text: str, evidence: str, language: str) -> list[str]:
    """Return the numbers of a text that its evidence has neither in digits nor as words."""
    left = numbers_of(text, language)
    if left:  # most claims have none, and evidence is long
        left -= numbers_of(evidence, language)
    return sorted(left - spelled_numbers_of(evidence, language)) if left else []


def unsupported_quantities(sentence: str, held: Mapping[str, set[str]], language: str = "en") -> list[str]:
    """Return the numbers in digits that a passage lacks or has with other units only, as the sentence has them.

    Args:
        sentence: One sentence of an answer.
        held: The `quantities_of` the passage.
        language: Of both.
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
    """Return the numbers of a sentence, spelled ones too, in whose place the text near it has others.

    Args:
        sentence: One sentence of an answer.
        near: The sentences that say it.
        known: What else may have the number: a heading, the question.
        language: Of all of them.
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
    """Return the words of a sentence that count two or more ("three", "twice") where a text has that number nowhere."""
    known = _known(language)
    counts = [(value, word) for value, word, _ in _counted(sentence, known) if value != "1" and not word[0].isdigit()]
    if not counts:
        return []  # as a rule, and the text is long
    said = {value for value, _, _ in _counted(text, known)} | quantities_of(text, language).keys()
    return [word for value, word in counts if value not in said]


def unsupported_units(sentence: str, near: str, language: str = "en") -> set[str]:
    """Return the units that a sentence names and the text near it does not: milliseconds where that says seconds."""
    known = _known(language)
    return units_of(sentence, language) - _units_in(_words(near, known), known)


def units_of(text: str, language: str = "en") -> set[str]:
    """Return the units that a text names beyond doubt, with a number or without: `min` of "a minute"."""
    known = _known(language)
    return _units_in({word for word in _words(text, known) if word not in known.ambiguous}, known)


def quantity_asked(query: str, language: str = "en") -> Quantity | None:
    """Return the kind of number that would answer a question; None when none would."""
    asked = phrasing(language).questions
    kinds: Mapping[Quantity, Phrases] = {
        "duration": asked.duration,
        "size": asked.size,
        "count": asked.count,
        "number": asked.number,
    }
    return next((kind for kind, phrases in kinds.items() if phrases.found_in(query)), None)


def has_quantity(text: str, kind: Quantity, language: str = "en") -> bool:
    """Whether a text has a number of a kind: "60 seconds" is a duration and no count."""
    known = _known(language)
    if kind == "duration":
        return bool(known.duration.search(text))
    if kind == "size":
        return bool(known.size.search(text))
    if kind == "count" and _DIGIT.search(text):
        text = known.size.sub("", known.duration.sub("", text))
    return bool(_DIGIT.search(text))


def without_asking(query: str, language: str = "en") -> str:
    """Return a question without its "how long" and the like, whose words say nothing of the subject."""
    return phrasing(language).questions.asking.removed_from(query)


def asks_for_number(question: str, language: str = "en") -> bool:
    """Whether a question asks how many, how long, which share and the like."""
    return phrasing(language).questions.amount.found_in(question)


def holds_number(text: str, language: str = "en") -> bool:
    """Whether a text has something to say how many: digits, number words, "daily", "always"."""
    return bool(_DIGIT.search(text)) or phrasing(language).sentences.amounts.found_in(text)


def _counted(text: str, known: _Known) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield each number with the word it stands as and the words around it, by their beginnings."""
    words = [word.lower() for word in known.word_or_number.findall(text)]
    for place, word in enumerate(words):
        value = _plain(word, known.groups) if word[0].isdigit() else known.counting.get(word)
        if value is not None:
            around = words[max(0, place - _AROUND_BEFORE) : place] + words[place + 1 : place + 1 + _AROUND_AFTER]
            yield value, word, frozenset(other[:6] for other in around if other not in _SMALL_WORDS)


def _units_in(words: set[str], known: _Known) -> set[str]:
    return {known.units[word] for word in words if word in known.units}


def _words(text: str, known: _Known) -> set[str]:
    """Return the words of a text, and the units that stand right after numbers where nothing parts them."""
    words = {word.lower() for word in known.word_or_number.findall(text)}
    return words if known.glued is None else words | {match.group(2) for match in known.glued.finditer(text)}


def _plain(number: str, groups: Groups) -> str:
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
    """Yield the numbers of a text, first those with a unit that nothing parts from what follows."""
    glued = [] if known.glued is None else list(known.glued.finditer(text))
    yield from glued
    taken = {match.start() for match in glued}
    yield from (match for match in known.quantity.finditer(text) if match.start() not in taken)


def _read(match: re.Match[str], known: _Known) -> tuple[str, str]:
    return _plain(match.group(1), known.groups), known.units.get((match.group(2) or "").lower(), "")
