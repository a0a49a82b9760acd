"""Find the shortest path between two places in the documentation, through links and headings.

The graph has two kinds of edges: links in the text, and edges between a section and its parent or children (reference
validation plan, "Documentation graph-based retrieval"). `pincite inspect --path` prints the path.
"""

import sys
from collections.abc import Iterator
from typing import Literal, NamedTuple

import click
import msgspec

from pincite_core.errors import InputError
from pincite_core.index.read import Index
from pincite_core.types import Scope, Target
from pincite_core.urls import join_fragment

__all__ = ("Relation", "Step", "reference_path", "show_path")

Relation = Literal["start", "link", "up", "down"]

_PHRASES: dict[Relation, str] = {"start": "from", "link": "by the link “{}” to", "up": "up to", "down": "down to"}
_LONGEST = 12  # steps; places further apart are unrelated


class Step(NamedTuple):
    """One step of a path: the target, its relation to the step before, and the link text in `text`."""

    relation: Relation
    target: Target
    text: str = ""


class _Edge(NamedTuple):
    here: int
    there: int
    relation: Relation
    text: str = ""


def reference_path(index: Index, start: Target, goal: Target, *, longest: int = _LONGEST) -> tuple[Step, ...] | None:
    """Return a shortest path of at most `longest` steps between two targets, both included; None if there is none.

    The path stays in the versions and languages of the two targets. If a link and a heading lead to the same target in
    equal steps, the link is preferred.
    """
    scopes = {page.scope_id for page in index.pages_by_id({start.page_id, goal.page_id}).values()}
    came: dict[int, tuple[int, Step]] = {start.target_id: (0, Step("start", start))}
    frontier = [start.target_id]
    for _ in range(longest):
        if goal.target_id in came or not frontier:
            break
        edges: dict[int, _Edge] = {}
        for edge in _edges(index, frontier):
            if edge.there not in came:
                edges.setdefault(edge.there, edge)
        targets = index.targets_by_id(edges)
        pages = index.pages_by_id({target.page_id for target in targets.values()})
        frontier = [key for key, target in targets.items() if pages[target.page_id].scope_id in scopes]
        for key in frontier:
            came[key] = edges[key].here, Step(edges[key].relation, targets[key], edges[key].text)
    if goal.target_id not in came:
        return None
    steps: list[Step] = []
    target_id = goal.target_id
    while target_id:
        target_id, step = came[target_id]
        steps.append(step)
    return tuple(reversed(steps))


def _edges(index: Index, target_ids: list[int]) -> Iterator[_Edge]:
    for link in index.links_from(target_ids):
        if link.to_anchor_found:
            yield _Edge(link.from_target_id, link.to_target_id, "link", link.text)
    for target in index.targets_by_id(target_ids).values():
        if target.parent_id is not None:
            yield _Edge(target.target_id, target.parent_id, "up")
    for child_id, parent_id in index.children_of(target_ids):
        yield _Edge(parent_id, child_id, "down")


def show_path(index: Index, start: str, goal: str, *, as_json: bool) -> None:
    """Print the path between two places; exit with 1 if there is none.

    Raises:
        InputError: A place is not in the index.
    """
    here = _target(index, start)
    path = reference_path(index, here, _target(index, goal, here))
    if path is None:
        click.echo(f"No links or headings lead from {start} to {goal}.", err=True)
        sys.exit(1)
    for step in path:
        facts = _facts(index, step)
        line = f"{_PHRASES[step.relation].format(step.text)} {facts['heading_path']}  {facts['url']}"
        click.echo(msgspec.json.encode(facts) if as_json else line)


def _target(index: Index, name: str, beside: Target | None = None) -> Target:
    """Return the target that a stable ID or URL identifies.

    An ID may exist in several versions or languages. The target in the scope of `beside` is then preferred, and after
    it the default version and language.
    """

    def distance(target: Target) -> tuple[bool, bool, bool]:
        scope = _scope(index, target)
        is_elsewhere = beside is not None and scope != _scope(index, beside)
        return is_elsewhere, scope.locale != index.info.default_locale, not scope.is_last

    targets = index.targets_by_stable_id(name)
    found = min(targets, key=distance) if targets else index.target_at(name)
    if found is None:
        message = f"{name} is neither a stable ID nor a URL of this index. Look for it with `pincite search`."
        raise InputError(message)
    return found


def _scope(index: Index, target: Target) -> Scope:
    scope_id = index.page(target.page_id).scope_id
    return next(scope for scope in index.scopes if scope.scope_id == scope_id)


def _facts(index: Index, step: Step) -> dict[str, str]:
    target = step.target
    return {
        "relation": step.relation,
        "text": step.text,
        "stable_id": target.stable_id,
        "heading_path": " > ".join(target.heading_path),
        "url": join_fragment(index.page(target.page_id).url, target.anchor),
    }
