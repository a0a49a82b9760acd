"""Stable IDs: whose they are, and that none names two places."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.errors import DuplicateIdError
from pincite_indexer.site.stable_ids import PageIdentity, PagePrefix, assign_prefixes, section_id


def page(
    path: str,
    *,
    module_id: str = "",
    chapter_id: str = "",
    doc_id_is_set: bool = False,
    locale: str = "en",
    version: str | None = "2.0",
    source: str = "",
) -> PageIdentity:
    return PageIdentity(locale, version, "default", path, module_id, chapter_id, doc_id_is_set, source or f"{path}.md")


PART = st.sampled_from(["a", "b", "a~2", "index", ""])
PAGES = st.lists(
    st.builds(
        lambda folders, last, module, chapter, is_set, locale, version: page(
            "/".join([*folders, last]),
            module_id=module,
            chapter_id=chapter,
            doc_id_is_set=is_set,
            locale=locale,
            version=version,
        ),
        st.lists(PART, max_size=3),
        PART,
        st.sampled_from(["", "default", "m"]),
        PART,
        st.booleans(),
        st.sampled_from(["en", "fr"]),
        st.sampled_from([None, "1", "2"]),
    ),
    max_size=12,
)


@given(PAGES)
def test_no_id_names_two_pages_of_one_locale_and_version(pages: list[PageIdentity]) -> None:
    explicit = Counter((p.locale, p.version, p.module_id, p.chapter_id) for p in pages if p.module_id and p.chapter_id)
    if any(count > 1 for count in explicit.values()):
        with pytest.raises(DuplicateIdError):
            assign_prefixes(pages)
        return
    named = [(p.locale, p.version, prefix.text) for p, prefix in zip(pages, assign_prefixes(pages), strict=True)]
    assert len(set(named)) == len(named)


@given(PAGES)
def test_what_the_author_set_whole_is_never_changed(pages: list[PageIdentity]) -> None:
    try:
        prefixes = assign_prefixes(pages)
    except DuplicateIdError:
        return
    for item, prefix in zip(pages, prefixes, strict=True):
        if item.module_id and item.chapter_id:
            assert prefix == PagePrefix(f"{item.module_id}/{item.chapter_id}", "author", collided=False)
        if prefix.collided:
            assert prefix.kind == "auto"


@pytest.mark.parametrize(
    ("identity", "text", "kind"),
    [
        (page("guides/install"), "default/install", "auto"),
        (page("guides/install", doc_id_is_set=True), "default/install", "author"),
        (page("guides/install", chapter_id="setup"), "default/setup", "author"),
        (page("guides/install", module_id="kit", chapter_id="setup"), "kit/setup", "author"),
        (page("guides/install", module_id="kit"), "kit/install", "auto"),
        (page(""), "default/index", "auto"),
    ],
)
def test_a_pages_id_comes_from_front_matter_first(identity: PageIdentity, text: str, kind: str) -> None:
    assert assign_prefixes([identity]) == [PagePrefix(text, kind, collided=False)]


def test_the_later_of_two_pages_gets_a_longer_id_with_its_folder() -> None:
    first, second = assign_prefixes([page("a/intro"), page("b/intro")])
    assert first == PagePrefix("default/intro", "auto", collided=False)
    assert second == PagePrefix("default/b/intro", "auto", collided=True)


def test_an_authors_id_is_not_taken_by_an_earlier_page() -> None:
    first, second = assign_prefixes([page("a/intro"), page("z", module_id="default", chapter_id="intro")])
    assert second == PagePrefix("default/intro", "author", collided=False)
    assert first == PagePrefix("default/a/intro", "auto", collided=True)


def test_two_pages_with_the_same_authors_id_are_an_error_that_names_both() -> None:
    pages = [page(path, module_id="kit", chapter_id="setup", source=f"docs/{path}.md") for path in ("one", "two")]
    with pytest.raises(DuplicateIdError, match=r"docs/one\.md and docs/two\.md. Give one of them") as caught:
        assign_prefixes(pages)
    assert "'kit/setup'" in str(caught.value)


def test_the_same_id_in_another_version_or_locale_is_no_duplicate() -> None:
    pages = [
        page("x", module_id="kit", chapter_id="setup", version=version, locale=locale)
        for version in ("1", "2", None)
        for locale in ("en", "fr")
    ]
    assert {prefix.text for prefix in assign_prefixes(pages)} == {"kit/setup"}


def test_a_section_is_the_authors_only_when_its_page_and_its_id_both_are() -> None:
    author, auto = PagePrefix("m/c", "author", collided=False), PagePrefix("m/c", "auto", collided=False)
    explicit = frozenset({"own"})
    assert section_id(author, "own", explicit) == ("m/c#own", "author")
    assert section_id(author, "made", explicit) == ("m/c#made", "auto")
    assert section_id(auto, "own", explicit) == ("m/c#own", "auto")
    assert section_id(author, "", explicit) == ("m/c", "author")
