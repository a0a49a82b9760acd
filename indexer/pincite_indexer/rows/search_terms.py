"""The full-text columns of each chunk, as tokens; `pincite_core.search.terms` cuts questions the same way."""

from functools import cache

from pincite_core.index.write import ChunkTerms
from pincite_core.search.terms import exact_codes, terms
from pincite_core.types import Link
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.rows.link_graph import inbound_texts

__all__ = ("chunk_terms",)


def chunk_terms(rows: Rows, links: list[Link]) -> list[ChunkTerms]:
    """Return one row of terms a chunk, in order."""
    targets = {target.target_id: target for target in rows.targets}
    pages = {page.page_id: page for page in rows.pages}
    inbound = inbound_texts(links)
    words, codes = cache(_words), cache(_codes)  # versions of a page repeat most of each other's text
    found = []
    for chunk in rows.chunks:
        headings = " ".join(targets[chunk.target_id].heading_path[1:])
        found.append(
            ChunkTerms(
                chunk.chunk_id,
                words(chunk.text),
                words(headings),
                words(pages[chunk.page_id].title),
                words(inbound.get(chunk.target_id, "")),
                f"{codes(headings)} {codes(chunk.text)}".strip(),
            )
        )
    return found


def _words(text: str) -> str:
    return " ".join(terms(text))


def _codes(text: str) -> str:
    return " ".join(exact_codes(text))
