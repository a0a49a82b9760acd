"""Export the constants for answering in the browser: weights, patterns, word lists and calibrations."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from pincite_core.index.write import IndexContent
from pincite_core.phrasing.languages import table_name
from pincite_core.quoting.likelihood import LIKELIHOOD_BIAS, LIKELIHOOD_WEIGHTS
from pincite_core.quoting.prompt_injection import addresses_assistant
from pincite_core.search.compounds import LINKS
from pincite_core.search.evidence import WORDS_CALIBRATION, Calibration, calibration_where
from pincite_core.search.language_profile import DEFAULT_PROFILE, LANGUAGES_KEY, parse_profiles
from pincite_core.search.languages import asking_phrases, names_nouns, primary
from pincite_core.search.late_interaction import TOKEN_DIMENSION, packed_signs
from pincite_core.search.terms import stop_terms
from pincite_indexer.browser_bundle.exact import LanguageTerms
from pincite_indexer.browser_bundle.javascript import in_javascript
from pincite_indexer.browser_bundle.rules import browser_rules
from pincite_indexer.browser_bundle.vocabulary import Vocabulary, endings_of, telling_nothing
from pincite_indexer.words_calibration import words_calibrations

__all__ = ("EVIDENCE_THRESHOLD", "answers_facts")

EVIDENCE_THRESHOLD = 0.5
"""Minimum probability to answer a question, the sidecar's default (`Policy.evidence_threshold`)."""


def answers_facts(
    content: IndexContent, languages: Mapping[str, LanguageTerms], spelled: Mapping[str, Sequence[Vocabulary]]
) -> dict[str, object]:
    """Return the facts that all scopes share, as JSON-compatible values.

    Args:
        content: All rows of the index, with the results of the build's calibration.
        languages: Term statistics of each locale.
        spelled: The vocabularies of the scopes of each locale.
    """
    info = content.info
    return {
        "model": info.model,
        "dimension": info.dimension,
        "prompts": {"query": info.prompts.query, "passage": info.prompts.passage},
        "tokens": _projection(info.dimension) if content.tokens else None,
        "title": "" if addresses_assistant(info.title) else info.title,
        "threshold": EVIDENCE_THRESHOLD,
        "likelihood": {**asdict(LIKELIHOOD_WEIGHTS), "bias": LIKELIHOOD_BIAS},
        "languages": _languages(content, languages, spelled),
        "rules": browser_rules(),
        **_words(sorted({primary(locale) for locale in languages})),
    }


def _projection(hidden: int) -> dict[str, object]:
    return {"dimension": TOKEN_DIMENSION, "hidden": hidden, "signs": b64encode(packed_signs(hidden)).decode()}


def _languages(
    content: IndexContent, languages: Mapping[str, LanguageTerms], spelled: Mapping[str, Sequence[Vocabulary]]
) -> dict[str, object]:
    profiles = parse_profiles(content.meta.get(LANGUAGES_KEY))
    by_words = words_calibrations(content.meta)
    described: dict[str, object] = {}
    for locale, terms in languages.items():
        profile = profiles.get(locale, DEFAULT_PROFILE)
        calibration: Calibration = profile.calibration or calibration_where(profile.vectors)
        described[locale] = {
            "parts": terms.parts,
            "average": terms.average,
            "vectors": profile.vectors,
            "table": table_name(locale),
            "endings": endings_of(spelled[locale]),
            "calibration": asdict(calibration),
            "words_calibration": asdict(by_words.get(locale, WORDS_CALIBRATION)),
        }
    return described


def _words(languages: Sequence[str]) -> dict[str, object]:
    """Return the stop words, phrases of asking, linking elements and spelling of nouns of some languages."""
    asking = {language: phrases for language in languages if (phrases := asking_phrases(language))}
    small = {
        language: stop_terms(language).union(() if language in asking else telling_nothing(language))
        for language in languages
    }
    return {
        "asking": {language: in_javascript(phrases.pattern) for language, phrases in asking.items()},
        "small_terms": {language: " ".join(sorted(small[language])) for language in languages},
        "links": {language: LINKS[language] for language in languages if language in LINKS},
        "names_nouns": [language for language in languages if names_nouns(language)],
    }
