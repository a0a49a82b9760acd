"""Make a large index from smaller ones: their sections in one version, then copies with changed vectors and words."""

import dataclasses
import hashlib
import shutil
import zlib
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import replace

from pincite_core.deployed.regular_file import digest_of
from pincite_core.index.quantise import Int8Vectors
from pincite_core.index.read import Index
from pincite_core.index.rows import IndexRows
from pincite_core.index.write import ChunkTerms, IndexContent, write_index
from pincite_core.types import Chunk, Page, Scope, Target, Unit
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.rows.search_terms import chunk_terms

__all__ = ("make_deployable", "scaled_copy")

JITTER = 12  # of 127: a copy's vectors stay near the original's, but differ
OWN_WORDS = 5  # one of this many words belongs to the copy, like the name or option of another product
_ENCODER = ("encoder.onnx", "tokenizer.json")


@dataclasses.dataclass(frozen=True, slots=True)
class _Original:
    """The rows that are copied from an index."""

    rows: Rows
    terms: list[ChunkTerms]
    vectors: Int8Vectors
    tokens: dict[int, bytes]

    @classmethod
    def of(cls, index: Index) -> "_Original":
        rows = Rows(list(index.scopes), index.pages(), index.targets(), index.chunks(), index.units())
        vectors = index.vectors(list(range(1, index.counts()["vectors"] + 1)))
        return cls(rows, chunk_terms(rows, []), vectors, IndexRows.open(index.file).packed_tokens())


def scaled_copy(indexes: Sequence[Index], chunks: int, folder: Path) -> Index:
    """Write and open an index of at least `chunks` chunks, all in one scope; one encoder made all `indexes`.

    The result contains every index unchanged before any index is repeated. A copy has jittered vectors, and every fifth
    word has another name in its postings. The texts are the originals' texts.
    """
    info = indexes[0].info
    rows, terms = Rows(scopes=[Scope(1, "docs", "default", None, None, True, info.default_locale)]), list[ChunkTerms]()
    vectors, tokens = list[Int8Vectors](), dict[int, bytes]()
    random, before = np.random.default_rng(0), 0
    originals = [_Original.of(index) for index in indexes]
    for number in count():
        if len(rows.chunks) >= chunks:
            break
        repeated, original = divmod(number, len(originals))
        source = originals[original]
        vectors.append(_jittered(source.vectors, random) if repeated else source.vectors)
        tokens.update((vector + before, packed) for vector, packed in source.tokens.items())
        terms += _terms(source.terms, len(rows.chunks), repeated)
        _append(rows, source.rows, before, f"/{number}")
        before += len(source.vectors)
    content = IndexContent(
        info=dataclasses.replace(info, base_url="/"),  # a copy is beside the original, not below it
        scopes=rows.scopes,
        pages=rows.pages,
        targets=rows.targets,
        chunks=rows.chunks,
        units=rows.units,
        vectors=np.concatenate(vectors),
        text_hashes=[hashlib.sha256(str(number).encode()).digest() for number in range(before)],
        terms=terms,
        links=[],
        meta=_calibration(indexes[0]),
        tokens=tokens,
    )
    write_index(content, folder / "index.db")
    return Index.open(folder)


def make_deployable(index: Index, original: Path) -> None:
    """Add the files that a sidecar needs to a scaled copy: the encoder of the folder `original`, and its own info."""
    for name in _ENCODER:
        shutil.copyfile(original / name, index.file.with_name(name))
    facts = msgspec.json.decode((original / "index.json").read_bytes())
    facts |= {"sha256": digest_of(index.file), "size": index.file.stat().st_size, "counts": index.counts()}
    facts |= {"base_url": "/", "siblings": []}
    index.file.with_name("index.json").write_bytes(msgspec.json.encode(facts))


def _calibration(index: Index) -> dict[str, object]:
    """Return the calibration and the languages of an index."""
    rows = IndexRows.open(index.file).sql.rows("SELECT key, value FROM meta WHERE key != 'info'")
    return {key: msgspec.json.decode(value) for key, value in rows}


def _jittered(vectors: Int8Vectors, random: np.random.Generator) -> Int8Vectors:
    noise = random.integers(-JITTER, JITTER + 1, size=vectors.shape, dtype=np.int8)
    jittered: Int8Vectors = np.clip(vectors.astype(np.int16) + noise, -127, 127).astype(np.int8)
    return jittered


def _terms(original: list[ChunkTerms], chunks: int, repeated: int) -> list[ChunkTerms]:
    """Return a copy of the terms with row ids after `chunks`, the number of earlier chunks."""

    @cache
    def own(term: str) -> str:
        is_own = repeated and zlib.crc32(f"{repeated} {term}".encode()) % OWN_WORDS == 0
        return f"{term}{repeated}" if is_own else term

    def renamed(text: str) -> str:
        return " ".join(map(own, text.split())) if repeated else text

    return [ChunkTerms(row.chunk_id + chunks, *map(renamed, row[1:])) for row in original]


def _append(rows: Rows, original: Rows, vectors: int, folder: str) -> None:
    """Append rows after the last ids; `vectors` is the count of earlier vectors, `folder` begins the URLs."""
    pages, targets = len(rows.pages), len(rows.targets)
    chunks, units = len(rows.chunks), len(rows.units)

    def page(row: Page) -> Page:
        return dataclasses.replace(row, page_id=row.page_id + pages, scope_id=1, url=f"{folder}{row.url}")

    def target(row: Target) -> Target:
        parent = None if row.parent_id is None else row.parent_id + targets
        return replace(row, target_id=row.target_id + targets, page_id=row.page_id + pages, parent_id=parent)

    def chunk(row: Chunk) -> Chunk:
        moved = replace(row, chunk_id=row.chunk_id + chunks, target_id=row.target_id + targets, scope_id=1)
        return replace(moved, page_id=row.page_id + pages, vector_id=row.vector_id + vectors)

    def unit(row: Unit) -> Unit:
        moved = replace(row, unit_id=row.unit_id + units, chunk_id=row.chunk_id + chunks, scope_id=1)
        vector = row.vector_id + vectors if row.vector_id else 0
        return replace(moved, target_id=row.target_id + targets, vector_id=vector)

    rows.pages.extend(map(page, original.pages))
    rows.targets.extend(map(target, original.targets))
    rows.chunks.extend(map(chunk, original.chunks))
    rows.units.extend(map(unit, original.units))
