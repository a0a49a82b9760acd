"""Remove invisible characters from text: control characters, bidirectional controls and zero-width characters.

Such characters can hide text from people but not from programs, or show people other text than programs read. A
character is kept if a script or an emoji needs it, such as joiners in Persian, in Indic scripts and in emoji sequences.
"""

import re

__all__ = ("mask_invisible", "strip_invisible")

_JOINED = (  # scripts that use joiners: Hebrew to Tibetan, Burmese, Khmer to Vedic, and their extension blocks
    "\u0590-\u08ff\u0900-\u0fff\u1000-\u109f\u1780-\u18af\u1900-\u1cff\ua800-\uabff\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00011fff"
)
_UNPARTED = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"  # scripts without spaces, which mark line breaks with U+200B
_EMOJI = "\u00a9\u00ae\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u061c\u200e\u200f"  # directional marks, which affect only adjacent text
_VARIANTS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_NEVER_SHOWN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters except tab and line feed
    "\u034f\u17b4\u17b5\u180e\u200b-\u200d\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_HIDDEN = re.compile(
    "(?P<needed>"
    rf"(?<=[{_JOINED}])[\u200c\u200d]"
    rf"|(?<=[{_UNPARTED}])\u200b(?=[{_UNPARTED}])"
    r"|(?<=[\u0590-\u05ff])\u034f"
    rf"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
    rf"|(?<=[^\s{_VARIANTS}])[\ufe00-\ufe0f]"
    rf"|(?<=[{_HAN}])[\U000e0100-\U000e01ef]"
    r"|(?<=\U0001f3f4)[\U000e0061-\U000e007a]{2}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,3}\U000e007f"
    rf"|(?<![{_MARKS}])[{_MARKS}]"
    rf")|\r\n?|[{_NEVER_SHOWN}{_MARKS}{_VARIANTS}]"
)
_ANY = re.compile(f"[{_NEVER_SHOWN}{_MARKS}{_VARIANTS}]")
_ANY_ASCII = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_INSTEAD = {"\r\n": "\n", "\r": "\n"} | dict.fromkeys("\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029", " ")


def strip_invisible(text: str) -> str:
    """Remove the invisible characters of a text. CR and CRLF become line feeds, other separators become spaces."""
    if text.isascii() and not _ANY_ASCII.search(text):  # the common case, four times faster than the whole pattern
        return text
    return _HIDDEN.sub(_left, text) if _ANY.search(text) else text


def mask_invisible(text: str) -> str:
    """Replace each invisible character by a soft hyphen, so that offsets into the text stay valid.

    A soft hyphen does not split a word. Line ends other than line feeds, and paragraph separators, become spaces.
    """
    return _HIDDEN.sub(_filled, text) if _ANY.search(text) else text


def _left(match: re.Match[str]) -> str:
    return match["needed"] or _INSTEAD.get(match.group(), "")


def _filled(match: re.Match[str]) -> str:
    instead = " " if match.group() in _INSTEAD else "\u00ad"
    return match["needed"] or instead * len(match.group())
