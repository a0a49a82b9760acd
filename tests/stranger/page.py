"""The steps of docs/install.md as a reader types them, with this machine's addresses in place of the examples."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ("Step", "steps_of")

_CHAPTER = "## Step by step to the first cited answer"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """A heading of the page, and the blocks below it by their language."""

    name: str
    blocks: Mapping[str, str]


def steps_of(page: Path, instead: Mapping[str, str]) -> list[Step]:
    """Return the steps in order.

    Args:
        page: docs/install.md.
        instead: What stands for each of the page's examples: addresses, folders.
    """
    text = page.read_text(encoding="utf-8").partition(_CHAPTER)[2]
    for example, real in instead.items():
        text = text.replace(example, real)
    parts = re.split(r"^### \d+\. (.*)$", text, flags=re.MULTILINE)[1:]
    return [Step(name, dict(_BLOCK.findall(body))) for name, body in zip(parts[::2], parts[1::2], strict=True)]
