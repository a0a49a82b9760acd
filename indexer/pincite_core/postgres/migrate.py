"""Migrate a database to the schema of this version of Pincite, with Alembic.

Alembic was chosen because the SQLAlchemy authors maintain it, and each step runs in the transaction that records it.
"""

from pathlib import Path
from typing import Any

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
_DIALECT = "postgresql+psycopg://"
_LOCK = 0x50494E43  # `PINC` in ASCII; an advisory lock, so that two first pushes do not create the same tables


def migrate(connection: psycopg.Connection[Any]) -> None:
    """Create the pgvector extension, the schema and its tables, or upgrade them. This closes the connection.

    Raises:
        IndexFormatError: A later version of Pincite has migrated the database.
        psycopg.Error: The migration fails, for example for lack of permissions.
    """
    script = ScriptDirectory(str(_FOLDER))
    with (
        EnvironmentContext(
            Config(), script, fn=lambda revision, _: script._upgrade_revs("head", revision)
        ) as environment,
        create_engine(_DIALECT, creator=lambda: connection, poolclass=NullPool).connect() as alembic,
    ):
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        connection.execute(search_path(connection))
        environment.configure(connection=alembic, version_table_schema=SCHEMA)
        try:
            environment.run_migrations()
        except CommandError as error:
            message = (
                "The database holds builds of a format that this version of Pincite does not know. "
                "Push with the version of Pincite that serves it."
            )
            raise IndexFormatError(message) from error
        alembic.commit()
