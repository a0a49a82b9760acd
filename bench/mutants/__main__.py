"""Run mutation tests on the code that protects readers, and list the mutants that no test detects.

    python -m bench.mutants [--sample 4] [--seed 1] [--only AREA ...]

Each fault goes into a copy of the code. The tests of the module's package (its "area") run first, then the closest
integration tests, until one fails. `bench/mutants/survivors.md` lists the harmless survivors, each with the reason.
Exits with 1 if there is another survivor. The project has a driver of its own, because cosmic-ray runs the tests in
the working copy and mutmut rewrites every module beforehand. Neither runs different tests for different modules.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.mutants.mutations import Mutant, mutants_of

__all__ = ("AREAS", "Area", "known_survivors", "modules_of", "sample_of")

ROOT = Path(__file__).parents[2]
SURVIVORS = Path(__file__).parent / "survivors.md"
_ROW = re.compile(r"^\| `([^`]+)` \| `+ ?(.+?) ?`+ \| (.+) \|$", re.MULTILINE)
_HANG = 600  # seconds for all tests of a area together; a fault that hangs a test is detected


@dataclass(frozen=True, slots=True)
class Area:
    """A package that protects readers, and the closest tests, the fastest first."""

    folder: str
    tests: tuple[str, ...]


AREAS = {
    "guards": Area(
        "server/pincite_server/guards",
        (
            "tests/unit/server/guards",
            "tests/unit/server/answering/test_pipeline.py",
            "tests/unit/server/answering/written",
            "tests/unit/server/answering/passage",
        ),
    ),
    "grounding": Area(
        "server/pincite_server/grounding",
        (
            "tests/unit/server/grounding",
            "tests/unit/server/answering/written",
            "tests/unit/server/answering/passage",
        ),
    ),
    "admission": Area(
        "server/pincite_server/http/admission",
        ("tests/unit/server/http/admission", "tests/integration/test_http_limits.py"),
    ),
    "indexes": Area(
        "server/pincite_server/indexes",
        (
            "tests/unit/server/indexes",
            "tests/integration/test_http_new_builds.py",
            "tests/integration/test_earlier_builds.py",
        ),
    ),
    "moves": Area("indexer/pincite_indexer/moves", ("tests/unit/indexer/moves", "tests/integration/test_previous.py")),
}


def main() -> None:
    options = _options()
    known, survived = known_survivors(SURVIVORS.read_text(encoding="utf-8")), 0
    with tempfile.TemporaryDirectory(prefix="pincite-mutants-") as folder:
        copy = Path(folder)
        for part in ("indexer", "server"):
            shutil.copytree(ROOT / part, copy / part)
        print("| area | faults | noticed | harmless | survived |\n|---|---|---|---|---|")
        for name in options.only or AREAS:
            area = AREAS[name]
            if not _pass(copy, area.tests):
                sys.exit(f"The tests of {name} fail, or take over {_HANG} seconds, without any fault.")
            tally = Counter(_tried(area, copy, options, known))
            noticed, harmless = tally["noticed"], tally["harmless"]
            print(f"| {name} | {tally.total()} | {noticed} | {harmless} | {tally['survived']} |", flush=True)
            survived += tally["survived"]
    sys.exit(1 if survived else 0)


def modules_of(area: Area) -> list[str]:
    """Return the paths of a area's modules, from the root of the project."""
    return sorted(str(file.relative_to(ROOT)) for file in (ROOT / area.folder).glob("[!_]*.py"))


def sample_of(module: str, source: bytes, count: int, seed: int) -> list[Mutant]:
    """Return the given number of a module's faults, the same faults for the same seed and source."""
    mutants = mutants_of(source)
    chosen = random.Random(f"{seed} {module}").sample(range(len(mutants)), min(count, len(mutants)))
    return [mutants[number] for number in sorted(chosen)]


def known_survivors(text: str) -> dict[tuple[str, str], str]:
    """Return the reasons in the table of survivors. The key is the pair of place (module and function) and change."""
    return {(place, change.replace("\\|", "|")): reason for place, change, reason in _ROW.findall(text)}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=4, help="faults a module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=AREAS)
    return parser.parse_args()


def _tried(area: Area, copy: Path, options: argparse.Namespace, known: dict[tuple[str, str], str]) -> Iterator[str]:
    """Yield the result of each fault; print the unknown survivors."""
    for module in modules_of(area):
        source = (ROOT / module).read_bytes()
        for mutant in sample_of(module, source, options.sample, options.seed):
            if not _survives(mutant, copy / module, source, copy, area.tests):
                yield "noticed"
            elif (f"{Path(module).name} {mutant.place}".strip(), mutant.change) in known:
                yield "harmless"
            else:
                print(f"{module}:{mutant.line} in {mutant.place or 'the module'}: {mutant.change}", file=sys.stderr)
                yield "survived"


def _survives(mutant: Mutant, file: Path, source: bytes, copy: Path, tests: Sequence[str]) -> bool:
    written = mutant.applied(source)
    try:
        compile(written, file, "exec")
        _write(file, written)
        return _pass(copy, tests)
    finally:
        _write(file, source)


def _write(file: Path, source: bytes) -> None:
    """Write a module so that Python does not reuse an older bytecode file for it."""
    file.write_bytes(source)
    shutil.rmtree(file.parent / "__pycache__", ignore_errors=True)


def _pass(copy: Path, tests: Sequence[str]) -> bool:
    """Return whether the tests pass on the code in `copy`."""
    paths = os.pathsep.join(str(copy / part) for part in ("indexer", "server"))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--timeout", "60", *tests]
    environment = os.environ | {"PYTHONPATH": paths}
    try:
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=_HANG, check=False)
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


if __name__ == "__main__":
    main()
