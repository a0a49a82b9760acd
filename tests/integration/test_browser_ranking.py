"""The sidecar and the browser find the same sections for the same questions, and judge the evidence alike."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.integration.ranking_cases import CASES, SITES, asked_of, browser_answers, build_site, python_answers

WAYS = ("vectors", "words")
CLOSE = 1e-3  # sums in another order, and cosines of single precision


@pytest.fixture(scope="module", params=SITES)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    return request.param, build_site(request.param, tmp_path_factory.mktemp(request.param))


@cache
def recorded() -> Any:
    return json.loads(CASES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("way", WAYS)
def test_the_sidecar_finds_what_is_recorded(site: tuple[str, Path], way: str) -> None:
    language, folder = site
    assert_alike(language, way, python_answers(folder, language, by_words=way == "words"))


@pytest.mark.parametrize("way", WAYS)
def test_the_browser_finds_what_is_recorded(site: tuple[str, Path], way: str) -> None:
    language, folder = site
    assert_alike(language, way, browser_answers(folder, language, by_words=way == "words"))


def assert_alike(language: str, way: str, found: list[dict[str, Any]]) -> None:
    expected = recorded()[language][way]
    assert len(found) == len(expected)
    for question, row, case in zip(asked_of(language), found, expected, strict=True):
        told = {key: case[key] for key in ("text", "terms", "unknown", "codes", "sections")}
        assert {key: row[key] for key in told} == told, question
        assert row["signals"] == pytest.approx(case["signals"], abs=CLOSE), question
        assert row["scores"] == pytest.approx(case["scores"], abs=CLOSE), question
        assert row["evidence"] == pytest.approx(case["evidence"], abs=CLOSE), question
