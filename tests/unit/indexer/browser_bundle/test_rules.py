"""The browser's engine has no constants and patterns of its own: it reads the rules of Python.

A number in JavaScript is no rule if it is 0, 1 or 2, which index, count and halve; all others, and all patterns, must
be listed here with what they are, and must not depend on which text is a good answer.
"""

import re
from pathlib import Path

import pytest

from pincite_indexer.browser_bundle.rules import browser_rules

ANSWERING = Path(__file__).parents[4] / "widget" / "src" / "answering"
FILES = sorted(ANSWERING.glob("*.js"))
NUMBERS = {
    "answer.js": {"10"},  # the date of an ISO time
    "ranking.js": {"0.5"},  # smoothing of the IDF, with which BM25 is defined
    "passage-selection.js": {"100"},  # hundredths, to which fitness is rounded
    "replies.js": {"4"},  # digits of the evidence that is sent
    "selection.js": {"1000"},  # milliseconds
    "units.js": {"3", "7"},  # bits of a kind and of a role, and their mask
    "vectors.js": {"3", "4", "5", "6", "7", "8", "256"},  # bits, components and values of a byte
}
PATTERNS = {
    "answer.js": 1,  # blanks
    "compose.js": 2,  # words; what is before the first letter
    "lexicon.js": 12,  # marks; signs of regular expressions; scripts and endings of `search.languages`
    "passage-selection.js": 1,  # words
    "phrases.js": 4,  # invisible signs; blanks; placeholders of messages; subtags
    "render.js": 1,  # digits
    "replies.js": 7,  # blanks; marks at the end of a cut excerpt; parts of URLs
    "selection.js": 3,  # digits; lines; letters
}
_CODE = re.compile(
    r"/\*.*?\*/|(?<![:'\"])//[^\n]*|'(?:\\.|[^'\\\n])*'"
    r"|(?P<pattern>(?<=[(,=!&|:\[ ])/(?![/* ])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/[a-z]*u[a-z]*)"
    r"|(?P<number>(?<![\w.$])\d+(?:\.\d+)?(?:e-?\d+)?\b)",
    re.DOTALL,
)


def found(file: Path, kind: str) -> list[str]:
    return [match.group(kind) for match in _CODE.finditer(file.read_text(encoding="utf-8")) if match.group(kind)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_number_or_pattern_in_javascript_is_a_rule(file: Path) -> None:
    assert set(found(file, "number")) - {"0", "1", "2"} <= NUMBERS.get(file.name, set())
    assert len(found(file, "pattern")) <= PATTERNS.get(file.name, 0)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_rule_that_javascript_reads_is_one_of_python(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    read = set(re.findall(r"\brules\.(\w+)\.(\w+)", text))
    for names, group in re.findall(r"\{([^{}]*)\} = rules\.(\w+);", text):
        read |= {(group, name.partition(":")[0].strip()) for name in names.split(",") if "..." not in name}
    rules = browser_rules()
    assert {f"{group}.{name}" for group, name in read if name not in rules[group]} == set()  # type: ignore[operator]


def test_a_planted_constant_is_found(tmp_path: Path) -> None:
    planted = tmp_path / "planted.js"
    planted.write_text("const a = 0.35 * b; // 7\nconst c = /x+/u; const d = 'in 8 /y/u';", encoding="utf-8")
    assert (found(planted, "number"), found(planted, "pattern")) == (["0.35"], ["/x+/u"])
