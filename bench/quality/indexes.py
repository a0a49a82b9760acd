"""Open the indexes of a bench: existing indexes, or indexes built here from unpacked or packed sites."""

import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from pincite_server.answerer import Answerer

__all__ = ("open_sites",)


def open_sites(data: Path, ready: Mapping[str, Path], sites: Sequence[str], scratch: Path) -> dict[str, Answerer]:
    """Return an answerer for each site; sites without an index are indexed into `scratch`."""
    return {site: Answerer.open(ready.get(site) or _find_index(data, site, scratch)) for site in sites}


def _find_index(data: Path, site: str, scratch: Path) -> Path:
    if (data / "indexes" / site).is_dir():
        return data / "indexes" / site
    build, packed = data / "sites" / site / "build", data / "sites" / f"{site}.tar.xz"
    if not build.is_dir() and packed.is_file():
        with tarfile.open(packed) as archive:
            archive.extractall(scratch / "sites", filter="data")
        build = scratch / "sites" / site / "build"
    if not build.is_dir():
        sys.exit(f"There is neither {data}/sites/{site}/build nor {packed}; name an index with --index {site}=PATH.")
    out = scratch / "indexes" / site
    print(f"indexing {site}", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "pincite_indexer", "index", str(build), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return out
