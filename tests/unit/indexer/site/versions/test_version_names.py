"""Names of folders: which ones look like versions or languages, and which version is newer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_indexer.site.versions.version_names import VersionName, is_language, version_name


def named(text: str) -> VersionName:
    name = version_name(text)
    assert name is not None
    return name


@pytest.mark.parametrize(
    "text",
    "1.0 2 v1 v2.0.1 V3 2024 1.x 3.0rc1 3.0-beta.2 release-1.18 version-2.0 r3.3.6 12.5.1-SNAPSHOT 2.0.post1 1_2 "
    "stable latest main next nightly".split(),
)
def test_names_of_versions_are_recognised(text: str) -> None:
    assert version_name(text) is not None


@pytest.mark.parametrize("text", "assets en api docs v 1.0-notes x1 a.b 1..2 ../1.0 guide-2 2nd b3".split())
def test_other_names_are_no_versions(text: str) -> None:
    assert version_name(text) is None


@pytest.mark.parametrize(
    ("older", "newer"),
    [("1.9", "1.10"), ("v1.9", "2.0"), ("2.0rc1", "1.0"), ("2.0rc1", "2.0rc2"), ("2.0a1", "2.0b1"), ("2.0b3", "2.0rc1"),
     ("main", "0.1rc1"), ("1.0", "1.0.1")],
)  # fmt: skip
def test_a_newer_release_is_greater_and_a_preview_less_than_any_release(older: str, newer: str) -> None:
    assert named(older) < named(newer)


def test_an_alias_may_stand_for_a_version_with_more_numbers() -> None:
    assert named("stable").may_stand_for(named("2.1"))
    assert named("2").may_stand_for(named("2.1"))
    assert not named("2.1").may_stand_for(named("2"))
    assert not named("1").may_stand_for(named("2.1"))
    assert not named("dev").may_stand_for(named("2.1"))
    assert not named("latest").may_stand_for(named("stable"))


@given(st.text(max_size=40))
def test_any_text_is_a_name_or_none(text: str) -> None:
    name = version_name(text)
    assert name is None or name.text == text
    is_language(text)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=4), st.lists(st.integers(0, 99), min_size=1, max_size=4))
def test_releases_are_ordered_by_their_numbers(one: list[int], other: list[int]) -> None:
    def trimmed(numbers: list[int]) -> list[int]:
        return trimmed(numbers[:-1]) if len(numbers) > 1 and numbers[-1] == 0 else numbers

    if trimmed(one) < trimmed(other):
        assert named(".".join(map(str, one))) < named("v" + ".".join(map(str, other)))


def test_languages_are_recognised_by_their_tags() -> None:
    assert [text for text in "en fr zh_CN pt-BR zh-Hant-TW api dev kit js src".split() if is_language(text)] == [
        "en",
        "fr",
        "zh_CN",
        "pt-BR",
        "zh-Hant-TW",
    ]
