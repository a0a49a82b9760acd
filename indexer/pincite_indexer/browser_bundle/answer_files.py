"""Build the files of one scope that the browser needs for answering, in addition to the search files."""

from collections.abc import Iterator
from typing import Any

import msgspec

from pincite_core.index.schema import PAGE_QUESTIONS
from pincite_core.index.write import IndexContent
from pincite_core.search.priors import SectionTraits, is_brief, section_traits
from pincite_indexer.browser_bundle.exact import LanguageTerms, exact_file
from pincite_indexer.browser_bundle.shard import ScopeParts, Shard
from pincite_indexer.browser_bundle.vectors import scope_vectors

__all__ = ("answer_files",)


def answer_files(
    content: IndexContent, parts: ScopeParts, shard: Shard, language: LanguageTerms
) -> Iterator[tuple[str, str, list[bytes]]]:
    """Yield (kind, file extension, contents) of a scope's files.

    Args:
        content: All rows of the index.
        parts: The scope's parts.
        shard: The scope's search files.
        language: Term statistics of the locale.
    """
    exact = exact_file(parts.found, list(shard.spelled), language) | {"traits": _traits(content, parts)}
    sections = [of_section[0][0].target_id for of_section in parts.sections]
    stored = scope_vectors(content, [chunk for chunk, _ in parts.found], sections)
    yield "exact", "json", [msgspec.json.encode(exact)]
    yield "places", "json", [msgspec.json.encode(stored.places)]
    yield "vectors", "bin", list(stored.vectors)
    yield "tokens", "bin", list(stored.tokens)
    offered = _questions(content, parts.scope.scope_id)
    if offered:
        yield "questions", "json", [msgspec.json.encode(offered)]


def _traits(content: IndexContent, parts: ScopeParts) -> dict[str, list[int]]:
    """Return the numbers of the sections with each trait that lowers their rank, and of the parts that are brief."""
    pages = {page.page_id: page for page in content.pages}
    targets = {target.target_id: target for target in content.targets}
    found: dict[str, list[int]] = {name: [] for name in SectionTraits._fields}
    for number, ((chunk, _), *_) in enumerate(parts.sections):
        page = pages[chunk.page_id]
        held = section_traits(page.title, page.url, targets[chunk.target_id].title)
        for name, holds in held._asdict().items():
            if holds:
                found[name].append(number)
    return found | {"brief": [number for number, (chunk, _) in enumerate(parts.found) if is_brief(chunk.text)]}


def _questions(content: IndexContent, scope_id: int) -> dict[str, list[str]]:
    """Return the suggested questions of a scope's pages, by page URL."""
    kept: dict[str, Any] = {
        page.url: content.meta.get(f"{PAGE_QUESTIONS}{page.url}") for page in content.pages if page.scope_id == scope_id
    }
    return {url: list(offer["questions"]) for url, offer in kept.items() if offer and offer["questions"]}
