"""Take screenshots of the first screen that a reader of the chat sees, for twenty questions chosen by hash.

    python -m bench.screens --index SITE=INDEX ... --sites FOLDER --questions FILE ... [--out docs/images/screens]

A FILE is a file of `bench/questions/tracker`, and FOLDER/SITE is the built site. The bench asks the answerable
questions whose ids have the smallest SHA-256. A sidecar serves a copy of each site with the chat. A real browser asks
each question on the start page, in a profile of its own, and takes a screenshot of the panel when the answer is
complete. The bench writes the screenshots and the page that shows them, and prints the result of each question.
"""

import argparse
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
from bench.running import run_sidecar
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright
from tests.e2e.reader import ask

from pincite_core.index.schema import INDEX_FOLDER

__all__ = ("SITES", "Screen", "ScreenQuestion", "choose", "page_of", "read_questions")

_ROOT = Path(__file__).parents[1]
_COUNT = 20
_PAGE = "docs/first-screens.md"
_QUALITY = 80  # of WebP
_COMPLETE = ".actions, .refusal, .failure"  # elements that the last event of a reply draws
_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no fonts and counters of other hosts
]
_DESKTOP = ViewportSize(width=1280, height=800)
SITES = {  # name and version of the site, the licence of its text
    "allauth": ("django-allauth 0.51.0", "MIT"),
    "dask": ("Dask 2022.12.1", "BSD-3-Clause"),
    "mypy": ("mypy 1.0.1", "MIT"),
    "pino": ("pino 10.4.0", "MIT"),
    "postgresql": ("PostgreSQL 15.20", "PostgreSQL"),
}
_COLUMNS = "| question and answer | question and answer |"
_INTRODUCTION = """# Twenty answers as pictures

This page shows the chat's answers to twenty questions about five documentation sites. Each picture shows the complete
answer before the reader scrolls or clicks. The sites are five of the six sites of the [latest
measurement](numbers.md#how-useful-answers-are). We tuned neither search nor quoting on these sites before that
measurement. After it, Pincite began to [quote settings whole](decisions/041-definitions.md), as these pictures show:

{sites}

The quoted texts belong to these projects, under the licences above.

Nobody chose the questions. There are {asked} answerable [questions from
trackers](../bench/questions/README.md#questions-from-trackers) about these sites. We sorted them by the SHA-256 of
their ids and took the first {shown}, whether the answers are good or bad. {outcomes}

`python -m bench.screens` served each built site with the chat. It asked each question on the start page, in a new
profile of a real browser (1280 by 800 pixels), and took a screenshot of the panel. The answers are quoted, with default
settings and without a language model.
"""


class ScreenQuestion(msgspec.Struct, frozen=True):
    """A question that somebody asked in a tracker, and its address."""

    id: str
    question: str
    source: str
    kind: str
    site: str = ""


@dataclass(frozen=True, slots=True)
class Screen:
    """The screenshot of a reply, and whether the reply is an answer or a refusal."""

    asked: ScreenQuestion
    picture: Path
    outcome: Literal["answer", "refusal"]


def main() -> None:
    options = _arguments()
    indexes = {site: Path(place) for site, _, place in (text.partition("=") for text in options.index)}
    answerable = [row for file in options.questions for row in read_questions(file) if row.kind == "answerable"]
    chosen = choose(answerable, _COUNT)
    if missing := sorted({asked.site for asked in chosen} - indexes.keys()):
        sys.exit(f"Give --index {' '.join(f'{site}=INDEX' for site in missing)} too.")
    options.out.mkdir(parents=True, exist_ok=True)
    for old in options.out.glob("*.webp"):
        old.unlink()
    screens = _picture_all(chosen, indexes, options.sites, options.out)
    (_ROOT / _PAGE).write_text(page_of(screens, len(answerable), (_ROOT / _PAGE).parent), encoding="utf-8")
    for screen in screens:
        size = screen.picture.stat().st_size
        print(f"{screen.picture.name:20} {size:8,} {screen.outcome:8} {screen.asked.question}")


def read_questions(file: Path) -> list[ScreenQuestion]:
    """Return the questions of a file of JSON lines; its name is the site's."""
    rows = (msgspec.json.decode(line, type=ScreenQuestion) for line in file.read_bytes().splitlines())
    return [msgspec.structs.replace(row, site=file.stem) for row in rows]


def choose(rows: Iterable[ScreenQuestion], count: int) -> list[ScreenQuestion]:
    """Return the `count` questions whose ids have the smallest SHA-256, in the order of the hash."""
    return sorted(rows, key=lambda row: hashlib.sha256(row.id.encode()).digest())[:count]


def page_of(screens: Sequence[Screen], asked: int, folder: Path) -> str:
    """Return the Markdown page in `folder` with the screenshots, two in each row, of `asked` answerable questions."""
    shown = {screen.asked.site for screen in screens}
    names = [f"- {name} ({licence})" for site, (name, licence) in SITES.items() if site in shown]
    refused = sum(screen.outcome == "refusal" for screen in screens)
    outcomes = f"{len(screens) - refused} were answered, {refused} refused."
    head = _INTRODUCTION.format(sites="\n".join(names), asked=asked, shown=len(screens), outcomes=outcomes)
    rows = [screens[start : start + 2] for start in range(0, len(screens), 2)]
    cells = [line for row in rows for line in (map(_caption, row), [_image(screen, folder) for screen in row])]
    return "\n".join((head, _COLUMNS, "|---|---|", *(f"| {' | '.join(line)} |" for line in cells), ""))


def _caption(screen: Screen) -> str:
    asked = screen.asked
    as_typed = re.sub(r"([\\`*_<>\[\]|])", r"\\\1", asked.question)  # escape Markdown
    return f"{as_typed} ([{SITES[asked.site][0]}]({asked.source}))"


def _image(screen: Screen, folder: Path) -> str:
    place = Path(os.path.relpath(screen.picture, folder)).as_posix()
    return f"![The chat's {screen.outcome}]({place})"


def _picture_all(chosen: Sequence[ScreenQuestion], indexes: Mapping[str, Path], sites: Path, out: Path) -> list[Screen]:
    found: dict[str, Screen] = {}
    executable = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=_FLAGS)
        for site in sorted({row.site for row in chosen}):
            with _served(sites / site, indexes[site]) as address:
                rows = (row for row in chosen if row.site == site)
                found |= {row.id: _picture(browser, address, row, out / f"{row.id}.webp") for row in rows}
        browser.close()
    return [found[row.id] for row in chosen]


@contextmanager
def _served(site: Path, index: Path) -> Iterator[str]:
    """Serve a copy of a site with its index at the deployed path; yield the address."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = shutil.copytree(site, Path(scratch, "site"))
        shutil.copytree(index, copy / INDEX_FOLDER, dirs_exist_ok=True)
        with run_sidecar("--site", copy, "--widget") as sidecar:
            yield sidecar.url


def _picture(browser: Browser, address: str, asked: ScreenQuestion, file: Path) -> Screen:
    # With animation, the answer arrives before the panel has faded in.
    context = browser.new_context(viewport=_DESKTOP, color_scheme="light", locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    turn = ask(page, asked.question)
    expect(turn.locator(_COMPLETE).first).to_be_attached()
    expect(turn.locator(".failure")).to_have_count(0)
    page.locator("pincite-chat dialog").screenshot(path=file, type="webp", quality=_QUALITY)
    refused = turn.locator(".refusal").count() > 0
    context.close()
    return Screen(asked, file, "refusal" if refused else "answer")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", nargs="+", required=True, metavar="SITE=INDEX")
    parser.add_argument("--sites", type=Path, required=True, help="folder of the built sites, by name")
    parser.add_argument("--questions", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--out", type=Path, default=_ROOT / "docs/images/screens", help="folder for the pictures")
    return parser.parse_args()


if __name__ == "__main__":
    main()
