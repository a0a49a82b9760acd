"""Select evenly spaced items of a sequence, always the same ones for the same site."""

from collections.abc import Sequence
from typing import TypeVar

__all__ = ("systematic_sample",)

_Item = TypeVar("_Item")


def systematic_sample(items: Sequence[_Item], count: int) -> list[_Item]:
    """Return `count` evenly spaced items, or all items if there are at most `count`."""
    if len(items) <= count:
        return list(items)
    return [items[position * len(items) // count] for position in range(count)]
