"""Units of text: sentences with their offsets, and a tokenizer-free estimate of length.

The estimate is an upper-leaning count of word pieces, the same on every side (the widget has a twin of it), so that
limits hold without loading a tokenizer. It counts a word piece for every started six letters, one for every digit
pair, one for every symbol, and one for every Chinese, Japanese or Korean character.
"""

import re

import sentencex

__all__ = ("estimate_tokens", "split_sentences", "truncate_to_tokens")

_PIECE = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]"  # one character each
    r"|[^\W\d_]{1,6}|\d{1,2}|[^\w\s]|_"
)
_CODE_SPAN = re.compile(r"(`+)[^`\n][^\n]*?\1")


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

    Args:
        text: One paragraph, list item or cell.
        language: BCP 47 tag; its primary part chooses the rules.
    """
    guarded = [match.span() for match in _CODE_SPAN.finditer(text)]
    spans: list[tuple[int, int]] = []
    start = 0
    cursor = 0
    for piece in sentencex.segment(_primary(language), text):
        cursor += len(piece)
        if not any(left < cursor < right for left, right in guarded):
            spans.append((start, cursor))
            start = cursor
    if start < len(text):
        spans.append((start, len(text)))
    return [trimmed for span in spans if (trimmed := _trim(text, *span))]


def _primary(language: str) -> str:
    return language.split("-")[0].lower() or "en"


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
