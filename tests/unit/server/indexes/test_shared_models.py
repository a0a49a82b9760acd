"""Sites with the same encoder share it as long as any of them is served."""

import weakref
from pathlib import Path

from tests.factories import build_index

from pincite_core.deployed.build_facts import BuildFacts
from pincite_core.embedders import Embedder, FakeEmbedder
from pincite_core.index.read import Index
from pincite_server.indexes.shared_models import LoadedModels, SharedModels, try_out


def opened(folder: Path, name: str) -> Index:
    build_index(folder / name, {f"/{name}": "# A\nText of this page."})
    return Index.open(folder / name)


def test_two_sites_with_the_same_encoder_load_it_once(tmp_path: Path):
    loads: list[Embedder] = []

    def load() -> Embedder:
        loads.append(FakeEmbedder())
        return loads[-1]

    together: LoadedModels = weakref.WeakValueDictionary()
    one, other = SharedModels(together), SharedModels(together)
    first = one.served(opened(tmp_path, "a"), BuildFacts(), load, None)
    second = other.served(opened(tmp_path, "b"), BuildFacts(), load, None)
    assert len(loads) == 1
    one.forget_others([])
    try_out([first, second])
    assert len(loads) == 1
    other.forget_others([])
    loads.clear()
    assert len(together) == 0
