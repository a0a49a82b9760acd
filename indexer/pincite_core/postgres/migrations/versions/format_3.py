"""Create the tables, policies and functions for builds of format 3."""

from pathlib import Path

from alembic import op

__all__ = ("upgrade",)

revision = "format_3"
down_revision = None


def upgrade() -> None:
    """Create the tables, policies and functions in the first schema of the search path."""
    connection = op.get_bind().connection.driver_connection
    assert connection is not None
    connection.execute(Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"))
