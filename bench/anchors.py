"""Check every anchor of whole sites in both directions with a second parser; exit with 1 if an anchor is wrong.

    python -m bench.anchors [--data DIR] [--index-dir DIR] [--only NAME ...] [--equal NAME NAME]

Each target's id must be on its page (otherwise: dead), and a browser must find the id first in the content (otherwise:
elsewhere). Each heading of the content with an id must be a target (otherwise: missed), except on pages that state why
they are left out. DIR holds sites as SITE/build or SITE.tar.xz. Without --data the bench checks the example site (build
it with `make site`). It reads and cuts the sites as `pincite index` does, without vectors. --index-dir reads existing
indexes, DIR/SITE, instead. --equal names two builds of one site, for example by different minifiers. Their targets and
texts must be the same.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from bench.second_opinion import SeenPage, see_page
from bench.sites import sites_of

from pincite_core.index.read import Index
from pincite_core.urls import candidate_files
from pincite_indexer.rows.assemble import Rows, assemble
from pincite_indexer.site.resolved_site import Site, resolve_site
from pincite_indexer.site.scan import find_html, scan_site

COLUMNS = ("site", "files", "pages", "targets", "headings", "dead", "elsewhere", "missed", "seconds")
WORKERS = 2  # html5lib takes most of a second for a long page
BATCH = 8  # files a worker takes at a time


@dataclass(slots=True)
class Tally:
    """Counts of the compared anchors, and the wrong anchors, each as `file#id`."""

    files: int = 0
    pages: int = 0
    targets: int = 0
    headings: int = 0
    dead: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def misses(self) -> dict[str, list[str]]:
        return {"dead": self.dead, "elsewhere": self.elsewhere, "missed": self.missed}


def main() -> None:
    options = _arguments()
    print("  ".join(f"{name:>14}" for name in COLUMNS))
    wrong = False
    for name, build in sites_of(options.data).items():
        if not options.only or name in options.only:
            start = perf_counter()
            index = Index.open(options.index_dir / name) if options.index_dir else None
            tally = _compare(build, _anchors_of_index(build, index) if index else _anchors_of_site(build))
            _show(name, tally, perf_counter() - start)
            wrong = wrong or any(tally.misses.values())
    if options.equal:
        different = _different_pages(*(options.data / name / "build" for name in options.equal))
        print(f"{' and '.join(options.equal)}: {len(different)} pages differ", *different, sep="\n    ")
        wrong = wrong or bool(different)
    sys.exit(int(wrong))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--index-dir", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--equal", nargs=2, metavar="NAME")
    return parser.parse_args()


def _read(build: Path, *, keep_noindex: bool) -> tuple[Site, Rows]:
    scan = scan_site(build, find_html(build), keep_noindex=keep_noindex, advance=lambda: None)
    site = resolve_site(scan, None, (), None)
    return site, assemble(site)


def _different_pages(one: Path, other: Path) -> list[str]:
    """Return the URLs of pages, with noindex pages, whose targets or texts differ between the two builds."""
    first, second = (_contents(_read(build, keep_noindex=True)[1]) for build in (one, other))
    return sorted(url for url in first.keys() | second.keys() if first.get(url) != second.get(url))


def _contents(rows: Rows) -> dict[str, list[object]]:
    contents: dict[int, list[object]] = defaultdict(list)
    for target in rows.targets:
        place = (target.anchor, target.kind, target.stable_id, target.heading_path, target.landing)
        contents[target.page_id].append(place)
    for chunk in rows.chunks:
        contents[chunk.page_id].append(chunk.text)
    return {page.url: contents[page.page_id] for page in rows.pages}


def _anchors_of_site(build: Path) -> dict[str, set[str]]:
    """Return the anchors of each page's targets, by file, as a build would store them."""
    site, rows = _read(build, keep_noindex=False)
    anchors: dict[str, set[str]] = {page.draft.file: set() for page in site.pages}
    for target in rows.targets:
        anchors[site.pages[target.page_id - 1].draft.file].add(target.anchor)
    return anchors


def _anchors_of_index(build: Path, index: Index) -> dict[str, set[str]]:
    """Return the anchors of each page's targets, by file, as an index stores them."""
    found = {}
    for page in index.pages():
        names = candidate_files(page.url, index.info.base_url)
        file = next(name for name in names if (build / name).is_file())
        found[file] = {target.anchor for target in index.targets_of_page(page.page_id)}
    return found


def _compare(build: Path, anchors: Mapping[str, set[str]]) -> Tally:
    tally = Tally(pages=len(anchors))
    for file, seen in _see_all(build):
        tally.files += 1
        targets = anchors.get(file)
        if targets is None and seen.no_page:
            tally.left_out[seen.no_page] += 1
            continue
        targets = (targets or set()) - {""}
        tally.targets += len(targets)
        tally.headings += len(seen.heading_ids)
        tally.dead += [f"{file}#{name}" for name in sorted(targets - seen.ids)]
        tally.elsewhere += [f"{file}#{name}" for name in sorted(targets & seen.outside)]
        tally.missed += [f"{file}#{name}" for name in sorted(seen.heading_ids - targets - seen.outside)]
    return tally


def _see_all(build: Path) -> Iterator[tuple[str, SeenPage]]:
    files = find_html(build)
    with ProcessPoolExecutor(WORKERS) as pool:
        yield from zip(files, pool.map(see_page, [build / file for file in files], chunksize=BATCH), strict=True)


def _show(name: str, tally: Tally, seconds: float) -> None:
    counts = (tally.files, tally.pages, tally.targets, tally.headings, *map(len, tally.misses.values()))
    row = [name, *(f"{count:,}" for count in counts), f"{seconds:.0f}"]
    print("  ".join(f"{value:>14}" for value in row), flush=True)
    if tally.left_out:
        print("    left out: " + ", ".join(f"{count} {why}" for why, count in sorted(tally.left_out.items())))
    for kind, places in tally.misses.items():
        for place in places:
            print(f"    {kind}: {place}")


if __name__ == "__main__":
    main()
