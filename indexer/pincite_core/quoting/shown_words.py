"""A unit's words as its page shows them: the index writes code and table rows in another way."""

from pincite_core.quoting.table_rows import cells_of
from pincite_core.types import Sentence

__all__ = ("shown_words",)


def shown_words(text: str, unit: Sentence) -> str:
    """Return a unit without fences and backticks; of a row the cells, a tab between them, without their columns.

    Args:
        text: The unit's text.
        unit: Its record.
    """
    if unit.kind == "code":
        return "\n".join(text.split("\n")[1:-1])
    if unit.kind == "row":
        text = "\t".join(cell for _, cell in cells_of(text, unit.cells))
    return text.replace("`", "")
