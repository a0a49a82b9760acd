"""Read a site's own lists of its versions: mike's `versions.json`, a theme's `switcher.json`, and linked folders.

mike writes `[{"version": "2.0", "title": "2.0.1", "aliases": ["latest"]}]` beside the versions' folders. Themes read
`[{"version": "2.0", "name": "2.0 (stable)", "url": "https://...", "preferred": true}]` from a file of any name. It is
mostly called `switcher.json` or `versions.json`, and lies at the root or in a folder `_static`.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import msgspec

from pincite_core.urls import decoded_path
from pincite_indexer.site.versions.version_pattern import VersionPattern

__all__ = (
    "NOTHING_TOLD",
    "ListedVersion",
    "Listing",
    "ToldVersions",
    "VersionList",
    "VersionLists",
    "listings_by_folder",
    "read_version_lists",
)

_USUAL = frozenset({"versions.json", "switcher.json", "version_switcher.json"})  # others may be of another kind
_NAMED = re.compile(r"[\w.-]*(?:versions?|switcher)[\w.-]*\.json", re.ASCII | re.IGNORECASE)
_STATIC = "_static/"  # folder of files that are not pages
_DEEPEST = 2  # folders above a list: a language and a version, or a part of the docs
_MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class ListedVersion:
    """Entry of a list. `path` is the path of its URL; empty if the version has a folder of its name."""

    version: str
    label: str
    aliases: tuple[str, ...] = ()
    path: str = ""
    is_preferred: bool = False


@dataclass(frozen=True, slots=True)
class VersionList:
    """Versions that a file names; `folder` is the folder that it describes, with a trailing slash."""

    file: str
    folder: str
    versions: tuple[ListedVersion, ...]


@dataclass(frozen=True, slots=True)
class VersionLists:
    """What a site's folder tells about versions in addition to its pages.

    Attributes:
        lists: The readable lists, the ones at the root first.
        links: The folders that are symbolic links, with the folders that they lead to.
        warnings: A message for each file that cannot be used.
    """

    lists: tuple[VersionList, ...] = ()
    links: dict[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldVersions:
    """What is known of versions apart from the pages: the user's pattern, and the site's own lists."""

    pattern: VersionPattern | None = None
    lists: VersionLists = VersionLists()


NOTHING_TOLD = ToldVersions()


class _Entry(msgspec.Struct, frozen=True):
    version: str | int | float
    title: str | None = None
    name: str | None = None
    aliases: tuple[str, ...] | None = None
    url: str | None = None
    preferred: bool | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """Entry of a list of versions, with the file and the folder that the entry describes."""

    file: str
    entry: ListedVersion
    is_alias: bool


def read_version_lists(site: Path, files: Iterable[str]) -> VersionLists:
    """Return the lists of versions and the linked folders of a site; `files` are its HTML files."""
    lists: list[VersionList] = []
    warnings: list[str] = []
    links: dict[str, str] = {}
    for folder in sorted(set(_folders(files)), key=lambda folder: (folder.count("/"), folder)):
        entries = _entries(site, folder)
        links.update(_links(site, folder, entries.values()))
        static = _entries(site, folder + _STATIC) if _STATIC.rstrip("/") in entries else {}
        for name in (*_names(folder, entries), *_names(folder + _STATIC, static)):
            try:
                if found := _read(site, folder, name):
                    lists.append(found)
            except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                reason = (isinstance(error, OSError) and error.strerror) or error
                if PurePosixPath(name).name in _USUAL:
                    warnings.append(f"{name} is not used, because it is not a list of versions ({reason}).")
    return VersionLists(tuple(lists), links, tuple(warnings))


def _names(folder: str, entries: Iterable[str]) -> list[str]:
    return [folder + name for name in sorted(entries) if _NAMED.fullmatch(name)]


def _folders(files: Iterable[str]) -> Iterator[str]:
    """Yield the folders that may contain a list or versions, each with a trailing slash."""
    yield ""
    for file in files:
        parents = PurePosixPath(file).parents
        yield from (f"{folder}/" for folder in parents if folder.parts and len(folder.parts) <= _DEEPEST)


def _read(site: Path, folder: str, name: str) -> VersionList | None:
    """Return the list in a file; None if there is no such file.

    Raises:
        OSError: The file cannot be read.
        MsgspecError: The file is not a list of versions.
    """
    file = site / name
    if not file.is_file() or file.stat().st_size > _MOST_BYTES:
        return None
    entries = msgspec.json.decode(file.read_bytes().removeprefix(b"\xef\xbb\xbf"), type=list[_Entry])
    return VersionList(name, folder, tuple(_listed(entry) for entry in entries))


def _listed(entry: _Entry) -> ListedVersion:
    version, path = str(entry.version), decoded_path(entry.url or "")
    label = (entry.title or entry.name or version).strip()
    return ListedVersion(version, label, entry.aliases or (), path, bool(entry.preferred))


def _entries(site: Path, folder: str) -> dict[str, os.DirEntry[str]]:
    try:
        return {entry.name: entry for entry in os.scandir(site / folder)}
    except OSError:  # the search for pages reports it
        return {}


def _links(site: Path, folder: str, entries: Iterable[os.DirEntry[str]]) -> Iterator[tuple[str, str]]:
    """Yield the symbolic links in a folder that lead to another folder of the site."""
    root = site.resolve()
    for entry in entries:
        if entry.is_symlink():
            goal = Path(os.path.realpath(entry.path))  # which does not fail on a link to itself
            if goal.is_dir() and goal != root and goal.is_relative_to(root):
                yield f"{folder}{entry.name}/", f"{goal.relative_to(root).as_posix()}/"


def listings_by_folder(lists: VersionLists, places: set[str]) -> dict[str, Listing]:
    """Return the entries of the site's lists by folder; of several lists, the one with most folders counts first."""
    known = places | lists.links.keys()
    found = [dict(_placed(item.file, item.folder, item.versions, known)) for item in lists.lists]
    merged: dict[str, Listing] = {}
    for entries in sorted(found, key=len, reverse=True):
        if not merged.keys() & entries.keys():
            merged |= entries
    return merged


def _placed(
    file: str, folder: str, versions: Sequence[ListedVersion], known: set[str]
) -> Iterator[tuple[str, Listing]]:
    paths = [entry.path.strip("/").split("/") for entry in versions if entry.path.strip("/")]
    for entry in versions:
        if entry.path:
            own = entry.path.strip("/").split("/") if entry.path.strip("/") else []
            tails = ("/".join(own[start:]) + "/" for start in range(len(own)))
            place = next((tail for tail in tails if tail in known), None)
            others = [path for path in paths if path != own]
            is_around = bool(others) and all(path[: len(own)] == own for path in others)
            if place or is_around:
                yield place or "", Listing(file, entry, is_alias=False)
            continue
        names = [(entry.version, False), *((alias, True) for alias in entry.aliases)]
        yield from ((f"{folder}{name}/", Listing(file, entry, is_alias)) for name, is_alias in names)
