"""Markdown sources: front matter, and the ids that an author wrote by hand. Only says what is the author's own.

Headings are read by a Markdown parser, so that `#` in a code fence is no heading. Ids are taken as written; none is
ever computed from text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import frontmatter
import yaml
from markdown_it import MarkdownIt

from pincite_indexer.generators import GENERATORS
from pincite_indexer.generators.generator import SourceKey

__all__ = ("Source", "read_source", "read_sources")

_EXPLICIT = re.compile(r"\{#([^\s{}]+)\}\s*$|\{/\*\s*#(\S+?)\s*\*/\}\s*$|<!--\s*#(\S+?)\s*-->\s*$")
_RAW_ID = re.compile(r"""\b(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|\{\s*["'`]([^"'`]+)["'`]\s*\})""")
_IMPORT = re.compile(r"""^import\s+\S+\s+from\s+["']((?:\.|@site/)[^"']+\.mdx?)["']""", re.MULTILINE)
_KEYS = tuple(generator.source_key for generator in GENERATORS if generator.source_key)
_SUFFIXES = frozenset({".md", ".mdx", ".markdown"})


@dataclass(frozen=True, slots=True)
class Source:
    """One Markdown file: where it lies, its front matter, and the ids its author wrote."""

    path: str
    front_matter: Mapping[str, Any]
    explicit_ids: frozenset[str]


def read_source(file: Path, shown_path: str = "") -> Source:
    """Read one Markdown file and the partials it imports; broken front matter counts as none."""
    text = _read(file)
    try:
        post = frontmatter.loads(text)
        matter, body = post.metadata, post.content
    except (yaml.YAMLError, ValueError):  # YAML's own, and a date such as February 30th
        matter, body = {}, text
    return Source(shown_path or file.as_posix(), matter, frozenset(_explicit_ids(body, file, {file})))


def read_sources(folder: Path) -> dict[SourceKey, Source]:
    """Read a site's Markdown: `folder` holds `docs/`, `versioned_docs/`, `i18n/`, or is a docs folder itself.

    Versions, locales and plugin instances are told apart by a generator's folder names; a folder with none of them is
    read as the current version of the default docs plugin.
    """
    has_docs = (folder / "docs").is_dir()
    found: dict[SourceKey, Source] = {}
    for file in sorted(folder.rglob("*")):
        if file.suffix in _SUFFIXES and not file.name.startswith("_") and file.is_file():
            relative = file.relative_to(folder)
            if "node_modules" not in relative.parts:
                source = read_source(file, relative.as_posix())
                found.update((key_of(relative.parts, source.front_matter, has_docs), source) for key_of in _KEYS)
    return found


def _explicit_ids(body: str, file: Path, seen: set[Path]) -> Iterator[str]:
    for line, raw in _lines_outside_code(body):
        match = _EXPLICIT.search(line) if line else None
        if match:
            yield next(group for group in match.groups() if group)
        for found in _RAW_ID.finditer(raw):
            yield next(group for group in found.groups() if group)
    for name in _IMPORT.findall(body):
        partial = _imported(file, name)
        if partial and partial not in seen:
            seen.add(partial)
            yield from _explicit_ids(_read(partial), partial, seen)


def _imported(file: Path, name: str) -> Path | None:
    """Return the file that an import names: relative to the importing one, or to the site's folder after `@site/`."""
    folders = file.parents if name.startswith("@site/") else (file.parent,)
    candidates = ((folder / name.removeprefix("@site/")).resolve() for folder in folders)
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8-sig", errors="replace")


def _lines_outside_code(body: str) -> Iterator[tuple[str, str]]:
    """Yield (heading line or nothing, text) of every block that is no code."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    previous = ""
    for token in parser.parse(body):
        if token.type == "inline":
            yield (
                (token.content.splitlines()[-1] if previous == "heading_open" and token.content else ""),
                token.content,
            )
        elif token.type == "html_block":
            yield "", token.content
        previous = token.type
