"""Sources of pages: front matter, and the ids that an author wrote by hand. Only says what is the author's own.

Headings are read by a Markdown parser, so that `#` in a code fence is no heading. Ids are taken as written; none is
ever computed from text.
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
from pincite_indexer.pages.page_facts import says_no

__all__ = ("SUFFIXES", "Source", "read_source", "read_sources")

_EXPLICIT = re.compile(r"\{#([^\s{}]+)\}\s*$|\{/\*\s*#(\S+?)\s*\*/\}\s*$|<!--\s*#(\S+?)\s*-->\s*$")
_RAW_ID = re.compile(r"""\b(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|\{\s*["'`]([^"'`]+)["'`]\s*\})""")
_IMPORT = re.compile(r"""^import\s+\S+\s+from\s+["']((?:\.|@site/)[^"']+\.mdx?)["']""", re.MULTILINE)
_KEYS = tuple(generator.source_key for generator in GENERATORS if generator.source_key)
_LABEL = re.compile(r"^(?:\.\. _([^:`\s]+):|\(([^()\s]+)\)=)\s*$", re.MULTILINE)  # reStructuredText's and MyST's
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*$(.*)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r":([^:\n]+):[ \t]*(.*)")
_UNDERLINE = re.compile(r"([^\w\s])\1*\s*")
_PRIVATE_LINE = re.compile(r"""^\s*["']?pincite["']?\s*[:=]\s*["']?(?:false|no|off)\b""", re.IGNORECASE | re.MULTILINE)
_PACKAGES = "node_modules"
_HTML = ".html"
_WITH_FIELDS = frozenset({".rst", ".adoc", ".asciidoc"})
_MARKDOWN = frozenset({".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd"})
SUFFIXES = _MARKDOWN | _WITH_FIELDS | {_HTML}
"""Of files that pages are made from; HTML counts only when it begins with front matter."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file: where it lies, its front matter, the ids its author wrote, and what generators call its page."""

    path: str
    front_matter: Mapping[str, Any]
    explicit_ids: frozenset[str]
    keys: tuple[SourceKey, ...] = ()

    @property
    def is_private(self) -> bool:
        """Whether its author keeps its page out of the index."""
        return says_no(self.front_matter.get("pincite"))

    @property
    def is_draft(self) -> bool:
        """Whether generators leave it out of a build."""
        return self.front_matter.get("draft") is True or says_no(self.front_matter.get("published"))


def read_source(file: Path, shown_path: str = "", keys: tuple[SourceKey, ...] = ()) -> Source:
    """Read one source and the partials it imports.

    Broken front matter counts as none, but for a line that keeps the page private.
    """
    matter, body = _front_matter(_read(file), file.suffix.lower())
    return Source(shown_path or file.as_posix(), matter, frozenset(_explicit_ids(body, file, {file})), keys)


def read_sources(folder: Path) -> tuple[Source, ...]:
    """Read a site's sources: `folder` holds `docs/`, `versioned_docs/`, `i18n/`, or is a docs folder itself.

    Versions, locales and plugin instances are told apart by a generator's folder names; a folder with none of them is
    read as the current version of the default docs plugin. Partials are none unless they say that they are private.

    Raises:
        SiteError: A file or folder cannot be read, so that it is not known what its author keeps private.
    """
    has_docs = (folder / "docs").is_dir()
    try:
        return tuple(source for file in sorted(_files_below(folder)) for source in _read_one(folder, file, has_docs))
    except OSError as error:
        message = (
            f"{error.filename} cannot be read ({error.strerror}). Give the build the right to, or name with --docs "
            "another folder than the one that holds it."
        )
        raise SiteError(message) from error


def _files_below(folder: Path) -> Iterator[Path]:
    """Yield the files of sources below a folder, those in linked folders too, as generators read them."""
    for place, folders, files in os.walk(folder, onerror=_raise, followlinks=True):
        if _holds_itself(Path(place), folder):
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if name != _PACKAGES)
        yield from (Path(place, name) for name in files if PurePath(name).suffix.lower() in SUFFIXES)


def _holds_itself(place: Path, folder: Path) -> bool:
    """Tell whether a folder is one of those around it, by a link."""
    real = place.resolve()
    around = place.parents[: len(place.relative_to(folder).parts)]
    return any(parent.resolve() == real for parent in around)


def _raise(error: OSError) -> None:
    raise error


def _read_one(folder: Path, file: Path, has_docs: bool) -> Iterator[Source]:
    """Yield the source that a file is, if it is one."""
    if not file.is_file() or (file.suffix.lower() == _HTML and not _read(file).startswith(("---", "+++"))):
        return
    relative = file.relative_to(folder)
    source = read_source(file, relative.as_posix())
    if not file.name.startswith("_") or file.stem == "_index":
        yield replace(source, keys=tuple(key_of(relative.parts, source.front_matter, has_docs) for key_of in _KEYS))
    elif source.is_private:
        yield source


def _front_matter(text: str, suffix: str) -> tuple[Mapping[str, Any], str]:
    """Return a source's front matter, in YAML, JSON or TOML or as a list of fields, and what follows it."""
    try:
        if match := _TOML.match(text):
            return tomllib.loads(match[1]), match[2]
        post = frontmatter.loads(text)
    except (yaml.YAMLError, ValueError):  # YAML's own, and a date such as February 30th
        head = text.split("\n---", 1)[0] if text.startswith("---") else text.split("\n+++", 1)[0]
        return ({"pincite": False} if _PRIVATE_LINE.search(head) else {}), text
    if suffix in _WITH_FIELDS and not post.metadata:
        return dict(_fields(text)), text
    return post.metadata, post.content


def _fields(text: str) -> Iterator[tuple[str, str]]:
    """Yield the fields before or after the title of a file, which say what front matter says elsewhere."""
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
    for line, raw in _lines_outside_code(body):
        match = _EXPLICIT.search(line) if line else None
        if match:
            yield next(group for group in match.groups() if group)
        for found in _RAW_ID.finditer(raw):
            yield next(group for group in found.groups() if group)
    yield from (first or second for first, second in _LABEL.findall(body))
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
