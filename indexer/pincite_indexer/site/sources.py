"""Read source files: front matter, and IDs that authors wrote by hand.

A Markdown parser reads the headings, so that `#` in a code block is not a heading. IDs are returned as written, and
never computed from text.
"""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

import frontmatter
import yaml
from markdown_it import MarkdownIt

from pincite_core.errors import SiteError
from pincite_indexer.generators.generator import SourceKey
from pincite_indexer.generators.known_generators import GENERATORS
from pincite_indexer.pages.page_facts import is_no

__all__ = ("SUFFIXES", "Source", "read_source", "read_sources")

_EXPLICIT = re.compile(r"\{#([^\s{}]+)\}\s*$|\{/\*\s*#(\S+?)\s*\*/\}\s*$|<!--\s*#(\S+?)\s*-->\s*$")
_RAW_ID = re.compile(r"""\b(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|\{\s*["'`]([^"'`]+)["'`]\s*\})""")
_IMPORT = re.compile(r"""^import\s+\S+\s+from\s+["']((?:\.|@site/)[^"']+\.mdx?)["']""", re.MULTILINE)
_KEYS = tuple(generator.source_key for generator in GENERATORS if generator.source_key)
_LABEL = re.compile(r"^(?:\.\. _([^:`\s]+):|\(([^()\s]+)\)=)\s*$", re.MULTILINE)  # labels of reStructuredText and MyST
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*$(.*)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r":([^:\n]+):[ \t]*(.*)")
_UNDERLINE = re.compile(r"([^\w\s])\1*\s*")
_PRIVATE_LINE = re.compile(r"""^\s*["']?pincite["']?\s*[:=]\s*["']?(?:false|no|off)\b""", re.IGNORECASE | re.MULTILINE)
_HTML = ".html"
_WITH_FIELDS = frozenset({".rst", ".adoc", ".asciidoc"})
_MARKDOWN = frozenset({".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd"})
SUFFIXES = _MARKDOWN | _WITH_FIELDS | {_HTML}
"""Suffixes of source files; HTML counts only if it starts with front matter."""


@dataclass(frozen=True, slots=True)
class Source:
    """Source file with its path, its front matter, explicit IDs, and the generators' keys for its page."""

    path: str
    front_matter: Mapping[str, Any]
    explicit_ids: frozenset[str]
    keys: tuple[SourceKey, ...] = ()

    @property
    def is_private(self) -> bool:
        """Return whether the author keeps the page out of the index."""
        return is_no(self.front_matter.get("pincite"))

    @property
    def is_draft(self) -> bool:
        """Return whether generators leave the page out of a build."""
        return self.front_matter.get("draft") is True or is_no(self.front_matter.get("published"))


def read_source(file: Path, shown_path: str = "", keys: tuple[SourceKey, ...] = ()) -> Source:
    """Read one source and the partials that it imports.

    Invalid front matter counts as empty, except for a line that makes the page private.
    """
    matter, body = _front_matter(_read(file), file.suffix.lower())
    return Source(shown_path or file.as_posix(), matter, frozenset(_explicit_ids(body, file, {file})), keys)


def read_sources(folder: Path) -> tuple[Source, ...]:
    """Read a site's sources; `folder` holds `docs/`, `versioned_docs/` or `i18n/`, or is a docs folder itself.

    Versions, locales and plugin instances are recognised by a generator's folder names. A folder without such names
    counts as the current version of the default docs plugin. The result contains a
    partial (a file whose name starts with `_`) only if its front matter excludes it from search.

    Raises:
        SiteError: A file or folder cannot be read, so private sources in it would be unknown.
    """
    has_docs = (folder / "docs").is_dir()
    try:
        return tuple(source for file in sorted(_files_below(folder)) for source in _read_one(folder, file, has_docs))
    except OSError as error:
        message = (
            f"{error.filename} cannot be read ({error.strerror}). Change its permissions, or name with --docs a folder "
            "that does not contain it."
        )
        raise SiteError(message) from error


def _files_below(folder: Path) -> Iterator[Path]:
    """Yield the source files below a folder and its linked folders, as generators read them."""
    for place, folders, files in os.walk(folder, onerror=_raise, followlinks=True):
        real, depth = Path(place).resolve(), len(Path(place).relative_to(folder).parts)
        if any(parent.resolve() == real for parent in Path(place).parents[:depth]):  # a link to a parent folder
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if name != "node_modules")
        yield from (Path(place, name) for name in files if PurePath(name).suffix.lower() in SUFFIXES)


def _raise(error: OSError) -> None:
    raise error


def _read_one(folder: Path, file: Path, has_docs: bool) -> Iterator[Source]:
    if not file.is_file() or (file.suffix.lower() == _HTML and not _read(file).startswith(("---", "+++"))):
        return
    relative = file.relative_to(folder)
    source = read_source(file, relative.as_posix())
    if not file.name.startswith("_") or file.stem == "_index":
        yield replace(source, keys=tuple(key_of(relative.parts, source.front_matter, has_docs) for key_of in _KEYS))
    elif source.is_private:
        yield source


def _front_matter(text: str, suffix: str) -> tuple[Mapping[str, Any], str]:
    """Return a source's front matter (YAML, JSON, TOML or a field list) and the text after it."""
    try:
        if match := _TOML.match(text):
            return tomllib.loads(match[1]), match[2]
        post = frontmatter.loads(text)
    except (yaml.YAMLError, ValueError):  # errors of the YAML parser, and dates such as February 30th
        head = text.split("\n---", 1)[0] if text.startswith("---") else text.split("\n+++", 1)[0]
        return ({"pincite": False} if _PRIVATE_LINE.search(head) else {}), text
    if suffix in _WITH_FIELDS and not post.metadata:
        return dict(_fields(text)), text
    return post.metadata, post.content


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fields before or after a file's title, which serve as front matter."""
    titles = 0
    for line in text.splitlines():
        match = _FIELD.fullmatch(line)
        if match:
            yield match[1].strip(), match[2].strip()
        elif line.strip() and not line.startswith((" ", "..", "//")) and not _UNDERLINE.fullmatch(line):
            titles += 1
            if titles > 1:
                return


def _explicit_ids(body: str, file: Path, seen: set[Path]) -> Iterator[str]:
    previous = ""
    for token in MarkdownIt("commonmark", {"html": True}).enable("table").parse(body):
        if token.type in {"inline", "html_block"}:  # blocks that are not code
            is_heading = token.type == "inline" and previous == "heading_open" and token.content
            last_line = token.content.splitlines()[-1] if is_heading else ""
            for match in filter(None, (_EXPLICIT.search(last_line), *_RAW_ID.finditer(token.content))):
                yield next(group for group in match.groups() if group)
        previous = token.type
    yield from (first or second for first, second in _LABEL.findall(body))
    for name in _IMPORT.findall(body):  # relative to the importing file, or to the site's folder after `@site/`
        folders = file.parents if name.startswith("@site/") else (file.parent,)
        candidates = ((folder / name.removeprefix("@site/")).resolve() for folder in folders)
        partial = next((candidate for candidate in candidates if candidate.is_file()), None)
        if partial and partial not in seen:
            seen.add(partial)
            yield from _explicit_ids(_read(partial), partial, seen)


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8-sig", errors="replace")
