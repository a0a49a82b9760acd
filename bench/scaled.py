"""A larger index from a smaller one: its content over and over in one version, each copy with its own vectors."""

import dataclasses
import hashlib
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from pincite_core.index.quantise import Int8Vectors
from pincite_core.index.read import Index
from pincite_core.index.rows import IndexRows
from pincite_core.index.write import IndexContent, write_index
from pincite_core.types import Chunk, Page, Scope, Sentence, Target
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.rows.search_terms import chunk_terms

__all__ = ("scaled_copy",)

JITTER = 12  # of 127: keeps a copy's vectors near the original's without being the same


def scaled_copy(index: Index, chunks: int, folder: Path) -> Index:
    """Write and open an index of at least `chunks` chunks, all in one scope, made of an index's pages over and over."""
    original = Rows(pages=index.pages(), targets=index.targets(), chunks=index.chunks(), sentences=index.sentences())
    vectors = index.vectors(list(range(1, index.counts()["vectors"] + 1)))
    rows, stored = Rows(scopes=[Scope(1, "docs", "default", None, None, True, index.info.default_locale)]), []
    random = np.random.default_rng(0)
    while len(rows.chunks) < chunks:
        stored.append(_jittered(vectors, random))
        _append(rows, original, (len(stored) - 1) * len(vectors))
    everything = np.concatenate(stored)
    tokens = IndexRows.open(index.file).packed_tokens()
    copied = {number + copy * len(vectors): packed for copy in range(len(stored)) for number, packed in tokens.items()}
    content = IndexContent(
        info=dataclasses.replace(index.info, base_url="/"),  # the copies lie beside the original, not below it
        scopes=rows.scopes,
        pages=rows.pages,
        targets=rows.targets,
        chunks=rows.chunks,
        sentences=rows.sentences,
        vectors=everything,
        text_hashes=[hashlib.sha256(str(number).encode()).digest() for number in range(len(everything))],
        terms=chunk_terms(rows, []),
        links=[],
        tokens=copied,
    )
    write_index(content, folder / "index.db")
    return Index.open(folder)


def _jittered(vectors: Int8Vectors, random: np.random.Generator) -> Int8Vectors:
    noise = random.integers(-JITTER, JITTER + 1, size=vectors.shape)
    jittered: Int8Vectors = np.clip(vectors.astype(np.int16) + noise, -127, 127).astype(np.int8)
    return jittered


def _append(rows: Rows, original: Rows, vectors: int) -> None:
    """Add another copy of all rows: ids go on from the last ones, `vectors` is how many vectors came before."""
    copy = len(rows.pages) // max(1, len(original.pages))
    pages, targets = len(rows.pages), len(rows.targets)
    chunks, sentences = len(rows.chunks), len(rows.sentences)

    def page(row: Page) -> Page:
        return dataclasses.replace(row, page_id=row.page_id + pages, scope_id=1, url=f"/copy-{copy}{row.url}")

    def target(row: Target) -> Target:
        parent = None if row.parent_id is None else row.parent_id + targets
        return replace(row, target_id=row.target_id + targets, page_id=row.page_id + pages, parent_id=parent)

    def chunk(row: Chunk) -> Chunk:
        moved = replace(row, chunk_id=row.chunk_id + chunks, target_id=row.target_id + targets, scope_id=1)
        return replace(moved, page_id=row.page_id + pages, vector_id=row.vector_id + vectors)

    def sentence(row: Sentence) -> Sentence:
        moved = replace(row, sentence_id=row.sentence_id + sentences, chunk_id=row.chunk_id + chunks, scope_id=1)
        vector = row.vector_id + vectors if row.vector_id else 0
        return replace(moved, target_id=row.target_id + targets, vector_id=vector)

    rows.pages.extend(map(page, original.pages))
    rows.targets.extend(map(target, original.targets))
    rows.chunks.extend(map(chunk, original.chunks))
    rows.sentences.extend(map(sentence, original.sentences))
