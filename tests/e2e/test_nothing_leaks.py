"""Questions about every version and language, put to each version and language of the built example site."""

from pathlib import Path

import pytest
from bench.leaks import probe
from tests.e2e.conftest import BUILD

from pincite_server.answerer import Answerer

PROBES = 15  # of each version and language, each asked in three ways; `python -m bench.leaks` puts a hundred


@pytest.mark.parametrize("folder", [BUILD, BUILD / "fr"], ids=["en", "fr"])
def test_every_version_and_language_cites_only_its_own(folder: Path) -> None:
    found = list(probe(Answerer.open(folder), PROBES))
    assert {item.version for item in found} == {"2.4", "current"}
    for item in found:
        assert item.leaks == ()
        assert item.answers > PROBES, "too few answers to prove anything"
