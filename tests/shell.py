"""The shell that this repository hands out: scripts, steps of workflows, blocks of the documents."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

__all__ = ("SHELLCHECK", "blocks_of", "scripts", "steps_of")

SHELLCHECK = str(Path(sys.executable).with_name("shellcheck"))  # beside the interpreter: no environment need be active

_BLOCK = re.compile(r"^( *)```(?:sh|bash|shell)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_SHEBANG = re.compile(rb"#!.*\b(?:ba)?sh\b")


def blocks_of(document: str) -> list[str]:
    """Return the blocks of shell of a Markdown document, without their indentation."""
    return [re.sub(rf"^{indent}", "", body, flags=re.MULTILINE) for indent, body in _BLOCK.findall(document)]


def steps_of(text: str) -> list[str]:
    """Return what the steps of a workflow, or of an action, run in a shell."""
    return list(_runs(yaml.safe_load(text)))


def _runs(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("run"), str):
            yield node["run"]
        for value in node.values():
            yield from _runs(value)
    elif isinstance(node, list):
        for value in node:
            yield from _runs(value)


def scripts(folder: Path) -> list[Path]:
    """Return the files directly in a folder that begin by naming a shell."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return [path for path in files if _SHEBANG.match(path.read_bytes()[:80])]
