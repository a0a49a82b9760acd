"""A site whose pages do not say their language is read in that of its text."""

import sys
from pathlib import Path

import pytest
from tests.unit.indexer.builds import Builds

from pincite_indexer.build_report import report_lines

GERMAN = (
    "Der Server lauscht auf dem Port, den die Umgebung vorgibt. Wer ihn ändert, startet den Dienst danach neu, "
    "sonst bleibt alles beim Alten. Eine Sperre gilt dreißig Sekunden, wenn niemand sie verlängert."
)
ENGLISH = (
    "The server listens on the port that the environment names. Whoever changes it restarts the service afterwards, "
    "or all stays as it was. A lock is held for thirty seconds unless somebody extends it."
)
needs_model = pytest.mark.skipif(sys.version_info >= (3, 14), reason="fastText is not built for this Python yet")


def page(text: str, lang: str = "") -> str:
    said = f' lang="{lang}"' if lang else ""
    content = f"<main><h1>Server</h1><p>{text}</p></main>"
    return f"<!doctype html><html{said}><head><title>Doku</title></head><body>{content}</body></html>"


def told(builds: Builds) -> str:
    return dict(report_lines(builds.report)).get("Languages", "")


@needs_model
def test_the_language_of_undeclared_pages_is_detected_and_reported(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    index = builds.add({"index.html": page(GERMAN), "weiter.html": page(GERMAN + " Mehr steht hier nicht.")})
    assert index.info.locales == ("de",)
    assert index.language_of([1]) == "de"
    assert "2 pages without a `lang` count as de, the language of their text" in told(builds)


@needs_model
def test_a_site_in_two_languages_counts_as_english_in_doubt(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    index = builds.add({"index.html": page(GERMAN), "more.html": page(ENGLISH)})
    assert index.info.default_locale == "en"
    assert "2 pages without a `lang` count as en" in told(builds)


def test_a_declared_language_applies_to_pages_without_one(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    index = builds.add({"index.html": page(GERMAN, "fr"), "weiter.html": page(GERMAN + " Mehr steht hier nicht.")})
    assert index.info.locales == ("fr",)
    assert "1 pages without a `lang` count as fr, the language of the site" in told(builds)


def test_the_report_is_silent_if_every_page_declares_its_language(tmp_path: Path) -> None:
    builds = Builds(tmp_path)
    builds.add({"index.html": page(ENGLISH, "en")})
    assert "lang" not in told(builds)
