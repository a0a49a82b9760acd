"""Bringing a database to the schema that this version of Pincite reads, by Alembic.

Alembic: kept by SQLAlchemy's own people, and its steps run in the transaction that records them.
"""

from pathlib import Path

import psycopg
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from pincite_core.errors import IndexFormatError
from pincite_core.postgres.database import SCHEMA, search_path

__all__ = ("migrate",)

_FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x50494E43  # `PINC`: two first pushes do not create the same tables


def migrate(conninfo: str) -> None:
    """Create what is missing: the extension, the schema, and all that is in it.

    Raises:
        IndexFormatError: A later version of Pincite has been there.
        psycopg.Error: The database does not allow it.
    """
    script = ScriptDirectory(str(_FOLDER))
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo), poolclass=NullPool)
    with (
        engine.connect() as connection,
        EnvironmentContext(
            Config(), script, fn=lambda revision, _: script._upgrade_revs("head", revision)
        ) as environment,
    ):
        own = connection.connection.driver_connection
        assert isinstance(own, psycopg.Connection)
        own.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        own.execute("CREATE EXTENSION IF NOT EXISTS vector")
        own.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        own.execute(search_path(own))
        environment.configure(connection=connection, version_table_schema=SCHEMA)
        try:
            environment.run_migrations()
        except CommandError as error:
            message = (
                "The database holds builds of a format that this version of Pincite does not know. "
                "Push with the version of Pincite that serves it."
            )
            raise IndexFormatError(message) from error
        connection.commit()
