"""The regular expressions by which a language's follow-ups are known, of the words in its table."""

from collections.abc import Mapping, Sequence

from pincite_core.phrasing.table import FollowUps

__all__ = ("follow_up_patterns",)

_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff]"  # of a script that parts its words
_BEFORE, _AFTER = f"(?<!{_LETTER})", f"(?!{_LETTER})"


def follow_up_patterns(words: FollowUps) -> Mapping[str, str]:
    """Return what is looked for without regard to capitals, by name; what a language lacks is never found."""
    return {
        "polite": _of(r"^(?:(?:{})\b[\s,.!，。、،]*)+", words.polite),
        "asks": _of(rf"^(?:{{}}){_AFTER}", words.asks),
        "opens": _of(rf"^(?:{{}}){_AFTER}", words.opens),
        "closes": _of(rf"{_BEFORE}(?:{{}})$", words.closes),
        "whole": _of(r"^(?:{})$", words.whole),
        "pronouns": _of(rf"{_BEFORE}(?:{{}}){_AFTER}", words.pronouns),
        "leads": _of(r"^(?P<opening>(?:\w+ ){0,2})(?P<phrase>(?P<by>{}) .+)$", words.prepositions),
    }


def _of(pattern: str, among: Sequence[str]) -> str:
    return pattern.replace("{}", "|".join(among) or "(?!)")
