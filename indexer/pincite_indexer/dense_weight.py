"""Measure the dense weight for each language of a site: how much search should trust vectors in that language.

An English model's vectors are noise in Thai. Search that weights them as in English has lower recall than search by
words alone. Two measurements decide. The first is the share of words that are one token of the model's vocabulary,
divided by the same share for English. The second is known-item retrieval: the first half of a section is the query, and
the second halves of all sections are the candidates. The query and its target are different text, so repeated words
alone do not produce a match.

A multilingual model has fewer words of each language as one token. If its vectors retrieve as well as words do, a
smaller share is enough.

A model that covers a language as well as English is not measured further. Its dense weight is 1.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from pincite_core.embedders import Embedder
from pincite_core.index.write import IndexContent
from pincite_core.search.language_profile import LanguageProfile
from pincite_core.search.languages import is_paired, primary
from pincite_core.search.terms import content_terms, terms
from pincite_indexer.systematic_sample import systematic_sample

__all__ = ("dense_weight", "measure_languages", "pages_in_own_language")

_HALVES = 80  # sections used as queries; twice as many change no weight by 0.1 and take one second more
_FEWEST = 12  # with fewer pairs the measurement means nothing
_SHORTEST = 60  # minimum characters of a section that is split
_WORDS = 1500  # words whose tokens are counted
_READ_LITTLE, _READ_WELL = 0.3, 0.8  # shares of single-token words, relative to English
_READ_BY_MANY = 0.35, 0.55  # the same for a multilingual model, which has fewer single-token words
_MATCHED, _EXCEEDED = 0.95, 1.05  # MRR of vectors divided by MRR of words; a monolingual model reaches less
_NOISE, _AS_GOOD = 0.5, 1.0  # mean reciprocal rank (MRR) of vectors divided by that of words
_BETTER, _MUCH_BETTER = 1.05, 1.2  # above this ratio, the model covers the language despite few single-token words
_MISNAMED = 0.1  # share of unknown tokens; above it, text declared as English is not English
_DIGITS = 2
_UNKNOWN = frozenset({"[UNK]", "<unk>"})
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])")
_END = re.compile(r"[.!?…؟।]\s+|[。！？]\s*|\n+|(?<=[\u0e00-\u0eff])\s+")
_CODE = re.compile(r"```.*?(?:```|$)|`[^`\n]+`", re.DOTALL)
_ENGLISH = (
    "how many people live in this country and what language do they speak which river is the longest when was the "
    "printing press invented why do leaves change colour in autumn does rice need more water than pasta should every "
    "door be painted before winter who wrote that letter about money health travel weather food music and work"
)


def measure_languages(content: IndexContent, embedder: Embedder) -> dict[str, LanguageProfile]:
    """Return the dense weight of each locale, for an index that is not yet written."""
    return {locale: _measure(_texts(content, locale), primary(locale), embedder) for locale in content.info.locales}


def pages_in_own_language(content: IndexContent, scope_ids: Collection[int]) -> set[int]:
    """Return the IDs of the translated pages of some scopes, because other pages are in another language.

    If no page is translated, return all pages of the scopes.
    """
    pages = [page for page in content.pages if page.scope_id in scope_ids]
    return {page.page_id for page in pages if page.translated} or {page.page_id for page in pages}


def _texts(content: IndexContent, locale: str) -> list[str]:
    scopes = {scope.scope_id for scope in content.scopes if scope.locale == locale}
    pages = pages_in_own_language(content, scopes)
    found = (_CODE.sub(" ", chunk.text).strip() for chunk in content.chunks if chunk.page_id in pages)
    return list(dict.fromkeys(text for text in found if len(text) >= _SHORTEST))


def _measure(texts: Sequence[str], language: str, embedder: Embedder) -> LanguageProfile:
    sample = systematic_sample(texts, _HALVES)
    pieces = [piece for text in sample for piece in embedder.pieces(text)]
    unknown = sum(piece in _UNKNOWN for piece in pieces) / max(1, len(pieces))
    paired = is_paired(language)
    share = 0.0 if paired else _single_token_share(sample, embedder)
    read = 1.0 - unknown if paired else _ramp(share, _READ_LITTLE, _READ_WELL)
    if not texts or (read >= 1.0 and not paired) or (language == "en" and unknown < _MISNAMED):
        return LanguageProfile(1.0, round(unknown, _DIGITS))
    pairs = [halves for text in texts if (halves := _halves(text))]
    found = _relative_mrr(systematic_sample(pairs, _HALVES), language, embedder) if len(pairs) >= _FEWEST else _AS_GOOD
    return LanguageProfile(round(dense_weight(share, found, read), _DIGITS), round(unknown, _DIGITS))


def dense_weight(whole: float, found: float, read: float | None = None) -> float:
    """Return the dense weight, from 0 to 1.

    Args:
        whole: The share of words that are one token of the model, divided by that share for English.
        found: MRR of vectors divided by MRR of words.
        read: How well the model covers the language, from 0 to 1; None derives it from `whole`.
    """
    read = _ramp(whole, _READ_LITTLE, _READ_WELL) if read is None else read
    fluent = _ramp(whole, *_READ_BY_MANY) * _ramp(found, _MATCHED, _EXCEEDED)
    return max(read, fluent, _ramp(found, _BETTER, _MUCH_BETTER)) * _ramp(found, _NOISE, _AS_GOOD)


def _single_token_share(texts: Sequence[str], embedder: Embedder) -> float:
    """Return the share of words that are one token of the model, divided by that share for English."""

    def share(words: Sequence[str]) -> float:
        pieces = [embedder.pieces(word) for word in words]
        return sum(len(found) == 1 and found[0] not in _UNKNOWN for found in pieces) / max(1, len(words))

    words = systematic_sample([word.lower() for text in texts for word in _WORD.findall(text)], _WORDS)
    return share(words) / (share(_ENGLISH.split()) or 1.0)


def _halves(text: str) -> tuple[str, str] | None:
    """Return the two parts of a text, split at the sentence end nearest to its middle; None if there is none."""
    ends = [match.end() for match in _END.finditer(text)]
    end = min(ends, key=lambda at: abs(2 * at - len(text)), default=0)
    return (text[:end], text[end:]) if len(text) < 5 * end < 4 * len(text) else None


def _relative_mrr(pairs: Sequence[tuple[str, str]], language: str, embedder: Embedder) -> float:
    """Return the MRR of vectors divided by the MRR of words, with the MRR of chance subtracted from both.

    If words are hardly better than chance, the ratio means nothing and the result is 1.
    """
    queries, texts = zip(*pairs, strict=True)
    by_vectors = embedder.encode(queries, "query") @ embedder.encode(texts).T
    by_words = _scores(queries, texts, language)
    chance = sum(1 / rank for rank in range(1, len(pairs) + 1)) / len(pairs)
    words_mrr = _reciprocal_rank(by_words) - chance
    return (_reciprocal_rank(by_vectors) - chance) / words_mrr if words_mrr > chance else _AS_GOOD


def _reciprocal_rank(scores: npt.NDArray[np.float64] | npt.NDArray[np.float32]) -> float:
    """Return the mean reciprocal rank of the diagonal of a score matrix; equal scores share a rank."""
    own = scores.diagonal()[:, None]
    ranks = ((scores > own).sum(axis=1) + (scores >= own).sum(axis=1) + 1) / 2
    return float((1 / ranks).mean())


def _scores(questions: Sequence[str], texts: Sequence[str], language: str) -> npt.NDArray[np.float64]:
    """Return the IDF-weighted word overlap of each question with each text, shape (questions, texts)."""
    words_of = [set(terms(text, language)) for text in texts]
    known = Counter(term for words in words_of for term in words)
    scores = np.zeros((len(questions), len(texts)))
    for row, question in enumerate(questions):
        for term in dict.fromkeys(content_terms(question, language)):
            idf = math.log(1 + len(texts) / (known[term] + 0.5))
            scores[row] += [idf * (term in words) for words in words_of]
    lengths = np.array([math.sqrt(len(words) or 1) for words in words_of])
    weighted: npt.NDArray[np.float64] = scores / lengths
    return weighted


def _ramp(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))
