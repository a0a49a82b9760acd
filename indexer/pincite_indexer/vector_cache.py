"""The local cache of vectors: one SQLite file in the user's cache folder, keyed by model weights and text."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import apsw
import numpy as np
import numpy.typing as npt

__all__ = ("VectorCache",)

_NAME = "vectors-1.db"  # the number is the cache's own format
_BUSY_MS = 10_000  # builds of several sites may share the cache

Vector = npt.NDArray[np.int8]


class VectorCache:
    """Vectors of one model. A cache that cannot be opened or read is no reason to fail: it is then empty."""

    def __init__(self, model_sha256: str, folder: Path | None) -> None:
        self._model = model_sha256
        self._connection = _open(folder) if folder else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection:
            self._connection.close()

    def get(self, hashes: Sequence[bytes]) -> dict[bytes, Vector]:
        """Return the vectors known, by text hash."""
        if self._connection is None:
            return {}
        sql = "SELECT int8 FROM vectors WHERE model = ? AND text_hash = ?"
        found: dict[bytes, Vector] = {}
        try:
            for digest in hashes:
                for (blob,) in self._connection.execute(sql, (self._model, digest)):
                    found[digest] = np.frombuffer(blob, dtype=np.int8)
        except apsw.Error:
            return {}
        return found

    def put(self, vectors: Mapping[bytes, Vector]) -> None:
        """Keep vectors by text hash."""
        if self._connection is None:
            return
        rows = [(self._model, digest, vector.tobytes()) for digest, vector in vectors.items()]
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        except apsw.Error:
            self._connection = None  # a full disk must not end the build; it only is not cached


def _open(folder: Path) -> apsw.Connection | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        connection = apsw.Connection(str(folder / _NAME))
        connection.set_busy_timeout(_BUSY_MS)
        connection.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors "
            "(model TEXT, text_hash BLOB, int8 BLOB, PRIMARY KEY (model, text_hash)) WITHOUT ROWID"
        )
    except (apsw.Error, OSError):
        return None
    return connection
