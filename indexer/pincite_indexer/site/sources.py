"""Markdown sources: front matter, and the ids that an author wrote by hand. Only says what is the author's own.

Headings are read by a Markdown parser, so that `#` in a code fence is no heading. Ids are taken as written; none is
ever computed from text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import frontmatter
import yaml
from markdown_it import MarkdownIt

__all__ = ("BLOG", "Source", "SourceKey", "read_source", "read_sources")

SourceKey = tuple[str, str, str | None, str]
"""(locale, plugin id, version name, doc id or end of a post's URL); an empty locale is the default one."""

BLOG = "blog"  # the folder of posts, which stands for their plugin's id

_EXPLICIT = re.compile(r"\{#([^\s{}]+)\}\s*$|\{/\*\s*#(\S+?)\s*\*/\}\s*$|<!--\s*#(\S+?)\s*-->\s*$")
_RAW_ID = re.compile(r"""\b(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|\{\s*["'`]([^"'`]+)["'`]\s*\})""")
_IMPORT = re.compile(r"""^import\s+\S+\s+from\s+["']((?:\.|@site/)[^"']+\.mdx?)["']""", re.MULTILINE)
_NUMBER_PREFIX = re.compile(r"^\d+[-_.\s]+(?=[^\d\W])")  # Docusaurus drops `01-` from folders and files
_POST_DATE = re.compile(r"(?:^|(?<=/))(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]")
_SUFFIXES = frozenset({".md", ".mdx", ".markdown"})
_I18N_BLOG = "docusaurus-plugin-content-blog"
_I18N_DOCS = re.compile(r"docusaurus-plugin-content-docs(?:-(?P<plugin>.+))?")


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

    Versions, locales and plugin instances are told apart by Docusaurus's folder names; a folder with none of them is
    read as the current version of the default docs plugin.
    """
    found: dict[SourceKey, Source] = {}
    for file in sorted(folder.rglob("*")):
        if file.suffix in _SUFFIXES and not file.name.startswith("_") and file.is_file():
            relative = file.relative_to(folder)
            if "node_modules" not in relative.parts:
                source = read_source(file, relative.as_posix())
                found[_key(folder, relative, source)] = source
    return found


def _key(folder: Path, relative: Path, source: Source) -> SourceKey:
    locale, plugin_id, version, rest = _place(folder, list(relative.parts))
    folders = [_NUMBER_PREFIX.sub("", part) for part in rest[:-1]]
    stem = _NUMBER_PREFIX.sub("", PurePosixPath(rest[-1]).stem)
    if plugin_id == BLOG:
        return locale, plugin_id, version, _post_route("/".join([*folders, stem]), source.front_matter)
    return locale, plugin_id, version, "/".join([*folders, str(source.front_matter.get("id") or stem)])


def _post_route(path: str, front_matter: Mapping[str, Any]) -> str:
    """Return the end of a post's URL: its slug, else its date and name (`2026-01-20-name` is `2026/01/20/name`)."""
    slug = front_matter.get("slug")
    if isinstance(slug, str) and slug.strip("/"):
        return slug.strip("/")
    return _POST_DATE.sub(r"\1/\2/\3/", path).removesuffix("/index")


def _place(folder: Path, parts: list[str]) -> tuple[str, str, str | None, list[str]]:
    """Return (locale, plugin id, version, path inside the docs folder) by Docusaurus's folder names."""
    if parts[0] == "i18n" and len(parts) > 3 and parts[2] == _I18N_BLOG:
        return parts[1], BLOG, None, parts[3:]
    if parts[0] == "i18n" and len(parts) > 4:
        match = _I18N_DOCS.fullmatch(parts[2])
        plugin_id = (
            (match.group("plugin") or "default") if match else parts[2].removeprefix("docusaurus-plugin-content-")
        )
        return parts[1], plugin_id, parts[3].removeprefix("version-"), parts[4:]
    if len(parts) > 2 and parts[0].endswith("versioned_docs"):
        plugin_id = parts[0].removesuffix("versioned_docs").rstrip("_") or "default"
        return "", plugin_id, parts[1].removeprefix("version-"), parts[2:]
    if (folder / "docs").is_dir() and len(parts) > 1:
        plugin_id = "default" if parts[0] == "docs" else parts[0]
        return "", plugin_id, None if plugin_id == BLOG else "current", parts[1:]
    return "", "default", "current", parts


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
