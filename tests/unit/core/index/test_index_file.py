"""What is written is read back, whole, and twice the same."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.unit.core.index.index_content import DIMENSION, INFO, make_content, unit_vectors

from pincite_core.errors import OutputError
from pincite_core.index.quantise import to_int8
from pincite_core.index.read import Index, Match
from pincite_core.index.rows import IndexRows
from pincite_core.index.write import content_hash, write_atomically, write_index
from pincite_core.search.bm25 import TermWeights
from pincite_core.search.late_interaction import TOKEN_DIMENSION
from pincite_core.strip_invisible import strip_invisible
from pincite_core.types import Alias, Landing


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    file = tmp_path_factory.mktemp("index") / "index.db"
    write_index(make_content(), file)
    return Index.open(file)


def test_every_record_comes_back_as_it_was(index: Index) -> None:
    content = make_content()
    assert index.info == INFO
    assert list(index.scopes) == content.scopes
    assert index.pages() == content.pages
    assert index.targets() == content.targets
    assert index.chunks() == content.chunks
    assert index.units() == content.units
    assert index.redirects() == content.redirects
    assert index.links_from([1, 2]) == content.links
    assert index.meta("calibration") == content.meta["calibration"]
    assert np.array_equal(index.vectors([4, 1]), content.vectors[[3, 0]])


def test_rows_are_found_by_what_they_belong_to(index: Index) -> None:
    content = make_content()
    assert index.page(2) == content.pages[1]
    assert index.target(2) == content.targets[1]
    assert index.chunk(3) == content.chunks[2]
    assert index.chunks_of_target(1) == content.chunks[:2]
    assert index.chunks_of_page(2) == content.chunks[2:]
    assert index.chunks_by_id([3, 1]) == {1: content.chunks[0], 3: content.chunks[2]}
    assert index.units_by_id([2]) == {2: content.units[1]}
    assert index.units_of_chunks([3, 1]) == content.units
    assert index.targets_of_page(1) == content.targets[:2]
    assert index.targets_by_id([3]) == {3: content.targets[2]}
    assert index.targets_by_stable_id("m/a#x") == [content.targets[1]]
    assert index.links_to([1]) == content.links[1:]
    assert index.chunk_count == 3
    assert index.counts()["vectors"] == 4


def test_what_hides_a_target_keeps_its_order_and_its_labels(index: Index) -> None:
    assert index.target(2).landing == (Landing("tab", "npm"), Landing("details", "More “quotes”"))


def test_earlier_ids_say_what_became_of_them(index: Index) -> None:
    assert index.alias("m/was") == Alias("m/was", "m/a")
    assert index.alias("m/gone") == Alias("m/gone", None)
    assert index.alias("m/a") is None


@pytest.mark.parametrize("url", ["/kit/a", "/kit/a/", "/kit/a.html", "/kit/a/index.html", "/kit/a?x#y", "/kit/old"])
def test_a_page_is_found_by_any_spelling_of_its_url_and_by_what_forwards_to_it(index: Index, url: str) -> None:
    page = index.page_at(url)
    assert page is not None
    assert page.page_id == 1


def test_a_url_that_no_page_has_leads_nowhere(index: Index) -> None:
    assert index.page_at("/kit/none") is None
    assert index.target_at("/kit/none#x") is None


def test_a_fragment_leads_to_its_target_and_an_unknown_one_to_the_page(index: Index) -> None:
    assert index.target_at("/kit/a#x%20%22y%22%20%F0%9F%8E%89").target_id == 2
    assert index.target_at("/kit/a#nothing").target_id == 1
    assert index.target_at("/kit/a").target_id == 1


def test_a_missing_row_is_a_key_error(index: Index) -> None:
    with pytest.raises(KeyError, match="no such row"):
        index.page(99)


def test_vectors_find_their_own_rows_within_the_scopes_asked(index: Index) -> None:
    vectors = unit_vectors(4)
    best = index.nearest_chunks(vectors[1], [1], 2)
    assert [match.row_id for match in best] == [2, 1]
    assert best[0].score == pytest.approx(1, abs=0.01)
    assert [match.row_id for match in index.nearest_chunks(vectors[1], [2], 5)] == [3]
    assert index.nearest_chunks(vectors[1], [], 5) == []


def test_the_tokens_of_a_text_come_back_with_its_vector(index: Index) -> None:
    rows = IndexRows.open(index.file)
    assert rows.packed_tokens() == {1: bytes(range(32)), 3: bytes(16)}
    assert [text.tokens for text in rows.texts_by_hash().values()] == [bytes(range(32)), None, bytes(16), None]
    query = np.full((1, TOKEN_DIMENSION), TOKEN_DIMENSION**-0.5, dtype=np.float32)
    near = index.token_similarities(query, index.chunks())
    assert np.isnan(near).tolist() == [False, True, False]


@pytest.mark.parametrize("dimension", [1, 7, 12, 60, 100, 385])
def test_vectors_of_any_dimension_find_their_own_rows(tmp_path: Path, dimension: int) -> None:
    vectors = np.random.default_rng(dimension).standard_normal((4, dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    content = make_content(info=replace(INFO, dimension=dimension), vectors=to_int8(vectors))
    write_index(content, tmp_path / "index.db")
    index = Index.open(tmp_path)
    for chunk in content.chunks:
        best = index.nearest_chunks(vectors[chunk.vector_id - 1], [1, 2], 3)
        assert best[0].score == pytest.approx(1, abs=0.02)
        assert chunk.chunk_id in {match.row_id for match in best if match.score == best[0].score}


def test_units_without_a_vector_are_never_near(index: Index) -> None:
    found = index.nearest_units(unit_vectors(4)[3], [1, 2], 10)
    assert [match.row_id for match in found] == [1, 3]


def test_terms_find_chunks_in_the_columns_asked(index: Index) -> None:
    assert [match.row_id for match in index.match_terms(["second"], [1], 5)] == [2]
    assert index.match_terms(["second"], [2], 5) == []
    assert [match.row_id for match in index.match_terms(["see"], [1], 5, TermWeights(links=2))] == [2]
    assert index.match_terms(["see"], [1], 5, TermWeights(links=0)) == []
    assert index.match_terms([], [1], 5) == []


@pytest.mark.parametrize("token", ["--flag", "c++"])
def test_symbols_are_part_of_a_term(index: Index, token: str) -> None:
    found = index.match_terms([token], [2], 5, TermWeights(0, 0, 0, 0, 1))
    assert [match.row_id for match in found] == [3]
    assert all(isinstance(match, Match) for match in found)


def test_a_term_with_quotes_is_no_query_syntax(index: Index) -> None:
    assert index.match_terms(['fir"st', "NEAR(", "*", "body:"], [1], 5) == []


def test_document_frequencies_count_chunks(index: Index) -> None:
    assert index.document_frequencies(["a", "flag", "nowhere"]) == {"a": 2, "flag": 1}


def test_an_index_is_opened_by_its_file_its_folder_or_its_site(tmp_path: Path) -> None:
    folder = tmp_path / "site" / "pincite"
    folder.mkdir(parents=True)
    write_index(make_content(), folder / "index.db")
    for place in (folder / "index.db", folder, folder.parent, str(folder)):
        assert Index.open(place).info == INFO


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.db", "two.db"):
        write_index(make_content(), tmp_path / name)
    assert (tmp_path / "one.db").read_bytes() == (tmp_path / "two.db").read_bytes()


def test_an_empty_index_can_be_written_and_asked(tmp_path: Path) -> None:
    nothing = {name: [] for name in ("pages", "targets", "chunks", "units", "text_hashes", "terms", "links")}
    no_vectors = np.zeros((0, DIMENSION), dtype=np.int8)
    write_index(make_content(**nothing, vectors=no_vectors, tokens={}), tmp_path / "index.db")
    index = Index.open(tmp_path)
    assert index.nearest_chunks(unit_vectors(1)[0], [1, 2], 3) == []
    assert index.match_terms(["first"], [1, 2], 3) == []
    assert index.vectors([]).shape == (0, DIMENSION)


def test_writing_again_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    write_index(make_content(), file)
    write_index(make_content(meta={"second": True}), file)
    assert Index.open(file).meta("second") is True
    assert [path.name for path in tmp_path.iterdir()] == ["index.db"]


def test_a_write_that_fails_leaves_the_earlier_file(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    write_index(make_content(), file)
    before = file.read_bytes()
    twice = [make_content().pages[0]] * 2  # the second breaks the primary key, half way through
    with pytest.raises(OutputError, match=r"Could not write .*index.db"):
        write_index(make_content(pages=twice), file)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["index.db"]


def test_a_small_file_that_cannot_be_written_leaves_the_earlier_one(tmp_path: Path) -> None:
    goal = tmp_path / "ids.json"
    goal.mkdir()
    with pytest.raises(OutputError, match="choose another folder with --out"):
        write_atomically(goal, b"{}")
    assert [path.name for path in tmp_path.iterdir()] == ["ids.json"]


def test_a_reader_keeps_its_index_while_another_is_written_over_it(tmp_path: Path) -> None:
    file = tmp_path / "index.db"
    write_index(make_content(), file)
    reader = Index.open(file)
    write_index(make_content(chunks=[], terms=[], units=[]), file)
    assert len(reader.chunks()) == 3
    assert Index.open(file).chunks() == []


def test_a_content_hash_tells_parts_apart() -> None:
    assert content_hash([b"ab", b"c"]) != content_hash([b"a", b"bc"])
    assert content_hash([b"ab", b"c"]) == content_hash(iter([b"ab", b"c"]))


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40).filter(lambda text: strip_invisible(text) == text)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
LANDINGS = st.lists(st.builds(Landing, st.sampled_from(["tab", "details"]), TEXT), max_size=2).map(tuple)


@settings(deadline=None, max_examples=50)
@given(title=TEXT, breadcrumbs=TEXTS, tags=TEXTS, anchor=TEXT.filter(bool), path=TEXTS, landing=LANDINGS, text=TEXT)
def test_whatever_a_site_calls_its_things_comes_back_as_it_was(
    title: str,
    breadcrumbs: tuple[str, ...],
    tags: tuple[str, ...],
    anchor: str,
    path: tuple[str, ...],
    landing: tuple[Landing, ...],
    text: str,
) -> None:
    content = make_content()
    content.pages[0] = replace(content.pages[0], title=title, breadcrumbs=breadcrumbs, tags=tags, description=text)
    content.targets[1] = structs.replace(
        content.targets[1], anchor=anchor, title=title, heading_path=path, landing=landing, stable_id=f"m/a#{anchor}"
    )
    content.chunks[0] = structs.replace(content.chunks[0], text=text)
    content.links[0] = structs.replace(content.links[0], text=text)
    with TemporaryDirectory() as folder:
        write_index(content, Path(folder) / "index.db")
        index = Index.open(folder)
        assert index.pages() == content.pages
        assert index.targets() == content.targets
        assert index.chunks() == content.chunks
        assert index.links_from([1, 2]) == content.links
        assert index.targets_by_stable_id(f"m/a#{anchor}") == [content.targets[1]]
