"""Find the sites that a bench measures: the sites of a folder, or the project's own example."""

import atexit
import shutil
import tarfile
import tempfile
from pathlib import Path

__all__ = ("EXAMPLE", "sites_of")

EXAMPLE = Path(__file__).parents[1] / "examples" / "site" / "build"


def sites_of(data: Path | None) -> dict[str, Path]:
    """Return built sites by name: the example site (`make site`) if `data` is None, else the sites in that folder.

    A site is a folder SITE/build, or an archive, SITE.tar.xz, which is unpacked until the process ends.
    """
    if data is None:
        return {"example": EXAMPLE}
    folders = {folder.parent.name: folder for folder in data.glob("*/build")}
    packed = [file for file in data.glob("*.tar.xz") if file.name.removesuffix(".tar.xz") not in folders]
    if packed:
        scratch = Path(tempfile.mkdtemp(prefix="pincite-bench-"))
        atexit.register(shutil.rmtree, scratch, ignore_errors=True)
        for file in packed:
            with tarfile.open(file) as archive:
                archive.extractall(scratch, filter="data")
        folders |= {folder.parent.name: folder for folder in scratch.glob("*/build")}
    return dict(sorted(folders.items()))
