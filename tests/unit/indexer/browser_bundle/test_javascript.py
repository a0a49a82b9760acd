"""Patterns of Python as JavaScript reads them."""

import re

import pytest

from pincite_indexer.browser_bundle.javascript import in_javascript

WORD = r"\p{L}\p{N}_"


@pytest.mark.parametrize(
    ("python", "javascript"),
    [
        (r"how (?:do|can)", r"how (?:do|can)"),
        (r"\w+", f"[{WORD}]+"),
        (r"[\w-]", f"[{WORD}-]"),
        (r"[\W_]", f"(?:[^{WORD}]|[_])"),
        (r"[^\W\d_]", rf"(?:(?![\p{{Nd}}_])[{WORD}])"),
        (r"(?P<by>a)\d{2,3}", r"(?<by>a)\p{Nd}{2,3}"),
        (r"\"\-\.\'", r'"-\.' + "'"),
        ("{x}", r"\{x\}"),
        (r"a\Z", "a(?![^])"),
    ],
)
def test_a_pattern_means_the_same(python: str, javascript: str) -> None:
    re.compile(python)
    assert in_javascript(python) == javascript
