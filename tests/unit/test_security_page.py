"""docs/security.md names the tests that show what it promises: they must be there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_is_there() -> None:
    names = set(re.findall(r"`(test_\w+(?:\.py)?|[\w.-]+\.test\.js)`", PAGE))
    files = {file.name for part in ("tests", "widget/test") for file in (ROOT / part).rglob("*.*")}
    texts = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    known = files | set(re.findall(r"^def (test_\w+)", texts, re.MULTILINE))
    assert names - known == set()


def test_every_promise_has_a_test() -> None:
    tables = PAGE.partition("## Requests from clients")[2]
    rows = [line for line in tables.splitlines() if line.startswith("| ") and not line.startswith("| promised")]
    assert rows
    assert [row for row in rows if "`test_" not in row and ".test.js`" not in row] == []
