import pytest
from tests.unit.indexer.builds import LEASE, RETRY, Builds, guide, section

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.read import Index
from pincite_core.search.candidates import gather_candidates
from pincite_core.search.query import parse_query


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    page = guide("Jobs", section("leases", "Leases", LEASE), section("empty", "Nothing said", ""))
    other = guide("Queues", section("leases", "Leases", RETRY))
    files = {"docs/jobs/index.html": page, "docs/queues/index.html": other}
    return Builds(tmp_path_factory.mktemp("titles")).add(files)


def test_a_title_is_embedded_for_itself_once_and_only_where_its_section_says_something(index: Index) -> None:
    titles = {target.target_id: target.title for target in index.targets()}
    vectors = {(titles[target_id], vector_id) for target_id, vector_id in index.title_vectors(titles).items()}
    assert [title for title, vector_id in vectors if vector_id].count("Leases") == 1
    assert [vector_id for title, vector_id in vectors if title == "Nothing said"] == [0]


def test_who_asks_for_a_title_finds_it_in_every_section_that_bears_it(index: Index) -> None:
    query = parse_query("Leases")
    found = gather_candidates(index, FakeEmbedder().encode([query.text])[0], query, (1,))
    titles = index.titles_by_id(chunk.target_id for chunk in found.chunks)
    scores = dict(zip([titles[chunk.target_id].text for chunk in found.chunks], found.scores["title"], strict=True))
    assert scores["Leases"] == pytest.approx(1.0, abs=0.01)
