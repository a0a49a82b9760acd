"""What builds of format 4 say of each unit. Builds of format 3 stay, and are refused until they are pushed anew."""

from alembic import op

__all__ = ("upgrade",)

revision = "format_4"
down_revision = "format_3"

# The defaults are for rows of format 3, which nobody reads.
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
    """Add the columns to the table in the schema that the search path names first."""
    added = ", ".join(f"ADD COLUMN {column}" for column in _COLUMNS)
    op.execute(f"ALTER TABLE sentences {added}")
