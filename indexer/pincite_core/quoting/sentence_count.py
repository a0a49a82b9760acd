"""Count the sentences of a passage, for the limit of an answer."""

from collections.abc import Iterable

from pincite_core.types import Unit

__all__ = ("MAX_SENTENCES", "sentence_count")

MAX_SENTENCES = 3  # chat specification: "Maximum 3 sentences for the main answer"
_ENDS = (".", "!", "。", "！", "।", "۔", "።", "။")


def sentence_count(units: Iterable[tuple[Unit, str]]) -> int:
    """Return the number of sentences in units with their texts; a fragment such as "Default: `5`" does not count."""
    return sum(unit.kind == "prose" and (unit.role != "fragment" or text.endswith(_ENDS)) for unit, text in units)
