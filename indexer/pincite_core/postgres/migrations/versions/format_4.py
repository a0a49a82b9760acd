"""Add the columns of format 4 to `sentences`. Builds of format 3 remain, but cannot be read until pushed again."""

from alembic import op

__all__ = ("upgrade",)

revision = "format_4"
down_revision = "format_3"

# The defaults fill the rows of format 3, which are no longer read.
_COLUMNS = (
    "block integer NOT NULL DEFAULT 1 CHECK (block > 0)",
    "mark text NOT NULL DEFAULT ''",
    "labels text NOT NULL DEFAULT '[]'",
    "admonition integer NOT NULL DEFAULT 0",
    "tab text NOT NULL DEFAULT ''",
    "first_tab text NOT NULL DEFAULT ''",
    "role text NOT NULL DEFAULT 'stands'",
    "facts integer NOT NULL DEFAULT 0",
    "cells text NOT NULL DEFAULT '[]'",
)


def upgrade() -> None:
    """Add the columns to the table `sentences` in the first schema of the search path that has this table."""
    added = ", ".join(f"ADD COLUMN {column}" for column in _COLUMNS)
    op.execute(f"ALTER TABLE sentences {added}")
