"""Units of text: sentences with their offsets, and a tokenizer-free estimate of length.

The estimate is an upper-leaning count of word pieces, the same on every side (the widget has a twin of it), so that
limits hold without loading a tokenizer. It counts a word piece for every started six letters, one for every digit
pair, one for every symbol, and one for every Chinese, Japanese or Korean character.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import sentencex

__all__ = ("cut_at_blanks", "estimate_tokens", "rejoin_lines", "split_sentences", "truncate_to_tokens")

_PIECE = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]"  # one character each
    r"|[^\W\d_]{1,6}|\d{1,2}|[^\w\s]|_"
)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_IN_A_NAME = re.compile(r"[.!?][A-Za-z0-9_]")  # os.PathLike; where a sentence ends, a blank follows
_ABBREVIATION = re.compile(r"(?:^|[\W_])(?:[^\W\d_]{1,4}\.[ -]?){1,3}$")  # т. е., p. ex., c.-à-d., o.a., рис.
_GOES_ON = re.compile(r"\s*-?([^\W_])")
_UNMARKED = re.compile(r"(?<=[។៕])(?=\s)")  # ends of Khmer, which sentencex does not know
_ENDLESS = re.compile(
    r"[\w ,'\"()/`<>=+*&%$#@~^{}\[\]-]*+[.!?:]?", re.ASCII
)  # nothing in it ends a sentence, in any language
_REACH = 24  # characters before a point that an abbreviation may have
_LONGEST = 2000  # characters; what has no end within so many is data, and is cut at a blank


def estimate_tokens(text: str) -> int:
    """Return about how many word pieces `text` has."""
    return len(_PIECE.findall(text))


def truncate_to_tokens(text: str, limit: int) -> str:
    """Return the longest start of `text` of at most `limit` estimated tokens; line breaks are kept as they are."""
    for count, match in enumerate(_PIECE.finditer(text), start=1):
        if count > limit:
            return text[: match.start()].rstrip()
    return text


def split_sentences(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Return (start, end) of each sentence, without surrounding blanks; never cuts inside `inline code`.

    Takes time in proportion to the length: a text is looked at part by part, and what goes on for longer than anyone's
    sentence is cut, at a blank where it has one.

    Args:
        text: One paragraph, list item or cell.
        language: BCP 47 tag; its primary part chooses the rules.
    """
    if len(text) <= _LONGEST and _ENDLESS.fullmatch(text):
        return [whole] if (whole := _trim(text, 0, len(text))) else []
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = _cut_at(text, start)
        found = _sentence_ends(text[start:end], language)
        if end < len(text) and len(found) > 1:
            found.pop()  # it may go on, and is looked at again with what follows
        spans.extend((start + left, start + right) for left, right in pairwise([0, *found]))
        start += found[-1]
    return [trimmed for span in spans if (trimmed := _trim(text, *span))]


def cut_at_blanks(text: str) -> list[str]:
    """Return `text` in parts of a bounded length, whole when it is short; no character is lost."""
    parts: list[str] = []
    start = 0
    while start < len(text):
        end = _cut_at(text, start)
        parts.append(text[start:end])
        start = end
    return parts


def rejoin_lines(lines: Sequence[str]) -> list[str]:
    """Return lines that `cut_at_blanks` cut as they were before.

    A line that ends in blanks, or has exactly the longest length, may be joined to the next one by mistake.
    """
    joined: list[str] = []
    before = ""
    for line in lines:
        if before and _is_cut_before(before, line):
            joined[-1] += line
        else:
            joined.append(line)
        before = line
    return joined


def _is_cut_before(part: str, following: str) -> bool:
    """Return whether `cut_at_blanks` ends a part where `part` ends and `following` begins."""
    return _cut_at(part + following, 0) == len(part) < len(part) + len(following)


def _cut_at(text: str, start: int) -> int:
    """Return where the part that begins at `start` ends: at the last blank that keeps it short enough."""
    end = start + _LONGEST
    if end >= len(text):
        return len(text)
    blank = text.rfind(" ", start, end)
    return blank + 1 if blank > start else end


def _sentence_ends(text: str, language: str) -> list[int]:
    """Return where each sentence ends, the last at the end of the text."""
    guarded = [match.span() for match in _CODE_SPAN.finditer(text)]
    ends: list[int] = []
    cursor = 0
    for piece in _pieces(text, _primary(language)):
        cursor += len(piece)
        if _is_abbreviated(text, cursor, language):
            continue
        if not any(left < cursor < right for left, right in guarded) and not _IN_A_NAME.match(text, max(0, cursor - 1)):
            ends.append(cursor)
    return [*ends, len(text)] if not ends or ends[-1] < len(text) else ends


def _pieces(text: str, language: str) -> Iterator[str]:
    for piece in sentencex.segment(language, text):
        yield from _UNMARKED.split(piece) if language == "km" else (piece,)


def _is_abbreviated(text: str, cursor: int, language: str) -> bool:
    """Whether the point before a place is one of an abbreviation, as what follows goes on in small letters.

    English abbreviations are known, and English sentences may begin with the small letters of a name.
    """
    before = text[max(0, cursor - _REACH) : cursor].rstrip()
    if _primary(language) == "en" or not before.endswith(".") or before[-2:-1].lower() == before[-2:-1].upper():
        return False  # of a script without capitals any sentence may go on so
    follows = _GOES_ON.match(text, cursor)
    goes_on = follows is not None and (follows.group(1).islower() or follows.group(1).isdigit())
    return goes_on and _ABBREVIATION.search(before) is not None


def _primary(language: str) -> str:
    return language.split("-")[0].lower() or "en"


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
