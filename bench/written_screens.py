"""Take two screenshots of a written answer for each site: the status line before the answer, and the full answer.

    python -m bench.written_screens --index SITE=INDEX ... --sites FOLDER [--out docs/images/written]

The answers come from `bench/written/whole_sections.jsonl.xz`: a capable person wrote them in place of a model, from
Pincite's prompts. For each site the bench asks the answerable question whose id has the smallest SHA-256. An
endpoint in this process repeats the recorded replies. It sends no reply before the bench has taken the
screenshot of the status line. The bench writes the screenshots and a page that shows them.
"""

import argparse
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.running import run_sidecar
from bench.written.answers import WHOLE_SECTIONS, WrittenAnswer, read_answers
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright
from tests.e2e.reader import finished, open_chat, send
from tests.integration.scripted_llm import DONE, Pause, ScriptedModel, running

from pincite_core.index.schema import BROWSER_ENCODER_FOLDER, INDEX_FOLDER
from pincite_indexer.publish import widget_folder

__all__ = ("SITES", "chosen_rows", "page_of")

_ROOT = Path(__file__).parents[1]
_PAGE = "docs/written-answers.md"
_QUALITY = 80  # of WebP
_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no fonts and counters of other hosts
]
_DESKTOP = ViewportSize(width=1280, height=900)
_MARKDOWN, _ESCAPED = re.compile(r"[\\`*_<>\[\]|]"), r"\\\g<0>"
_EXCERPT = re.compile(r"<excerpt ([a-z]{5})-(\d+)>\n([^\n]*)\n")
SITES = {  # name and version of the site, the licence of its text
    "prettier": ("Prettier 3.9.6", "MIT"),
    "vite": ("Vite 8.2.2", "MIT"),
    "argo-cd": ("Argo CD 3.6", "Apache-2.0"),
    "wagtail": ("Wagtail 8.0a", "BSD-3-Clause"),
}
_INTRODUCTION = """# Four written answers as pictures

This page shows four answers of the chat with a [language model](http-api.md#answers-by-a-language-model). The left
picture shows the chat while the model reads, the right picture the complete answer. A capable reader took the place of
the model. This reader got the product's own prompts and nothing else, and wrote each reply.

People asked these questions in issue trackers. For each of the [four sites](numbers.md#answers-by-a-language-model),
the page shows the answerable question whose id has the smallest SHA-256. `python -m bench.written_screens` writes this
page.
"""


class RowModel(ScriptedModel):
    """Repeats the recorded plan and answer of a question when it is released, and confirms every check."""

    def __init__(self, row: WrittenAnswer) -> None:
        super().__init__()
        self.row = row
        self.pause = Pause()

    def script_for(self, asked: dict[str, Any], prompt: str, *, plans: bool) -> tuple[object, ...]:
        """Return the recorded reply to such a request."""
        if plans:
            return ("\n".join(self.row.queries) + "\n", DONE)
        if statements := prompt.count("<statement "):
            return ("\n".join(f"{number}: yes" for number in range(1, statements + 1)), DONE)
        return (self.pause, _marked(self.row, prompt), DONE)


def _marked(row: WrittenAnswer, prompt: str) -> str:
    """Return an answer with the markers of this turn; the excerpts are matched by their titles."""
    found = _EXCERPT.findall(prompt)
    numbers = {title: number for _, number, title in found}
    titles = {excerpt.n: excerpt.title for excerpt in row.excerpts if excerpt.quoted}

    def marker(match: re.Match[str]) -> str:
        number = match[1] if match[1] == "0" else numbers.get(titles.get(int(match[1]), ""), match[1])
        return f"[{found[0][0]}-{number}]"

    return re.sub(r"\[\[(\d+)\]\]", marker, row.answer)


def main() -> None:
    options = _arguments()
    indexes = {site: Path(place) for site, _, place in (text.partition("=") for text in options.index)}
    rows = [row for row in chosen_rows() if row.site in indexes]
    options.out.mkdir(parents=True, exist_ok=True)
    executable = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=_FLAGS)
        for row in rows:
            _picture_site(browser, row, options.sites / row.site, indexes[row.site], options.out)
        browser.close()
    folder = os.path.relpath(options.out, (_ROOT / _PAGE).parent)
    (_ROOT / _PAGE).write_text(page_of(rows, Path(folder).as_posix()), encoding="utf-8")


def chosen_rows() -> list[WrittenAnswer]:
    """Return one answerable question of each site."""
    rows = [row for row in read_answers(WHOLE_SECTIONS) if row.kind == "answerable"]
    return [min((row for row in rows if row.site == site), key=_order) for site in SITES]


def _order(row: WrittenAnswer) -> bytes:
    return hashlib.sha256(row.id.encode()).digest()


def page_of(rows: Sequence[WrittenAnswer], folder: str) -> str:
    """Return the Markdown page that shows the pictures in a folder."""
    return "\n".join((_INTRODUCTION, *(part for row in rows for part in _section(row, folder))))


def _section(row: WrittenAnswer, folder: str) -> tuple[str, ...]:
    name, licence = SITES[row.site]
    asked = _MARKDOWN.sub(_ESCAPED, row.question)
    queries = ", ".join(f"*{_MARKDOWN.sub(_ESCAPED, query)}*" for query in row.queries)
    return (
        f"## {name}\n",
        f"> {asked}\n",
        f"The model's search queries: {queries}. The text of the docs belongs to its project ({licence}).\n",
        "| while the model reads | the answer |",
        "|---|---|",
        f"| ![The status line]({folder}/{row.site}-reading.webp) | ![The answer]({folder}/{row.site}-answer.webp) |\n",
    )


def _picture_site(browser: Browser, row: WrittenAnswer, site: Path, index: Path, out: Path) -> None:
    """Serve a copy of a site with its index at the deployed path, and take two screenshots of the chat."""
    with tempfile.TemporaryDirectory() as scratch, running(RowModel(row)) as model:
        copy = shutil.copytree(site, Path(scratch, "site"))
        shutil.copytree(index, copy / INDEX_FOLDER, dirs_exist_ok=True)
        _copy_widget(copy / INDEX_FOLDER)
        os.environ["PINCITE_LLM_BASE_URL"], os.environ["PINCITE_LLM_MODEL"] = model.base_url, "played"
        with run_sidecar("--site", copy, "--widget") as sidecar:
            context = browser.new_context(
                viewport=_DESKTOP, color_scheme="light", locale="en-GB", reduced_motion="reduce"
            )
            page = context.new_page()
            page.goto(f"{sidecar.url}/")  # The address includes the site's base path.
            _picture(page, row, model, out)
            context.close()


def _copy_widget(folder: Path) -> None:
    """Replace the widget of an index, which may be older than this checkout."""
    widget = widget_folder()
    if widget is None:
        sys.exit("The widget is not built. Run `npm run build` in widget/.")
    shutil.copytree(widget, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(BROWSER_ENCODER_FOLDER))


def _picture(page: Page, row: WrittenAnswer, model: RowModel, out: Path) -> None:
    dialog = open_chat(page)
    turn = send(page, row.question)
    expect(turn.locator("[part=status]")).to_contain_text("Reading")
    dialog.screenshot(path=out / f"{row.site}-reading.webp", type="webp", quality=_QUALITY)
    model.pause.go_on.set()
    expect(finished(page).locator(".failure")).to_have_count(0)
    turn.locator("[part=question]").scroll_into_view_if_needed()
    dialog.screenshot(path=out / f"{row.site}-answer.webp", type="webp", quality=_QUALITY)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", nargs="+", required=True, metavar="SITE=INDEX")
    parser.add_argument("--sites", type=Path, required=True, help="folder of the built sites, by name")
    parser.add_argument("--out", type=Path, default=_ROOT / "docs/images/written", help="folder for the pictures")
    return parser.parse_args()


if __name__ == "__main__":
    main()
