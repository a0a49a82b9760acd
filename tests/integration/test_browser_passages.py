"""The sidecar and the browser reply alike: the same passages, citations, claims, refusals and notices."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.integration.passage_cases import CASES, asked, browser_replies, python_replies, read_as, recorded_form
from tests.integration.ranking_cases import SITES, build_site

CLOSE = 0.011  # rounded, of sums in another order
Asked = tuple[str, Path, list[dict[str, Any]]]


@pytest.fixture(scope="module", params=SITES)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = build_site(request.param, tmp_path_factory.mktemp(request.param))
    return request.param, folder, python_replies(folder, request.param)


@cache
def recorded() -> Any:
    return json.loads(CASES.read_text(encoding="utf-8"))


def test_the_sidecar_replies_as_recorded(site: Asked) -> None:
    language, _, replies = site
    assert_alike(language, replies)


def test_the_browser_replies_as_recorded(site: Asked) -> None:
    language, folder, replies = site
    assert_alike(language, browser_replies(folder, language, read_as(language, replies)))


def assert_alike(language: str, replies: list[dict[str, Any]]) -> None:
    for question, reply, case in zip(asked(language), replies, recorded()[language], strict=True):
        found, expected = {"asked": question[1], **recorded_form(reply)}, dict(case)
        for name in ("evidence", "confidence"):
            assert found.pop(name, 0.0) == pytest.approx(expected.pop(name, 0.0), abs=CLOSE), question
        assert found == expected, question
