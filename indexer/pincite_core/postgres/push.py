"""Load a build into PostgreSQL in one transaction, and then make it the current build.

If a push is interrupted, readers still see the previous build. Each index is loaded into new tables. When they are
complete, they are attached as partitions to the tables that readers query.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from psycopg.errors import DiskFull, InsufficientPrivilege, LockNotAvailable, OutOfMemory, ReadOnlySqlTransaction

from pincite_core.deployed.local import LocalOrigin
from pincite_core.deployed.origin import Deploy, DeployedIndex
from pincite_core.deployed.regular_file import digest_of
from pincite_core.errors import IndexNotFoundError, IndexUnavailableError, InputError, OutputError
from pincite_core.index.read import Index
from pincite_core.index.sql import SqlFile
from pincite_core.postgres.address import DatabaseAddress, checked_site, site_name
from pincite_core.postgres.database import SCHEMA, first_line, search_path
from pincite_core.postgres.engine import LEAST_GRAPH, bit_string
from pincite_core.postgres.migrate import migrate
from pincite_core.postgres.sql import TABLES

__all__ = ("Pushed", "push")

GRACE_MINUTES = 15
"""Minutes after which a build that is neither current nor previous may be deleted.

Every request ends sooner, and servers check for new builds more often.
"""

_BLOCK = 8 << 20  # bytes of an encoder file per row
_LOCK_SECONDS = 2  # lock time-out of DROP TABLE, since readers queue behind a waiting lock
_LEAST_MEMORY_KB, _MOST_MEMORY_KB = 512 << 10, 4 << 20  # memory to build an HNSW index
_ROW_KB = 1  # memory per row; without enough memory, an HNSW index is built on disk, which is many times slower
# With pgvector's default of 64, 2 % of the nearest neighbours among five million rows were not found.
_GRAPH = "CREATE INDEX ON {table} USING hnsw ((bits::bit({dimension})) bit_hamming_ops) WITH (ef_construction = 128)"
_BITS = {
    "chunk_bits": "SELECT chunk_id, scope_id, vector_id, int8 FROM chunks JOIN vectors USING (vector_id) ORDER BY 1",
    "unit_bits": (
        "SELECT unit_id, chunk_id, scope_id, vector_id, int8 FROM units JOIN vectors USING (vector_id) "
        "WHERE vector_id > 0 ORDER BY 1"
    ),
}
# In kB. A larger setting of the server is kept.
_MEMORY = (
    "SELECT set_config('maintenance_work_mem', "
    "greatest(%s, pg_size_bytes(current_setting('maintenance_work_mem')) / 1024)::text, true)"
)
_NEW_INDEX = "INSERT INTO indexes (build_id, ordinal, folder, info, dimension) VALUES (%s, %s, %s, %s, %s)"


@dataclass(frozen=True, slots=True)
class Pushed:
    """Result of a push.

    Attributes:
        site: The name of the site.
        is_new: Whether a new build was loaded. False if this build was already the current one.
        counts: The number of rows per table of the first index.
    """

    site: str
    is_new: bool
    counts: dict[str, int]


def push(place: Path, address: DatabaseAddress, site: str = "") -> Pushed:
    """Load the index at `place` and the site's indexes for other locales into a database, as the site's current build.

    Args:
        place: An index file, a folder that contains an index, or a built site.
        address: The address of the database, optionally with the site's name.
        site: The site's name. If it is "", use the name in the address, or derive one from the index's title.

    Raises:
        InputError: The site has no valid name.
        IndexFileError: There is no index, or the index cannot be read.
        IndexUnavailableError: The database cannot be reached.
        OutputError: The database cannot be written. Its content is unchanged.
    """
    origin = LocalOrigin(place)
    deploy = origin.look()
    if deploy is None:
        message = f"There is no index at {place}. Build one with `pincite index SITE_DIR`, or name its folder or file."
        raise IndexNotFoundError(message)
    files = [SqlFile(origin.file_of(index.database)) for index in deploy.indexes]
    opened = [Index.open(file.file) for file in files]  # opening an index validates every row
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
    """Load one index into new tables and return the number of the index."""
    dimension = index.info.dimension
    values = (build_id, ordinal, deployed.folder, deployed.info, dimension)
    index_no = _number(connection, _NEW_INDEX, values, "index_no")
    for table in TABLES:
        # B-tree indexes are created when the table is attached, which is faster after the rows are loaded.
        connection.execute(f"CREATE TABLE {table}_{index_no} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)")
        if table in _BITS:
            _copy(connection, f"{table}_{index_no}", _with_bits(file, _BITS[table], index_no))
            _add_graph(connection, f"{table}_{index_no}", dimension)
        else:
            _copy(connection, f"{table}_{index_no}", _rows(file, table, index_no))
        connection.execute(f"ANALYZE {table}_{index_no}")
    return index_no


def _rows(file: SqlFile, table: str, index_no: int) -> Iterator[tuple[Any, ...]]:
    order = "rowid, " if table == "links" else ""  # PostgreSQL has no implicit rowid
    for row in file.each(f"SELECT {order}* FROM {table}"):
        yield (index_no, *row)


def _with_bits(file: SqlFile, sql: str, index_no: int) -> Iterator[tuple[Any, ...]]:
    for *numbers, int8 in file.each(sql):
        yield (index_no, *numbers, bit_string(np.frombuffer(int8, dtype=np.int8)))


def _copy(connection: psycopg.Connection[Any], table: str, rows: Iterator[tuple[Any, ...]]) -> None:
    # FREEZE is allowed since this transaction created the table. It saves a vacuum and enables index-only scans.
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN WITH (FREEZE)") as copy:
        for row in rows:
            copy.write_row(row)


def _add_graph(connection: psycopg.Connection[Any], table: str, dimension: int) -> None:
    """Create an HNSW index on the bits of a table if a scope has at least `LEAST_GRAPH` rows."""
    rows = [count for (count,) in connection.execute(f"SELECT count(*) FROM {table} GROUP BY scope_id")]
    if max(rows, default=0) < LEAST_GRAPH:
        return
    connection.execute(_MEMORY, (min(max(sum(rows) * _ROW_KB, _LEAST_MEMORY_KB), _MOST_MEMORY_KB),))
    graph = _GRAPH.format(table=table, dimension=dimension)
    try:
        with connection.transaction():
            connection.execute(graph)
    except (DiskFull, OutOfMemory):  # parallel workers share memory, which is small in containers
        connection.execute("SET LOCAL max_parallel_maintenance_workers = 0")
        connection.execute(graph)


def _load_files(connection: psycopg.Connection[Any], deploy: Deploy, origin: LocalOrigin) -> None:
    """Load the encoder and tokenizer files that the database does not have."""
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
    """Delete builds that have been neither current nor previous for at least `GRACE_MINUTES`.

    If a long query blocks the deletion, the next push tries again.
    """
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
