"""The site of the documentation has every page of it."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
WEBSITE = ROOT / "website"


def test_every_page_stands_in_the_sidebar() -> None:
    listed = set(re.findall(r"'([\w./-]+)'", (WEBSITE / "sidebars.js").read_text(encoding="utf-8")))
    pages = [f"docs/{page.stem}" for page in (ROOT / "docs").glob("*.md")]
    assert len(pages) > 15
    assert [page for page in pages if page not in listed] == []


def test_the_documents_have_no_front_matter_which_a_code_host_would_show() -> None:
    documents = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    assert [page for page in documents if page.read_text(encoding="utf-8").startswith("---")] == []


def test_its_packages_are_those_of_the_example_and_declared_nowhere_else() -> None:
    assert "dependencies" not in json.loads((WEBSITE / "package.json").read_text(encoding="utf-8"))
    named = re.findall(r"from '(@?[\w-]+(?:/[\w-]+)?)'", (WEBSITE / "docusaurus.config.js").read_text(encoding="utf-8"))
    example = json.loads((ROOT / "examples/site/package.json").read_text(encoding="utf-8"))["dependencies"]
    assert set(named) - example.keys() == set()


def test_every_column_of_a_table_has_a_name_for_those_who_hear_the_page() -> None:
    documents = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *ROOT.glob("*/README.md")]
    heads = [
        (page.name, head)
        for page in documents
        for head in re.findall(r"^(\|.*\|)\n\|(?:-+\|)+$", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(heads) > 50
    assert [head for head in heads if re.search(r"\|\s*\|", head[1])] == []
