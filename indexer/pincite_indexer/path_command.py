"""`pincite inspect --path`: how a reader gets from one place of the docs to another."""

import sys

import click
import msgspec

from pincite_core.errors import InputError
from pincite_core.index.read import Index
from pincite_core.reference_path import Relation, Step, reference_path
from pincite_core.types import Target
from pincite_core.urls import join_fragment

__all__ = ("show_path",)

_SAID: dict[Relation, str] = {
    "start": "from",
    "link": "by the link “{}” to",
    "up": "up to",
    "down": "down to",
}


def show_path(index: Index, start: str, goal: str, *, as_json: bool) -> None:
    """Print the way between two places; exits with 1 when there is none.

    Raises:
        InputError: One of them is not in the index.
    """
    path = reference_path(index, _target(index, start), _target(index, goal))
    if path is None:
        click.echo(f"No links or headings lead from {start} to {goal}.", err=True)
        sys.exit(1)
    for step in path:
        click.echo(msgspec.json.encode(_facts(index, step)) if as_json else _line(index, step))


def _target(index: Index, name: str) -> Target:
    targets = index.targets_by_stable_id(name)
    found = targets[0] if targets else index.target_at(name)
    if found is None:
        message = f"{name} is neither a stable ID nor a URL of this index. Look for it with `pincite search`."
        raise InputError(message)
    return found


def _line(index: Index, step: Step) -> str:
    facts = _facts(index, step)
    return f"{_SAID[step.relation].format(step.text)} {facts['heading_path']}  {facts['url']}"


def _facts(index: Index, step: Step) -> dict[str, str]:
    target = step.target
    return {
        "relation": step.relation,
        "text": step.text,
        "stable_id": target.stable_id,
        "heading_path": " > ".join(target.heading_path),
        "url": join_fragment(index.page(target.page_id).url, target.anchor),
    }
