"""Name checks: finds names in a sentence that the passage lacks, because a paraphrase cannot introduce a name."""

import re
from collections.abc import Iterator, Set
from unicodedata import combining, normalize

from pincite_server.grounding.stems import all_stems, asserted_stems

__all__ = ("unsupported_names",)

_WORD = re.compile(r"[^\W_]+(?:[-.'’+#/_]*[^\W_]+)*[+#]*")
_SENTENCE_OPENERS = ("ing", "ed", "ly")  # suffixes of ordinary first words: "Setting it", "Based on", "Usually"
_OPENING_WORDS = frozenset(
    "above additionally after again all almost alone along already another anyone apart aside because below beside "
    "besides beyond consequently different everyone everything few further furthermore generally given here hereby "
    "instead last lastly later meanwhile moreover never nobody nothing now often once others overall perhaps "
    "previously rather simply sometimes soon today together unless unlike whatever whenever whereas wherever whether "
    "whichever yet".split()
)
_KINDS = frozenset("API APIs CLI CI GUI IDE OS UI URL URLs".split())  # generic nouns in capitals, not names
_NAMED = re.compile(r"[A-Z]|[^\W\d_]\d|\d[^\W\d_]|[^\W_]_[^\W_]")
_SEPARATOR = re.compile(r"[^\w]+")


def unsupported_names(sentence: str, held: Set[str], language: str = "en") -> list[str]:
    """Return the names in a sentence that a passage lacks.

    A name is a word with a capital, with a digit next to letters, or with an underscore: `useState`, `v2`, `max_size`.
    A common word at the start of the sentence is not a name. The passage must contain all parts of a compound that are
    names: *Redux-specific* needs Redux.

    Args:
        sentence: One sentence of an answer.
        held: The stems of the passage.
        language: The language of both texts.
    """
    return [name for name in _names(sentence, language) if not _is_held(name, held, language)]


def _names(sentence: str, language: str) -> Iterator[str]:
    for place, match in enumerate(_WORD.finditer(sentence)):
        word = match.group()
        if word in _KINDS:
            continue
        opens = place == 0 and (word.lower() in _OPENING_WORDS or word.endswith(_SENTENCE_OPENERS))
        if asserted_stems(word, language) and (_NAMED.search(word[1:]) or (word[0].isupper() and not opens)):
            yield word


def _is_held(name: str, held: Set[str], language: str) -> bool:
    """Return whether the passage contains each part that marks the word as a name, in any inflection."""
    wanted = {stem for part in _SEPARATOR.split(name) if _NAMED.search(part) for stem in all_stems(part, language)[:1]}
    missing = wanted - held
    return not missing or missing <= {_without_accents(stem) for stem in held}


def _without_accents(word: str) -> str:
    """Return a word without accents."""
    return "".join(letter for letter in normalize("NFKD", word) if not combining(letter))
