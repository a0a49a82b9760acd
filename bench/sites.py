"""Index whole sites and print what each gave: pages, targets, chunks, seconds, megabytes.

    python bench/sites.py [--data DIR] [--model NAME] [--cold] [--only NAME ...]

Without --data the example site is measured (build it with `make site`). DIR holds one folder a site, each with a
`build` folder, and packed sites (`NAME.tar.xz`) are unpacked into a temporary folder. --cold embeds everything anew.
Every site is indexed by a real `pincite index` process, and one question is put to it with `pincite ask`.
"""

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from time import perf_counter

EXAMPLE = Path(__file__).parents[1] / "examples" / "site" / "build"
PINCITE = [sys.executable, "-m", "pincite_indexer"]
COLUMNS = ("site", "pages", "targets", "chunks", "sentences", "embedded", "reused", "seconds", "MB", "asked")


def main() -> None:
    options = _arguments()
    with tempfile.TemporaryDirectory() as scratch:
        sites = _sites(options.data, Path(scratch))
        print("  ".join(f"{name:>13}" for name in COLUMNS))
        for name, build in sites.items():
            if not options.only or name in options.only:
                row = _measure(name, build, Path(scratch) / "index" / name, options.model, cold=options.cold)
                print("  ".join(f"{value:>13}" for value in row), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--model", default="sentence-transformers/all-MiniLM-L6-v2")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    return parser.parse_args()


def _sites(data: Path | None, scratch: Path) -> dict[str, Path]:
    if data is None:
        return {"example": EXAMPLE}
    for packed in sorted(data.glob("*.tar.xz")):
        with tarfile.open(packed) as archive:
            archive.extractall(scratch / "sites", filter="data")
    folders = [*data.glob("*/build"), *(scratch / "sites").glob("*/build")]
    return {folder.parent.name: folder for folder in sorted(folders)}


def _measure(name: str, build: Path, out: Path, model: str, *, cold: bool) -> list[str]:
    start = perf_counter()
    command = [*PINCITE, "index", str(build), "--out", str(out), "--model", model, "--json"]
    facts = json.loads(_run([*command, *(["--no-cache"] if cold else [])]))
    seconds = perf_counter() - start
    report = facts["report"]
    answer = json.loads(
        _run([*PINCITE, "ask", str(out), "--json", "-"], '{"id": "1", "query": "How do I get started?"}\n')
    )
    counts = (facts["counts"][key] for key in ("pages", "targets", "chunks", "sentences"))
    vectors = (report["vectors_embedded"], report["vectors_reused"])
    numbers = [f"{number:,}" for number in (*counts, *vectors)]
    return [name, *numbers, f"{seconds:.1f}", f"{facts['size'] / 1e6:.1f}", str(answer["type"])]


def _run(command: list[str], given: str = "") -> str:
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


if __name__ == "__main__":
    main()
