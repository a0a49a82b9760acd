"""The full-text columns of each chunk, as tokens; `pincite_core.tokens` cuts questions the same way."""

from pincite_core.tokens import code_tokens, terms
from pincite_core.types import Link
from pincite_core.write import ChunkTerms
from pincite_indexer.assemble import Rows
from pincite_indexer.link_graph import inbound_texts

__all__ = ("chunk_terms",)


def chunk_terms(rows: Rows, links: list[Link]) -> list[ChunkTerms]:
    """Return one row of terms a chunk, in order."""
    targets = {target.target_id: target for target in rows.targets}
    pages = {page.page_id: page for page in rows.pages}
    inbound = inbound_texts(links)
    found = []
    for chunk in rows.chunks:
        headings = " ".join(targets[chunk.target_id].heading_path[1:])
        found.append(
            ChunkTerms(
                chunk.chunk_id,
                _line(terms(chunk.text)),
                _line(terms(headings)),
                _line(terms(pages[chunk.page_id].title)),
                _line(terms(inbound.get(chunk.target_id, ""))),
                _line(code_tokens(f"{headings}\n{chunk.text}")),
            )
        )
    return found


def _line(tokens: list[str]) -> str:
    return " ".join(tokens)
