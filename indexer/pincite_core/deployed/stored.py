"""One build in the cache: read, checked, recorded."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import msgspec

from pincite_core.deployed.facts import parse_facts
from pincite_core.deployed.fetch import digest_of
from pincite_core.deployed.origin import Deploy, DeployedIndex
from pincite_core.errors import IndexCorruptError
from pincite_core.index.schema import DATABASE_NAME, INFO_NAME

__all__ = ("StoredBuild",)

_RECORD = "build.json"


class _Record(msgspec.Struct, frozen=True):
    """Which folders of a stored build are indexes, the one that was asked for first."""

    indexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredBuild:
    """A whole build in a folder of its own, laid out as below its site's host."""

    folder: Path
    deploy: Deploy

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read what a folder holds.

        Raises:
            IndexCorruptError: It is damaged.
        """
        try:
            record = msgspec.json.decode((folder / _RECORD).read_bytes(), type=_Record)
            return cls(folder, Deploy(tuple(_index(folder, name) for name in record.indexes)))
        except (OSError, msgspec.MsgspecError) as error:
            message = f"The copy in {folder} is damaged ({error}). It is fetched again."
            raise IndexCorruptError(message) from error

    def write_record(self) -> None:
        """Write what `read` reads."""
        record = _Record(tuple(index.folder for index in self.deploy.indexes))
        (self.folder / _RECORD).write_bytes(msgspec.json.encode(record))

    def databases(self) -> list[Path]:
        """Return its index files, the one that was asked for first."""
        return [self.folder / index.folder / DATABASE_NAME for index in self.deploy.indexes]

    def verify(self) -> None:
        """Check the databases; an encoder is checked whenever it is loaded.

        Raises:
            IndexCorruptError: One is not what it was when it was stored.
        """
        for index, database in zip(self.deploy.indexes, self.databases(), strict=True):
            if not database.is_file() or index.facts.sha256 not in {None, digest_of(database)}:
                message = f"The copy {database} is damaged. It is fetched again."
                raise IndexCorruptError(message)


def _index(folder: Path, name: str) -> DeployedIndex:
    file = folder / name / INFO_NAME
    info = file.read_bytes() if file.is_file() else b""
    return DeployedIndex(name, info, parse_facts(info or b"{}", str(file)))
