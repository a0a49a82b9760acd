"""Rename `sentences` to `units` and add the columns of format 4.

Builds of format 3 remain, but cannot be read until they are pushed again.
"""

from pathlib import Path

from alembic import op

__all__ = ("upgrade",)

revision = "format_4"
down_revision = "format_3"


def upgrade() -> None:
    """Change the tables and functions. If several schemas of the search path have them, change the first schema."""
    connection = op.get_bind().connection.driver_connection
    assert connection is not None
    connection.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
