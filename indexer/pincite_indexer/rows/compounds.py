"""Split compounds into search terms, if the site also uses their parts as separate words."""

import re
from collections.abc import Iterable

from pincite_core.search.compounds import compound_parts, is_compounding
from pincite_core.search.languages import primary, small_words, stem
from pincite_core.search.terms import terms

__all__ = ("Compounds",)

_CODE = re.compile(r"```.*?(?:```|$)|`[^`\n]+`", re.DOTALL)
_WORD = re.compile(r"(?<![\w-])[^\W\d_]+(?!\w|-(?!\w))")  # not the first part of "Sicherungs- und Systemdateien"
_LETTERS = re.compile(r"[^\W\d_]+")
_SHORTEST = 4  # letters
_SHORT_NAME = 3  # letters of a word that is only written with a capital, and so is not a suffix: Web, Bit


class Compounds:
    """Compound splitter for one language of a site.

    Args:
        texts: All texts of the site in this language; the same texts give the same terms.
        language: BCP 47 tag; a language without compounds gives no terms.
    """

    def __init__(self, texts: Iterable[str], language: str) -> None:
        self._language = language
        self._alone = _words_alone(texts, primary(language)) if is_compounding(primary(language)) else frozenset()
        self._known: dict[str, tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        """Return the terms of the parts of a text's compounds, in order, with repeats."""
        return [term for word in _LETTERS.findall(text) for term in self._parts(word)] if self._alone else []

    def _parts(self, word: str) -> tuple[str, ...]:
        if word not in self._known:
            is_code = any(sign.isupper() for sign in word[1:])  # identifiers are split at their capitals elsewhere
            found = () if is_code else compound_parts(word.lower(), primary(self._language), self._alone)
            self._known[word] = tuple(term for part in found for term in terms(part, self._language))
        return self._known[word]


def _words_alone(texts: Iterable[str], language: str) -> frozenset[str]:
    """Return the lower-case words that occur separately in the texts outside code, and their stems."""
    written = {word for text in texts for word in _WORD.findall(_CODE.sub(" ", text))}
    words = {word.lower() for word in written if len(word) >= _SHORTEST}
    names = {word.lower() for word in written if len(word) == _SHORT_NAME and word.istitle()}
    words |= {name for name in names if name not in written and name.upper() not in written}
    words -= small_words(language)
    return frozenset(words | {cut for word in words if len(cut := stem(word, language)) >= _SHORTEST})
