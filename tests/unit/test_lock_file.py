"""requirements.lock has each Python package of development, with hashes and a version that pyproject.toml allows."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
LOCKED = {Requirement(line.rstrip(" \\")).name: line for line in LOCK.splitlines() if re.match(r"\w", line)}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def direct_requirements() -> Iterator[Requirement]:
    """Yield what the package and its extras name, but for the extras that only name other extras and for `bench`."""
    extras = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for name in extras if name != "bench" for line in extras[name])]
    return (requirement for requirement in map(Requirement, lines) if requirement.name != "pincite")


def test_each_direct_dependency_is_locked_at_a_version_that_the_project_allows() -> None:
    requirements = list(direct_requirements())
    assert len(requirements) > 40
    for requirement in requirements:
        (locked,) = Requirement(LOCKED[canonicalize_name(requirement.name)].rstrip(" \\")).specifier
        assert requirement.specifier.contains(locked.version, prereleases=True), requirement


def test_each_locked_package_has_one_exact_version_and_hashes() -> None:
    blocks = re.findall(r"^(\w[^\n]*) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", LOCK, re.MULTILINE)
    assert [line for line, _ in blocks if not re.match(r"[a-z0-9.-]+==\S+( ; .+)?$", line)] == []
    assert len(blocks) == len(LOCKED) > 100


def test_the_lock_leaves_out_torch_and_names_no_registry() -> None:
    assert [name for name in LOCKED if re.match("torch$|triton$|nvidia-|cuda-|pincite$", name)] == []
    assert "://" not in LOCK
    assert "index-url" not in LOCK
