"""Cache embedded texts in one SQLite file in the user's cache folder, keyed by model weights and text hash."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import apsw
import numpy as np

from pincite_core.index.quantise import StoredText

__all__ = ("VectorCache",)

_NAME = "vectors-2.db"  # the number is the version of the cache's format
_BUSY_MS = 10_000  # concurrent builds may share the cache
_DAMAGE = (apsw.CorruptError, apsw.NotADBError)


class VectorCache:
    """Cache of one model's vectors; a cache that cannot be opened or read counts as empty.

    A damaged file is removed, so that the next build starts a new cache.
    """

    def __init__(self, model_sha256: str, folder: Path | None) -> None:
        self._model = model_sha256
        self._file = folder / _NAME if folder else None
        self._connection = _open(self._file) if self._file else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection:
            self._connection.close()

    def get(self, hashes: Sequence[bytes]) -> dict[bytes, StoredText]:
        """Return the cached texts by hash."""
        if self._connection is None:
            return {}
        sql = "SELECT int8, tokens FROM vectors WHERE model = ? AND text_hash = ?"
        found: dict[bytes, StoredText] = {}
        try:
            for digest in hashes:
                for blob, tokens in self._connection.execute(sql, (self._model, digest)):
                    found[digest] = StoredText(np.frombuffer(blob, dtype=np.int8), tokens)
        except apsw.Error as error:
            self._give_up(error)
            return {}
        return found

    def put(self, texts: Mapping[bytes, StoredText]) -> None:
        """Store texts by hash."""
        if self._connection is None:
            return
        rows = [(self._model, digest, text.vector.tobytes(), text.tokens) for digest, text in texts.items()]
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)
        except apsw.Error as error:
            self._give_up(error)  # a full disk must not stop the build, so the vectors are not cached

    def _give_up(self, error: apsw.Error) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None
        if self._file and isinstance(error, _DAMAGE):
            _remove(self._file)


def _open(file: Path) -> apsw.Connection | None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            return _connect(file)
        except _DAMAGE:
            _remove(file)
            return _connect(file)
    except (apsw.Error, OSError):
        return None


def _connect(file: Path) -> apsw.Connection:
    connection = apsw.Connection(str(file))
    connection.set_busy_timeout(_BUSY_MS)
    connection.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS vectors "
        "(model TEXT, text_hash BLOB, int8 BLOB, tokens BLOB, PRIMARY KEY (model, text_hash)) WITHOUT ROWID"
    )
    return connection


def _remove(file: Path) -> None:
    for name in (file.name, f"{file.name}-wal", f"{file.name}-shm"):
        file.with_name(name).unlink(missing_ok=True)
