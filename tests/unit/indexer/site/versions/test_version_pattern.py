"""The pattern of `--versions`: what it accepts, and which folder of a path it matches."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.errors import InputError
from pincite_indexer.site.versions.version_pattern import PatternMatch, VersionPattern

NAMES = st.text("abcdefghijk0123456789._-", min_size=1, max_size=8).filter(lambda name: name.strip("."))
VERSIONS = st.from_regex(r"v?[0-9]{1,3}(\.[0-9]{1,3}){0,2}", fullmatch=True)
LOCALES = st.sampled_from(["en", "fr", "de", "pt-BR", "zh_CN"])


@pytest.mark.parametrize(
    ("pattern", "file", "match"),
    [
        ("{version}/", "1.0/a/index.html", PatternMatch("1.0/", "1.0", "", "")),
        ("{version}", "1.0/index.html", PatternMatch("1.0/", "1.0", "", "")),
        ("./docs/{version}/", "docs/v2/a.html", PatternMatch("docs/v2/", "v2", "", "docs/")),
        ("docs/v{version}/", "docs/v2/a.html", PatternMatch("docs/v2/", "2", "", "docs/")),
        ("{locale}/{version}/", "fr/2.1/a.html", PatternMatch("fr/2.1/", "2.1", "fr", "")),
        ("{locale}/{version}/", "2.1/a.html", PatternMatch("2.1/", "2.1", "", "")),
        ("{version}/{locale}/", "2.1/zh_CN/a.html", PatternMatch("2.1/zh_CN/", "2.1", "zh_CN", "")),
        ("{version}/{locale}/", "2.1/api/a.html", PatternMatch("2.1/", "2.1", "", "")),
        ("*/{version}/", "kit/5.0/a.html", PatternMatch("kit/5.0/", "5.0", "", "kit/")),
        ("{version}/", "index.html", None),
        ("docs/{version}/", "docs/index.html", None),
        ("docs/{version}/", "guide/1.0/index.html", None),
        ("docs/v{version}/", "docs/2/index.html", None),
    ],
)
def test_a_pattern_matches_the_folder_of_a_version(pattern: str, file: str, match: PatternMatch | None) -> None:
    assert VersionPattern.parse(pattern).match(file) == match


@given(st.lists(NAMES, max_size=2), st.none() | LOCALES, VERSIONS, st.lists(NAMES, max_size=2), NAMES)
def test_a_path_of_a_pattern_gives_back_its_version_and_language(
    around: list[str], locale: str | None, version: str, inside: list[str], page: str
) -> None:
    folders = [*around, *([locale] if locale else []), version]
    pattern = VersionPattern.parse("/".join([*around, *(["{locale}"] if locale else []), "{version}"]))
    match = pattern.match("/".join([*folders, *inside, f"{page}.html"]))
    assert match == PatternMatch(
        "/".join([*folders, ""]), version, locale or "", "".join(f"{part}/" for part in around)
    )


@given(st.text(max_size=30))
def test_a_text_is_a_pattern_or_one_error(text: str) -> None:
    pattern = None
    with suppress(InputError):
        pattern = VersionPattern.parse(text)
    assert pattern is None or (text.count("{version}") == 1 and pattern.match("index.html") is None)


@given(st.text(max_size=20), st.text(max_size=40))
def test_a_match_is_a_folder_of_the_file(name: str, file: str) -> None:
    match = VersionPattern.parse("{version}/").match(f"{name}/{file}")
    if match:
        assert f"{name}/{file}".startswith(match.folder)


@pytest.mark.parametrize(
    "text",
    ["", "docs/", "{version}/{version}/", "{locale}/", "{name}/{version}", "/{version}/", "../{version}", "{version"],
)
def test_an_unusable_pattern_is_an_error_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match=r"'\{version\}/' or '\{locale\}/\{version\}/'"):
        VersionPattern.parse(text)
