"""Compare HTML to chunks with a bare lxml parse of the same files and with Pagefind's indexing, each on all cores.

    python -m bench.parsing [--data DIR] [--only NAME ...] [--rounds N]

Without --data the bench measures the example site (build it with `make site`). DIR holds sites as SITE/build or packed
as SITE.tar.xz. The three take turns in each round, each in processes of its own. The seconds are the least of the
rounds, because other work on the machine only adds time. The ratio is the median of the rounds' ratios. Memory is the
maximum of the build's own process and its readers.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, get_context
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.sites import sites_of

COLUMNS = ("site", "pages", "MB", "lxml s", "chunks s", "ratio", "pagefind s", "memory MB")
BATCH = 16  # files that a process takes at a time, as in the indexer
CUT = "import json, sys; from bench.parsing import cut; print(json.dumps(cut(sys.argv[1])))"
PAGEFIND = [sys.executable, "-m", "pagefind"]  # pip install 'pagefind[bin]'


def main() -> None:
    options = _arguments()
    print("  ".join(f"{name:>12}" for name in COLUMNS))
    for name, build in sites_of(options.data).items():
        if not options.only or name in options.only:
            print("  ".join(f"{value:>12}" for value in measure(name, build, options.rounds)), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def measure(name: str, build: Path, rounds: int) -> list[str]:
    """Return one row of the table."""
    files = [str(file) for file in sorted(build.rglob("*.html"))]
    bare, pagefind = [], []
    ours: list[dict[str, float]] = []
    for _ in range(rounds):
        bare.append(_seconds(lambda: parse_all(files)))
        ours.append(json.loads(subprocess.run([sys.executable, "-c", CUT, build], check=True, stdout=-1).stdout))
        pagefind.append(_seconds(lambda: _pagefind(build)))
    least = min(run["seconds"] for run in ours)
    size = sum(Path(file).stat().st_size for file in files) / 1e6
    memory = max(run["memory"] for run in ours)
    ratio = median(run["seconds"] / seconds for run, seconds in zip(ours, bare, strict=True))
    numbers = (f"{min(bare):.2f}", f"{least:.2f}", f"{ratio:.2f}", f"{min(pagefind):.2f}", f"{memory:.0f}")
    return [name, f"{len(files):,}", f"{size:.1f}", *numbers]


def parse_all(files: list[str]) -> None:
    """Parse every file with lxml and drop the tree."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        list(pool.map(parse, files, chunksize=BATCH))


def parse(file: str) -> None:
    """Parse one file."""
    import lxml.html  # only in the worker

    lxml.html.parse(file)


def cut(build: str) -> dict[str, float]:
    """Convert a site from HTML to chunks as `pincite index` does; return the seconds and the megabytes that it took."""
    from pincite_indexer.build import without_collecting
    from pincite_indexer.rows.assemble import assemble
    from pincite_indexer.site.resolved_site import resolve_site
    from pincite_indexer.site.scan import find_html, scan_site

    start = perf_counter()
    site = Path(build)
    with without_collecting():
        scan = scan_site(site, find_html(site), keep_noindex=False, advance=lambda: None)
        rows = assemble(resolve_site(scan, None, (), None))
    seconds = perf_counter() - start
    assert rows.chunks
    for child in active_children():
        child.join()  # to count its memory
    own, readers = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {"seconds": seconds, "memory": (own + readers * (os.cpu_count() or 1)) / 1024}


def _pagefind(build: Path) -> None:
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([*PAGEFIND, "--site", build, "--output-path", out], check=True, capture_output=True)


def _seconds(work: Callable[[], None]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


if __name__ == "__main__":
    main()
