"""A reader's question, cut into what the rankers understand."""

import re
from dataclasses import dataclass

from pincite_core.tokens import code_tokens, content_terms

__all__ = ("Query", "parse_query")

# What trackers put in front of a title: "[Bug]:", "[jest-mock] [v29]", "feat(cli):", "Docs:".
_TRACKER_PREFIX = re.compile(
    r"^\s*(?:\[[^\]\n]{1,40}\]\s*:?\s*)+"
    r"|^\s*(?:bug|feature|feature request|question|docs?|documentation|feat|fix|chore|help|rfc)(?:\([^)]*\))?\s*:\s+",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```[^\n]*\n(.*?)(?:```|$)", re.DOTALL)
_DIGIT = re.compile(r"\d")
_STACK_LINE = re.compile(r"^\s+at .*\(?.*:\d+:\d+\)?\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Query:
    """`text` is what is embedded; `terms` (stemmed, distinct, in order) and `code` (exact tokens) are matched."""

    text: str
    terms: tuple[str, ...]
    code: tuple[str, ...]

    @property
    def codes_with_digits(self) -> tuple[str, ...]:
        """The tokens that name one thing: error codes, issue numbers, versions (`HQ-1202`, `ERR_2`, `v1.4`)."""
        return tuple(token for token in self.code if _DIGIT.search(token))


def parse_query(text: str) -> Query:
    """Return the query without tracker prefixes, stack frames and the marks of code fences."""
    plain = _STACK_LINE.sub("", _FENCE.sub(r"\1", text))
    stripped = _TRACKER_PREFIX.sub("", plain).strip() or plain.strip()
    words = dict.fromkeys(content_terms(stripped))
    return Query(stripped, tuple(words), tuple(dict.fromkeys(code_tokens(stripped))))
