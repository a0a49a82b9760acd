"""Every sentence that Pincite says itself, in the reader's language.

One JSON file a language, all with the same keys; English is the specification's wording, word for word. What is
quoted from the docs is never translated.
"""

import re
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

__all__ = ("LANGUAGES", "Key", "language_of", "say")

LANGUAGES = ("en", "vi", "zh", "de", "fr", "es", "ja", "fa")

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
    "suggest_scope",
    "suggest_whole_site",
]

_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_ARABIC_SCRIPT = re.compile(r"[\u0600-\u06ff]")
_PERSIAN = re.compile("[پچژگکی]")
_VIETNAMESE = re.compile(r"[ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]", re.IGNORECASE)


def say(key: Key, language: str, **values: str) -> str:
    """Return a message in a language (a BCP 47 tag; English when there is no table for it), filled with `values`."""
    return _table(_primary(language))[key].format(**values)


def language_of(text: str, locale: str) -> str:
    """Return the language to answer in: the one that the question's script gives away, else the page's locale."""
    if _KANA.search(text):
        return "ja"
    if _HAN.search(text):
        return "ja" if _primary(locale) == "ja" else "zh"
    if _ARABIC_SCRIPT.search(text):  # Arabic itself has no table, and its readers are not answered in Persian
        return "fa" if _primary(locale) == "fa" or _PERSIAN.search(text) else "en"
    return "vi" if _VIETNAMESE.search(text) and _primary(locale) not in {"fr"} else _primary(locale)


def _primary(tag: str) -> str:
    primary = tag.lower().replace("_", "-").split("-")[0]
    return primary if primary in LANGUAGES else "en"


@cache
def _table(language: str) -> dict[str, str]:
    data = resources.files("pincite_server.wording").joinpath(f"{language}.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, str])
