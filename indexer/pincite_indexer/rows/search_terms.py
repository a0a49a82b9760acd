"""Compute the search terms of each chunk by column, and add the titles of sections to the embedded texts.

`pincite_core.search.terms` splits questions in the same way.
"""

from collections.abc import Iterator
from functools import cache

from pincite_core.index.write import ChunkTerms
from pincite_core.search.terms import exact_codes, terms
from pincite_core.types import Link
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.rows.compounds import Compounds
from pincite_indexer.rows.link_graph import inbound_texts

__all__ = ("add_titles", "chunk_terms")

_TITLES = ("page", "heading")


def chunk_terms(rows: Rows, links: list[Link]) -> list[ChunkTerms]:
    """Return one row of terms for each chunk, in order."""
    targets = {target.target_id: target for target in rows.targets}
    pages = {page.page_id: page for page in rows.pages}
    inbound = inbound_texts(links)
    spoken = {scope.scope_id: scope.locale for scope in rows.scopes}
    compounds = {locale: Compounds(_texts(rows, locale), locale) for locale in set(spoken.values())}

    @cache  # versions of a page share most of their text
    def words(text: str, language: str) -> str:
        return " ".join([*terms(text, language), *compounds[language].terms(text)])

    codes = cache(_codes)
    found = []
    for chunk in rows.chunks:
        language = spoken[chunk.scope_id]
        headings = " ".join(targets[chunk.target_id].heading_path[1:])
        found.append(
            ChunkTerms(
                chunk.chunk_id,
                words(chunk.text, language),
                words(headings, language),
                words(pages[chunk.page_id].title, language),
                words(inbound.get(chunk.target_id, ""), language),
                f"{codes(headings)} {codes(chunk.text)}".strip(),
            )
        )
    return found


def add_titles(rows: Rows) -> None:
    """Add the distinct titles of all sections with text to the texts to embed.

    A question in other words than the section's is similar only to its title. No row refers to the titles' vectors.
    Search finds the vectors by the hash of the title.
    """
    known = set(rows.texts)
    titles = {target.target_id: target.title for target in rows.targets}
    wanted = dict.fromkeys(titles[chunk.target_id] for chunk in rows.chunks)
    rows.texts.extend(title for title in wanted if title and title not in known)


def _texts(rows: Rows, locale: str) -> Iterator[str]:
    scopes = {scope.scope_id for scope in rows.scopes if scope.locale == locale}
    yield from (chunk.text for chunk in rows.chunks if chunk.scope_id in scopes)
    pages = {page.page_id for page in rows.pages if page.scope_id in scopes}
    yield from (target.title for target in rows.targets if target.page_id in pages and target.kind in _TITLES)


def _codes(text: str) -> str:
    return " ".join(exact_codes(text))
