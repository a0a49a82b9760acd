"""What a view hides comes back from no method of the index; what it shows comes back as ever."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.quantise import to_int8
from pincite_core.index.read import Index
from pincite_core.index.schema import FORMAT, text_hash
from pincite_core.index.write import IndexContent, write_index
from pincite_core.search.bm25 import TermScores
from pincite_core.search.postings import ChunkTerms
from pincite_core.types import Alias, Chunk, IndexInfo, Link, Page, Redirect, Scope, Target, TextLink, Title, Unit
from pincite_core.urls import join_fragment

EMBEDDER = FakeEmbedder()
SCOPES = (1, 2)
SITE = "every"  # a word of every chunk


def page_url(page_id: int) -> str:
    return f"/p{page_id}"


def make_site(parents: list[list[int | None]]) -> IndexContent:
    """Return a site of pages with targets in one another; every word of a target says whose it is.

    `parents` has, for each page, each target's parent as a place in the page's list; the first is the page itself.
    """
    count = sum(map(len, parents))
    pages, targets, chunks, units, texts = [], [], [], [], []
    for page_id, of_page in enumerate(parents, start=1):
        first = len(targets) + 1
        pages.append(
            Page(page_id, page_id % 2 + 1, page_url(page_id), f"P{page_id}", "", "guide", "", (), (), True, "", "")
        )
        for position, parent in enumerate(of_page):
            number = first + position
            anchor = f"a{number}" if position else ""
            parent_id = None if parent is None else first + parent
            word = f"word{number}"
            targets.append(
                Target(
                    number, page_id, parent_id, position, anchor, "heading", 2, word, (word,), f"m/{number}", "auto", ()
                )
            )
            text = f"{word} {SITE}"
            chunks.append(Chunk(number, number, page_id, page_id % 2 + 1, 0, text, number))
            links = (TextLink(0, 4, number % count + 1), TextLink(4, 5, "https://a.example/"))
            unit = Unit(number, number, number, page_id % 2 + 1, 0, len(text), "prose", number, links=links)
            units.append(unit)
            texts.append(text)
    vectors = EMBEDDER.encode(texts)
    info = IndexInfo(
        FORMAT, "x", "T", "", "/", "en", ("en",), "fake", EMBEDDER.info.weights_sha256, vectors.shape[1], 256, "hand"
    )
    return IndexContent(
        info=info,
        scopes=[Scope(number, "docs", "default", str(number), None, True, "en") for number in SCOPES],
        pages=pages,
        targets=targets,
        chunks=chunks,
        units=units,
        vectors=to_int8(vectors),
        text_hashes=[text_hash(text) for text in texts],
        terms=[ChunkTerms(chunk.chunk_id, chunk.text, "", "", "", "") for chunk in chunks],
        links=[Link(number, number % count + 1, f"from {number}", True) for number in range(1, count + 1)],
        redirects=[
            Redirect(f"/to-{target.target_id}", join_fragment(page_url(target.page_id), target.anchor))
            for target in targets
        ],
        aliases=[Alias(f"was/{number}", f"m/{number}") for number in range(1, count + 1)],
    )


@dataclass(frozen=True)
class Case:
    """A site, a view of its index, and what the view hides."""

    content: IndexContent
    index: Index
    hidden: frozenset[int]
    gone: frozenset[int]

    @property
    def ids(self) -> range:
        """The row ids of all targets, which are those of their chunks and units too."""
        return range(1, len(self.content.targets) + 1)

    @property
    def urls(self) -> list[str]:
        targets = self.content.targets
        urls = [join_fragment(page_url(target.page_id), target.anchor) for target in targets]
        return urls + [f"/to-{target.target_id}" for target in targets]

    @property
    def lost(self) -> set[int]:
        """The targets that must never come back."""
        return self.gone | {target.target_id for target in self.content.targets if target.page_id in self.hidden}

    def chunk_is_hidden(self, chunk_id: int) -> bool:
        return self.content.chunks[chunk_id - 1].page_id in self.hidden

    def page_of(self, target_id: int) -> int:
        return self.content.targets[target_id - 1].page_id

    def stand_in(self, target_id: int) -> int:
        """Return the innermost target around another, itself included, that is there."""
        target = self.content.targets[target_id - 1]
        return target_id if target_id not in self.gone else self.stand_in(target.parent_id)


Reads = Callable[[Case], Iterator[object]]

READS: dict[str, Reads] = {
    "pages": lambda case: iter(case.index.pages()),
    "targets": lambda case: iter(case.index.targets()),
    "chunks": lambda case: iter(case.index.chunks()),
    "units": lambda case: iter(case.index.units()),
    "redirects": lambda case: iter(case.index.redirects()),
    "aliases": lambda case: iter(case.index.aliases()),
    "page_urls": lambda case: (PageId(number) for number in case.index.page_urls()),
    "places": lambda case: (
        TargetId(number)
        for place in case.index.places()
        for number in (place.target_id, place.parent_id)
        if number is not None
    ),
    "page": lambda case: (found for number in case.ids for found in tried(case.index.page, number)),
    "target": lambda case: (found for number in case.ids for found in tried(case.index.target, number)),
    "chunk": lambda case: (found for number in case.ids for found in tried(case.index.chunk, number)),
    "page_at": lambda case: (case.index.page_at(url) for url in case.urls),
    "target_at": lambda case: (case.index.target_at(url) for url in case.urls),
    "chunks_of_target": lambda case: (chunk for number in case.ids for chunk in case.index.chunks_of_target(number)),
    "chunks_of_page": lambda case: (chunk for number in case.ids for chunk in case.index.chunks_of_page(number)),
    "chunks_by_id": lambda case: iter(case.index.chunks_by_id(case.ids).values()),
    "units_by_id": lambda case: iter(case.index.units_by_id(case.ids).values()),
    "units_of_chunks": lambda case: iter(case.index.units_of_chunks(case.ids)),
    "targets_of_page": lambda case: (target for number in case.ids for target in case.index.targets_of_page(number)),
    "targets_by_id": lambda case: iter(case.index.targets_by_id(case.ids).values()),
    "children_of": lambda case: (TargetId(each) for pair in case.index.children_of(case.ids) for each in pair),
    "titles_by_id": lambda case: (
        TargetId(int(title.text.removeprefix("word"))) for title in case.index.titles_by_id(case.ids).values()
    ),
    "pages_by_id": lambda case: iter(case.index.pages_by_id(case.ids).values()),
    "targets_by_stable_id": lambda case: (
        target for number in case.ids for target in case.index.targets_by_stable_id(f"m/{number}")
    ),
    "alias": lambda case: (case.index.alias(f"was/{number}") for number in case.ids),
    "links_from": lambda case: iter(case.index.links_from(case.ids)),
    "links_to": lambda case: iter(case.index.links_to(case.ids)),
    "unit_vectors": lambda case: (
        ChunkId(number) for column in case.index.unit_vectors(np.array(case.ids))[:2] for number in column.tolist()
    ),
    "document_frequencies": lambda case: (
        ChunkId(int(term.removeprefix("word")))
        for term in case.index.document_frequencies(f"word{number}" for number in case.ids)
    ),
    "max_matched_share": lambda case: (
        ChunkId(number) for number in case.ids if case.index.max_matched_share({f"word{number}": 1.0}, SCOPES)
    ),
    "correct_spelling": lambda case: iter(()),  # below
    "nearest_chunks": lambda case: (
        ChunkId(match.row_id) for query in queries(case) for match in case.index.nearest_chunks(query, SCOPES, 99)
    ),
    "nearest_units": lambda case: (
        ChunkId(match.row_id) for query in queries(case) for match in case.index.nearest_units(query, SCOPES, 99)
    ),
    "chunks_of_units": lambda case: map(ChunkId, case.index.chunks_of_units(case.ids)),
    "match_terms": lambda case: (
        ChunkId(match.row_id)
        for number in case.ids
        for match in case.index.match_terms([f"word{number}", SITE], SCOPES, 99)
    ),
    "score_terms": lambda case: map(ChunkId, scored(case).row_ids.tolist()),
    "corpus_size": lambda case: iter(()),  # below
    "counts": lambda case: iter(()),  # below
}

HARMLESS = {
    "open": "opens a file",
    "file": "where it is, or that it is none",
    "retire": "closes it",
    "held": "keeps it open",
    "without": "makes a view",
    "meta": "of the build, not of a place",
    "language_of": "of a locale, not of a place",
    "language_profile": "of a locale, not of a place",
    "vectors": "of texts, named by ids that only a row gives away",
    "title_vectors": "of the titles that `titles_by_id` gives",
    "token_similarities": "of chunks that the caller has",
}


@dataclass(frozen=True)
class PageId:
    number: int


@dataclass(frozen=True)
class TargetId:
    number: int


@dataclass(frozen=True)
class ChunkId:
    number: int


def tried(read: Callable[[int], object], number: int) -> list[object]:
    try:
        return [read(number)]
    except KeyError:
        return []


def queries(case: Case) -> np.ndarray:
    return EMBEDDER.encode([chunk.text for chunk in case.content.chunks])


def scored(case: Case) -> TermScores:
    return case.index.score_terms([*(f"word{number}" for number in case.ids), SITE], SCOPES)


def betrays(case: Case, found: object) -> bool:
    """Return whether something read is hidden or gone, or points to what is."""
    match found:
        case None:
            return False
        case Page(page_id=page_id) | PageId(page_id):
            return page_id in case.hidden
        case Target(target_id=target_id, page_id=page_id, parent_id=parent_id):
            return bool({target_id, parent_id} & case.lost) or page_id in case.hidden
        case TargetId(target_id):
            return target_id in case.lost
        case Chunk(chunk_id=row_id, target_id=target_id) | Unit(unit_id=row_id, target_id=target_id):
            leads_to = {link.to for link in found.links} if isinstance(found, Unit) else set()
            return bool({target_id, *leads_to} & case.lost) or case.chunk_is_hidden(row_id)
        case ChunkId(chunk_id):
            return case.chunk_is_hidden(chunk_id)
        case Link(from_target_id=source, to_target_id=to):
            return bool({source, to} & case.lost)
        case Redirect(to_url=url):
            return url in {case.urls[target_id - 1] for target_id in case.lost}
        case Alias(successor=successor):
            return successor is not None and int(successor.removeprefix("m/")) in case.lost
    raise AssertionError(found)


@st.composite
def sites(draw: st.DrawFn) -> tuple[list[list[int | None]], frozenset[int], frozenset[int]]:
    """Draw the targets of each page, the pages that are hidden, and the targets that are gone from others."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    parents = [[None, *(draw(st.integers(0, place - 1)) for place in range(1, size))] for size in sizes]
    hidden = draw(st.sets(st.integers(1, len(sizes))))
    gone = draw(st.sets(st.integers(1, sum(sizes))))
    return parents, frozenset(hidden), frozenset(gone)


def make_case(folder: str | Path, parents: list[list[int | None]], hidden: set[int], gone: set[int]) -> Case:
    content = make_site(parents)
    write_index(content, Path(folder) / "index.db")
    inner = {target.target_id for target in content.targets if target.anchor and target.page_id not in hidden}
    return Case(content, Index.open(folder).without(hidden, gone), frozenset(hidden), frozenset(gone & inner))


def test_every_public_method_is_tried_or_said_to_be_harmless() -> None:
    public = {name for name, _ in inspect.getmembers(Index) if not name.startswith("_")}
    assert public - {"chunk_count"} == set(READS) | set(HARMLESS)


@settings(max_examples=40, deadline=None)
@given(sites())
def test_nothing_hidden_or_gone_comes_back_by_any_method(
    site: tuple[list[list[int | None]], frozenset[int], frozenset[int]],
) -> None:
    with TemporaryDirectory() as folder:
        case = make_case(folder, *site)
        for name, read in READS.items():
            for found in read(case):
                assert not betrays(case, found), (name, found)
        assert_consistent(case)


def assert_consistent(case: Case) -> None:
    """What is there is all there, and the methods agree with one another."""
    index = case.index
    there = [number for number in case.ids if number not in case.lost]
    assert [target.target_id for target in index.targets()] == there
    shown = [chunk.chunk_id for chunk in case.content.chunks if chunk.page_id not in case.hidden]
    assert [chunk.chunk_id for chunk in index.chunks()] == shown
    assert index.chunk_count == index.corpus_size(SCOPES) == index.counts()["chunks"] == len(shown)
    assert index.counts()["targets"] == len(there)
    assert index.counts()["units"] == len(index.units())
    assert index.counts()["pages"] == len(index.pages())
    assert index.score_terms([SITE], SCOPES).row_ids.tolist() == shown
    for page in index.pages():
        of_page = [target.target_id for target in index.targets_of_page(page.page_id)]
        assert {chunk.target_id for chunk in index.chunks_of_page(page.page_id)} <= set(of_page)
        parts = [chunk.chunk_id for target_id in of_page for chunk in index.chunks_of_target(target_id)]
        assert sorted(parts) == [chunk.chunk_id for chunk in index.chunks_of_page(page.page_id)]
    for number in case.ids:
        if case.page_of(number) not in case.hidden:
            assert index.target(number).target_id == case.stand_in(number)
            assert index.target_at(case.urls[number - 1]).target_id == case.stand_in(number)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """Two pages: the first with a section in a section, the inner one gone; the second hidden."""
    return make_case(tmp_path, [[None, 0, 1], [None, 0]], {2}, {3})


def test_a_gone_section_is_read_as_what_encloses_it(case: Case) -> None:
    index = case.index
    assert index.target(3) == index.target(2) == index.target_at("/p1#a3")
    assert index.titles_by_id([3]) == {3: Title("word2", "heading")}
    assert [(chunk.chunk_id, chunk.target_id) for chunk in index.chunks_of_target(2)] == [(2, 2), (3, 2)]
    assert index.units_by_id([3])[3].target_id == 2
    assert [(link.from_target_id, link.to_target_id) for link in index.links_from([2])] == [(2, 2)]
    assert not index.links_from([2])[0].to_anchor_found


def test_what_a_hidden_page_says_is_not_counted_either(case: Case) -> None:
    whole = Index.open(case.index.file)
    assert whole.document_frequencies([SITE, "word4"]) == {SITE: 5, "word4": 1}
    assert case.index.document_frequencies([SITE, "word4"]) == {SITE: 3}
    assert whole.max_matched_share({"word4": 1.0}, SCOPES) == 1.0 > case.index.max_matched_share({"word4": 1.0}, SCOPES)


def test_a_misspelled_word_is_not_read_as_one_of_a_hidden_page(tmp_path: Path) -> None:
    content = make_site([[None], [None]])
    content.terms[:] = [ChunkTerms(1, "lantern", "", "", "", ""), ChunkTerms(2, "snapshot", "", "", "", "")]
    write_index(content, tmp_path / "index.db")
    whole, narrowed = Index.open(tmp_path), Index.open(tmp_path).without({2}, set())
    assert [index.correct_spelling("lantren", [1, 2]) for index in (whole, narrowed)] == ["lantern"] * 2
    assert [index.correct_spelling("snapshto", [1, 2]) for index in (whole, narrowed)] == ["snapshot", "snapshto"]


def test_a_view_without_anything_hidden_shows_the_whole_index(case: Case) -> None:
    whole = Index.open(case.index.file)
    again = whole.without((), ())
    for name in ("pages", "targets", "chunks", "units", "redirects", "aliases", "places", "counts"):
        assert getattr(again, name)() == getattr(whole, name)()
