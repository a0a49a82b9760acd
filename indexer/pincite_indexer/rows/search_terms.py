"""What a chunk is found by beside its text: its terms column by column, and the titles of sections.

`pincite_core.search.terms` cuts questions the same way.
"""

from functools import cache

from pincite_core.index.write import ChunkTerms
from pincite_core.search.terms import exact_codes, terms
from pincite_core.types import Link
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.rows.link_graph import inbound_texts

__all__ = ("add_titles", "chunk_terms")


def chunk_terms(rows: Rows, links: list[Link]) -> list[ChunkTerms]:
    """Return one row of terms a chunk, in order."""
    targets = {target.target_id: target for target in rows.targets}
    pages = {page.page_id: page for page in rows.pages}
    inbound = inbound_texts(links)
    spoken = {scope.scope_id: scope.locale for scope in rows.scopes}
    words, codes = cache(_words), cache(_codes)  # versions of a page repeat most of each other's text
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
    """Add to the texts that will be embedded the title of every section that has text of its own, each once.

    Who asks for a subject in other words is near the title alone. The vectors have no row that points to them; search
    finds them by their texts.
    """
    known = set(rows.texts)
    titles = {target.target_id: target.title for target in rows.targets}
    wanted = dict.fromkeys(titles[chunk.target_id] for chunk in rows.chunks)
    rows.texts.extend(title for title in wanted if title and title not in known)


def _words(text: str, language: str) -> str:
    return " ".join(terms(text, language))


def _codes(text: str) -> str:
    return " ".join(exact_codes(text))
