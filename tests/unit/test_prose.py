"""Words that readers did not understand stay out of docs, docstrings and comments."""

import ast
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BANNED = (
    "a turn of its own",
    "as it stands",
    "heeds",
    "newcomer",
    "portal",
    "second look",
    "rarity",
    "shown whole",
    "spoken",
    "standing out",
    "such as are",
    "told of",
    "what becomes of",
    "what is found",
)
PATTERN = re.compile(rf"\b(?:{'|'.join(BANNED)})\b", re.IGNORECASE)
PAGES = [*sorted(ROOT.glob("docs/**/*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
SOURCES = sorted(file for folder in ("indexer", "server") for file in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_page_has_no_banned_words(file: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not PATTERN.findall(prose)


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_docstrings_and_comments_have_no_banned_words(file: Path) -> None:
    assert not PATTERN.findall("\n".join([*docstrings(file), *comments(file)]))


def docstrings(file: Path) -> list[str]:
    """Return the docstrings of a module, its classes and its functions."""
    nodes = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, nodes)]


def comments(file: Path) -> list[str]:
    """Return the comments of a file."""
    with tokenize.open(file) as lines:
        return [token.string for token in tokenize.generate_tokens(lines.readline) if token.type == tokenize.COMMENT]
