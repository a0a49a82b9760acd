from pathlib import Path

from bench.scaled import scaled_copy
from tests.factories import build_index

PAGES = {"/a": "# Lamps\n## Oil {#oil}\nLamps burn oil.\n", "/b": "# Wicks\nA wick is trimmed. It is lit."}


def test_a_scaled_copy_repeats_all_pages_with_vectors_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    small = build_index(tmp_path / "small", PAGES)
    large = scaled_copy(small, 7, tmp_path / "large")
    counts, before = large.counts(), small.counts()
    assert {name: counts[name] for name in ("pages", "chunks", "sentences", "vectors")} == {
        name: before[name] * 4 for name in ("pages", "chunks", "sentences", "vectors")
    }
    assert len({bytes(vector) for vector in large.vectors(range(1, counts["vectors"] + 1))}) == counts["vectors"]
    assert {chunk.scope_id for chunk in large.chunks()} == {1}
