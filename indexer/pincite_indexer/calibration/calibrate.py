"""Calibrating evidence on the site itself: how sure a search looks where the docs hold the answer, and where not.

The weights of the signals stay as they are; what a site needs is its own zero point, a probability of one half. It
lies between a bundled list of questions about other things, nearly all of which must stay below it, and questions made
of the site's own words, nearly all of which must stay above it: link texts, and every second content word of a
section's first sentence, which reads like a hasty paraphrase (headings and whole sentences would be found word for
word).
"""

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pincite_core.embedders import Embedder
from pincite_core.index.read import Index
from pincite_core.index.schema import DATABASE_NAME
from pincite_core.index.write import IndexContent, write_index
from pincite_core.search.evidence import DEFAULT_CALIBRATION, Calibration, evidence_logit
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_core.search.terms import STOP_WORDS
from pincite_core.types import Scope

__all__ = ("RECIPE", "calibrate", "foreign_questions", "own_questions")

RECIPE = 5  # raised whenever calibrating the same site comes out differently, so that no earlier result is kept

_OF_EACH_KIND = 20  # questions of either positive kind; a question costs some 40 ms of the build
_FOREIGN = 155  # every other one of the list; all of them move no site's zero point by more than a question
_FEWEST = 20  # positives; a smaller site tells nothing, and the default holds
_FEWEST_WORDS = 3
_FOREIGN_BELOW = 0.90  # the nearest tenth may be about the site's own subject
_OWN_ABOVE = 0.95
_WAY_TO_OWN = 0.4  # less than half: readers' words are found less easily than the site's own
_DIGITS = 3  # so that the last bits of a cosine do not change the index
_WORD = re.compile(r"[^\W\d_][\w.'-]*\w")

Logits = npt.NDArray[np.float64]


def calibrate(content: IndexContent, embedder: Embedder) -> Calibration | None:
    """Return the calibration of an index about to be written; None when the site is too small to tell.

    Args:
        content: All rows of the index, vectors included.
        embedder: The model that made the vectors.

    Raises:
        OutputError: The temporary index cannot be written.
    """
    scopes = _asked_scopes(content)
    own = own_questions(content, scopes)
    if len(own) < _FEWEST:
        return None
    foreign = _spread_out(foreign_questions(), _FOREIGN)
    with tempfile.TemporaryDirectory(prefix="pincite-", ignore_cleanup_errors=True) as folder:
        write_index(content, Path(folder) / DATABASE_NAME)
        index = Index.open(folder)
        positive, negative = (_logits(index, embedder, asked, scopes) for asked in (own, foreign))
    bias = DEFAULT_CALIBRATION.bias - _zero_point(positive, negative)
    return replace(DEFAULT_CALIBRATION, bias=round(bias, _DIGITS))


def own_questions(content: IndexContent, scope_ids: Sequence[int]) -> list[str]:
    """Return questions that the site answers, spread evenly over its sections, the same ones for the same site."""
    allowed = {page.page_id for page in content.pages if page.scope_id in scope_ids}
    titles = {target.target_id: target.title for target in content.targets if target.page_id in allowed}
    links = (
        link.text
        for link in content.links
        if link.to_target_id in titles and link.text.strip().lower() != titles[link.to_target_id].strip().lower()
    )
    from_links = dict.fromkeys(text for text in links if len(_content_words(text)) >= _FEWEST_WORDS)
    fragments = dict.fromkeys(_fragments(content, scope_ids))
    return [*_spread_out(list(fragments), _OF_EACH_KIND), *_spread_out(list(from_links), _OF_EACH_KIND)]


@cache
def foreign_questions() -> tuple[str, ...]:
    """Return the bundled questions that documentation rarely answers, of several kinds."""
    text = files("pincite_indexer").joinpath("data/foreign_questions.json").read_text(encoding="utf-8")
    kinds: dict[str, list[str]] = json.loads(text)
    return tuple(chain.from_iterable(kinds.values()))


def _asked_scopes(content: IndexContent) -> list[int]:
    """Return the scopes that a reader who says nothing is answered from: one locale, last versions."""
    default = content.info.default_locale
    locale = default if default in content.info.locales else content.info.locales[0] if content.info.locales else ""
    asked: list[Scope] = [scope for scope in content.scopes if scope.locale == locale]
    last = [scope for scope in asked if scope.version is None or scope.is_last]
    return [scope.scope_id for scope in last or asked or content.scopes]


def _fragments(content: IndexContent, scope_ids: Sequence[int]) -> Iterator[str]:
    chunks = {chunk.chunk_id: chunk for chunk in content.chunks if chunk.scope_id in scope_ids and chunk.ordinal == 0}
    for sentence in content.sentences:
        chunk = chunks.pop(sentence.chunk_id, None) if sentence.kind == "prose" else None
        if chunk is not None:
            words = _content_words(chunk.text[sentence.start : sentence.end])[::2]
            if len(words) >= _FEWEST_WORDS:
                yield " ".join(words)


def _content_words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.lower() not in STOP_WORDS]


def _spread_out(texts: Sequence[str], count: int) -> list[str]:
    """Return `count` of the texts at even distances."""
    if len(texts) <= count:
        return list(texts)
    return [texts[position * len(texts) // count] for position in range(count)]


def _logits(index: Index, embedder: Embedder, questions: Sequence[str], scope_ids: Sequence[int]) -> Logits:
    encoded = embedder.encode_with_tokens(questions)
    found = (
        search(index, asked.vector, parse_query(text), scope_ids, 1, query_tokens=asked.tokens)
        for text, asked in zip(questions, encoded, strict=True)
    )
    return np.array([evidence_logit(result.signals, DEFAULT_CALIBRATION) for result in found])


def _zero_point(positive: Logits, negative: Logits) -> float:
    """Return the log odds, by the default calibration, that part what a site answers from what it does not."""
    below, above = float(np.quantile(negative, _FOREIGN_BELOW)), float(np.quantile(positive, 1 - _OWN_ABOVE))
    return min(above, below + _WAY_TO_OWN * (above - below))
