"""Loading a build into PostgreSQL: all of it in one transaction beside the build that answers, then a pointer is moved.

Whatever ends a push, readers see the build from before it or the new one. An index is loaded into tables that nobody
knows, which become partitions of those that readers ask when they are whole.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from psycopg.errors import DiskFull, InsufficientPrivilege, LockNotAvailable, OutOfMemory, ReadOnlySqlTransaction

from pincite_core.deployed.fetch import digest_of
from pincite_core.deployed.local import LocalOrigin
from pincite_core.deployed.origin import Deploy, DeployedIndex
from pincite_core.errors import IndexNotFoundError, IndexUnavailableError, InputError, OutputError
from pincite_core.index.read import Index
from pincite_core.index.sql import SqlFile
from pincite_core.postgres.address import DatabaseAddress, checked_site, site_name
from pincite_core.postgres.database import SCHEMA, first_line, search_path
from pincite_core.postgres.dialect import TABLES
from pincite_core.postgres.engine import LEAST_GRAPH, bit_string
from pincite_core.postgres.migrate import migrate

__all__ = ("Pushed", "push")

GRACE_MINUTES = 15
"""After which nobody asks a build that answers no page: no question takes as long, no look is so rare."""

_BLOCK = 8 << 20  # bytes of a file in one row
_LOCK_SECONDS = 2  # that readers may have to wait behind the removal of old tables, while something long reads them
_LEAST_MEMORY_KB, _MOST_MEMORY_KB = 512 << 10, 4 << 20  # for building the graphs of neighbours
_ROW_KB = 1  # of it that a row takes; a graph that has no room is built from the disk, many times more slowly
# pgvector's own 64 left a fiftieth of the nearest of five million rows unfound.
_GRAPH = "CREATE INDEX ON {table} USING hnsw ((bits::bit({dimension})) bit_hamming_ops) WITH (ef_construction = 128)"
_BITS = {
    "chunk_bits": "SELECT chunk_id, scope_id, vector_id, int8 FROM chunks JOIN vectors USING (vector_id) ORDER BY 1",
    "sentence_bits": (
        "SELECT sentence_id, chunk_id, scope_id, vector_id, int8 FROM sentences JOIN vectors USING (vector_id) "
        "WHERE vector_id > 0 ORDER BY 1"
    ),
}
# The server's own setting, where that is more; in kB.
_MEMORY = (
    "SELECT set_config('maintenance_work_mem', "
    "greatest(%s, pg_size_bytes(current_setting('maintenance_work_mem')) / 1024)::text, true)"
)
_NEW_INDEX = "INSERT INTO indexes (build_id, ordinal, folder, info, dimension) VALUES (%s, %s, %s, %s, %s)"


@dataclass(frozen=True, slots=True)
class Pushed:
    """What a push did: `is_new` is False when the site's newest build was this one already."""

    site: str
    is_new: bool
    counts: dict[str, int]


def push(place: Path, address: DatabaseAddress, site: str = "") -> Pushed:
    """Make the index at `place`, with those of the site's other languages, what a site's readers are answered from.

    Args:
        place: A file, a folder that holds an index, or a built site.
        address: The database, and perhaps the site.
        site: Its name; of the address or by the index's title when it is "".

    Raises:
        InputError: The site has no name.
        IndexFileError: There is no index, or it cannot be read.
        IndexUnavailableError: The database cannot be reached.
        OutputError: It cannot be written; what is there is untouched.
    """
    origin = LocalOrigin(place)
    deploy = origin.look()
    if deploy is None:
        message = f"There is no index at {place}. Build one with `pincite index SITE_DIR`, or name its folder or file."
        raise IndexNotFoundError(message)
    files = [SqlFile(origin.file_of(index.database)) for index in deploy.indexes]
    opened = [Index.open(file.file) for file in files]  # which looks at every row
    site = _named(site or address.site, opened[0])
    try:
        migrate(psycopg.connect(address.conninfo))
        with psycopg.connect(address.conninfo) as connection:
            connection.execute(search_path(connection))
            is_new = _pushed(connection, site, deploy, origin, list(zip(opened, files, strict=True)))
        with psycopg.connect(address.conninfo) as connection:
            connection.execute(search_path(connection))
            _drop_old(connection, site)
    except psycopg.Error as error:
        raise _told(error, address) from error
    finally:
        for index, file in zip(opened, files, strict=True):
            index.retire()
            file.retire()
    return Pushed(site, is_new, opened[0].counts())


def _named(site: str, index: Index) -> str:
    site = site or site_name(index.info.title)
    if not site:
        message = "The index has no title that would name its site. Name it: postgresql://.../DATABASE/SITE."
        raise InputError(message)
    return checked_site(site)


def _pushed(
    connection: psycopg.Connection[Any],
    site: str,
    deploy: Deploy,
    origin: LocalOrigin,
    indexes: list[tuple[Index, SqlFile]],
) -> bool:
    connection.execute("INSERT INTO sites (site) VALUES (%s) ON CONFLICT DO NOTHING", (site,))
    connection.execute("SELECT 1 FROM sites WHERE site = %s FOR UPDATE", (site,))  # one push of a site at a time
    digest = _digest(deploy, [file.file for _, file in indexes])
    if connection.execute(
        "SELECT 1 FROM sites JOIN builds ON build_id = current WHERE sites.site = %s AND digest = %s", (site, digest)
    ).fetchone():
        return False
    build_id = _number(connection, "INSERT INTO builds (site, digest) VALUES (%s, %s)", (site, digest), "build_id")
    loaded = [
        _load(connection, build_id, ordinal, deployed, index, file)
        for ordinal, (deployed, (index, file)) in enumerate(zip(deploy.indexes, indexes, strict=True))
    ]
    _load_files(connection, deploy, origin)
    for index_no in loaded:
        for table in TABLES:
            connection.execute(f"ALTER TABLE {table} ATTACH PARTITION {table}_{index_no} FOR VALUES IN ({index_no})")
    connection.execute(
        "UPDATE builds SET replaced_at = now() WHERE build_id = (SELECT earlier FROM sites WHERE site = %s)", (site,)
    )
    connection.execute("UPDATE sites SET earlier = current, current = %s WHERE site = %s", (build_id, site))
    return True


def _digest(deploy: Deploy, files: list[Path]) -> bytes:
    digest = hashlib.sha256()
    for index, file in zip(deploy.indexes, files, strict=True):
        of_file = digest_of(file)
        if index.facts.sha256 not in {None, of_file}:
            message = f"{file} is not the file that its index.json names. Wait for its build to end, or copy it again."
            raise InputError(message)
        for part in (index.folder.encode(), index.info, of_file.encode()):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
    return digest.digest()


def _load(
    connection: psycopg.Connection[Any],
    build_id: int,
    ordinal: int,
    deployed: DeployedIndex,
    index: Index,
    file: SqlFile,
) -> int:
    """Load one index into tables of its own; return its number."""
    dimension = index.info.dimension
    values = (build_id, ordinal, deployed.folder, deployed.info, dimension)
    index_no = _number(connection, _NEW_INDEX, values, "index_no")
    for table in TABLES:
        # Indexes are built by attaching: quicker when the rows are there.
        connection.execute(f"CREATE TABLE {table}_{index_no} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)")
        if table in _BITS:
            _copy(connection, f"{table}_{index_no}", _with_bits(file, _BITS[table], index_no))
            _add_graph(connection, f"{table}_{index_no}", dimension)
        else:
            _copy(connection, f"{table}_{index_no}", _rows(file, table, index_no))
        connection.execute(f"ANALYZE {table}_{index_no}")
    return index_no


def _rows(file: SqlFile, table: str, index_no: int) -> Iterator[tuple[Any, ...]]:
    order = "rowid, " if table == "links" else ""  # which PostgreSQL does not count by itself
    for row in file.each(f"SELECT {order}* FROM {table}"):
        yield (index_no, *row)


def _with_bits(file: SqlFile, sql: str, index_no: int) -> Iterator[tuple[Any, ...]]:
    for *numbers, int8 in file.each(sql):
        yield (index_no, *numbers, bit_string(np.frombuffer(int8, dtype=np.int8)))


def _copy(connection: psycopg.Connection[Any], table: str, rows: Iterator[tuple[Any, ...]]) -> None:
    # FREEZE: rows of a table of this very transaction need no second visit, and are read by indexes alone.
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN WITH (FREEZE)") as copy:
        for row in rows:
            copy.write_row(row)


def _add_graph(connection: psycopg.Connection[Any], table: str, dimension: int) -> None:
    """Index the bits of a table in which some scope is too large to be looked through (`LEAST_GRAPH`)."""
    rows = [count for (count,) in connection.execute(f"SELECT count(*) FROM {table} GROUP BY scope_id")]
    if max(rows, default=0) < LEAST_GRAPH:
        return
    connection.execute(_MEMORY, (min(max(sum(rows) * _ROW_KB, _LEAST_MEMORY_KB), _MOST_MEMORY_KB),))
    graph = _GRAPH.format(table=table, dimension=dimension)
    try:
        with connection.transaction():
            connection.execute(graph)
    except (DiskFull, OutOfMemory):  # of what its processes share when several build, which containers keep small
        connection.execute("SET LOCAL max_parallel_maintenance_workers = 0")
        connection.execute(graph)


def _load_files(connection: psycopg.Connection[Any], deploy: Deploy, origin: LocalOrigin) -> None:
    """Load encoders and tokenizers that are not there yet."""
    for file in deploy.files():
        if file.path.endswith(".db") or file.sha256 is None:
            continue
        if connection.execute("SELECT 1 FROM files WHERE sha256 = %s", (file.sha256,)).fetchone():
            continue
        data = b"".join(origin.blocks(file))
        if hashlib.sha256(data).hexdigest() != file.sha256:
            message = f"{file.path} is not the file that its index names. Copy the whole index folder again."
            raise InputError(message)
        for part, start in enumerate(range(0, len(data), _BLOCK)):
            connection.execute(
                "INSERT INTO files VALUES (%s, %s, %s)", (file.sha256, part, data[start : start + _BLOCK])
            )


def _drop_old(connection: psycopg.Connection[Any], site: str) -> None:
    """Remove builds that no reader is on any more; what something long is reading is left to the next push."""
    connection.execute(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
    old = connection.execute(
        "SELECT build_id, index_no FROM builds JOIN indexes USING (build_id) "
        "WHERE site = %s AND replaced_at <= now() - make_interval(mins => %s)",
        (site, GRACE_MINUTES),
    ).fetchall()
    try:
        for _, index_no in old:
            connection.execute("DROP TABLE " + ", ".join(f"{table}_{index_no}" for table in TABLES))
        connection.execute("DELETE FROM builds WHERE build_id = ANY (%s)", ([build_id for build_id, _ in old],))
        connection.commit()
    except LockNotAvailable:
        connection.rollback()


def _number(connection: psycopg.Connection[Any], insert: str, values: tuple[Any, ...], name: str) -> int:
    row = connection.execute(f"{insert} RETURNING {name}", values).fetchone()
    assert row is not None
    return int(row[0])


def _told(error: psycopg.Error, address: DatabaseAddress) -> Exception:
    what = f"The build was not pushed to {address.shown}, where nothing has changed"
    if isinstance(error, DiskFull):
        return OutputError(f"{what}: its disk is full ({first_line(error)}). Make room and push again.")
    if isinstance(error, ReadOnlySqlTransaction):
        return OutputError(f"{what}: it can only be read ({first_line(error)}). Push to the primary server.")
    if isinstance(error, InsufficientPrivilege):
        return OutputError(f"{what}: {first_line(error)}. Push as the role that owns the schema `{SCHEMA}`.")
    if isinstance(error, psycopg.OperationalError):
        return IndexUnavailableError(f"{what}: {first_line(error)}. Push again when it can be reached.")
    return OutputError(f"{what}: {first_line(error)}.")
