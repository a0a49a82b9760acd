"""`pincite check` as people and CI run it: exit codes, the report, JSON, and no model loaded."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.indexing import FIXTURES, copy_site, run_index, run_pincite


def run_check(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return run_pincite("check", *arguments)


def break_link(site: Path) -> None:
    page = site / "docs/install/index.html"
    page.write_text(page.read_text(encoding="utf-8").replace("#opt-retries", "#opt-retry"), encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return copy_site("harbor", tmp_path)


def test_a_site_without_dead_links_ends_with_0(site: Path) -> None:
    result = run_check(site)
    assert result.returncode == 0, result.stdout
    assert "0 errors" in result.stdout


def test_a_dead_link_is_shown_with_its_page_its_place_and_the_nearest_target(site: Path) -> None:
    break_link(site)
    result = run_check(site)
    assert result.returncode == 1
    for part in (
        "/kit/docs/install",
        "docs/install/index.html",
        "has no #opt-retry",
        "Install › If it does not start › Read the log",
        "the number of retries",
        "nearest: /kit/docs/api#opt-retries",
        "1 error, 1 warning;",
    ):
        assert part in result.stdout


def test_machines_get_one_json_object(site: Path) -> None:
    break_link(site)
    result = run_check(site, "--json")
    assert result.returncode == 1
    report = json.loads(result.stdout)
    assert (report["errors"], report["warnings"], report["changes"]) == (1, 1, None)
    found = next(finding for finding in report["findings"] if finding["severity"] == "error")
    assert found["code"] == "dead_fragment"
    assert found["heading_path"] == ["Install", "If it does not start", "Read the log"]
    assert found["suggestion"] == "/kit/docs/api#opt-retries"


def test_a_deploy_that_would_lose_ids_can_be_stopped(site: Path) -> None:
    assert run_index(site).returncode == 0
    page = site / "docs/api/index.html"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace('<dt id="Queue.push">Queue.push(job)</dt><dd>Adds a job.</dd>', ""), encoding="utf-8")
    told = run_check(site, "--previous", site / "pincite")
    assert (told.returncode, "default/api#Queue.push" in told.stdout) == (0, True)
    assert "1 lost" in told.stdout
    assert run_check(site, "--previous", site / "pincite", "--on-lost-id", "fail").returncode == 1
    stopped = run_index(site, "--previous", site / "pincite", "--on-lost-id", "fail")
    assert stopped.returncode == 1
    assert "default/api#Queue.push" in stopped.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "nowhere is not a folder"),
        ((), "Missing argument"),
        ((FIXTURES / "harbor", "--on-lost-id", "perhaps"), "Invalid value"),
        ((FIXTURES / "harbor", "--previous", "nowhere"), "There is no index at nowhere"),
    ],
)
def test_bad_usage_ends_with_2_and_one_sentence(arguments: tuple[str | Path, ...], message: str) -> None:
    result = run_check(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_no_model_is_loaded() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from pincite_core.cli import root\n"
        f"result = CliRunner().invoke(root, ['check', {str(FIXTURES / 'harbor')!r}])\n"
        "print(result.exit_code, [m for m in ('torch', 'sentence_transformers', 'onnxruntime') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.split(maxsplit=1) == ["0", "[]\n"]
