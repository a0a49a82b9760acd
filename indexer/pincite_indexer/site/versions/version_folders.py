"""Find the folders of a site that hold versions of its docs, by a pattern, by the site's lists, or by their pages.

Without a pattern or a list, folders count only if that is certain: their names look like versions, each has a home
page, and two of them share at least half of their paths. `version_sets.py` makes versions of these folders.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pincite_core.errors import InputError
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.site.versions.version_lists import Listing, VersionLists, listings_by_folder
from pincite_indexer.site.versions.version_names import VersionName, is_language, version_name
from pincite_indexer.site.versions.version_pattern import VersionPattern

__all__ = ("FoundFolders", "VersionFolder", "find_version_folders", "without_language")

_DEEPEST = 4  # folders of a path that may name a version: a prefix, a part of the docs, a language, the version
_SHARED = 0.5  # least share of the paths of the smaller folder
_HOME = "index.html"
_APIS = frozenset({"api", "apis", "rest", "graphql", "http", "endpoints"})  # `api/v1` and `api/v2` are in use at once
_NOTES = frozenset(  # folders with one folder for each release, which describe changes
    "archive archives blog changelog changelogs changes downloads news notes page posts release release-notes releases "
    "tags whats-new whatsnew".split()
)
_NEIGHBOURS = 4  # older and newer versions that a folder is compared with
_MOST = 200  # versions of a part without a list; more are the pages of a tracker or an archive
_NAMED = 8  # folders in the message about a pattern that matches none


@dataclass(frozen=True, slots=True)
class VersionFolder:
    """Folder of one version in one language.

    Attributes:
        path: The folder with a trailing slash; empty for the site's own folder.
        part: The folder around the versions, without a language's folder. The versions of a part form one set.
        locale: The language's folder; empty if there is none.
        text: The version's name in the path; empty for pages outside of all other versions' folders.
        pages: The pages by their path below the folder.
    """

    path: str
    part: str
    locale: str
    text: str
    pages: dict[str, PageDraft] = field(default_factory=dict)

    @property
    def name(self) -> VersionName | None:
        """Return the version's name in parts, if it looks like a version."""
        return version_name(self.text)

    @property
    def is_root(self) -> bool:
        """Return whether the folder is the one around the other versions."""
        return not self.text

    def shares_paths(self, other: "VersionFolder") -> bool:
        """Return whether two folders share enough paths to be versions of the same docs."""
        common = self.pages.keys() & other.pages.keys()
        sizes = [len(folder.pages) for folder in (self, other) if not folder.is_root]
        if not common or len(common) < _SHARED * min(sizes):
            return False
        is_plain = not self.part and _is_certain(self) and _is_certain(other)
        return is_plain or any(map(_is_telling, common))


@dataclass(frozen=True, slots=True)
class FoundFolders:
    """Folders of versions, with the entries of lists by folder, and how the folders were found."""

    folders: tuple[VersionFolder, ...] = ()
    listings: Mapping[str, Listing] = field(default_factory=dict)
    how: str = ""
    is_given: bool = False  # whether a pattern was given


def find_version_folders(
    drafts: Sequence[PageDraft], pattern: VersionPattern | None, lists: VersionLists
) -> FoundFolders:
    """Return the folders of versions.

    Raises:
        InputError: The pattern matches no folder.
    """
    places = _folders_of(drafts)
    listings = listings_by_folder(lists, places)
    found = _by_pattern(drafts, pattern) if pattern else _by_name(drafts, listings)
    around = {root.part: root for root in _roots(drafts, found)}
    chosen = [
        folder
        for part, folders in _parts(found).items()
        for folder in _chosen(folders, around.get(part), listings, pattern)
    ]
    if pattern and not chosen:
        raise _matches_nothing(pattern, places)
    if not chosen:
        return FoundFolders()
    roots = [
        root
        for root in _roots(drafts, chosen)
        if root.path in listings or any(root.shares_paths(folder) for folder in chosen)
    ]
    folders = tuple(sorted([*chosen, *roots], key=lambda folder: folder.path))
    return FoundFolders(folders, listings, _how(chosen, listings, pattern), pattern is not None)


def _how(folders: Iterable[VersionFolder], listings: Mapping[str, Listing], pattern: VersionPattern | None) -> str:
    """Return how the folders were found, for the build's report."""
    files = {listings[folder.path].file for folder in folders if folder.path in listings}
    return f"--versions {pattern.text}" if pattern else " and ".join(sorted(files)) or "the names of folders"


def without_language(file: str) -> tuple[str, str]:
    """Return a path without its language's folder, and that folder's name, which is empty if there is none."""
    folders = file.split("/")
    for place, name in enumerate(folders[: min(_DEEPEST, len(folders) - 1)]):
        if is_language(name):
            return "/".join([*folders[:place], *folders[place + 1 :]]), name
        if version_name(name):
            break
    return file, ""


def _folders_of(drafts: Iterable[PageDraft]) -> set[str]:
    found: set[str] = set()
    for draft in drafts:
        names = draft.file.split("/")[:-1][:_DEEPEST]
        found.update("/".join(names[:end]) + "/" for end in range(1, len(names) + 1))
    return found


def _by_pattern(drafts: Iterable[PageDraft], pattern: VersionPattern) -> list[VersionFolder]:
    found: dict[str, VersionFolder] = {}
    for draft in drafts:
        if match := pattern.match(draft.file):
            folder = found.setdefault(match.folder, VersionFolder(match.folder, match.part, match.locale, match.name))
            folder.pages[draft.file.removeprefix(match.folder)] = draft
    return list(found.values())


def _by_name(drafts: Iterable[PageDraft], listings: Mapping[str, Listing]) -> list[VersionFolder]:
    """Return the outermost folders whose names are listed or look like versions."""
    found: dict[str, VersionFolder] = {}
    around = {path for path in listings if any(other.startswith(path) for other in listings.keys() - {path})}
    for draft in drafts:
        names = draft.file.split("/")[:-1][:_DEEPEST]
        for end, name in enumerate(names, 1):
            path = "/".join(names[:end]) + "/"
            if path not in around and (path in listings or version_name(name)):
                part, locale = without_language("/".join([*names[: end - 1], ""]))
                folder = found.setdefault(path, VersionFolder(path, part, locale, name))
                folder.pages[draft.file.removeprefix(path)] = draft
                break
    return list(found.values())


def _parts(folders: Iterable[VersionFolder]) -> dict[str, list[VersionFolder]]:
    parts: dict[str, list[VersionFolder]] = defaultdict(list)
    for folder in folders:
        parts[folder.part].append(folder)
    return parts


def _chosen(
    folders: Sequence[VersionFolder],
    root: VersionFolder | None,
    listings: Mapping[str, Listing],
    pattern: VersionPattern | None,
) -> list[VersionFolder]:
    """Return the folders of one part that hold versions: the certain ones, and others that look like them."""
    certain = [folder for folder in folders if folder.path in listings or (pattern and folder.name)]
    if not certain:
        certain = _sharing([*filter(None, [root]), *folders], needs_home=not pattern)
    if not certain or (len(certain) > _MOST and not pattern and not listings):
        return []
    names = {folder.path for folder in certain}
    return [
        folder
        for folder in folders
        if folder.path in names or _is_certain(folder) or any(map(folder.shares_paths, certain[-_NEIGHBOURS:]))
    ]


def _sharing(folders: Sequence[VersionFolder], *, needs_home: bool) -> list[VersionFolder]:
    """Return the folders that share paths with another version, or whose pages declare the folder's version.

    Only versions that follow each other are compared, because a list of posts may look like thousands of versions.
    """
    usable = [folder for folder in folders if not needs_home or (_HOME in folder.pages and not _is_excluded(folder))]
    root = [folder for folder in usable if folder.is_root]
    found: dict[str, VersionFolder] = {}
    by_locale: dict[str, list[VersionFolder]] = defaultdict(list)
    for folder in sorted(usable, key=_place_in_order):
        if not folder.is_root:
            by_locale[folder.locale].append(folder)
    for ordered in by_locale.values():
        for place, folder in enumerate(ordered):
            near = [*root, *ordered[max(0, place - _NEIGHBOURS) : place], *ordered[place + 1 :][:_NEIGHBOURS]]
            if any(map(folder.shares_paths, near)) or (_declares_itself(folder) and any(map(_declares_itself, near))):
                found[folder.path] = folder
    return list(found.values())


def _place_in_order(folder: VersionFolder) -> tuple[bool, VersionName | str]:
    """Return a key that sorts versions by age; folders of other names are sorted by name."""
    return (True, folder.name) if folder.name else (False, folder.text)


def _is_excluded(folder: VersionFolder) -> bool:
    around = folder.part.rstrip("/").rpartition("/")[2].casefold()
    name = folder.name
    return around in _NOTES or (around in _APIS and name is not None and name.parts == 1)


def _declares_itself(folder: VersionFolder) -> bool:
    """Return whether all pages of a folder declare its version."""
    declared = {(draft.facts.version or "").lstrip("v") for draft in folder.pages.values()}
    return bool(folder.text) and declared == {folder.text.lstrip("v")}


def _is_certain(folder: VersionFolder) -> bool:
    return folder.name is not None and folder.name.is_certain


def _is_telling(path: str) -> bool:
    """Return whether two folders hardly share a path by chance, unlike home pages and pages by date."""
    stem = path.removesuffix(".html").removesuffix("/index")
    return stem != "index" and any(letter.isalpha() for letter in stem)


def _roots(drafts: Iterable[PageDraft], folders: Sequence[VersionFolder]) -> Iterator[VersionFolder]:
    """Yield, for each part, the folder around its versions, with the pages outside of all versions."""
    own = {folder.path for folder in folders}
    parts = sorted({folder.part for folder in folders}, key=len, reverse=True)
    roots = {part: VersionFolder(part, part, "", "") for part in parts}
    for draft in drafts:
        names = draft.file.split("/")[:-1][:_DEEPEST]
        if any("/".join(names[:end]) + "/" in own for end in range(1, len(names) + 1)):
            continue
        path, _ = without_language(draft.file)
        if (part := next((part for part in parts if path.startswith(part)), None)) is not None:
            roots[part].pages[path.removeprefix(part)] = draft
    yield from (root for root in roots.values() if root.pages)


def _matches_nothing(pattern: VersionPattern, places: Iterable[str]) -> InputError:
    names = sorted(places, key=lambda place: (place.count("/"), place))
    shown = ", ".join(names[:_NAMED]) + (" and others" if len(names) > _NAMED else "")
    message = (
        f"--versions {pattern.text!r} matches no folder that looks like a version. "
        f"Folders with pages: {shown or 'none'}. Write the path from the site's folder to a version, such as "
        "'docs/{version}/'."
    )
    return InputError(message)
