"""Where evidence begins for words alone: of the language's own questions, and kept as the other calibration is."""

from dataclasses import asdict
from pathlib import Path

from tests.unit.indexer.builds import Silence, guide, section

from pincite_core.embedders import FAKE_MODEL
from pincite_core.index.read import Index
from pincite_core.search.evidence import WORDS_CALIBRATION
from pincite_indexer.build import BuildOptions, build_index
from pincite_indexer.words_calibration import WORDS_CALIBRATION_KEY, words_calibrations

WORDS = "harbor queue worker lease retry backup schedule cluster token webhook metric limit".split()


def build(site: Path) -> Index:
    for number in range(24):
        first, second, third = (WORDS[(number * step) % 12] for step in (1, 5, 7))
        told = f"Every {first} of part{number} keeps the {second} safe while another {third} waits for day{number}."
        page = guide(f"Page {number}", section("s", f"Section {number}", told))
        (site / f"p{number}.html").write_text(page, encoding="utf-8")
    build_index(BuildOptions(site, model=FAKE_MODEL, cache=False, browser_answers=True), None, Silence())
    return Index.open(site)


def test_each_language_with_enough_questions_has_a_calibration(tmp_path: Path) -> None:
    known = words_calibrations({WORDS_CALIBRATION_KEY: build(tmp_path).meta(WORDS_CALIBRATION_KEY)})
    assert set(known) == {"en"}
    assert asdict(known["en"]) | {"bias": 0} == asdict(WORDS_CALIBRATION) | {"bias": 0}
    assert known["en"].bias >= WORDS_CALIBRATION.bias  # it never raises the bar


def test_what_cannot_be_read_is_as_if_it_were_not_there() -> None:
    assert words_calibrations({WORDS_CALIBRATION_KEY: {"en": 3}}) == {}
    assert words_calibrations({}) == {}
