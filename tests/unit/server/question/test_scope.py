from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.factories import PageSource, build_index, make_scope

from pincite_core.embedders import FakeEmbedder
from pincite_core.errors import InputError
from pincite_core.index.read import Index
from pincite_core.index.schema import VERSION_FOLDERS
from pincite_core.types import Scope
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer, search_hits
from pincite_server.question.question import Question
from pincite_server.question.scope import choose_scope, require_known_scope
from pincite_server.reply.records import Answer

SCOPES = (
    make_scope(1, version="2.0", label="2.x"),
    make_scope(2, version="1.0", is_last=False),
    make_scope(3, plugin_id="community", version="7"),
    make_scope(4, plugin_id="community", version="6", is_last=False),
    make_scope(5, plugin="docusaurus-plugin-content-blog", version=None),
    make_scope(6, version="2.0", label="2.x", locale="fr"),
    make_scope(7, version="1.0", is_last=False, locale="fr"),
    make_scope(8, plugin="docusaurus-plugin-content-blog", version=None, locale="fr"),
)
URLS = {
    1: "/docs/cache",
    2: "/docs/1.0/cache",
    3: "/community/cache",
    4: "/community/6/cache",
    5: "/blog/cache",
    6: "/fr/docs/cache",
    7: "/fr/docs/1.0/cache",
    8: "/fr/blog/cache",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    text = "# Cache\nThe cache keeps pages for an hour.\n\n## Clearing {#clearing}\nClear the cache with one call."
    pages = {url: PageSource(text, scope_id) for scope_id, url in URLS.items()}
    return build_index(tmp_path_factory.mktemp("scopes"), pages, scopes=SCOPES)


@pytest.fixture(scope="module")
def answerer(index: Index) -> Answerer:
    return Answerer.with_embedder(index, FakeEmbedder())


def ids(index: Index, **asked: str | None) -> set[int]:
    return set(choose_scope(index, **asked)[0].scope_ids)


def test_without_a_page_the_last_versions_of_the_default_locale_are_searched(index: Index) -> None:
    assert ids(index) == {1, 3, 5}


def test_a_version_binds_only_the_plugin_that_has_it(index: Index) -> None:
    assert ids(index, version="1.0") == {2, 3, 5}
    assert ids(index, version="6") == {1, 4, 5}


def test_a_page_that_is_not_indexed_has_the_version_of_its_folder(tmp_path: Path) -> None:
    pages = {url: PageSource("# Cache\nThe cache keeps pages.", scope_id) for scope_id, url in URLS.items()}
    folders: dict[str, object] = {"1": ["/docs/"], "2": ["/docs/1.0/", "/docs/old/"]}
    found = build_index(tmp_path, pages, scopes=SCOPES, meta={VERSION_FOLDERS: folders})
    assert ids(found, page_url="https://docs.example/docs/1.0/search.html") == {2, 3, 5}
    assert ids(found, page_url="/docs/old") == {2, 3, 5}
    assert ids(found, page_url="/docs/search.html") == {1, 3, 5}
    assert ids(found, page_url="/docs/1.0/search.html", locale="fr") == {7, 8}
    assert ids(found, page_url="/elsewhere.html") == {1, 3, 5}


@pytest.mark.parametrize("folders", [3, ["/docs/"], {"2": "/docs/"}, {"2": [None]}])
def test_broken_folders_of_versions_are_ignored(tmp_path: Path, folders: object) -> None:
    pages = {url: PageSource("# Cache\nThe cache keeps pages.", scope_id) for scope_id, url in URLS.items()}
    found = build_index(tmp_path, pages, scopes=SCOPES, meta={VERSION_FOLDERS: folders})
    assert ids(found, page_url="/docs/1.0/search.html") == {1, 3, 5}


def test_an_unknown_version_is_replaced_by_the_version_of_the_page(index: Index) -> None:
    chosen, notices = choose_scope(index, version="9.9", page_url="/docs/1.0/cache")
    assert set(chosen.scope_ids) == {2, 3, 5}
    assert ["1.0" in notice.message for notice in notices] == [True]


def test_the_page_the_reader_is_on_decides_version_and_locale(index: Index) -> None:
    assert ids(index, page_url="/docs/1.0/cache#clearing") == {2, 3, 5}
    assert ids(index, page_url="/fr/docs/1.0/cache/") == {7, 8}
    assert ids(index, page_url="/blog/cache.html") == {1, 3, 5}


def test_what_was_asked_for_wins_over_the_page(index: Index) -> None:
    assert ids(index, page_url="/docs/1.0/cache", version="2.0") == {1, 3, 5}
    assert ids(index, page_url="/docs/1.0/cache", locale="fr") == {7, 8}


def test_a_version_is_known_by_its_label_too(index: Index) -> None:
    assert choose_scope(index, version="2.x")[0].named.version == "2.0"


def test_a_regional_locale_finds_its_language(index: Index) -> None:
    assert choose_scope(index, locale="fr-CA")[0].locale == "fr"


def test_an_unknown_version_falls_back_to_the_latest_and_says_so(index: Index) -> None:
    chosen, notices = choose_scope(index, version="9.9")
    assert set(chosen.scope_ids) == {1, 3, 5}
    assert [notice.code for notice in notices] == ["unknown_version"]
    assert "9.9" in notices[0].message
    assert "2.0" in notices[0].message


def test_an_unknown_locale_falls_back_to_the_default_and_says_so(index: Index) -> None:
    chosen, notices = choose_scope(index, locale="tlh")
    assert chosen.locale == "en"
    assert [notice.code for notice in notices] == ["unknown_locale"]


def test_the_command_line_is_told_which_versions_there_are(index: Index) -> None:
    with pytest.raises(InputError, match=r"no version '9.9'.*2.0, 1.0, 7, 6"):
        require_known_scope(index, "9.9", None)
    with pytest.raises(InputError, match=r"no locale 'tlh'.*en, fr"):
        require_known_scope(index, None, "tlh")


def test_a_version_that_only_another_language_has_is_not_replaced_either(index: Index) -> None:
    with pytest.raises(InputError, match=r"no version '7'. Choose one of: 2.0, 1.0"):
        require_known_scope(index, "7", "fr")
    require_known_scope(index, "7", None)
    require_known_scope(index, "1.0", "fr-CA")


def test_an_index_of_one_translated_folder_answers_in_that_locale(tmp_path: Path) -> None:
    scopes = (make_scope(1, locale="fr"),)
    index = build_index(tmp_path, {"/fr/a": "# A\nTexte."}, scopes=scopes, default_locale="en")
    assert choose_scope(index)[0].locale == "fr"


def test_a_plugin_without_a_marked_last_version_uses_its_first(tmp_path: Path) -> None:
    scopes = (make_scope(1, version="next", is_last=False), make_scope(2, version="old", is_last=False))
    pages = {"/next/a": PageSource("# A\nText.", 1), "/old/a": PageSource("# A\nText.", 2)}
    assert choose_scope(build_index(tmp_path, pages, scopes=scopes))[0].scope_ids == (1,)


def scope_of(index: Index, url: str | None) -> Scope:
    page = index.page_at(url or "")
    assert page is not None
    return next(scope for scope in index.scopes if scope.scope_id == page.scope_id)


asked_versions = st.sampled_from([None, "1.0", "2.0", "2.x", "6", "7", "nine"])
asked_locales = st.sampled_from([None, "en", "fr", "fr-CA", "tlh"])
asked_pages = st.sampled_from([None, *URLS.values(), "/nowhere"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(version=asked_versions, locale=asked_locales, page_url=asked_pages)
def test_nothing_outside_the_scope_is_ever_found_or_cited(
    answerer: Answerer, version: str | None, locale: str | None, page_url: str | None
) -> None:
    question = Question(
        "How do I clear the cache?", version=version, locale=locale, page_url=page_url, locale_chosen=True
    )
    reply = answer(answerer, question)
    cited = reply.citations if isinstance(reply, Answer) else reply.nearest
    assert cited
    chosen, _ = choose_scope(answerer.index, version, locale, page_url)
    assert {scope_of(answerer.index, citation.url).scope_id for citation in cited} <= set(chosen.scope_ids)
    assert reply.scope == chosen.named
    hits = search_hits(answerer, question.query, 20, version, locale)
    allowed = ids(answerer.index, version=version, locale=locale)
    assert {scope_of(answerer.index, hit.url).scope_id for hit in hits} <= allowed
    assert len({scope_of(answerer.index, hit.url).locale for hit in hits}) == 1
