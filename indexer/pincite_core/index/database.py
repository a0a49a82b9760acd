"""Open the SQLite file with apsw and load sqlite-vec. The file is treated as untrusted input."""

import re
from functools import cache
from pathlib import Path

import apsw
import sqlite_vec

from pincite_core.errors import IndexCorruptError, IndexFormatError, IndexNotFoundError, SearchEngineError
from pincite_core.index.schema import APPLICATION_ID, DATABASE_NAME, FORMAT, INDEX_FOLDER, schema_sql

__all__ = ("corrupt", "create_database", "first_shown", "locate_database", "open_database", "told")

_ANY_DIMENSION = re.compile(r"bit\[\d+\]")
_SQL_NOISE = re.compile(r"--[^\n]*|\s+")
_MOST_SHOWN = 200  # characters; names in a damaged schema can have any length
_Schema = dict[tuple[str, str], str]  # (type, name) -> SQL without comments and blanks


def corrupt(file: Path, why: str) -> IndexCorruptError:
    """Return an error that says why a file is not a usable index and what to do. Quoted text is truncated."""
    return IndexCorruptError(
        f"{file} is no usable index ({first_shown(why)}). Copy it again or rebuild it with `pincite index SITE_DIR`."
    )


def first_shown(why: str) -> str:
    """Return the first printable characters of a text from a damaged index, for error messages."""
    return "".join(filter(str.isprintable, why))[:_MOST_SHOWN]


def told(error: Exception) -> str:
    """Return a short description of a database error."""
    return "a text of it is no UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)


def locate_database(place: Path) -> Path:
    """Return the index file at `place`, which is the file itself, a `pincite` folder or a built site.

    Raises:
        IndexNotFoundError: There is no index file.
    """
    for candidate in (place, place / DATABASE_NAME, place / INDEX_FOLDER / DATABASE_NAME):
        if candidate.is_file():
            return candidate
    message = f"There is no index at {place}. Build one with `pincite index SITE_DIR`, or name its folder or file."
    raise IndexNotFoundError(message)


def open_database(file: Path, *, checked: bool = False) -> apsw.Connection:
    """Open an index as a read-only, immutable database and check its format, size and schema.

    Args:
        file: The index file.
        checked: Whether to skip the schema check, since the same file was opened before. The check is slower than many
            queries.

    Raises:
        IndexCorruptError: The file is not an SQLite database, is truncated, or has a different schema.
        IndexFormatError: The file has another format version.
        SearchEngineError: sqlite-vec cannot be loaded.
    """
    try:
        connection = apsw.Connection(
            f"{file.resolve().as_uri()}?mode=ro&immutable=1",
            flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
        )
        connection.execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON")
        _check_format(connection, file)
        _check_complete(connection, file)
        _load_vec(connection)
        if not checked:
            _check_schema(connection, file)
    except (apsw.Error, UnicodeDecodeError) as error:
        raise corrupt(file, told(error)) from error
    return connection


def create_database(file: Path) -> apsw.Connection:
    """Create an empty database. A single writer must fill it in one transaction, since it has no journal."""
    connection = apsw.Connection(str(file))
    _load_vec(connection)
    connection.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA page_size=4096")
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={FORMAT}")
    return connection


def _load_vec(connection: apsw.Connection) -> None:
    try:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.enable_load_extension(False)
    except (apsw.ExtensionLoadingError, OSError) as error:
        message = (
            f"SQLite cannot load sqlite-vec, which searches the index ({error}). "
            "Install it again: `pip install --force-reinstall sqlite-vec`."
        )
        raise SearchEngineError(message) from error


def _check_format(connection: apsw.Connection, file: Path) -> None:
    if file.stat().st_size == 0:
        raise corrupt(file, "it is empty")
    application_id = connection.pragma("application_id")
    version = connection.pragma("user_version")
    if application_id != APPLICATION_ID:
        raise corrupt(file, "it is another program's database")
    if version != FORMAT:
        message = (
            f"{file} has index format {version}; this version of Pincite reads format {FORMAT}. "
            "Rebuild the site's index with the same version of Pincite that serves it."
        )
        raise IndexFormatError(message)


def _check_complete(connection: apsw.Connection, file: Path) -> None:
    """Reject a truncated file. SQLite opens such a file without an error, and fails later at a missing page."""
    promised = connection.pragma("page_count") * connection.pragma("page_size")
    if file.stat().st_size < promised:
        raise corrupt(file, f"{file.stat().st_size:,} of {promised:,} bytes are there")


def _check_schema(connection: apsw.Connection, file: Path) -> None:
    """Reject a schema that differs from the index schema. A foreign trigger or view would run its own SQL here."""
    found, expected = _schema_of(connection), _expected_schema()
    if missing := sorted(expected.keys() - found.keys(), key=lambda item: item[0] != "table"):
        raise corrupt(file, f"the {' '.join(missing[0])} is missing")
    if strange := sorted(f"{kind} {name}" for kind, name in found.keys() - expected.keys()):
        raise corrupt(file, f"it holds the {strange[0]}, which no index has")
    if changed := sorted(f"{kind} {name}" for (kind, name), sql in found.items() if sql != expected[kind, name]):
        raise corrupt(file, f"the {changed[0]} is not as an index has it")


@cache
def _expected_schema() -> _Schema:
    connection = apsw.Connection(":memory:")
    _load_vec(connection)
    connection.execute(schema_sql(8))  # any dimension will do, since `_schema_of` removes the dimension
    return _schema_of(connection)


def _schema_of(connection: apsw.Connection) -> _Schema:
    rows = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_schema")
    return {(kind, name): _ANY_DIMENSION.sub("bit[]", _SQL_NOISE.sub("", sql)) for kind, name, sql in rows}
