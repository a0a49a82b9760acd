"""Count the sentences of a passage, for the limit of an answer (`PASSAGES.sentences`)."""

from collections.abc import Iterable

from pincite_core.rules import PASSAGES
from pincite_core.types import Unit

__all__ = ("sentence_count",)


def sentence_count(units: Iterable[tuple[Unit, str]]) -> int:
    """Return the number of sentences in units with their texts; a fragment such as "Default: `5`" does not count."""
    ends = PASSAGES.sentence_end
    return sum(
        unit.kind == "prose" and (unit.role != "fragment" or ends.search(text) is not None) for unit, text in units
    )
