"""User-facing messages in the reader's language.

Each language has one JSON file with the same keys. The English messages have a fixed wording (EVIDENCE-5).
Quotes from the docs are never translated.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from pincite_core.phrasing import chinese_of, writes_traditional
from pincite_core.search.languages import primary

__all__ = ("LANGUAGES", "Key", "language_of", "messages_in", "name_of", "say")

LANGUAGES = ("en", "vi", "zh", "zh-Hant", "de", "fr", "es", "pt", "ja", "ko", "ru", "fa")
"""The languages with messages: `zh` is Simplified Chinese, `zh-Hant` is Traditional (Taiwan), `pt` is Brazilian."""

Key = Literal[
    "no_evidence",
    "empty_index",
    "not_in_selection",
    "out_of_scope",
    "capability_code",
    "capability_act",
    "capability_realtime",
    "capability_realtime_undated",
    "framing_selection",
    "speculative",
    "not_fully_proved",
    "fallback",
    "fallback_undated",
    "because_missing_citation",
    "because_low_overlap",
    "because_unsupported_number",
    "because_no_context",
    "because_check_failed",
    "query_truncated",
    "query_truncated_to_tokens",
    "selection_truncated",
    "selection_too_short",
    "selection_stale",
    "selection_missing",
    "selection_unproved",
    "unknown_locale",
    "unknown_version",
    "untranslated",
    "question_rewritten",
    "question_translated",
    "own_language_searched",
    "docs_language",
    "sites_left_out",
    "llm_unavailable",
    "llm_budget",
    "reason_not_in_selection",
    "reason_negation",
    "reason_not_said",
    "reason_unrelated",
    "corpus",
    "corpus_untitled",
    "suggest_contact",
    "suggest_rephrase",
    "suggest_language",
    "suggest_scope",
    "suggest_whole_site",
]

_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_NOT_RUSSIAN = re.compile(r"[\u0400\u0402-\u040f\u0450\u0452-\u04ff]")
_ARABIC_SCRIPT = re.compile(r"[\u0600-\u06ff]")
_PERSIAN = re.compile("[پچژگکی]")
_VIETNAMESE = re.compile(r"[đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]", re.IGNORECASE)
"""The letters exclude ă, â, ê and ô, which French, Portuguese and Romanian use as well."""

_CHINESE = frozenset({"zh", "zh-Hant"})
_CYRILLIC_WITHOUT_TABLE = frozenset("be bg kk ky mk mn sr tg tt uk".split())


def say(key: Key, language: str, **values: str) -> str:
    """Return a message in a language (a BCP 47 tag; English if it has no table), formatted with `values`."""
    return _table(_message_language(language))[key].format(**values)


def messages_in(language: str, keys: Iterable[Key]) -> dict[str, str]:
    """Return the message templates of the given keys in one of `LANGUAGES`, with placeholders."""
    return {key: _table(language)[key] for key in keys}


def name_of(tag: str, language: str) -> str:
    """Return the CLDR name of a language (a BCP 47 tag) in another language; the tag itself if the name is unknown."""
    return _names()[_message_language(language)].get(primary(tag), tag)


def language_of(text: str, locale: str) -> str:
    """Return the language of the answer: detected from the question's script, or else the page's locale.

    Args:
        text: The question.
        locale: BCP 47 tag of the page.
    """
    page = _message_language(locale)
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    if _HAN.search(text):
        return page if page in _CHINESE or page == "ja" else chinese_of(text)
    if _CYRILLIC.search(text):
        return "ru" if page == "ru" or _is_russian(text, locale) else "en"
    if _ARABIC_SCRIPT.search(text):  # Arabic has no messages; its readers get English, not Persian
        return "fa" if page == "fa" or _PERSIAN.search(text) else "en"
    return "vi" if _VIETNAMESE.search(text) else page


def _is_russian(text: str, locale: str) -> bool:
    """Return whether a Cyrillic text is Russian, by its letters and the page's locale."""
    return _subtags(locale)[0] not in _CYRILLIC_WITHOUT_TABLE and _NOT_RUSSIAN.search(text) is None


def _message_language(tag: str) -> str:
    """Return the entry of `LANGUAGES` for a BCP 47 tag; for Chinese, the script or region decides."""
    subtags = _subtags(tag)
    if subtags[0] == "zh" and writes_traditional(tag):
        return "zh-Hant"
    return subtags[0] if subtags[0] in LANGUAGES else "en"


def _subtags(tag: str) -> list[str]:
    return tag.lower().replace("_", "-").split("-")


@cache
def _names() -> dict[str, dict[str, str]]:
    data = resources.files("pincite_core.wording").joinpath("language_names.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, dict[str, str]])


@cache
def _table(language: str) -> dict[str, str]:
    data = resources.files("pincite_core.wording").joinpath(f"{language}.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, str])
