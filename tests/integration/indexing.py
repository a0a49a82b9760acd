"""The real command over the fixture sites, and a second opinion on their pages."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib

from pincite_core.urls import candidate_files

__all__ = ("FIXTURES", "SITES", "ParsedPage", "copy_site", "parse_page", "run_index")

FIXTURES = Path(__file__).parents[1] / "fixtures"
SITES = ("harbor", "sphinx", "mkdocs", "vitepress", "plain", "broken")
_MAIN = "from pincite_core.cli import main; main()"
_HTML = "{http://www.w3.org/1999/xhtml}"
_ROOTS = ("theme-doc-markdown", "markdown", "vp-doc", "md-content__inner")


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """What an independent parser says of a page: all its ids, and those of the headings in its content."""

    ids: frozenset[str]
    heading_ids: frozenset[str]


def run_index(site: Path, *options: str | Path, model: str = "fake") -> subprocess.CompletedProcess[str]:
    """Run `pincite index` in a process of its own."""
    command = [sys.executable, "-c", _MAIN, "index", str(site), "--model", model, *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True)


def copy_site(name: str, folder: Path) -> Path:
    """Return a copy of a fixture site that a test may change."""
    return Path(shutil.copytree(FIXTURES / name, folder / name))


def parse_page(site: Path, url: str, base_url: str) -> ParsedPage:
    """Parse the file behind a page's URL with html5lib."""
    file = next(site / name for name in candidate_files(url, base_url) if (site / name).is_file())
    tree = html5lib.parse(file.read_bytes(), transport_encoding="utf-8")
    elements = list(_elements(tree))
    ids = {element.get("id") for element in elements} | {
        element.get("name") for element in elements if element.tag == f"{_HTML}a"
    }
    headings = {
        element.get("id") for element in _elements(_content(elements)) if re.fullmatch(r"h[1-6]", _tag(element))
    }
    return ParsedPage(frozenset(filter(None, ids)), frozenset(filter(None, headings)))


def _elements(root: Element) -> Iterator[Element]:
    return (element for element in root.iter() if isinstance(element.tag, str))


def _tag(element: Element) -> str:
    return element.tag.removeprefix(_HTML)


def _content(elements: list[Element]) -> Element:
    for name in _ROOTS:
        for element in elements:
            if name in (element.get("class") or "").split():
                return element
    for element in elements:
        if element.get("role") == "main":
            return element
    return next(element for tag in ("main", "body") for element in elements if _tag(element) == tag)
