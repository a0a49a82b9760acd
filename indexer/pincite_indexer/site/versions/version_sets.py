"""Hold the versions of a site whose versions are folders, and place files and URLs in them."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pincite_core.urls import decoded_path
from pincite_indexer.site.versions.version_folders import without_language
from pincite_indexer.site.versions.version_names import VersionName, version_name

__all__ = ("NO_VERSIONS", "FolderVersion", "FolderVersions")

_NOT_FOUND = frozenset({"404.html", "404/index.html"})
_DEEPEST = 4  # folders of a path that may name a version


@dataclass(frozen=True, slots=True)
class FolderVersion:
    """One version of a part of the docs, in one language's folder.

    Attributes:
        folder: The folder that is read and cited, with a trailing slash; empty for the site's own folder.
        part: The folder around the versions, without a language's folder.
        locale: The language's folder; empty if there is none.
        name: The version's name, unique in its part and language.
        label: The name that readers see.
        copies: Other folders with the same pages: copies, symbolic links and forwarding pages.
        aliases: Other names of the version.
        is_root: Whether the pages lie around the folders of other versions.
        is_preferred: Whether a list says that readers should get this version.
    """

    folder: str
    part: str
    locale: str
    name: str
    label: str
    copies: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    is_root: bool = False
    is_preferred: bool = False

    @property
    def names(self) -> list[VersionName]:
        """Return the version's name and aliases that look like versions."""
        return [name for name in map(version_name, (self.name, *self.aliases)) if name]


@dataclass(frozen=True)
class FolderVersions:
    """All versions in folders of a site.

    Attributes:
        versions: The versions.
        order: The names of each part's versions, the one that readers get first in front.
        copies: The file that each copied file is a copy of.
        how: How the versions were found.
        is_given: Whether the user told where the versions are, so that folders of languages count first.
        warnings: Messages about lists of versions that cannot be used.
    """

    versions: tuple[FolderVersion, ...] = ()
    order: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    copies: Mapping[str, str] = field(default_factory=dict)
    how: str = ""
    is_given: bool = False
    warnings: tuple[str, ...] = ()

    @cached_property
    def _by_folder(self) -> dict[str, FolderVersion]:
        """Return the versions by folder and copy, without folders around other versions."""
        pairs = [(folder, version) for version in self.versions for folder in (version.folder, *version.copies)]
        return {folder: version for folder, version in pairs if folder and not version.is_root}

    @cached_property
    def _roots(self) -> dict[str, FolderVersion]:
        roots = [version for version in self.versions if version.is_root]
        return {root.part: root for root in sorted(roots, key=lambda root: len(root.part), reverse=True)}

    def place(self, file: str) -> tuple[FolderVersion, str] | None:
        """Return the version of a file, and the file's path below the folder; None for an unversioned file."""
        for folder in _folders(file):
            if folder in self._by_folder:
                return self._by_folder[folder], file.removeprefix(folder)
        if not self._roots:
            return None
        path, _ = without_language(file)
        part = next((part for part in self._roots if path.startswith(part)), None)
        return None if part is None else (self._roots[part], path.removeprefix(part))

    def is_not_found(self, file: str) -> bool:
        """Return whether a file is shown for missing pages of its version, because of its name and place."""
        place = self.place(file)
        return place is not None and without_language(place[1])[0] in _NOT_FOUND

    def locale(self, version: FolderVersion, declared: str) -> str:
        """Return a page's language by its folder and the language that it declares; empty if both are missing."""
        folder = version.locale.replace("_", "-")
        return (folder or declared) if self.is_given else (declared or folder)

    def current(self, part: str, names: Container[str]) -> str:
        """Return the version that readers get first among some versions of a part."""
        return next((name for name in self.order.get(part, ()) if name in names), "")

    def described(self) -> list[str]:
        """Return each version's label with its aliases, for the build's report; the current version comes first."""
        found: dict[tuple[str, str], FolderVersion] = {}
        for version in self.versions:
            found.setdefault((version.part, version.name), version)
        return [
            _description(found[part, name], is_current=not place)
            for part in sorted(self.order)
            for place, name in enumerate(self.order[part])
        ]

    def named_by(self, url: str, file: str) -> str:
        """Return the file that the URL of a page with the same content names, for example its canonical link.

        Canonical links of old versions lead to the current one. The site's base path need not be known.
        """
        place = self.place(file)
        if place is None:
            return file
        version, path = place
        folder = self._folder_in(url)
        return (_around(version) if folder is None else folder) + path

    def version_of_url(self, url: str) -> FolderVersion | None:
        """Return the version whose folder a URL names; the version around the folders if it names none."""
        folder = self._folder_in(url)
        return self._by_folder[folder] if folder is not None else next(iter(self._roots.values()), None)

    def _folder_in(self, url: str) -> str | None:
        path = decoded_path(url)
        parts = path.strip("/").split("/")
        ends = range(1, _DEEPEST + 1)
        tails = ("/".join(parts[start : start + end]) + "/" for start in range(len(parts)) for end in ends)
        return next((tail for tail in tails if tail in self._by_folder), None)


NO_VERSIONS = FolderVersions()


def _description(version: FolderVersion, *, is_current: bool) -> str:
    notes = ["current"] if is_current else []
    notes += [f"also {', '.join(version.aliases)}"] if version.aliases else []
    name = f"{version.part}{version.label}"
    return f"{name} ({'; '.join(notes)})" if notes else name


def _folders(file: str) -> Iterator[str]:
    names = file.split("/")[:-1][:_DEEPEST]
    yield from ("/".join(names[:end]) + "/" for end in range(1, len(names) + 1))


def _around(version: FolderVersion) -> str:
    """Return the folder around a version's own folder."""
    head = version.folder.rstrip("/").rpartition("/")[0]
    if version.is_root:
        return version.folder
    return f"{head}/" if head else ""
