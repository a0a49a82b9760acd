"""Calibrating evidence on the site itself: how sure a search looks where the docs hold the answer, and where not.

Each of its languages is calibrated by itself, on questions in that language, after what vectors are worth in it was
measured (`worth`).

The weights of the signals stay as they are; what a site needs is its own zero point, a probability of one half. It
lies between a bundled list of questions about other things, nearly all of which must stay below it, and questions made
of the site's own words, nearly all of which must stay above it: link texts, and every second content word of a
section's first sentence, which reads like a hasty paraphrase (headings and whole sentences would be found word for
word).

Calibrating asks an index some two hundred questions, which is most of a rebuild that embeds nothing, and one page more
or less does not move its result: an earlier build's is kept while the site is still the site that it was made on. How
much of it is the same is told by a sketch of its texts, the smallest of their hashes (Broder 1997, "On the resemblance
and containment of documents"), so that many small changes do not add up.
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
from pincite_core.search.languages import is_paired, primary, small_words
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_core.search.spoken import LANGUAGES_KEY, spoken_languages
from pincite_core.search.terms import STOP_WORDS, words_in_pairs
from pincite_core.types import Scope
from pincite_indexer.dense_weight import measure_languages, pages_in_own_language
from pincite_indexer.moves.previous import Previous
from pincite_indexer.spread_out import spread_out

__all__ = (
    "CALIBRATED_ON_KEY",
    "RECIPE",
    "asked_locale",
    "asked_scopes",
    "calibrate",
    "calibration_facts",
    "foreign_questions",
    "own_questions",
)

CALIBRATED_ON_KEY = "calibrated_on"

RECIPE = 10  # raised whenever calibrating the same site comes out differently, so that no earlier result is kept

_OF_EACH_KIND = 20  # questions of either positive kind; a question costs some 40 ms of the build
_FOREIGN = 155  # every other one of the list; all of them move no site's zero point by more than a question
_FEWEST = 20  # positives; a smaller site tells nothing, and the default holds
_FEWEST_WORDS = 3
_WAY_BY_WORDS = 0.2  # where words alone are compared
_FOREIGN_BELOW = 0.90  # the nearest tenth may be about the site's own subject
_OWN_ABOVE = 0.95
_WAY_TO_OWN = 0.4  # less than half: readers' words are found less easily than the site's own
_DIGITS = 3  # so that the last bits of a cosine do not change the index
_SKETCH = 128  # hashes; they tell the share of common texts to within some three per cent
_HASH_BYTES = 8
_SAME = 0.9  # of the texts
_WORD = re.compile(r"[^\W\d_][\w.'-]*\w")

Logits = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _CalibratedOn:
    recipe: int
    sketch: list[str]


def calibration_facts(content: IndexContent, embedder: Embedder, previous: Previous | None) -> dict[str, object]:
    """Return what an index says of its languages and their calibrations: the earlier build's where they still hold.

    Beside them stands how they were made, and a sketch of the texts; no calibration when the site is too small to tell.

    Raises:
        OutputError: The temporary index cannot be written.
    """
    kept = _kept(previous, embedder.info, content) if previous else None
    if kept:
        return kept
    spoken = measure_languages(content, embedder)
    content.meta[LANGUAGES_KEY] = {locale: asdict(told) for locale, told in spoken.items()}
    found = calibrate(content, embedder)
    facts: dict[str, object] = {
        LANGUAGES_KEY: {locale: asdict(replace(told, calibration=found.get(locale))) for locale, told in spoken.items()}
    }
    asked = found.get(asked_locale(content))
    if asked is None:
        return facts
    made_on = _CalibratedOn(RECIPE, _sketch(content.text_hashes))
    return {**facts, CALIBRATION_KEY: asdict(asked), CALIBRATED_ON_KEY: asdict(made_on)}


def calibrate(content: IndexContent, embedder: Embedder) -> dict[str, Calibration]:
    """Return the calibration of each locale of an index about to be written, without those that are too small to tell.

    Args:
        content: All rows of the index, vectors and what these are worth included.
        embedder: The model that made the vectors.

    Raises:
        OutputError: The temporary index cannot be written.
    """
    own = {locale: own_questions(content, asked_scopes(content, locale)) for locale in content.info.locales}
    asked = {locale: questions for locale, questions in own.items() if len(questions) >= _FEWEST}
    if not asked:
        return {}
    with tempfile.TemporaryDirectory(prefix="pincite-", ignore_cleanup_errors=True) as folder:
        write_index(content, Path(folder) / DATABASE_NAME)
        index = Index.open(folder)
        return {
            locale: _calibration(index, embedder, questions, asked_scopes(content, locale))
            for locale, questions in asked.items()
        }


def _calibration(index: Index, embedder: Embedder, own: Sequence[str], scope_ids: Sequence[int]) -> Calibration:
    vectors = index.spoken(scope_ids).vectors
    weights = calibration_where(vectors)
    foreign = spread_out(foreign_questions(index.language_of(scope_ids)), _FOREIGN)
    positive, negative = (_logits(index, embedder, asked, scope_ids, weights) for asked in (own, foreign))
    told = max(0.0, 2 * vectors - 1)
    zero = told * _zero_point(positive, negative, _WAY_TO_OWN)
    # A fragment of the site lacks none of its words, which readers do: where words carry, it never raises the bar.
    zero += (1.0 - told) * min(0.0, _zero_point(positive, negative, _WAY_BY_WORDS))
    return replace(weights, bias=round(weights.bias - zero, _DIGITS))


def own_questions(content: IndexContent, scope_ids: Sequence[int]) -> list[str]:
    """Return questions that the site answers, spread evenly over its sections, the same ones for the same site.

    In the site's own language alone: questions from pages that are not translated look less sure than any reader's, and
    would let anything pass.
    """
    pages = pages_in_own_language(content, scope_ids)
    titles = {target.target_id: target.title for target in content.targets if target.page_id in pages}
    links = (
        link.text
        for link in content.links
        if {link.from_target_id, link.to_target_id} <= titles.keys()
        and link.text.strip().lower() != titles[link.to_target_id].strip().lower()
    )
    spoken = {scope.scope_id: scope.locale for scope in content.scopes}
    language = next((spoken[scope_id] for scope_id in scope_ids), "en")
    from_links = dict.fromkeys(text for text in links if len(_content_words(text, language)) >= _FEWEST_WORDS)
    fragments = dict.fromkeys(_fragments(content, pages, language))
    return [*spread_out(list(fragments), _OF_EACH_KIND), *spread_out(list(from_links), _OF_EACH_KIND)]


@cache
def foreign_questions(language: str = "en") -> tuple[str, ...]:
    """Return the bundled questions that documentation rarely answers, of several kinds, in a language (BCP 47 tag).

    Those in English where there are none in it: what names a product of another field is foreign in any language.
    """
    translated = files("pincite_indexer").joinpath(f"data/foreign_questions/{primary(language)}.txt")
    if translated.is_file():
        return tuple(translated.read_text(encoding="utf-8").splitlines())
    text = files("pincite_indexer").joinpath("data/foreign_questions.json").read_text(encoding="utf-8")
    kinds: dict[str, list[str]] = json.loads(text)
    return tuple(chain.from_iterable(kinds.values()))


def asked_locale(content: IndexContent) -> str:
    """Return the locale that a reader who says nothing is answered from."""
    default, locales = content.info.default_locale, content.info.locales
    return default if default in locales or not locales else locales[0]


def asked_scopes(content: IndexContent, locale: str | None = None) -> list[int]:
    """Return the scopes that a reader of a locale, or who says nothing, is answered from: last versions."""
    locale = asked_locale(content) if locale is None else locale
    asked: list[Scope] = [scope for scope in content.scopes if scope.locale == locale]
    last = [scope for scope in asked if scope.version is None or scope.is_last]
    return [scope.scope_id for scope in last or asked or content.scopes]


def _fragments(content: IndexContent, pages: Collection[int], language: str) -> Iterator[str]:
    chunks = {chunk.chunk_id: chunk for chunk in content.chunks if chunk.page_id in pages and chunk.ordinal == 0}
    for sentence in content.sentences:
        chunk = chunks.pop(sentence.chunk_id, None) if sentence.kind == "prose" else None
        if chunk is not None:
            words = _content_words(chunk.text[sentence.start : sentence.end], language)[::2]
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
        search(index, asked.vector, parse_query(text, language), scope_ids, 1, query_tokens=asked.tokens)
        for text, asked in zip(questions, encoded, strict=True)
    )
    return np.array([evidence_logit(result.signals, weights) for result in found])


def _zero_point(positive: Logits, negative: Logits, way: float) -> float:
    """Return the log odds, by weights not yet calibrated, that part what a site answers from what it does not."""
    below, above = float(np.quantile(negative, _FOREIGN_BELOW)), float(np.quantile(positive, 1 - _OWN_ABOVE))
    return min(above, below + way * (above - below))


def _kept(previous: Previous, model: ModelInfo, content: IndexContent) -> dict[str, object] | None:
    """Return what an earlier index says of its languages; None when it does not hold for these texts."""
    try:
        made_on = convert(previous.index.meta(CALIBRATED_ON_KEY), _CalibratedOn)
        calibration = convert(previous.index.meta(CALIBRATION_KEY), Calibration)
        spoken = spoken_languages(previous.index.meta(LANGUAGES_KEY))
    except ValidationError:
        return None
    same_model = previous.made_by.vectors_key == model.vectors_key
    same_languages = spoken.keys() == set(content.info.locales)
    resemblance = _resemblance(made_on.sketch, _sketch(content.text_hashes))
    if not (same_model and same_languages) or made_on.recipe != RECIPE or resemblance < _SAME:
        return None
    return {
        LANGUAGES_KEY: {locale: asdict(told) for locale, told in spoken.items()},
        CALIBRATION_KEY: asdict(calibration),
        CALIBRATED_ON_KEY: asdict(made_on),
    }


def _sketch(text_hashes: Sequence[bytes]) -> list[str]:
    return sorted({digest[:_HASH_BYTES].hex() for digest in text_hashes})[:_SKETCH]


def _resemblance(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the estimated share of the texts of either site that both have."""
    lowest = sorted({*one, *other})[:_SKETCH]
    both = {*one} & {*other}
    return sum(item in both for item in lowest) / len(lowest) if lowest else 0.0
