"""Build a site cold, again unchanged, and with one page changed; print seconds without model loading, and new texts.

    python -m bench.rebuilds [--data DIR] [--only NAME ...] [--model NAME]

Without --data the bench measures the example site (build it with `make site`). DIR holds sites as SITE/build or packed
as SITE.tar.xz. Each build is a process of its own, and the first starts with an empty cache. The second build uses the
cache of the first and must write the same bytes. The next two get the first with `--previous`; one of them has a page
with an added paragraph.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.sites import sites_of

from pincite_core.embedders import DEFAULT_MODEL

COLUMNS = (
    "site",
    "pages",
    "targets",
    "chunks",
    "texts",
    "cold s",
    "MB",
    "unchanged s",
    "embedded",
    "one page s",
    "embedded",
    "same bytes",
)
PARAGRAPH = "<p>The zebra lantern protocol is spoken here. It has nothing to do with what stands around it.</p>"
_CONTENT = re.compile(r"<(?:article|main)\b[^>]*>.*?(?=<p\b)", re.DOTALL)


def main() -> None:
    options = _arguments()
    print("  ".join(f"{name:>12}" for name in COLUMNS))
    for name, build in sites_of(options.data).items():
        if not options.only or name in options.only:
            with tempfile.TemporaryDirectory() as scratch:
                row = measure(name, build, Path(scratch), options.model)
            print("  ".join(f"{value:>12}" for value in row), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--model", default=DEFAULT_MODEL)
    return parser.parse_args()


def measure(name: str, build: Path, scratch: Path, model: str) -> list[str]:
    """Return one row of the table."""
    site = scratch / "site"
    shutil.copytree(build, site, ignore=shutil.ignore_patterns("*.js", "*.css", "pincite"))
    cold = _index(site, scratch / "cold", model)
    _index(site, scratch / "again", model)
    unchanged = _index(site, scratch / "unchanged", model, scratch / "cold")
    _change_a_page(site)
    changed = _index(site, scratch / "changed", model, scratch / "cold")
    same = (scratch / "cold/index.db").read_bytes() == (scratch / "again/index.db").read_bytes()
    report = cold["report"]
    return [
        name,
        *(f"{cold['counts'][name]:,}" for name in ("pages", "targets", "chunks")),
        f"{report['vectors_embedded'] + report['vectors_reused']:,}",
        f"{_seconds(cold):.1f}",
        f"{cold['size'] / 1e6:.1f}",
        *(cell for run in (unchanged, changed) for cell in (f"{_seconds(run):.2f}", str(_embedded(run)))),
        "yes" if same else "NO",
    ]


def _index(site: Path, out: Path, model: str, previous: Path | None = None) -> dict[str, Any]:
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "pincite_indexer",
        "index",
        site,
        "--out",
        out,
        "--model",
        model,
        "--json",
    ]
    command += ["--previous", previous] if previous else []
    cache = {"PINCITE_CACHE_DIR": str(out.parent / "cache")}
    done = subprocess.run(command, check=True, capture_output=True, env={**os.environ, **cache})
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def _change_a_page(site: Path) -> None:
    for file in sorted(site.rglob("*.html"), key=lambda file: -file.stat().st_size):
        text = file.read_text(encoding="utf-8")
        if match := _CONTENT.search(text):
            file.write_text(text[: match.end()] + PARAGRAPH + text[match.end() :], encoding="utf-8")
            return
    sys.exit(f"No page of {site} has an article or main with a paragraph.")


def _seconds(facts: dict[str, Any]) -> float:
    """Return the seconds of all phases except loading the model."""
    return float(sum(seconds for phase, seconds in facts["report"]["seconds"].items() if phase != "load model"))


def _embedded(facts: dict[str, Any]) -> int:
    return int(facts["report"]["vectors_embedded"])


if __name__ == "__main__":
    main()
