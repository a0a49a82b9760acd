from pathlib import Path

from bench.scaled import scaled_copy
from tests.factories import build_index

from pincite_core.index.rows import IndexRows

PAGES = {"/a": "# Lamps\n## Oil {#oil}\nLamps burn oil.\n", "/b": "# Wicks\nA wick is trimmed. It is lit."}


def test_a_scaled_copy_repeats_all_pages_with_vectors_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    small = build_index(tmp_path / "small", PAGES)
    large = scaled_copy([small], 7, tmp_path / "large")
    counts, before = large.counts(), small.counts()
    assert {name: counts[name] for name in ("pages", "chunks", "units", "vectors")} == {
        name: before[name] * 4 for name in ("pages", "chunks", "units", "vectors")
    }
    assert len({bytes(vector) for vector in large.vectors(range(1, counts["vectors"] + 1))}) == counts["vectors"]
    assert {chunk.scope_id for chunk in large.chunks()} == {1}


def test_every_index_is_there_before_any_is_repeated_and_a_copy_has_words_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    lamps = build_index(tmp_path / "lamps", PAGES)
    ropes = build_index(
        tmp_path / "ropes", {"/knots": "# Knots\n" + "".join(f"A bowline holds {n}.\n" for n in range(9))}
    )
    large = scaled_copy([lamps, ropes], lamps.chunk_count + ropes.chunk_count + 1, tmp_path / "large")
    assert [page.url for page in large.pages()] == ["/0/a", "/0/b", "/1/knots", "/2/a", "/2/b"]
    terms = {term for (term,) in IndexRows.open(large.file).sql.rows("SELECT term FROM postings")}
    assert any(f"{term}1" in terms for term in terms)
