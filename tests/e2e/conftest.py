"""The whole product: the built example site, the real sidecar with the real model, a real Chromium."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

BUILD = Path(__file__).parents[2] / "examples" / "site" / "build"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_DESKTOP = {"width": 1280, "height": 800}


@pytest.fixture(scope="session")
def sidecar() -> Iterator[str]:
    """Run `pincite serve --site` over the built example site; yield its address without a slash."""
    if not (BUILD / "pincite" / "index.json").is_file():
        pytest.fail("The example site is not built. Run `make site` first.")
    command = [sys.executable, "-m", "pincite_indexer", "serve", "--site", str(BUILD), "--port", "0"]
    environment = os.environ | {"PINCITE_RATE_LIMIT": "0", "PINCITE_ADDRESS_LIMIT": "0"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        try:
            assert process.stdout is not None
            announced = re.search(r"http://\S+", process.stdout.readline())
            assert announced, "the sidecar did not start"
            yield announced.group().rstrip("/")
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = os.environ.get("PINCITE_CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), None)
    if executable is None:
        message = "No Chromium found. Install it, or name one in PINCITE_CHROMIUM."
        (pytest.fail if os.environ.get("PINCITE_REQUIRE_BROWSER") else pytest.skip)(message)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab of a new profile. Errors on the page fail the test that caused them."""
    context = browser.new_context(viewport=_DESKTOP, reduced_motion="reduce", locale="en-GB")
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    context.close()
    assert errors == []
