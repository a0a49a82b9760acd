"""Read a deploy from a local folder. A build or a copy command may replace its files at any time."""

import logging
import posixpath
from collections.abc import Iterator
from pathlib import Path

from pincite_core.deployed.build_facts import info_beside, parse_facts
from pincite_core.deployed.origin import Deploy, DeployedFile, DeployedIndex, index_folder, sibling_folder
from pincite_core.deployed.regular_file import blocks_of
from pincite_core.errors import IndexCorruptError, IndexFetchError, IndexNotFoundError
from pincite_core.index.database import locate_database
from pincite_core.index.schema import DATABASE_NAME, ENCODER_NAME, INFO_NAME, TOKENIZER_NAME

__all__ = ("LocalOrigin",)

logger = logging.getLogger("pincite")

_FILES = (DATABASE_NAME, INFO_NAME, ENCODER_NAME, TOKENIZER_NAME)  # a deploy may write them in any order
_MOST_UP = 4  # `..` steps from an index folder to another locale's: out of `pincite` and of a path such as `/fr/docs/`

Stamp = tuple[str, int, int]


class LocalOrigin:
    """The deploy at a local index file or folder, with the indexes of the other locales.

    The folders of the locales have the same relative paths as their URLs. A missing locale is left out, since a site
    may be built in one language only.
    """

    is_remote = False

    def __init__(self, place: Path) -> None:
        self._place = place
        self._database = place
        self._folder = ""  # folder of the index at `place`, as a path on the site's host
        self._missing: set[Path] = set()

    def look(self) -> Deploy | None:
        """Return the current deploy, or None if there is no index."""
        try:
            self._database = locate_database(self._place)
        except IndexNotFoundError:
            return None
        # Each stamp is taken before its file is read, so the next call notices files that are replaced meanwhile.
        stamp = (_stamp(self._database), *_stamps(self._database.parent))
        main = _read(self._database)
        self._folder = main.folder
        folders = [sibling_folder(url) for url in main.facts.siblings]
        stamps = [_stamps(self._path(f"{folder}/{DATABASE_NAME}").parent) for folder in folders]
        found = [self._sibling(folder) for folder in folders]
        return Deploy((main, *(item for item in found if item)), (*stamp, *stamps))

    def file_of(self, file: DeployedFile) -> Path:
        """Return the local path of a file of the deploy that the last `look` returned."""
        return self._path(file.path)

    def blocks(self, file: DeployedFile) -> Iterator[bytes]:
        """Yield the content of a file of the deploy that the last `look` returned."""
        path = self._path(file.path)
        try:
            yield from blocks_of(path, file.most, anywhere=path == self._database)
        except OSError as error:
            message = f"{path} cannot be read ({error.strerror}). Copy the whole index folder again."
            raise IndexFetchError(message) from error

    def _sibling(self, folder: str) -> DeployedIndex | None:
        database = self._path(f"{folder}/{DATABASE_NAME}")
        if _is_there(database):
            self._missing.discard(database)
            return _read(database, folder)
        if database not in self._missing:
            self._missing.add(database)
            logger.warning("The index of another language, %s, is not there; its readers get this one.", folder)
        return None

    def _path(self, path: str) -> Path:
        relative = posixpath.relpath(f"/{path}", f"/{self._folder}")
        if relative.split("/").count("..") > _MOST_UP:
            message = f"The {INFO_NAME} beside {self._database} names files of other folders. Rebuild the index."
            raise IndexCorruptError(message)
        return self._database if relative == DATABASE_NAME else self._database.parent / relative


def _read(database: Path, folder: str = "") -> DeployedIndex:
    """Read the `index.json` in the folder of an index file. The defaults apply if the file does not exist."""
    info = info_beside(database)
    facts = parse_facts(info or b"{}", str(database.parent / INFO_NAME))
    if facts.size not in {None, database.stat().st_size}:
        message = f"{database} is not the file that its {INFO_NAME} names. A copy may be in progress or incomplete."
        raise IndexFetchError(message)
    return DeployedIndex(folder or index_folder(facts), info, facts)


def _is_there(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:  # the name is too long for the file system
        return False


def _stamps(folder: Path) -> tuple[Stamp, ...]:
    return tuple(_stamp(folder / name) for name in _FILES)


def _stamp(file: Path) -> Stamp:
    """Return the path, modification time (ns) and size of a file. The numbers are 0 if the file does not exist."""
    try:
        state = file.stat()
    except OSError:
        return (str(file), 0, 0)
    return (str(file), state.st_mtime_ns, state.st_size)
