"""Sites of random folders: every page has one place, and versions never lose or mix pages."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Facts
from pincite_indexer.site.versions.version_folders import find_version_folders
from pincite_indexer.site.versions.version_groups import folder_versions
from pincite_indexer.site.versions.version_lists import VersionLists
from pincite_indexer.site.versions.version_sets import FolderVersions

FOLDERS = st.sampled_from(["1.0", "2.0", "v1", "latest", "stable", "dev", "en", "fr", "docs", "api", "blog", "2024"])
PAGES = st.sampled_from(["index.html", "a.html", "limits.html", "1.html"])
FILES = st.lists(st.tuples(st.lists(FOLDERS, max_size=3), PAGES), max_size=24).map(
    lambda found: sorted({"/".join([*folders, page]) for folders, page in found})
)


def versions_of(files: Sequence[str], digests: int = 3) -> FolderVersions:
    drafts = [
        PageDraft(file, Facts(canonical=f"https://kit.example/x/{file}"), digest=bytes([place % digests]))
        for place, file in enumerate(files)
    ]
    return folder_versions(find_version_folders(drafts, None, VersionLists()), VersionLists(), ())


@given(FILES, st.integers(1, 3))
def test_each_file_is_in_the_folder_of_its_version_or_in_none(files: list[str], digests: int) -> None:
    found = versions_of(files, digests)
    for file in files:
        place = found.place(file)
        if place is None or place[0].is_root:
            continue
        version, path = place
        assert file in {folder + path for folder in (version.folder, *version.copies)}


@given(FILES, st.integers(1, 3))
def test_a_copy_is_of_a_file_of_the_same_version_that_is_no_copy(files: list[str], digests: int) -> None:
    found = versions_of(files, digests)
    for copy, original in found.copies.items():
        assert {copy, original} <= set(files)
        assert original not in found.copies
        place, of_copy = found.place(original), found.place(copy)
        assert place is not None
        assert of_copy is None or of_copy[0] == place[0] or of_copy[0].is_root


@given(FILES)
def test_each_part_with_versions_has_exactly_one_order_of_all_names(files: list[str]) -> None:
    found = versions_of(files)
    assert set(found.order) == {version.part for version in found.versions}
    for part, names in found.order.items():
        assert sorted(names) == sorted({version.name for version in found.versions if version.part == part})
    assert len(found.described()) == sum(map(len, found.order.values()))


@given(FILES)
def test_the_order_of_files_does_not_matter(files: list[str]) -> None:
    one, other = versions_of(files, 1), versions_of(files[::-1], 1)
    assert (set(one.versions), one.order, one.copies) == (set(other.versions), other.order, other.copies)
