"""The tables, policies and functions for builds of format 3."""

from pathlib import Path

from alembic import op

__all__ = ("upgrade",)

revision = "format_3"
down_revision = None


def upgrade() -> None:
    """Create all of it in the schema that the search path names first."""
    connection = op.get_bind().connection.driver_connection
    assert connection is not None
    connection.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
