"""Score priors of sections, based on the type of page, the length of the text, and the heading."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pincite_core.index.read import Index
from pincite_core.search.fusion import Scores
from pincite_core.search.query import Query
from pincite_core.search.terms import stop_terms, terms
from pincite_core.types import Chunk, Page, Title

__all__ = ("PRIOR_PATTERNS", "PRIOR_WEIGHTS", "SectionTraits", "is_brief", "priors", "section_traits")

_BLOG = 0.9  # a blog post may be outdated; the docs win a near tie
_REFERENCE = 0.9  # API members repeat the guide's words; a question without code asks for the guide
_BRIEF = 0.9  # a single line under a heading introduces the next section or lists links
_BRIEF_WORDS = 20
_PAST = 0.9  # release notes and migration guides apply to one version
_CHANGES = 0.6  # a changelog mentions every topic and has no instructions
_FURTHER = 0.85  # a list of links repeats the words of the linked pages
_HEADING = 0.1  # bonus for a heading with all words of the question; a heading with fewer words gets less
_MOST_REMEMBERED = 2048  # cached titles, pages and texts, which recur in many questions
_FEWEST_WORDS = 2  # words of a heading with a bonus; one word is too often the product's name

_TELLS_THE_PAST = re.compile(
    r"\b(?:release[ -]?notes?|releases?|change[ -]?logs?|what['’]?s[ -]?new|news|histor(?:y|ical)|relnotes"
    r"|migrations?|migrating|upgrad(?:e|ing)|announcements?|deprecations?)\b",
    re.IGNORECASE,
)
_LISTS_CHANGES = re.compile(
    r"\b(?:release[ -]?(?:notes?|history)|change[ -]?(?:logs?|history)|version history|what['’]?s[ -]?new|relnotes"
    r"|releases? v?\d+(?:\.\d+)+)\b"
    r"|(?:^|/)changes(?:\.html|/)?$"  # only as the end of a URL: other pages explain how to change something
    r"|^(?:(?:release|version|changes? in|new in|what['’]?s new in) )?v?\d+(?:\.\d+)+[\w.+-]*\W*$"
    r"|^(?:\w[\w.-]* ){0,2}v?\d+(?:\.\d+)+[\w.+-]*[ (\[:,–—-]+"
    r"(?:(?:un)?released\b|in development|.*\b(?:19|20)\d\d\b)",
    re.IGNORECASE | re.MULTILINE,
)
_ASKS_THE_PAST = re.compile(
    r"\b(?:releas\w*|change ?log|new in|what['’]?s new|histor\w*|migrat\w*|upgrad\w*|updat(?:ed|ing) (?:to|from)"
    r"|announce\w*|deprecat\w*|remov\w*|replac\w*|versions?|since|moved?|used to|no longer|old|support\w*"
    r"|v?\d+\.\d+|v\d+)\b",
    re.IGNORECASE,
)
_ASKS_OF_CHANGES = re.compile(
    r"\b(?:releas\w*|change ?log|new in|what['’]?s new|histor\w*"
    r"|announce\w*|deprecat\w*|(?:was|were|been)(?: \w+){0,3} (?:added|removed|replaced|moved)|no longer|used to"
    r"|(?:which|what) versions?|since (?:when|version)|v?\d+\.\d+|v\d+)\b",
    re.IGNORECASE,
)
_LEADS_ON = re.compile(
    r"^(?:further (?:information|reading|resources)|see also|next steps|what['’]s next|related(?: \w+)?|references"
    r"|(?:additional |more )?resources|(?:learn|read) more|links|summary|conclusion|(?:table of )?contents)$",
    re.IGNORECASE,
)


PRIOR_WEIGHTS = {
    "blog": _BLOG,
    "reference": _REFERENCE,
    "brief": _BRIEF,
    "past": _PAST,
    "changes": _CHANGES,
    "further": _FURTHER,
    "heading": _HEADING,
    "fewest_words": _FEWEST_WORDS,
}
"""The factor of each trait on a score. `heading` is a proportional bonus for headings of at least `fewest_words`."""

PRIOR_PATTERNS = {
    "asks_the_past": _ASKS_THE_PAST,
    "asks_of_changes": _ASKS_OF_CHANGES,
}
"""The patterns that detect the traits of questions. The build computes `SectionTraits` for browsers."""


class SectionTraits(NamedTuple):
    """Traits of a section by its page and its heading."""

    past: bool
    """the page is about past versions"""
    changes: bool
    """a changelog"""
    further: bool
    """a list of links to read on"""


def priors(index: Index, chunks: Sequence[Chunk], query: Query) -> Scores:
    """Return the factor for the score of each chunk, shape (chunks,).

    Args:
        index: The index that contains the chunks.
        chunks: The chunks to score.
        query: The parsed query. Its words, codes and mentions of versions change the factors.
    """
    pages = index.pages_by_id({chunk.page_id for chunk in chunks})
    titles = index.titles_by_id({chunk.target_id for chunk in chunks})
    asks = _QuestionTraits.of(query)
    page_of = {chunk.target_id: pages[chunk.page_id] for chunk in chunks}
    of_section = {target_id: _of_section(page_of[target_id], title, asks) for target_id, title in titles.items()}
    factors = [of_section[chunk.target_id] * (_BRIEF if is_brief(chunk.text) else 1.0) for chunk in chunks]
    return np.array(factors, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class _QuestionTraits:
    """A question's content words, and the factors of API reference, release notes and changelogs for it."""

    words: frozenset[str]
    language: str
    reference: float
    past: float
    changes: float

    @classmethod
    def of(cls, query: Query) -> "_QuestionTraits":
        return cls(
            words=_words(query.text, query.language),
            language=query.language,
            reference=1.0 if query.codes else _REFERENCE,
            past=1.0 if _ASKS_THE_PAST.search(query.text) else _PAST,
            changes=1.0 if _ASKS_OF_CHANGES.search(query.text) else _CHANGES,
        )


def _of_section(page: Page, title: Title, asks: _QuestionTraits) -> float:
    traits = section_traits(page.title, page.url, title.text)
    past = asks.past if traits.past else 1.0
    factor = {"blog": _BLOG, "api": asks.reference}.get(page.source_type, past)
    if traits.changes:
        factor = asks.changes
    if title.kind == "member":
        factor = min(factor, asks.reference)
    return factor * (_FURTHER if traits.further else _of_title(title.text, asks))


def section_traits(page_title: str, url: str, heading: str) -> SectionTraits:
    """Return the traits of a section by its page's title and URL, and its own heading."""
    tells_the_past, lists_changes = _page_traits(page_title, url)
    is_of_changes, leads_on = _heading_traits(heading)
    return SectionTraits(tells_the_past, lists_changes or is_of_changes, leads_on)


@lru_cache(maxsize=_MOST_REMEMBERED)
def _page_traits(title: str, url: str) -> tuple[bool, bool]:
    """Return whether a page is about past versions, and whether it is a changelog."""
    named = f"{title}\n{re.sub(r'[/_-]', ' ', url)}\n{url}"
    return _TELLS_THE_PAST.search(named) is not None, _LISTS_CHANGES.search(named) is not None


@lru_cache(maxsize=_MOST_REMEMBERED)
def _heading_traits(heading: str) -> tuple[bool, bool]:
    """Return whether a heading is of a changelog, and whether it is of links to read on."""
    return _LISTS_CHANGES.search(heading) is not None, _LEADS_ON.search(heading) is not None


def _of_title(title: str, asks: _QuestionTraits) -> float:
    title_words = _words(title, asks.language)
    is_asked = len(title_words) >= _FEWEST_WORDS and title_words <= asks.words
    return 1.0 + _HEADING * len(title_words) / len(asks.words) if is_asked else 1.0


@lru_cache(maxsize=_MOST_REMEMBERED)
def is_brief(text: str) -> bool:
    """Return whether an ASCII text has fewer than 20 words; other texts may have no spaces between words."""
    return text.isascii() and len(text.split(maxsplit=_BRIEF_WORDS)) < _BRIEF_WORDS


@lru_cache(maxsize=_MOST_REMEMBERED)
def _words(text: str, language: str) -> frozenset[str]:
    """Return the set of a text's terms without stop words."""
    return frozenset(terms(text.replace("_", " "), language)) - stop_terms(language)
