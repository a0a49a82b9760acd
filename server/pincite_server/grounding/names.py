"""Literal checks: finds names, code, versions and URLs in a sentence that a passage lacks.

A paraphrase cannot introduce a name.
"""

import re
from collections.abc import Set
from unicodedata import combining, normalize

from pincite_server.grounding.evidence import plain_text
from pincite_server.grounding.stems import all_stems, asserted_stems

__all__ = ("CONSTANTS", "code_spans", "missing_code", "missing_literals", "unsupported_names", "without_code")

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
CODE_SPAN = re.compile(r"`+([^`]+)`+")
FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*|\d+(?:\.\d+)*")
_COMPOUND = re.compile(r"[\w@]+(?:-\w+)+")
_VERSION = re.compile(r"\bv\d+(?:\.\w+)*")
_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>\"'`)\]]+", re.IGNORECASE)
_TRAILING = ".,;:!?"
CONSTANTS = frozenset("true false null none nil undefined yes no on off 0 1".split())
"""Common values of settings, in lower case."""


def unsupported_names(sentence: str, held: Set[str], language: str = "en") -> list[str]:
    """Return the names in a sentence that a passage lacks.

    A name is a word with a capital, with a digit next to letters, or with an underscore: `useState`, `v2`, `max_size`.
    A common word at the start of the sentence is not a name. The passage must contain all parts of a compound that are
    names: *Redux-specific* needs Redux.

    `held` are the stems of the passage.
    """
    found: list[str] = []
    for place, match in enumerate(_WORD.finditer(sentence)):
        word = match.group()
        opens = place == 0 and (word.lower() in _OPENING_WORDS or word.endswith(_SENTENCE_OPENERS))
        marked = _NAMED.search(word[1:]) or (word[0].isupper() and not opens)
        if word not in _KINDS and marked and asserted_stems(word, language) and not _is_held(word, held, language):
            found.append(word)
    return found


def _is_held(name: str, held: Set[str], language: str) -> bool:
    """Return whether the passage contains each part that marks the word as a name, in any inflection."""
    wanted = {stem for part in _SEPARATOR.split(name) if _NAMED.search(part) for stem in all_stems(part, language)[:1]}
    missing = wanted - held
    if not missing:
        return True
    plain = {"".join(sign for sign in normalize("NFKD", stem) if not combining(sign)) for stem in held}
    return missing <= plain


def code_spans(sentence: str) -> list[str]:
    """Return the code spans of a sentence, without backticks."""
    return [match.group(1).strip() for match in CODE_SPAN.finditer(sentence)]


def without_code(sentence: str) -> str:
    """Return a sentence with each code span replaced by the letter x."""
    return CODE_SPAN.sub("x", sentence)


def missing_code(span: str, text: str) -> list[str]:
    """Return the parts of a code span that a text lacks.

    If the text contains the whole code unchanged, no part is missing. Otherwise the text must contain each identifier,
    flag and hyphenated name: `failover.application` may be two keys of a listing.

    `text` is a result of `plain_text`.
    """
    wanted = plain_text(span)
    if _stands_in(wanted, text) or _stands_in(wanted.rstrip("()"), text):
        return []
    flags, rest = FLAG.findall(span), FLAG.sub(" ", span)
    whole = [*(flag.lower() for flag in flags), *(name.lower() for name in _COMPOUND.findall(rest))]
    held = set(_IDENTIFIER.findall(text))
    missing = [name for name in whole if not _stands_in(name, text)]
    return missing + [name for name in _IDENTIFIER.findall(_COMPOUND.sub(" ", rest).lower()) if name not in held]


def missing_literals(sentence: str, text: str) -> list[str]:
    """Return the code, versions (`v7`) and URLs of a sentence that `text`, a result of `plain_text`, lacks."""
    found = [part for span in code_spans(sentence) for part in missing_code(span, text)]
    loose = [*_VERSION.findall(sentence), *(url.rstrip(_TRAILING) for url in _URL.findall(sentence))]
    return found + [part for part in loose if part.lower() not in text]


def _stands_in(code: str, text: str) -> bool:
    """Return whether a text contains code unchanged, and not as part of a longer name or flag."""
    before = r"(?<![\w-])" if re.match(r"[\w-]", code) else ""
    after = r"(?![\w-])" if re.search(r"[\w-]$", code) else ""
    return bool(code) and re.search(f"{before}{re.escape(code)}{after}", text) is not None
