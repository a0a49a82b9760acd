"""Number the items of a list as its page shows them: in letters or Roman numerals, from any start, also backwards.

The rules are those of HTML's `ol` and `li`, and of `list-style-type` in CSS. Style sheets are not read; the classes by
which generators choose a style are in `Generator.list_styles`.
"""

import re
from dataclasses import dataclass

from lxml import etree

from pincite_indexer.generators.known_generators import MERGED
from pincite_indexer.pages.markup import classes, whole_number

__all__ = ("BULLET", "Numbering")

BULLET = "-"

_STYLE = re.compile(r"(?:^|;)\s*list-style(?:-type)?\s*:\s*([^;]+)", re.IGNORECASE)
_TYPES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}
_BULLETS = frozenset({"none", "disc", "circle", "square", "disclosure-open", "disclosure-closed"})
_LATIN, _GREEK = "abcdefghijklmnopqrstuvwxyz", "αβγδεζηθικλμνξοπρστυφχψω"
_ALPHABETS = {"lower-alpha": _LATIN, "lower-latin": _LATIN, "upper-alpha": _LATIN, "upper-latin": _LATIN}
_ALPHABETS["lower-greek"] = _GREEK
_ROMAN = [(1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")]
_ROMAN += [(10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")]
_LARGEST_ROMAN = 3999
_DECIMAL = frozenset({"decimal", "decimal-leading-zero", "lower-roman", "upper-roman", *_ALPHABETS})


@dataclass(slots=True)
class Numbering:
    """Style of a list, and the number of its next item."""

    style: str  # name of a `list-style-type`; empty for bullets
    number: int = 1
    step: int = 1

    @classmethod
    def of(cls, element: etree._Element, tag: str) -> "Numbering":
        """Return the numbering of a list, by its tag and attributes."""
        default = "decimal" if tag == "ol" else ""
        if not element.keys():
            return cls(default)
        style = _style_of(element, default)
        if element.get("reversed") is None or tag != "ol":
            return cls(style, whole_number(element, "start", 1) if tag == "ol" else 1)
        return cls(style, whole_number(element, "start", sum(child.tag == "li" for child in element)), -1)

    @property
    def is_plain(self) -> bool:
        """Whether the marks are bullets or rising decimal numbers."""
        return self.step == 1 and self.style in {"", "decimal"}

    def next_mark(self, item: etree._Element) -> str:
        """Return the mark of the next item, and count it."""
        style = self.style
        if item.keys():
            self.number = whole_number(item, "value", self.number)
            style = _style_of(item, style)
        number = self.number
        self.number += self.step
        return f"{_ordinal(number, style)}." if style else BULLET


def _style_of(element: etree._Element, default: str) -> str:
    """Return the style that an element's attributes choose: `style` first, then `type`, then classes."""
    style = element.get("style")
    if style and (found := _STYLE.search(style)):
        for word in found[1].lower().replace("!important", "").split():
            if word in _DECIMAL:
                return word
            if word in _BULLETS:
                return ""
    if kind := element.get("type"):
        return "" if kind.lower() in _BULLETS else _TYPES.get(kind, default)
    if element.get("class") is None:
        return default
    style = next((MERGED.list_styles[name] for name in classes(element) if name in MERGED.list_styles), default)
    return "" if style in _BULLETS else style


def _ordinal(number: int, style: str) -> str:
    if style in _ALPHABETS and number > 0:
        text = _letters(number, _ALPHABETS[style])
    elif style.endswith("-roman") and 0 < number <= _LARGEST_ROMAN:
        text = _roman(number)
    else:
        return f"{number:02d}" if style == "decimal-leading-zero" else str(number)
    return text.upper() if style.startswith("upper") else text


def _letters(number: int, alphabet: str) -> str:
    text = ""
    while number > 0:
        number, place = divmod(number - 1, len(alphabet))
        text = alphabet[place] + text
    return text


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text
