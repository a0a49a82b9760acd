"""Take screenshots of the themes of docs/theming.md: python -m bench.themes

The bench reads every theme's style sheet from that page and adds it to the built example site (`make site`), which a
sidecar serves. A real browser asks a question in light and in dark mode. Writes the screenshots to docs/images/themes.
"""

import argparse
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from bench.running import run_sidecar
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright
from tests.e2e.reader import ask

__all__ = ("PAGE", "Theme", "read_themes")

_ROOT = Path(__file__).parents[1]
PAGE = _ROOT / "docs" / "theming.md"
_PICTURES = _ROOT / "docs" / "images" / "themes"
_SITE = _ROOT / "examples" / "site" / "build"
_START = "/docs/guides/tls"
_QUESTION = "How do I set up TLS?"  # its answer has text, code, marks and a table of sources
_QUALITY = 75  # of WebP
_WINDOW = ViewportSize(width=1280, height=620)
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_THEME = re.compile(r"^### (?P<name>[^\n]+)\n+```css\n(?P<styles>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme of the page: its heading and its style sheet."""

    name: str
    styles: str

    def picture(self, scheme: str) -> Path:
        """Return the path of the theme's screenshot in `light` or `dark`."""
        slug = re.sub(r"\W+", "-", self.name.lower())
        return _PICTURES / f"{slug}-{scheme}.webp"


def read_themes(markdown: str) -> list[Theme]:
    """Return the themes of a page in order: the headings of the third level that a style sheet follows."""
    return [Theme(found["name"], found["styles"]) for found in _THEME.finditer(markdown)]


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    themes = read_themes(PAGE.read_text(encoding="utf-8"))
    shutil.rmtree(_PICTURES, ignore_errors=True)
    _PICTURES.mkdir(parents=True)
    executable = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright, run_sidecar("--site", _SITE) as sidecar:
        browser = playwright.chromium.launch(executable_path=executable, args=_FLAGS)
        for theme in themes:
            for scheme in ("light", "dark"):
                _picture(browser, sidecar.url, theme, scheme)
                file = theme.picture(scheme)
                print(f"{file.name:40} {file.stat().st_size:8,}")
        browser.close()


def _picture(browser: Browser, address: str, theme: Theme, scheme: str) -> None:
    settings = {"viewport": _WINDOW, "color_scheme": scheme, "locale": "en-GB", "reduced_motion": "reduce"}
    context = browser.new_context(**settings)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{address}{_START}")
    page.add_style_tag(content=theme.styles)
    turn = ask(page, _QUESTION)
    expect(turn.locator("pre.coloured").first).to_be_visible()
    expect(turn.locator(".actions")).to_be_attached()
    page.locator("pincite-chat dialog").screenshot(path=theme.picture(scheme), type="webp", quality=_QUALITY)
    context.close()


if __name__ == "__main__":
    main()
