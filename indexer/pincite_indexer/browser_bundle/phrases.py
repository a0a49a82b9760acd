"""Export the phrases of each language for the browser: questions, requests, follow-ups and messages.

The phrases come from the tables of the sidecar (`pincite_core.phrasing`, `pincite_core.wording`).
"""

import re
from collections.abc import Iterator, Mapping
from typing import get_args

from pincite_core.phrasing import LANGUAGES, Phrases, chinese_of, phrasing, tables
from pincite_core.phrasing.follow_up_patterns import follow_up_patterns
from pincite_core.phrasing.languages import small_words_by_language
from pincite_core.quoting.prompt_injection import asking_pattern, dismissing_pattern
from pincite_core.wording import LANGUAGES as SPOKEN
from pincite_core.wording import Key, messages_in
from pincite_indexer.browser_bundle.javascript import in_javascript

__all__ = ("phrase_files", "phrases_of", "requests")

_QUESTIONS = "how fact whether duration size count number asking amount date person words".split()
_SENTENCES = "amounts dates people".split()
_CLAIMS = "not_ nor".split()
_MESSAGES: tuple[Key, ...] = (
    "no_evidence",
    "empty_index",
    "not_in_selection",
    "capability_code",
    "capability_act",
    "capability_realtime",
    "capability_realtime_undated",
    "speculative",
    "query_truncated",
    "selection_truncated",
    "selection_too_short",
    "selection_stale",
    "selection_missing",
    "selection_unproved",
    "untranslated",
    "docs_language",
    "own_language_searched",
    "suggest_language",
    "fallback",
    "fallback_undated",
    "because_unsupported_number",
    "question_rewritten",
    "reason_not_in_selection",
    "reason_not_said",
    "reason_unrelated",
    "corpus",
    "corpus_untitled",
    "suggest_contact",
    "suggest_rephrase",
    "suggest_scope",
    "suggest_whole_site",
)
"""Keys of the messages that a browser may show; a sidecar has more."""
_WITH_CAPITALS = re.compile(r"\(\?-i:([^()]*)\)")  # *AI* is a name, but *ai* is a word in several languages


def phrase_files() -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield (language tag, content) of each language's file; the tag is empty for the patterns of all languages."""
    yield "", requests()
    for language in LANGUAGES:
        yield language, phrases_of(language)


def phrases_of(language: str) -> Mapping[str, object]:
    """Return the patterns of a language for JavaScript, and its messages if they exist."""
    table = phrasing(language)
    found: dict[str, object] = {name: _patterns(getattr(table.questions, name)) for name in _QUESTIONS}
    found |= {name: _patterns(getattr(table.sentences, name)) for name in _SENTENCES}
    found |= {name.removesuffix("_"): _patterns(getattr(table.claims, name)) for name in _CLAIMS}
    found["passage"] = [in_javascript(rf"\W*(?:{form})") for form in table.questions.passage]
    found["follow_ups"] = {
        name: in_javascript(pattern) for name, pattern in follow_up_patterns(table.follow_ups).items()
    }
    found["relational"] = table.follow_ups.relational
    found["filler"] = table.claims.filler
    found = {name: held for name, held in found.items() if held}
    return found | ({"messages": messages_in(language, _MESSAGES)} if language in SPOKEN else {})


def requests() -> Mapping[str, object]:
    """Return the patterns for questions in any language, and the small words that identify each language."""
    found: dict[str, object] = {
        kind: in_javascript("|".join(pattern for table in tables() for pattern in table.boundaries.patterns(kind)))
        for kind in ("code", "act", "realtime")
    }
    found["dismisses"] = in_javascript(dismissing_pattern())
    found["asks_about_assistants"] = in_javascript(_WITH_CAPITALS.sub("(?!)", asking_pattern()))
    found["names_of_assistants"] = in_javascript("|".join(_WITH_CAPITALS.findall(asking_pattern())))
    found["small_words"] = {language: " ".join(sorted(words)) for language, words in small_words_by_language().items()}
    found["signs"] = {language: "".join(sorted(_own_signs(language))) for language in ("zh", "zh-Hant")}
    return found


def _own_signs(language: str) -> set[str]:
    """Return the characters in the messages of one Chinese script that the other script does not use."""
    signs = set("".join(messages_in(language, get_args(Key)).values()))
    beside = "" if language == "zh-Hant" else "們"  # this character outweighs a character that both scripts share
    return {sign for sign in signs if chinese_of(f"{sign}{beside}") == language}


def _patterns(phrases: Phrases) -> dict[str, str]:
    """Return the patterns for the start, any part and the end of a text, without empty ones."""
    sources = {"opens": phrases.opening, "has": phrases.anywhere, "ends": phrases.ending}
    held = {"opens": phrases.opens, "has": phrases.has, "ends": phrases.ends}
    return {name: in_javascript(source) for name, source in sources.items() if held[name]}
