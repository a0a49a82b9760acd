"""Compare search as you type with other tools and BM25: python -m bench.searching --peers DIR SITE=BUILD ...

The bench writes each site's files as `pincite index` does, and types judged questions in Chromium: their first 3, 6
and 12 characters, and whole. DIR holds `node_modules` of PEERS (`npm install --legacy-peer-deps` them).

A page is right if it was named or graded 2 or 3, a section if it was graded 3. Sizes are gzipped. The download of a
first question includes the peers' own code, but not Pincite's code. Times are medians with the files loaded; the times
of a first question start from an empty page. BM25 uses text and headings (`bench.quality`) and matches whole words.
docusaurus-search-local reads only Docusaurus' HTML: leave it out (`--systems`) for other sites.
"""

import argparse
import gzip
import json
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import yaml
from bench.page_cost import served
from bench.quality.graded import read_graded
from bench.quality.judgements import read_judgements
from bench.quality.places import page_key, section_key
from bench.quality.tables import print_table, share_cell
from playwright.sync_api import Browser, Response, sync_playwright

from pincite_core.search.bm25 import Bm25, TermWeights
from pincite_core.search.postings import Postings, pack_postings
from pincite_core.search.terms import content_terms
from pincite_core.types import IndexInfo
from pincite_indexer.browser_bundle.files import search_files
from pincite_indexer.rows.assemble import assemble
from pincite_indexer.rows.link_graph import links_of
from pincite_indexer.rows.search_terms import chunk_terms
from pincite_indexer.site.resolved_site import resolve_site
from pincite_indexer.site.scan import find_html, scan_site
from pincite_server.evaluation.shares import Share

Found = dict[int, dict[str, Any]]
"""By the number of typed characters: the places found for each question, and milliseconds."""

ROOT = Path(__file__).parents[1]
QUESTIONS = ROOT / "bench" / "questions"
TYPED = (3, 6, 12, 2000)
PEERS = (
    "minisearch@7.2",
    "pagefind@1.6",
    "@easyops-cn/docusaurus-search-local@0.55.3",  # pinned: a release may move the internal modules
    "esbuild@0.28",  # bundles the code of its search bar
)
SYSTEMS = ("pincite", "minisearch", "pagefind", "search_local")
_MEASURES = ("page@1", "page@5", "sect@1", "sect@5")
_FIRST_ROUNDS = 7  # the systems take turns, because the machine may be busy
_SECTION_TEXT = TermWeights(body=1, headings=1, page=0, links=0, code=0)
_LOOKED_AT = 5
_SCRIPT = ROOT / "bench" / "searching.js"
_FIRST = "([system, site, text]) => window.first(system, site, text)"
_HEADER = "{:12} {:>6} {:>4} {:>7} {:>7} {:>7} {:>7} {:>8}"


@dataclass(frozen=True, slots=True)
class Judged:
    """A question, the keys of the right pages, and the keys of the right sections (page and anchor)."""

    question: str
    pages: frozenset[str]
    sections: frozenset[tuple[str, str]]


def main() -> None:
    options = _arguments()
    totals: dict[tuple[str, int], list[tuple[bool, ...]]] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        scratch = Path(folder)
        (scratch / "widget").symlink_to(ROOT / "widget")
        (scratch / "peers").symlink_to(options.peers.resolve())
        (scratch / "page.html").write_text("<!doctype html><title>bench</title>")
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        with served(scratch) as address:
            for name, build in options.sites:
                _report_site(name, build, scratch, address, browser, options, totals)
        browser.close()
    rows = {f"{system}, {_name(typed)}": _shares(rights) for (system, typed), rights in totals.items()}
    print_table("all sites", _MEASURES, rows)


def _report_site(
    name: str,
    build: Path,
    scratch: Path,
    address: str,
    browser: Browser,
    options: argparse.Namespace,
    totals: dict[tuple[str, int], list[tuple[bool, ...]]],
) -> None:
    questions = tuple(_questions(name, options.eval))
    rows, sizes, bm25, pages = _write(name, build, scratch / name, questions)
    if "pagefind" in options.systems:
        command = [options.peers / "node_modules" / ".bin" / "pagefind", "--site", build]
        subprocess.run([*command, "--output-path", scratch / name / "pagefind"], check=True, capture_output=True)
        sizes["pagefind"] = _gzipped(scratch / name / "pagefind")
    if "search_local" in options.systems:
        sizes["search_local"] = _write_search_local(pages, scratch / name / "search_local", options.peers)
    print(f"\n{name}: {len(questions)} questions, {rows} parts of sections")
    print(_HEADER.format("system", "typed", "n", *_MEASURES, "ms"))
    for system in (*options.systems, "bm25"):
        found, loaded = (bm25, "-") if system == "bm25" else _typed(system, name, questions, scratch, address, browser)
        for typed in TYPED:
            rights = [_right(asked, places) for asked, places in zip(questions, found[typed]["places"], strict=True)]
            totals.setdefault((system, typed), []).extend(rights)
            print(_line(system, typed, rights, found[typed].get("ms", "")))
        print(f"  {system}: all files {sizes.get(system, '-')} kB, a first question loads {loaded} kB")
    for system, took in _first_times(options.systems, name, questions[0].question, address, browser).items():
        print(f"  {system}: first question from a page that has nothing {took:.0f} ms")


def _line(system: str, typed: int, rights: Sequence[tuple[bool, ...]], took: object) -> str:
    shares = [f"{sum(column) / len(rights):.2f}" for column in zip(*rights, strict=True)]
    return _HEADER.format(system, _name(typed), len(rights), *shares, took)


def _shares(rights: Sequence[tuple[bool, ...]]) -> list[str]:
    return [share_cell(Share.of(column)) for column in zip(*rights, strict=True)]


def _name(typed: int) -> str:
    return "whole" if typed == TYPED[-1] else str(typed)


def _right(asked: Judged, places: Sequence[tuple[str, str]]) -> tuple[bool, ...]:
    pages = [page_key(url) in asked.pages for url, _ in places[:_LOOKED_AT]]
    sections = [section_key(url, anchor) in asked.sections for url, anchor in places[:_LOOKED_AT]]
    return any(pages[:1]), any(pages), any(sections[:1]), any(sections)


def _questions(site: str, folder: Path) -> Iterator[Judged]:
    judgements = read_judgements(folder) if folder.is_dir() else {}
    if site in judgements:
        graded = {row.id: row.as_judged() for row in read_graded(site)}
        for item in (item for item in judgements[site].answerable if item.clear):
            more = graded.get(item.id)
            pages, sections = (item.pages, item.sections) if more is None else (more.pages, more.sections)
            yield Judged(item.question, item.pages | pages, item.sections | sections)
        return
    tracked = QUESTIONS / "tracker" / f"{site}.jsonl"
    if tracked.is_file():
        for row in map(json.loads, tracked.read_text("utf-8").splitlines()):
            places = [(f"/{gold['page']}", gold.get("anchor") or "") for gold in row.get("gold", ())]
            if row["kind"] == "answerable" and row["clear"]:
                sections = frozenset(section_key(*place) for place in places)
                yield Judged(row["question"], frozenset(page_key(url) for url, _ in places), sections)
        return
    written = QUESTIONS / f"{site}.yml"
    named = {row["question"]: row.get("expect", ()) for row in yaml.safe_load(written.read_text("utf-8"))}
    for graded_row in read_graded(site):
        judged = graded_row.as_judged()
        places = named.get(graded_row.question, ())
        pages = judged.pages | {page_key(place) for place in places if place.startswith("/")}
        if graded_row.kind == "answerable" and judged.clear and pages:
            yield Judged(graded_row.question, frozenset(pages), judged.sections)


def _write(
    name: str, build: Path, out: Path, questions: Sequence[Judged]
) -> tuple[int, dict[str, float], Found, dict[str, Path]]:
    """Write a site's files and MiniSearch's input; return parts, kB, BM25's results, and files by URL."""
    files = [file for file in find_html(build) if not file.startswith("pincite/")]
    site = resolve_site(scan_site(build, files, keep_noindex=False, advance=lambda: None), None, (), None)
    rows = assemble(site)
    terms = chunk_terms(rows, links_of(site, rows).inside)
    urls = site.urls
    info = IndexInfo(1, name, name, urls.site_url, urls.base_url, site.default_locale, site.locales, "", "", 1, 1, "")
    (out / "search").mkdir(parents=True)
    for file, data in search_files(rows, terms, info):
        (out / "search" / file).write_bytes(data)
    default_scopes = [scope for scope in rows.scopes if scope.locale == site.default_locale]
    scopes = {scope.scope_id for scope in default_scopes if scope.is_last or not scope.version}
    manifest = json.loads((out / "search" / "manifest.json").read_text("utf-8"))
    default = [entry for entry in manifest["scopes"] if entry["locale"] == site.default_locale and entry["is_last"]]
    names = {file for entry in default for kind in ("words", "postings", "texts") for file in entry[kind]}
    targets, pages = {item.target_id: item for item in rows.targets}, {page.page_id: page for page in rows.pages}
    chunks = [(chunk, held) for chunk, held in zip(rows.chunks, terms, strict=True) if chunk.scope_id in scopes]
    documents = [
        {
            "id": number,
            "url": pages[chunk.page_id].url,
            "anchor": targets[chunk.target_id].anchor,
            "page": pages[chunk.page_id].title,
            "title": targets[chunk.target_id].title,
            "text": chunk.text,
        }
        for number, (chunk, _) in enumerate(chunks)
    ]
    (out / "documents.json").write_text(json.dumps(documents))
    lengths = [len(f"{held.body} {held.headings} {held.page} {held.links} {held.code}".split()) for _, held in chunks]
    packed = {
        row.term: Postings.unpacked(row.chunk_ids, row[3:])
        for row in pack_postings(held._replace(chunk_id=number + 1) for number, (_, held) in enumerate(chunks))
    }
    bm25, places = Bm25(np.array(lengths)), [(row["url"], row["anchor"]) for row in documents]
    found: Found = {}
    for typed in TYPED:
        ranked = []
        for asked in questions:
            held = {term: packed[term] for term in content_terms(asked.question[:typed]) if term in packed}
            best = bm25.scores(held, _SECTION_TEXT).best(100).row_ids if held else ()
            ranked.append(list(dict.fromkeys(places[row - 1] for row in best))[:_LOOKED_AT])
        found[typed] = {"places": [[(str(url), str(anchor)) for url, anchor in row] for row in ranked]}
    sizes = {"pincite": _kilobytes([out / "search" / file for file in names])}
    current = {page.url for page in rows.pages if page.scope_id in scopes}
    files_of = {page.url: build / page.draft.file for page in site.pages if page.url in current}
    return len(chunks), sizes, found, files_of


def _write_search_local(pages: dict[str, Path], out: Path, peers: Path) -> float:
    """Write docusaurus-search-local's index of pages by URL and its search bar's code; return the index's kB."""
    out.mkdir()
    script: tuple[str | Path, ...] = ("node", ROOT / "bench" / "search_local.mjs", peers)
    subprocess.run((*script, "--worker", out / "worker.js"), check=True)
    files = json.dumps({url: str(file) for url, file in pages.items()})
    with (out / "search-index.json").open("w") as index:
        subprocess.run(script, input=files, stdout=index, text=True, check=True)
    return _kilobytes([out / "search-index.json"])


def _typed(
    system: str, site: str, questions: Sequence[Judged], scratch: Path, address: str, browser: Browser
) -> tuple[Found, str]:
    """Return a system's results for the typed text, and the kB that its first question loads."""
    page = browser.new_page()
    loaded: list[Path] = []  # as files, because the browser drops the bodies of large responses

    def note(response: Response) -> None:
        if "/widget/" not in response.url and "page.html" not in response.url and response.ok:
            loaded.append(scratch / urlsplit(response.url).path.lstrip("/"))

    page.goto(f"{address}/page.html")
    page.on("response", note)
    asked = [question.question for question in questions]
    page.add_script_tag(path=_SCRIPT)
    page.evaluate(_FIRST, [system, site, asked[0]])
    page.wait_for_timeout(300)
    size = f"{_kilobytes(loaded):.0f}"
    found = {typed: page.evaluate("(texts) => window.run(texts)", [text[:typed] for text in asked]) for typed in TYPED}
    page.close()
    return found, size


def _first_times(systems: Sequence[str], site: str, question: str, address: str, browser: Browser) -> dict[str, float]:
    """Return for each system the median milliseconds from an empty page to the results of a first question."""
    took: dict[str, list[float]] = {system: [] for system in systems}
    for _ in range(_FIRST_ROUNDS):
        for system in systems:
            page = browser.new_page()  # a new profile, so the caches are empty
            page.goto(f"{address}/page.html")
            page.add_script_tag(path=_SCRIPT)
            took[system].append(page.evaluate(_FIRST, [system, site, question]))
            page.close()
    return {system: statistics.median(times) for system, times in took.items()}


def _gzipped(folder: Path) -> float:
    return _kilobytes([file for file in folder.rglob("*") if file.is_file()])


def _kilobytes(files: Sequence[Path]) -> float:
    return round(sum(len(gzip.compress(file.read_bytes(), 9)) for file in files) / 1000, 1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", nargs="+", type=lambda text: (text.partition("=")[0], Path(text.partition("=")[2])))
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--eval", type=Path, default=Path("eval"), help="the folder of qrels.jsonl and questions.jsonl")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=SYSTEMS)
    parser.add_argument("--chromium", default=None)
    return parser.parse_args()


if __name__ == "__main__":
    main()
