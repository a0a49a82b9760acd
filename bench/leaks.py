"""Ask every version and language of a site questions about all the others, and count leaks.

    python -m bench.leaks [--index PATH ...] [--probes N]

Without --index: both languages of the example site (build it with `make site`). Probes are headings from all versions
and languages, because a heading's own words find it best. In each version and language the bench asks every probe in
three ways: with the version and language chosen, from a page of this version and language, and as a search. Every
returned URL (citations, nearest sections of a refusal, search results) must be of this version and language. Exits
with 1 if one is not.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.sites import EXAMPLE

from pincite_core.index.read import Index
from pincite_core.types import Scope
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer, search_hits
from pincite_server.evaluation.judge import find_leaks
from pincite_server.question.question import Question
from pincite_server.reply.records import Answer, Refusal

__all__ = ("ScopeProbes", "probe", "titles_of")

COLUMNS = ("site", "language", "version", "probes", "answers", "URLs", "leaks")


@dataclass(frozen=True, slots=True)
class ScopeProbes:
    """The results of one version and language: the asked and answered probes, all URLs, and the leaks."""

    locale: str
    version: str
    probes: int
    answers: int
    urls: int
    leaks: tuple[str, ...]


def main() -> None:
    options = _arguments()
    print("  ".join(f"{name:>12}" for name in COLUMNS))
    leaked = False
    for place in options.index:
        answerer = Answerer.open(place)
        for found in probe(answerer, options.probes):
            leaked = leaked or bool(found.leaks)
            cells = (found.locale, found.version, found.probes, found.answers, found.urls, len(found.leaks))
            print("  ".join(f"{cell:>12}" for cell in (answerer.corpus_name, *cells)), flush=True)
            for url in found.leaks:
                print(f"    {url}")
    sys.exit(1 if leaked else 0)


def probe(answerer: Answerer, count: int) -> Iterator[ScopeProbes]:
    """Ask each version and language of an index the same `count` probes."""
    titles = titles_of(answerer.index, count)
    versioned = {(scope.locale, scope.version): scope for scope in answerer.index.scopes if scope.version is not None}
    for scope in versioned.values():
        yield _probe_scope(answerer, scope, titles)


def titles_of(index: Index, count: int) -> list[str]:
    """Return headings with their page's title, from all versions and languages in equal parts."""
    named = {" ".join(dict.fromkeys(target.heading_path)) for target in index.targets() if target.anchor}
    return random.Random(0).sample(sorted(named), min(count, len(named)))


def _probe_scope(answerer: Answerer, scope: Scope, titles: Sequence[str]) -> ScopeProbes:
    pages = [page.url for page in answerer.index.pages() if page.scope_id == scope.scope_id]
    urls: list[str] = []
    answers = 0
    for number, title in enumerate(titles):
        named = answer(answerer, Question(title, version=scope.version, locale=scope.locale, locale_chosen=True))
        read = answer(answerer, Question(title, page_url=pages[number % len(pages)], locale_chosen=True))
        hits = search_hits(answerer, title, version=scope.version, locale=scope.locale)
        answers += sum(isinstance(reply, Answer) for reply in (named, read))
        urls += [*_urls(named), *_urls(read), *(hit.url for hit in hits)]
    leaks = find_leaks(answerer.index, urls, scope.version, scope.locale)
    return ScopeProbes(scope.locale, scope.version or "", len(titles), answers, len(urls), leaks)


def _urls(reply: Answer | Refusal) -> list[str]:
    citations = reply.citations if isinstance(reply, Answer) else reply.nearest
    return [citation.url or "" for citation in citations]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, nargs="+", default=[EXAMPLE, EXAMPLE / "fr"])
    parser.add_argument("--probes", type=int, default=100)
    return parser.parse_args()


if __name__ == "__main__":
    main()
