"""Make versions of the folders that hold them: names, labels, copies under other names, and the current version.

A version that has several folders, such as `2.0/` and a copy `latest/`, is read and cited in the folder of its own
name. That page stays true after the next release, when the alias has other contents.
"""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.site.versions.version_folders import FoundFolders, VersionFolder, without_language
from pincite_indexer.site.versions.version_lists import Listing, VersionLists
from pincite_indexer.site.versions.version_names import VersionName, version_name
from pincite_indexer.site.versions.version_sets import FolderVersion, FolderVersions

__all__ = ("folder_versions",)

_SAME = 0.9  # least share of equal pages in a copy; a page may show its own address
_ROOT_NAMES = ("latest", "stable", "root")  # names of the version around the other folders, the first that is free


class _Group(NamedTuple):
    """Folders of one version: its own one, and copies of it."""

    own: VersionFolder
    others: list[VersionFolder]


def folder_versions(found: FoundFolders, lists: VersionLists, stubs: Sequence[PageDraft]) -> FolderVersions:
    """Return the versions of the found folders; `stubs` are the pages that only forward to another page."""
    copied: dict[str, str] = {}
    versions: list[FolderVersion] = []
    for folders in _by_language(found.folders):
        names: set[str] = set()
        for group in _groups(folders, found.listings):
            for other in group.others:
                copied |= _copied_files(other, group.own)
            other_folders = _other_folders(group, found.listings, lists.links, stubs)
            versions.append(_version(group, other_folders, found.listings, names))
            names.add(versions[-1].name)
    known = FolderVersions(tuple(versions))
    order = {part: _ordered(part, known, found, stubs) for part in {version.part for version in versions}}
    return FolderVersions(tuple(versions), order, copied, found.how, found.is_given, lists.warnings)


def _by_language(folders: Iterable[VersionFolder]) -> Iterator[list[VersionFolder]]:
    """Yield the folders of each part and language, the folder around the others last."""
    found: dict[tuple[str, str], list[VersionFolder]] = defaultdict(list)
    for folder in folders:
        found[folder.part, folder.locale].append(folder)
    for of_language in found.values():
        yield sorted(of_language, key=lambda folder: (folder.is_root, folder.path))


def _groups(folders: Sequence[VersionFolder], listings: Mapping[str, Listing]) -> list[_Group]:
    """Return the folders, each copy with the folder that it is a copy of."""
    originals = {folder.path: _original(folder, folders, listings) for folder in folders}
    groups = {folder.path: _Group(folder, []) for folder in folders if originals[folder.path] is None}
    for folder in folders:
        original = originals[folder.path]
        while original is not None and originals[original.path] is not None:
            original = originals[original.path]
        if original is not None:
            groups[original.path].others.append(folder)
    return list(groups.values())


def _original(
    folder: VersionFolder, folders: Sequence[VersionFolder], listings: Mapping[str, Listing]
) -> VersionFolder | None:
    """Return the folder that a folder is a copy of, by a list or by its pages; None if it is none."""
    listing = listings.get(folder.path)
    if listing:
        same = [other for other in folders if _is_own(other, listing, listings)]
        return same[0] if listing.is_alias and same else None
    same = [other for other in folders if other is not folder and _is_copy(folder, other)]
    return max(same, key=lambda other: (other.name.parts if other.name else 0, other.path), default=None)


def _is_own(folder: VersionFolder, listing: Listing, listings: Mapping[str, Listing]) -> bool:
    other = listings.get(folder.path)
    return other is not None and other.entry is listing.entry and not other.is_alias


def _is_copy(folder: VersionFolder, other: VersionFolder) -> bool:
    """Return whether a folder's name may stand for another version, and its pages are the same."""
    if other.is_root or not (folder.is_root or (folder.name and other.name and folder.name.may_stand_for(other.name))):
        return False
    if other.pages.keys() - folder.pages.keys() or (not folder.is_root and len(folder.pages) != len(other.pages)):
        return False
    equal = sum(folder.pages[path].digest == draft.digest for path, draft in other.pages.items())
    return equal >= _SAME * len(other.pages)


def _copied_files(folder: VersionFolder, original: VersionFolder) -> dict[str, str]:
    return {draft.file: original.pages[path].file for path, draft in folder.pages.items() if path in original.pages}


def _other_folders(
    group: _Group, listings: Mapping[str, Listing], links: Mapping[str, str], stubs: Iterable[PageDraft]
) -> tuple[str, ...]:
    """Return the other folders of a group: copies, links, and aliases in a list whose pages forward."""
    own = {folder.path for folder in (group.own, *group.others) if not folder.is_root}
    linked = [link for link, goal in links.items() if goal in own]
    listing = listings.get(group.own.path)
    aliases = [path for path, other in listings.items() if listing and other.is_alias and other.entry is listing.entry]
    forwarding = [path for path in aliases if any(stub.file.startswith(path) for stub in stubs)]
    return tuple(dict.fromkeys([*sorted(own - {group.own.path}), *sorted(linked), *sorted(forwarding)]))


def _version(
    group: _Group, folders: tuple[str, ...], listings: Mapping[str, Listing], taken: set[str]
) -> FolderVersion:
    own = group.own
    listing = listings.get(own.path)
    entry = listing.entry if listing else None
    texts = [path.rstrip("/").rpartition("/")[2] for path in folders]
    declared = _declared(own)
    if own.is_root:
        free = (name for name in _ROOT_NAMES if name not in taken)
        name = entry.version if entry else declared or next(free, own.path)
    else:
        name = entry.version if entry and entry.version not in taken else _most_specific([own.text, *texts])
    aliases = dict.fromkeys([own.text, *texts, *(entry.aliases if entry else ())])
    return FolderVersion(
        own.path,
        own.part,
        own.locale,
        name,
        entry.label if entry else declared or name,
        folders,
        tuple(alias for alias in aliases if alias and alias != name),
        own.is_root,
        bool(entry and entry.is_preferred),
    )


def _declared(folder: VersionFolder) -> str:
    """Return the version that all pages of a folder declare; empty if there is none, or a generator's own name."""
    declared = {"" if draft.facts.plugin else draft.facts.version or "" for draft in folder.pages.values()}
    return declared.pop() if len(declared) == 1 else ""


def _most_specific(texts: Sequence[str]) -> str:
    """Return the name with most numbers, or the first one."""
    return max(texts, key=lambda text: name.parts if (name := version_name(text)) else 0)


def _ordered(part: str, known: FolderVersions, found: FoundFolders, stubs: Iterable[PageDraft]) -> tuple[str, ...]:
    """Return the names of a part's versions, the one that readers get first in front.

    A list's `preferred` comes first, then the home page's goal, the canonical links of other versions, the pages
    around the folders, the aliases `stable` and `latest`, and the newest release.
    """
    versions = [version for version in known.versions if version.part == part]
    home = {version.name for version in _goals_of_home(part, known, stubs)}
    canonical = _named_by_canonical_links(part, known, found)

    def rank(version: FolderVersion) -> tuple[object, ...]:
        names = version.names or [VersionName(0, (), (0, 0), 0, version.name, is_certain=True)]
        alias = min(name.alias_rank for name in names)
        return (
            version.is_preferred,
            version.name in home,
            version.name == canonical,
            version.is_root,
            -alias,
            max(names),
        )

    return tuple(dict.fromkeys(version.name for version in sorted(versions, key=rank, reverse=True)))


def _goals_of_home(part: str, known: FolderVersions, stubs: Iterable[PageDraft]) -> Iterator[FolderVersion]:
    """Yield the versions that the home page around the folders forwards to."""
    for stub in stubs:
        if without_language(stub.file)[0] == f"{part}index.html":
            goal = posixpath.join(posixpath.dirname(stub.file), stub.facts.forwards_to)
            version = known.version_of_url(goal)
            if version and version.part == part:
                yield version


def _named_by_canonical_links(part: str, known: FolderVersions, found: FoundFolders) -> str:
    """Return the version that most canonical links of other versions lead to; empty if they lead to none."""
    votes: Counter[str] = Counter()
    for folder in found.folders:
        if folder.part != part:
            continue
        for draft in folder.pages.values():
            place = known.place(draft.file)
            goal = known.version_of_url(draft.facts.canonical) if draft.facts.canonical else None
            if place and goal and goal.part == part and goal.name != place[0].name:
                votes[goal.name] += 1
    return next((name for name, _ in votes.most_common(1)), "")
