"""Remove the links that a model wrote, because every link of an answer must come from the index."""

import re

__all__ = ("plain_emphasis", "without_links")

_URL = r"(?:[a-zA-Z][a-zA-Z0-9+.-]*://|www\.|mailto:)[^\s<>\"'`]+"
_BARE = re.compile(rf"<?({_URL})>?")
_DEFINITION = re.compile(r"^\s*\[[^\]\n]+\]:\s*\S+.*$", re.MULTILINE)
_IMAGE = re.compile(r"!\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_LINK = re.compile(r"\[([^\]\n]+)\]\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)")
_TRAILING = ".,;:!?)]}。，；：！？）"
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_STRONG_WITH_CODE = re.compile(r"(`+.+?`+)|\*\*(?=\S)((?:`+[^`]+`+|[^`*])+?)(?<=\S)\*\*", re.DOTALL)
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])")
_CODE_SPAN = re.compile(r"(`+.+?`+)", re.DOTALL)


def without_links(text: str, known: str) -> tuple[str, int]:
    """Return a text with its links replaced by their words, and the number of URLs that were removed.

    A bare URL stays as text if `known`, the evidence, contains it: docs may say `http://localhost:8080`.
    """
    dropped = 0

    def unlink(match: re.Match[str]) -> str:
        nonlocal dropped
        dropped += 1
        return match.group(1)

    def judge(match: re.Match[str]) -> str:
        nonlocal dropped
        url = match.group(1).rstrip(_TRAILING)
        if url in known:
            return match.group(1)
        dropped += 1
        return match.group(1)[len(url) :]

    text, definitions = _DEFINITION.subn("", text)
    dropped += definitions
    text = _LINK.sub(unlink, _IMAGE.sub(unlink, text))
    return _BARE.sub(judge, text), dropped


def plain_emphasis(text: str) -> str:
    """Return prose without the marks of bold and italic text, which readers would see as asterisks."""
    parts = _CODE_SPAN.split(_STRONG_WITH_CODE.sub(lambda found: found[1] or found[2], text))
    parts[::2] = [_EMPHASIS.sub(r"\1", _STRONG.sub(r"\2", part)) for part in parts[::2]]
    return "".join(parts)
