"""Write an index from memory to one database file. The file is replaced atomically."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import msgspec

from pincite_core.errors import OutputError
from pincite_core.index.database import create_database
from pincite_core.index.quantise import Int8Vectors, to_bits
from pincite_core.index.schema import schema_sql
from pincite_core.search.postings import ChunkTerms, pack_postings
from pincite_core.types import Alias, Chunk, IndexInfo, Link, Page, Redirect, Scope, Target, Unit

__all__ = ("ChunkTerms", "IndexContent", "content_hash", "write_atomically", "write_index")


@dataclass(frozen=True, slots=True)
class IndexContent:
    """All rows of an index.

    Row `i` of `vectors` and `text_hashes` belongs to `vector_id` i + 1. `tokens` maps vector ids to packed token
    vectors. Some vectors have no token vectors.
    """

    info: IndexInfo
    scopes: list[Scope]
    pages: list[Page]
    targets: list[Target]
    chunks: list[Chunk]
    units: list[Unit]
    vectors: Int8Vectors
    text_hashes: list[bytes]
    terms: list[ChunkTerms]
    links: list[Link]
    redirects: list[Redirect] = field(default_factory=list)
    aliases: list[Alias] = field(default_factory=list)
    meta: dict[str, object] = field(default_factory=dict)
    tokens: dict[int, bytes] = field(default_factory=dict)


def write_index(content: IndexContent, file: Path) -> None:
    """Write an index to `file`. An earlier file is replaced only after everything is written.

    The output is deterministic: the same content gives the same bytes.

    Raises:
        OutputError: The disk is full or the folder is not writable. The earlier file is unchanged.
    """
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        temporary.unlink(missing_ok=True)
        connection = create_database(temporary)
        with connection:
            _fill(connection, content)
        connection.execute("VACUUM")
        connection.close()
        temporary.replace(file)
    except (apsw.Error, OSError) as error:
        raise OutputError(_cannot_write(file, error)) from error
    finally:
        temporary.unlink(missing_ok=True)


def write_atomically(file: Path, data: bytes) -> None:
    """Write a file atomically: write a temporary file in the same folder, then rename it.

    Raises:
        OutputError: The disk is full or the folder is not writable. The earlier file is unchanged.
    """
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(file)
    except OSError as error:
        raise OutputError(_cannot_write(file, error)) from error
    finally:
        temporary.unlink(missing_ok=True)


def _cannot_write(file: Path, error: Exception) -> str:
    why = error.strerror if isinstance(error, OSError) else error
    return f"Could not write {file} ({why}). Free some space or choose another folder with --out."


def _fill(connection: apsw.Connection, content: IndexContent) -> None:
    connection.execute(schema_sql(content.info.dimension))
    _insert_meta(connection, content)
    _insert(connection, "scopes", (_columns(row) for row in content.scopes))
    _insert(connection, "pages", (_columns(row) for row in content.pages))
    _insert(connection, "targets", (_columns(row) for row in content.targets))
    _insert_chunks(connection, content)
    _insert(connection, "units", (_columns(row) for row in content.units))
    _insert(connection, "links", (_columns(row) for row in content.links))
    _insert(connection, "redirects", (_columns(row) for row in content.redirects))
    _insert(connection, "ids", (_columns(row) for row in content.aliases))
    _insert_vectors(connection, content)
    postings = enumerate(pack_postings(content.terms), start=1)
    _insert(connection, "postings", ((number, *packed) for number, packed in postings))


def _insert_chunks(connection: apsw.Connection, content: IndexContent) -> None:
    lengths = {row.chunk_id: sum(len(text.split()) for text in row[1:]) for row in content.terms}
    sql = (
        "INSERT INTO chunks(chunk_id, target_id, page_id, scope_id, ordinal, text, vector_id, length) "
        "VALUES (?,?,?,?,?,?,?,?)"
    )
    connection.executemany(sql, ((*_columns(row), lengths.get(row.chunk_id, 0)) for row in content.chunks))


def _insert_meta(connection: apsw.Connection, content: IndexContent) -> None:
    values: dict[str, object] = {**content.meta, "info": msgspec.to_builtins(content.info)}
    rows = ((key, msgspec.json.encode(value).decode()) for key, value in sorted(values.items()))
    _insert(connection, "meta", rows)


def _insert_vectors(connection: apsw.Connection, content: IndexContent) -> None:
    _insert(
        connection,
        "vectors",
        (
            (number, digest, row.tobytes())
            for number, (digest, row) in enumerate(zip(content.text_hashes, content.vectors, strict=True), start=1)
        ),
    )
    _insert(connection, "tokens", sorted(content.tokens.items()))
    bits = to_bits(content.vectors)
    sql = "INSERT INTO {0}_bits({0}_id, scope_id, bits) VALUES (?, ?, vec_bit(?))"
    connection.executemany(
        sql.format("chunk"),
        ((row.chunk_id, row.scope_id, bits[row.vector_id - 1].tobytes()) for row in content.chunks),
    )
    connection.executemany(
        sql.format("unit"),
        ((row.unit_id, row.scope_id, bits[row.vector_id - 1].tobytes()) for row in content.units if row.vector_id),
    )


def _insert(connection: apsw.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    rows = list(rows)
    if rows:
        marks = ",".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _columns(record: object) -> tuple[object, ...]:
    """Return the fields of a record as SQLite values. Tuples become JSON arrays, and booleans become integers."""
    values = (getattr(record, name) for name in type(record).__match_args__)  # type: ignore[attr-defined]
    return tuple(_value(value) for value in values)


def _value(value: object) -> object:
    if isinstance(value, tuple):
        items = [[item.kind, item.label] if hasattr(item, "label") else item for item in value]
        return msgspec.json.encode(items).decode()
    return int(value) if isinstance(value, bool) else value


def content_hash(data: Iterable[bytes]) -> str:
    """Return the hex SHA-256 of a sequence of byte strings. Each part is prefixed with its length."""
    digest = hashlib.sha256()
    for part in data:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()
