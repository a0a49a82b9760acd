"""Builds the regular expressions that detect follow-up questions from the words in a language's table."""

from collections.abc import Mapping, Sequence

from pincite_core.phrasing.table import FollowUps

__all__ = ("follow_up_patterns",)

_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff]"  # a letter of a script with spaces between words
_BEFORE, _AFTER = f"(?<!{_LETTER})", f"(?!{_LETTER})"


def follow_up_patterns(words: FollowUps) -> Mapping[str, str]:
    """Return case-insensitive patterns by name; the pattern of a field that a language lacks matches nothing."""
    return {
        "polite": _of(r"^(?:(?:{})\b[\s,.!，。、،]*)+", words.polite),
        "asks": _of(rf"^(?:{{}}){_AFTER}", words.asks),
        "opens": _of(rf"^(?:{{}}){_AFTER}", words.opens),
        "closes": _of(rf"{_BEFORE}(?:{{}})$", words.closes),
        "whole": _of(r"^(?:{})$", words.whole),
        "pronouns": _of(rf"{_BEFORE}(?:{{}}){_AFTER}", words.pronouns),
        "leads": _of(r"^(?P<opening>(?:\w+ ){0,2})(?P<phrase>(?P<by>{}) .+)$", words.prepositions),
    }


def _of(pattern: str, alternatives: Sequence[str]) -> str:
    return pattern.replace("{}", "|".join(alternatives) or "(?!)")
