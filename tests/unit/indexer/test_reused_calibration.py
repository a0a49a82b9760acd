"""A calibration is kept from build to build while the site is still the same, and made anew when it is not."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.indexer.builds import Builds, guide, section

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.read import Index
from pincite_core.search.evidence import CALIBRATION_KEY
from pincite_indexer import calibration
from pincite_indexer.calibration import CALIBRATED_ON_KEY, calibrate

pytestmark = pytest.mark.slow

THINGS = (
    "lantern wick burner mantle glass handle bracket chain shade reflector filter valve gasket pump nozzle funnel "
    "canister tripod hinge latch spring washer sleeve collar knob dial gauge plate frame cover"
).split()


def site(**changed: str) -> dict[str, str]:
    """Return thirty pages of one section each; `changed` gives things another text."""
    texts = {
        thing: f"Polish every {thing} weekly, drying it slowly beside the stove. Store it dry." for thing in THINGS
    }
    return {
        f"docs/{thing}.html": guide(f"The {thing}", section("care", f"Care of a {thing}", text), doc_id=thing)
        for thing, text in {**texts, **changed}.items()
    }


def calibrations(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count how often a build calibrates."""
    made: list[int] = []
    monkeypatch.setattr(calibration, "calibrate", lambda *given: made.append(1) or calibrate(*given))
    return made


def stored(index: Index) -> tuple[object, object]:
    return index.meta(CALIBRATION_KEY), index.meta(CALIBRATED_ON_KEY)


def test_a_changed_page_keeps_the_calibration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builds = Builds(tmp_path)
    first = stored(builds.add(site()))
    made = calibrations(monkeypatch)
    second = stored(builds.add(site(wick="Trim the wick with scissors every other evening before you light it.")))
    assert made == []
    assert second == first


def test_another_site_is_calibrated_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builds = Builds(tmp_path)
    first = stored(builds.add(site()))
    made = calibrations(monkeypatch)
    other = {thing: f"Order the {thing} from the catalogue and pay the courier at the door." for thing in THINGS[:9]}
    second = stored(builds.add(site(**other)))
    assert made == [1]
    assert second[1] != first[1]


def test_many_small_changes_lead_to_a_new_calibration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builds = Builds(tmp_path)
    builds.add(site())
    made = calibrations(monkeypatch)
    changed: dict[str, str] = {}
    for thing in THINGS[:12]:
        changed[thing] = f"Order the {thing} from the catalogue and pay the courier at the door."
        builds.add(site(**changed))
    assert len(made) >= 1


def test_a_calibration_of_another_recipe_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builds = Builds(tmp_path)
    builds.add(site())
    monkeypatch.setattr(calibration, "RECIPE", calibration.RECIPE + 1)
    made = calibrations(monkeypatch)
    builds.add(site())
    assert made == [1]


def test_a_calibration_of_another_model_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builds = Builds(tmp_path)
    builds.add(site())
    monkeypatch.setattr(FakeEmbedder, "info", replace(FakeEmbedder.info, weights_sha256="1" * 64))
    made = calibrations(monkeypatch)
    builds.add(site())
    assert made == [1]


def test_a_build_without_an_earlier_one_calibrates(tmp_path: Path) -> None:
    stored_calibration, made_on = stored(Builds(tmp_path).add(site()))
    assert isinstance(stored_calibration, dict)
    assert isinstance(made_on, dict)
    assert len(made_on["sketch"]) == len(set(made_on["sketch"])) > 0
