"""Read the pushed builds of a site: their indexes, and the encoders that made the indexes' vectors."""

from dataclasses import dataclass

from pincite_core.deployed.build_facts import BuildFacts, parse_facts
from pincite_core.embedders import Embedder
from pincite_core.embedders.shipped import load_encoder_of
from pincite_core.errors import IndexFormatError, IndexNotFoundError
from pincite_core.index.read import Index
from pincite_core.index.rows import IndexRows
from pincite_core.index.schema import FORMAT
from pincite_core.postgres.address import DatabaseAddress
from pincite_core.postgres.database import Database
from pincite_core.postgres.engine import PostgresEngine
from pincite_core.postgres.sql import PostgresSql
from pincite_core.search.engine import make_engine

__all__ = ("Catalog", "PushedIndex")

_SITES = "SELECT site FROM sites WHERE current IS NOT NULL ORDER BY 1"
_BUILDS = "SELECT current, earlier FROM sites WHERE site = %s"
_INDEXES = "SELECT index_no, info FROM indexes WHERE build_id = %s ORDER BY ordinal"
_FILE = "SELECT data FROM files WHERE sha256 = %s ORDER BY part"


@dataclass(frozen=True, slots=True)
class PushedIndex:
    """One index of a build: its number in the database, and the content of its `index.json`."""

    index_no: int
    facts: BuildFacts


class Catalog:
    """Thread-safe reader of the builds of one site in a database.

    Args:
        address: The address of the database and the site. Without a site's name, the only readable site is used.

    Raises:
        IndexUnavailableError: The database cannot be reached.
        IndexFormatError: The database holds builds of another format.
        IndexNotFoundError: The address names no site, and the role can read no site or several sites.
    """

    def __init__(self, address: DatabaseAddress) -> None:
        self._database = Database(address)
        try:
            self.site = address.site or self._only_site()
        except Exception:
            self.close()
            raise
        self.shown = f"{address.shown}/{self.site}"

    def builds(self) -> tuple[int, ...]:
        """Return the id of the current build and, if there is one, the id of the previous build.

        Raises:
            IndexNotFoundError: The site has no build, or this role may not read the site.
        """
        rows = self._database.rows(_BUILDS, (self.site,))
        found = tuple(build_id for build_id in (rows[0] if rows else ()) if build_id is not None)
        if not found:
            message = (
                f"There is no site {self.shown} that this role may read. Push one with `pincite push INDEX "
                f"{self.shown}`, or let the role: SELECT pincite.let_read('ROLE', '{self.site}')."
            )
            raise IndexNotFoundError(message)
        return found

    def indexes(self, build_id: int) -> list[PushedIndex]:
        """Return the indexes of a build. The index that the push named comes first."""
        rows = self._database.rows(_INDEXES, (build_id,))
        return [PushedIndex(index_no, _facts(info, self.shown)) for index_no, info in rows]

    def open(self, pushed: PushedIndex) -> Index:
        """Open an index, which can be read until this catalog is closed.

        Raises:
            IndexFormatError: The index has another format version.
            IndexFileError: The index cannot be read.
            PluginError: The engine that `PINCITE_ENGINE` names cannot be created.
        """
        rows = IndexRows(PostgresSql(self._database, pushed.index_no, self.shown))
        if rows.info.format != FORMAT:
            message = (
                f"{self.shown} has index format {rows.info.format}; this version of Pincite reads format {FORMAT}. "
                "Build the site's index with this version and push it again."
            )
            raise IndexFormatError(message)
        return Index(rows, make_engine(PostgresEngine, rows.sql, rows.info.dimension))

    def load_embedder(self, index: Index, pushed: PushedIndex) -> Embedder:
        """Load the embedder that made the vectors of an index: the encoder in the database, or the named model.

        Raises:
            ModelError: The encoder or the model is missing or cannot be used.
        """
        return load_encoder_of(index.info, pushed.facts, self._file, self.shown)

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def _file(self, _: str, sha256: str, most: int) -> bytes:
        data = b"".join(part for (part,) in self._database.rows(_FILE, (sha256,)))
        if not data or len(data) > most:
            message = f"{self.shown} holds no such file"
            raise FileNotFoundError(2, message)
        return data

    def _only_site(self) -> str:
        sites = [site for (site,) in self._database.rows(_SITES)]
        if len(sites) == 1:
            return str(sites[0])
        has = f"has the sites {', '.join(sites)}" if sites else "has no site that this role may read"
        message = f"{self._database.shown} {has}. Name one: {self._database.shown}/SITE."
        raise IndexNotFoundError(message)


def _facts(info: bytes, shown: str) -> BuildFacts:
    return parse_facts(info, f"The index.json of {shown}") if info else BuildFacts()
