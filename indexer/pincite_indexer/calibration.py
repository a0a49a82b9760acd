"""Calibrate the evidence score of search on the site itself.

Calibration starts after the dense weight of each language was measured (`dense_weight`). Each language is calibrated
separately, on questions in that language.

The weights of the signals are fixed. A site only needs its own zero point, where the probability is one half. The zero
point lies between two sets of questions. Nearly all questions of a bundled list about other subjects must score below
it. Nearly all questions made from the site's own words must score above it. Some of these are link texts. The others
are every second content word of a section's first sentence, which resembles a hasty paraphrase. Headings and whole
sentences would match word for word.

Calibration asks the index about two hundred questions. They take most of the time of a rebuild that embeds nothing. One
page more or less does not change the result. An earlier build's calibration is therefore reused as long as most texts
are the same. A sketch of the texts, the smallest of their hashes, estimates the shared part (Broder 1997, "On the
resemblance and containment of documents"). The comparison is always with the build that calibrated, so that many small
changes do not go unnoticed.
"""

import json
import re
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import ValidationError, convert

from pincite_core.embedders import Embedder, ModelInfo
from pincite_core.index.read import Index
from pincite_core.index.schema import DATABASE_NAME
from pincite_core.index.write import IndexContent, write_index
from pincite_core.search.evidence import CALIBRATION_KEY, Calibration, calibration_where, evidence_logit
from pincite_core.search.language_profile import LANGUAGES_KEY, parse_profiles
from pincite_core.search.languages import is_paired, primary, small_words
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_core.search.terms import STOP_WORDS, words_in_pairs
from pincite_indexer.dense_weight import measure_languages, pages_in_own_language
from pincite_indexer.moves.previous import Previous
from pincite_indexer.systematic_sample import systematic_sample

__all__ = (
    "CALIBRATED_ON_KEY",
    "RECIPE",
    "calibrate",
    "calibration_facts",
    "fallback_locale",
    "foreign_questions",
    "latest_scopes",
    "own_questions",
)

CALIBRATED_ON_KEY = "calibrated_on"

RECIPE = 10  # increase it when a change of the code changes the calibration of an unchanged site

_OF_EACH_KIND = 20  # questions of each positive kind; one question takes about 40 ms of the build
_FOREIGN = 155  # every second question; the full list moves no zero point by more than one question
_FEWEST = 20  # positive questions; a site with fewer keeps the default calibration
_FEWEST_WORDS = 3
_WAY_BY_WORDS = 0.2  # between the two sets, if search uses words alone
_FOREIGN_BELOW = 0.90  # the most similar tenth may be about the site's own subject
_OWN_ABOVE = 0.95
_WAY_TO_OWN = 0.4  # less than half, because readers' words match worse than the site's own words
_DIGITS = 3  # decimal places, so that rounding errors of a cosine do not change the index
_SKETCH = 128  # hashes; they estimate the share of common texts with an error of about 3 %
_HASH_BYTES = 8
_SAME = 0.9  # share of common texts
_WORD = re.compile(r"[^\W\d_][\w.'-]*\w")

Logits = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _CalibratedOn:
    recipe: int
    sketch: list[str]


def calibration_facts(content: IndexContent, embedder: Embedder, previous: Previous | None) -> dict[str, object]:
    """Return the index's language profiles and calibrations, from the earlier build if they still apply.

    The result also holds the recipe number and a sketch of the texts. A site with too few questions gets no
    calibration.

    Raises:
        OutputError: The temporary index cannot be written.
    """
    if previous and (reused := _reused(previous, embedder.info, content)):
        return reused
    profiles = measure_languages(content, embedder)
    content.meta[LANGUAGES_KEY] = {locale: asdict(profile) for locale, profile in profiles.items()}
    found = calibrate(content, embedder)
    profiles = {locale: replace(profile, calibration=found.get(locale)) for locale, profile in profiles.items()}
    facts: dict[str, object] = {LANGUAGES_KEY: {locale: asdict(profile) for locale, profile in profiles.items()}}
    calibration = found.get(fallback_locale(content))
    if calibration is None:
        return facts
    made_on = _CalibratedOn(RECIPE, _sketch(content.text_hashes))
    return {**facts, CALIBRATION_KEY: asdict(calibration), CALIBRATED_ON_KEY: asdict(made_on)}


def calibrate(content: IndexContent, embedder: Embedder) -> dict[str, Calibration]:
    """Return a calibration for each locale that has enough questions, for an index not yet written.

    `content` has vectors and dense weights, which `embedder` computed.
    """
    own = {locale: own_questions(content, latest_scopes(content, locale)) for locale in content.info.locales}
    own = {locale: questions for locale, questions in own.items() if len(questions) >= _FEWEST}
    if not own:
        return {}
    with tempfile.TemporaryDirectory(prefix="pincite-", ignore_cleanup_errors=True) as folder:
        write_index(content, Path(folder) / DATABASE_NAME)
        index = Index.open(folder)
        return {
            locale: _calibration(index, embedder, questions, latest_scopes(content, locale))
            for locale, questions in own.items()
        }


def _calibration(index: Index, embedder: Embedder, own: Sequence[str], scope_ids: Sequence[int]) -> Calibration:
    vectors = index.language_profile(scope_ids).vectors
    weights = calibration_where(vectors)
    foreign = systematic_sample(foreign_questions(index.language_of(scope_ids)), _FOREIGN)
    positive, negative = (_logits(index, embedder, questions, scope_ids, weights) for questions in (own, foreign))
    trust = max(0.0, 2 * vectors - 1)
    zero = trust * _zero_point(positive, negative, _WAY_TO_OWN)
    # Own questions contain only words of the site, but readers' questions do not. If words dominate the score, the zero
    # point must therefore not rise.
    zero += (1.0 - trust) * min(0.0, _zero_point(positive, negative, _WAY_BY_WORDS))
    return replace(weights, bias=round(weights.bias - zero, _DIGITS))


def own_questions(content: IndexContent, scope_ids: Sequence[int]) -> list[str]:
    """Return questions that the site answers, spread evenly over its sections and always the same for the same site.

    Only pages in the site's own language are used. Questions from untranslated pages score lower than real questions,
    and would set the threshold too low.
    """
    pages = pages_in_own_language(content, scope_ids)
    titles = {target.target_id: target.title for target in content.targets if target.page_id in pages}
    links = (
        link.text
        for link in content.links
        if {link.from_target_id, link.to_target_id} <= titles.keys()
        and link.text.strip().lower() != titles[link.to_target_id].strip().lower()
    )
    locales = {scope.scope_id: scope.locale for scope in content.scopes}
    language = next((locales[scope_id] for scope_id in scope_ids), "en")
    from_links = dict.fromkeys(text for text in links if len(_content_words(text, language)) >= _FEWEST_WORDS)
    fragments = dict.fromkeys(_fragments(content, pages, language))
    return [*systematic_sample(list(fragments), _OF_EACH_KIND), *systematic_sample(list(from_links), _OF_EACH_KIND)]


@cache
def foreign_questions(language: str = "en") -> tuple[str, ...]:
    """Return bundled questions that documentation rarely answers, in a language (BCP 47 tag).

    A language without a translated list gets the English list. Names of products from other fields are off topic in any
    language.
    """
    translated = files("pincite_indexer").joinpath(f"data/foreign_questions/{primary(language)}.txt")
    if translated.is_file():
        return tuple(translated.read_text(encoding="utf-8").splitlines())
    text = files("pincite_indexer").joinpath("data/foreign_questions.json").read_text(encoding="utf-8")
    kinds: dict[str, list[str]] = json.loads(text)
    return tuple(chain.from_iterable(kinds.values()))


def fallback_locale(content: IndexContent) -> str:
    """Return the locale for readers who state no language."""
    default, locales = content.info.default_locale, content.info.locales
    return default if default in locales or not locales else locales[0]


def latest_scopes(content: IndexContent, locale: str | None = None) -> list[int]:
    """Return the scopes for readers of a locale, or of the default locale: the last versions."""
    locale = fallback_locale(content) if locale is None else locale
    scopes = [scope for scope in content.scopes if scope.locale == locale]
    last = [scope for scope in scopes if scope.version is None or scope.is_last]
    return [scope.scope_id for scope in last or scopes or content.scopes]


def _fragments(content: IndexContent, pages: Collection[int], language: str) -> Iterator[str]:
    chunks = {chunk.chunk_id: chunk for chunk in content.chunks if chunk.page_id in pages and chunk.ordinal == 0}
    for unit in content.units:
        chunk = chunks.pop(unit.chunk_id, None) if unit.kind == "prose" else None
        if chunk is not None:
            words = _content_words(chunk.text[unit.start : unit.end], language)[::2]
            if len(words) >= _FEWEST_WORDS:
                yield " ".join(words)


def _content_words(text: str, tag: str) -> list[str]:
    language = primary(tag)
    if is_paired(language):
        return words_in_pairs(text)
    small = STOP_WORDS if language == "en" else small_words(language)
    return [word for word in _WORD.findall(text) if word.lower() not in small]


def _logits(
    index: Index, embedder: Embedder, questions: Sequence[str], scope_ids: Sequence[int], weights: Calibration
) -> Logits:
    encoded, language = embedder.encode_with_tokens(questions, "query"), index.language_of(scope_ids)
    found = (
        search(index, query.vector, parse_query(text, language), scope_ids, 1, query_tokens=query.tokens)
        for text, query in zip(questions, encoded, strict=True)
    )
    return np.array([evidence_logit(result.signals, weights) for result in found])


def _zero_point(positive: Logits, negative: Logits, way: float) -> float:
    """Return the uncalibrated log odds that separate answerable questions from others."""
    below, above = float(np.quantile(negative, _FOREIGN_BELOW)), float(np.quantile(positive, 1 - _OWN_ABOVE))
    return min(above, below + way * (above - below))


def _reused(previous: Previous, model: ModelInfo, content: IndexContent) -> dict[str, object] | None:
    """Return the language profiles and calibration of an earlier index; None if they do not apply to these texts."""
    try:
        made_on = convert(previous.index.meta(CALIBRATED_ON_KEY), _CalibratedOn)
        calibration = convert(previous.index.meta(CALIBRATION_KEY), Calibration)
        profiles = parse_profiles(previous.index.meta(LANGUAGES_KEY))
    except ValidationError:
        return None
    same_model = previous.made_by.vectors_key == model.vectors_key
    same_languages = profiles.keys() == set(content.info.locales)
    sketch = _sketch(content.text_hashes)
    lowest = sorted({*made_on.sketch, *sketch})[:_SKETCH]
    both = {*made_on.sketch} & {*sketch}
    resemblance = sum(item in both for item in lowest) / len(lowest) if lowest else 0.0  # estimated Jaccard similarity
    if not (same_model and same_languages) or made_on.recipe != RECIPE or resemblance < _SAME:
        return None
    return {
        LANGUAGES_KEY: {locale: asdict(profile) for locale, profile in profiles.items()},
        CALIBRATION_KEY: asdict(calibration),
        CALIBRATED_ON_KEY: asdict(made_on),
    }


def _sketch(text_hashes: Sequence[bytes]) -> list[str]:
    return sorted({digest[:_HASH_BYTES].hex() for digest in text_hashes})[:_SKETCH]
