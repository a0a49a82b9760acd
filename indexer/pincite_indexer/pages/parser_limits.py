"""What would take the HTML parser hours: told from the bytes, before they are parsed."""

import re

__all__ = ("has_endless_tag",)

_LONG_TAG = 50_000  # bytes up to the next `<`; shorter ones cannot have enough attributes to matter
_MANY_ATTRIBUTES = 5_000  # of one element; the parser walks along all of them for each, and no page has a hundred
_ATTRIBUTES = re.compile(
    rb"""[a-zA-Z][^\s>]*+(?:\s++[^\s=>"']++(?:\s*+=\s*+(?>"[^"]*+"|'[^']*+'|[^\s>"']++))?+){%d}""" % _MANY_ATTRIBUTES
)


def has_endless_tag(data: bytes) -> bool:
    """Tell whether an element has so many attributes that parsing takes minutes a megabyte."""
    half = _LONG_TAG // 2  # a long tag fills one of these windows, which hardly any page has one of
    if all(data.find(b"<", start, start + half) >= 0 for start in range(0, len(data) - half, half)):
        return False
    return any(len(part) > _LONG_TAG and _ATTRIBUTES.match(part) for part in data.split(b"<"))
