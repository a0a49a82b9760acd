"""A unit's words as its page shows them: the index writes code and table rows in another way."""

from pincite_core.quoting.table_rows import cells_of
from pincite_core.types import UnitKind

__all__ = ("shown_words",)


def shown_words(text: str, kind: UnitKind, chunk_text: str) -> str:
    """Return a unit without fences and backticks; of a row the cells, a tab between them, without their columns.

    Args:
        text: The unit.
        kind: What it is.
        chunk_text: The text that it stands in, which tells a row's columns.
    """
    if kind == "code":
        return "\n".join(text.split("\n")[1:-1])
    if kind == "row":
        text = "\t".join(cell for _, cell in cells_of(text, chunk_text))
    return text.replace("`", "")
