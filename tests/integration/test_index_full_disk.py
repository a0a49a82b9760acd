"""A disk that fills up, whatever is being written then: one sentence, and the earlier index as it was."""

import shutil
from pathlib import Path

import pytest
from tests.disk import full_disk
from tests.integration.indexing import assert_refused, contents, copy_site, run_index
from tests.integration.interrupting import fill_disk_at
from tests.unit.core.index.index_content import make_content

from pincite_core.embedders import Encoder, ModelInfo
from pincite_core.errors import OutputError
from pincite_indexer.publish import Placing, publish
from pincite_indexer.vectors.encoder_cache import EncoderCache

MOMENTS = {
    "index.db, from its beginning": "pincite_core.index.schema:schema_sql",
    "index.db, half way": "pincite_core.index.quantise:to_bits",
    "the widget": "pincite_indexer.publish:_copy_widget",
    "ids.json": "pincite_indexer.publish:ids_json",
    "index.json": "pincite_indexer.publish:facts_json",
    "the cache of vectors, and all after it": "pincite_indexer.vectors.vector_cache:VectorCache.put",
}
ENCODER = Encoder(ModelInfo("m", "0" * 64, 64, 256, "1" * 64), b"onnx" * 1000, b"{}" * 1000, "mean")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = copy_site("plain", tmp_path_factory.mktemp("indexed"))
    assert run_index(site, "--no-cache").returncode == 0
    return site


@pytest.fixture
def site(indexed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site with an index in it, and a cache of its own."""
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    return Path(shutil.copytree(indexed, tmp_path / "plain"))


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_full_disk_is_one_sentence_and_leaves_the_index(site: Path, moment: str) -> None:
    before, files = contents(site / "pincite"), set(site.rglob("*"))
    built = fill_disk_at(MOMENTS[moment], site, "--model", "fake")
    assert_refused(built, "Could not write", "Free some space", code=1)
    assert contents(site / "pincite") == before
    assert set(site.rglob("*")) == files
    assert run_index(site).returncode == 0


def test_a_disk_too_small_for_the_encoder_leaves_the_earlier_folder(tmp_path: Path) -> None:
    publish(make_content(), tmp_path / "out", Placing())
    before = contents(tmp_path / "out")
    with full_disk(), pytest.raises(OutputError, match=r"Could not write .* Free some space"):
        publish(make_content(), tmp_path / "out", Placing(), ENCODER)
    assert contents(tmp_path / "out") == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_disk_too_small_to_keep_the_encoder_for_the_next_build_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    cache = EncoderCache(tmp_path / "cache", tmp_path / "model")
    with full_disk():
        cache.put(ENCODER)
    assert cache.get() is None
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
