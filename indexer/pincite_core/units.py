"""Split text into sentences with offsets, and estimate the number of tokens without a tokenizer.

The estimate tends to be too high, so that token limits hold without loading a tokenizer. It counts one word piece for
up to six letters, for up to two digits, for each symbol, and for each Chinese, Japanese or Korean character. The widget
has the same function in JavaScript.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

import sentencex

__all__ = ("cut_at_blanks", "estimate_tokens", "rejoin_lines", "split_sentences", "truncate_to_tokens")

_PIECE = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]"  # CJK: one piece per character
    r"|[^\W\d_]{1,6}|\d{1,2}|[^\w\s]|_"
)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_IN_A_NAME = re.compile(r"[.!?][A-Za-z0-9_]")  # os.PathLike; the end of a sentence is followed by a space
_ABBREVIATION = re.compile(r"(?:^|[\W_])(?:[^\W\d_]{1,4}\.[ -]?){1,3}$")  # т. е., p. ex., c.-à-d., o.a., рис.
_GOES_ON = re.compile(r"\s*-?([^\W_])")
_UNMARKED = re.compile(r"(?<=[។៕])(?=\s)")  # Khmer sentence ends, which sentencex does not support
_ENDLESS = re.compile(
    r"[\w ,'\"()/`<>=+*&%$#@~^{}\[\]-]*+[.!?:]?", re.ASCII
)  # a text that has no sentence end before its last character, in any language
_REACH = 24  # maximum length of an abbreviation before its period, in characters
_LONGEST = 2000  # characters; a longer sentence is data and is cut at a space


def estimate_tokens(text: str) -> int:
    """Return an estimate of the number of tokens (word pieces) in `text`."""
    return len(_PIECE.findall(text))


def truncate_to_tokens(text: str, limit: int) -> str:
    """Return the longest prefix of `text` with at most `limit` estimated tokens. Line breaks are kept."""
    for count, match in enumerate(_PIECE.finditer(text), start=1):
        if count > limit:
            return text[: match.start()].rstrip()
    return text


def split_sentences(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Return (start, end) of each sentence, without surrounding whitespace. Inline code is never split.

    The time is linear in the length of the text, which is processed in parts. A sentence of more than 2,000 characters
    is cut at a space if possible.

    Args:
        text: One paragraph, list item or cell.
        language: BCP 47 tag. Its primary language selects the rules.
    """
    if len(text) <= _LONGEST and _ENDLESS.fullmatch(text):
        return [whole] if (whole := _trim(text, 0, len(text))) else []
    primary = language.split("-")[0].lower() or "en"
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = _cut_at(text, start)
        found = _sentence_ends(text[start:end], primary)
        if end < len(text) and len(found) > 1:
            found.pop()  # the last sentence may continue, so the next part starts with it
        spans.extend((start + left, start + right) for left, right in pairwise([0, *found]))
        start += found[-1]
    return [trimmed for span in spans if (trimmed := _trim(text, *span))]


def cut_at_blanks(text: str) -> list[str]:
    """Split `text` into parts of at most 2,000 characters, at a space if possible. No character is lost."""
    parts: list[str] = []
    start = 0
    while start < len(text):
        end = _cut_at(text, start)
        parts.append(text[start:end])
        start = end
    return parts


def rejoin_lines(lines: Sequence[str]) -> list[str]:
    """Rejoin lines that `cut_at_blanks` split.

    A line that ends in spaces or has exactly the maximum length may be joined to the next line by mistake.
    """
    joined: list[str] = []
    before = ""
    for line in lines:
        whole = before + line
        if before and _cut_at(whole, 0) == len(before) < len(whole):  # `cut_at_blanks` would split exactly here
            joined[-1] += line
        else:
            joined.append(line)
        before = line
    return joined


def _cut_at(text: str, start: int) -> int:
    """Return the end of the part that begins at `start`: after the last space within the maximum length."""
    end = start + _LONGEST
    if end >= len(text):
        return len(text)
    blank = text.rfind(" ", start, end)
    return blank + 1 if blank > start else end


def _sentence_ends(text: str, language: str) -> list[int]:
    """Return the end offset of each sentence. The last offset is the length of the text."""
    code = [match.span() for match in _CODE_SPAN.finditer(text)] if "`" in text else []
    ends: list[int] = []
    cursor = 0
    for found in sentencex.segment(language, text):
        for piece in _UNMARKED.split(found) if language == "km" else (found,):
            cursor += len(piece)
            is_inside = any(left < cursor < right for left, right in code) or _IN_A_NAME.match(text, max(0, cursor - 1))
            if not is_inside and not _is_abbreviated(text, cursor, language):
                ends.append(cursor)
    return [*ends, len(text)] if not ends or ends[-1] < len(text) else ends


def _is_abbreviated(text: str, cursor: int, language: str) -> bool:
    """Return whether the period before a position ends an abbreviation, since lower case or a digit follows.

    English is excluded: sentencex knows English abbreviations, and a sentence may start with a lower-case name.
    """
    before = text[max(0, cursor - _REACH) : cursor].rstrip()
    if language == "en" or not before.endswith(".") or before[-2:-1].lower() == before[-2:-1].upper():
        return False  # in a script without capitals, the next letter gives no information
    follows = _GOES_ON.match(text, cursor)
    goes_on = follows is not None and (follows.group(1).islower() or follows.group(1).isdigit())
    return goes_on and _ABBREVIATION.search(before) is not None


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    whole = text[start:end]
    start += len(whole) - len(whole.lstrip())
    end -= len(whole) - len(whole.rstrip())
    return (start, end) if start < end else None
