"""An index on disk: what its `index.json` names of other folders is looked for, and never makes it fail."""

import json
import logging
from pathlib import Path

import pytest
from tests.factories import build_index

from pincite_core.deployed import local
from pincite_core.deployed.local import LocalOrigin


@pytest.mark.parametrize("sibling", ["/fr/pincite/", f"/{'x' * 5000}/pincite/", "/" + "x/" * 3000 + "pincite/"])
def test_a_missing_index_of_another_language_is_logged_and_left_out(
    tmp_path: Path, sibling: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "pincite"
    build_index(folder, {"/a": "# A\nText."})
    (folder / "index.json").write_text(json.dumps({"siblings": [sibling]}), encoding="utf-8")
    with caplog.at_level(logging.WARNING, "pincite"):
        deploy = LocalOrigin(folder).look()
    assert deploy is not None
    assert len(deploy.indexes) == 1
    assert "is not there" in caplog.text


def test_a_deploy_that_ends_during_a_look_is_seen_by_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pincite"
    build_index(folder, {"/a": "# A\nText."})
    info = folder / "index.json"
    info.write_text('{"build_id": "b-1"}', encoding="utf-8")
    read = local.info_beside

    def replaced_after_it_was_read(database: Path) -> bytes:
        before = read(database)
        info.write_text('{"build_id": "b-2", "base_url": "/"}', encoding="utf-8")
        return before

    origin = LocalOrigin(folder)
    with monkeypatch.context() as patch:
        patch.setattr(local, "info_beside", replaced_after_it_was_read)
        during = origin.look()
    after = origin.look()
    assert during is not None
    assert after is not None
    assert [deploy.indexes[0].facts.build_id for deploy in (during, after)] == ["b-1", "b-2"]
    assert during.stamp != after.stamp
