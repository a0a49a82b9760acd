"""Measure all promises of the indexer in one run: a table each for anchors, speed, encoding and rebuilds.

    python -m bench.indexing [--data DIR]

Without --data the bench measures the example site (build it with `make site`). DIR holds one folder for each site,
with a `build` folder. Each table comes from the bench of its name, which can also run alone and for chosen sites.
"""

import argparse
import subprocess
import sys
from pathlib import Path

TABLES = {
    "anchors": "every id of a target is on its page, every heading with an id is a target: dead, elsewhere, missed",
    "parsing": "HTML to chunks on all cores, beside a bare lxml parse and Pagefind, in the same rounds",
    "encoding": "chunks a second of the exported encoder and of sentence-transformers in batches of 32",
    "rebuilds": "builds with nothing to reuse, unchanged, and with one page changed; without loading the model",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    data = parser.parse_args().data
    failed = []
    for name, what in TABLES.items():
        print(f"\n{name}: {what}\n", flush=True)
        command = [sys.executable, "-m", f"bench.{name}", *(["--data", str(data)] if data else [])]
        if subprocess.run(command, check=False).returncode:
            failed.append(name)
    if failed:
        sys.exit(f"Failed: {', '.join(failed)}.")


if __name__ == "__main__":
    main()
