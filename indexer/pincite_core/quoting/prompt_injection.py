"""Prompt injection detection: finds text addressed to an assistant, such as "ignore previous instructions".

Patterns come from the tables of all languages (`phrasing`): orders to dismiss instructions, roles to play, rules for
replies, and chat markers of models. Quoted text and code count as mentions, because docs about such attacks contain
them. In doubt, a text counts as addressed to readers, because a false positive removes it from answers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from unicodedata import category, normalize

from pincite_core.phrasing import tables
from pincite_core.phrasing.table import Addressing
from pincite_core.units import split_sentences

__all__ = (
    "addressed_from",
    "addresses_assistant",
    "asking_pattern",
    "asks_about_assistants",
    "dismisses_instructions",
    "dismissing_pattern",
    "unaddressed",
)

_REMEMBERED = 2048  # cached texts; several stages check the sections of an answer
_START = (
    r"(?:^|[.!?:;,\n(>*–—`\"'“‘«„「『-] *|\b(?:please|now|and|then|but|you must|you should|you will|you have to|instead"
    r"|also|assistant|ai|immediately|just|simply|first|hereby|therefore|so)\b[ ,:!]*)"
)
_BEING = (
    r"(?:(?:ai|llm|gpt|dan|assistant|chatbot|bot|language model|hacker|pirate|jailbroken|unrestricted|uncensored"
    r"|unfiltered)"
    r"(?! (?:engineer|developer|user|owner|author|admin|team)))"
)
_BLOCK = re.compile(
    r"^(`{3,})[^\n]*\n.*?(?:^\1`*[ \t]*$|\Z)|[^\n]+(?:\n(?!\s*\n|`{3,})[^\n]+)*", re.DOTALL | re.MULTILINE
)
_MARKS = Addressing(
    words=("<|", "<<sys", "</sys", "<system", "</system", "<excerpt", "</excerpt", "###", "[inst]", "[/inst]"),
    direct=(
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|eot_id)\|?>",
        r"\[/?inst\]|<</?sys>>|</?(?:system(?:[ _-]?prompt)?|excerpt[^>]{0,20})>"
        r"|###\s*(?:instructions?|system|human|assistant)\s*:",
        r"(?:^|\n)\W{0,4}(?:ai )?assistant\s*:\s*\w",
    ),
)
"""Chat markers of language models, independent of the language."""
_CODE = re.compile(r"^(`{3,}).*?(?:^\1|\Z)|(`+)(?!`).+?(?<!`)\2(?!`)", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|「[^」\n]{1,300}」|『[^』\n]{1,300}』"
    r"|(?<!\w)['‘][^'’\n]{3,300}['’](?!\w)"
)


@dataclass(frozen=True, slots=True)
class _Patterns:
    words: tuple[str, ...]
    dismiss: re.Pattern[str]
    direct: re.Pattern[str]
    unless: re.Pattern[str]
    asks: re.Pattern[str]


@lru_cache(_REMEMBERED)
def addresses_assistant(text: str, mentions: bool = False) -> bool:
    """Return whether a paragraph gives orders to an assistant.

    Args:
        text: The paragraph as Markdown.
        mentions: Whether quoted text and code count too.
    """
    said = _plain(text if mentions else _QUOTED.sub("x", _CODE.sub("x", text)))
    patterns = _patterns()
    if not any(map(said.__contains__, patterns.words)):
        return False
    if patterns.direct.search(said):
        return True
    return patterns.dismiss.search(said) is not None and patterns.unless.search(said) is None


@lru_cache(_REMEMBERED)
def asks_about_assistants(question: str) -> bool:
    """Return whether a question is about assistants, their instructions or attacks on them."""
    return _patterns().asks.search(normalize("NFKC", question)) is not None


def dismisses_instructions(question: str) -> bool:
    """Return whether every sentence of a question is an order to dismiss instructions."""
    parts = [_plain(question[start:end]) for start, end in split_sentences(question)]
    return bool(parts) and all(map(_patterns().dismiss.search, parts))


def asking_pattern() -> str:
    """Return the pattern of questions about assistants; match it case-insensitively against NFKC text."""
    return _patterns().asks.pattern


def dismissing_pattern() -> str:
    """Return the pattern of orders to dismiss instructions; match it against a lower-case NFKC sentence."""
    return _patterns().dismiss.pattern


@lru_cache(_REMEMBERED)
def addressed_from(text: str, mentions: bool = False) -> int | None:
    """Return the start of the first sentence or code block addressed to an assistant; None if there is none."""
    if not addresses_assistant(text, True):
        return None
    found = ((match.start(), _begins(match.group(), mentions)) for match in _BLOCK.finditer(text))
    return next((start + begins for start, begins in found if begins is not None), None)


def unaddressed(text: str) -> str:
    """Truncate each paragraph of a text before its first sentence addressed to an assistant."""
    if not addresses_assistant(text, True):
        return text
    blocks = (match.group() for match in _BLOCK.finditer(text))
    return "\n\n".join(filter(None, (block[: _begins(block, mentions=False)].rstrip() for block in blocks)))


def _begins(block: str, mentions: bool) -> int | None:
    """Return the start of a block's first sentence addressed to an assistant; 0 if only the whole block matches."""
    if not addresses_assistant(block, mentions):
        return None
    if block.startswith("```"):
        return 0
    spans = split_sentences(block)
    return next((start for start, end in spans if addresses_assistant(block[start:end], mentions)), 0)


def _plain(text: str) -> str:
    """Return a text in NFKC and lower case, without invisible characters and with single spaces."""
    if not text.isascii():
        text = normalize("NFKC", text)
        for letter in set(text):
            if category(letter) == "Cf":
                text = text.replace(letter, "")
    return re.sub(r"[ \t]+", " ", text.casefold())


@cache
def _patterns() -> _Patterns:
    forms = [_MARKS, *(table.addressing for table in tables())]
    return _Patterns(
        words=tuple(dict.fromkeys(word for one in forms for word in one.words)),
        dismiss=_joined([pattern for one in forms for pattern in one.dismiss]),
        direct=_joined([pattern for one in forms for pattern in one.direct]),
        unless=_joined([pattern for one in forms for pattern in one.unless]),
        asks=re.compile("|".join(pattern for one in forms for pattern in one.asks), re.IGNORECASE),
    )


def _joined(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(one.replace("{start}", _START).replace("{being}", _BEING) for one in patterns))
