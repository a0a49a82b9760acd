"""Plain text of a unit as its page shows it; the index stores code and table rows in another form."""

from pincite_core.quoting.table_rows import cells_of
from pincite_core.types import Unit

__all__ = ("plain_text",)


def plain_text(text: str, unit: Unit) -> str:
    """Return a unit's text without fences and backticks; for a table row, return its cells separated by tabs.

    Args:
        text: The unit's text.
        unit: The unit's record.
    """
    if unit.kind == "code":
        return "\n".join(text.split("\n")[1:-1])
    if unit.kind == "row":
        text = "\t".join(cell for _, cell in cells_of(text, unit.cells))
    return text.replace("`", "")
