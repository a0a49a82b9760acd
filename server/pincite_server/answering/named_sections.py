"""What a stable ID names: where it is now, where it moved, what is nearest to what was lost; and the text there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite_core.index.read import Index
from pincite_core.types import Chunk, Scope, Target
from pincite_core.urls import join_fragment

__all__ = (
    "LONGEST_SECTION",
    "Resolution",
    "SectionText",
    "id_words",
    "parent_id",
    "read_section",
    "resolve_id",
    "target_url",
)

_LONGEST_CHAIN = 16  # an ID renamed at every release for years; also ends a circle in a damaged file
_SEPARATORS = re.compile(r"[\W_]+")

Status = Literal["current", "moved", "lost"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """`target` is where the ID leads now; None when it is lost or was never known (`known` tells which)."""

    status: Status
    target: Target | None
    known: bool


def resolve_id(index: Index, stable_id: str, version: str | None = None, locale: str | None = None) -> Resolution:
    """Return what became of `stable_id`, following aliases.

    Args:
        index: The newest index.
        stable_id: As in a citation.
        version: The version to prefer; else the last one.
        locale: The language to prefer; else the default one.
    """
    steps = _chain(index, stable_id)
    named = [(name, found) for name in steps if (found := index.targets_by_stable_id(name))]
    if not named:
        return Resolution("lost", None, known=len(steps) > 1 or index.alias(stable_id) is not None)
    bests = [(name, _best(index, found, version, locale)) for name, found in named]
    name, target = next((best for best in bests if _is_as_asked(index, best[1], version, locale)), bests[0])
    return Resolution("current" if name == stable_id else "moved", target, known=True)


def _chain(index: Index, stable_id: str) -> list[str]:
    """Return the ID and those that it moved to, in order.

    An ID that moved in one version may still be current in another: the first that fits the question is taken.
    """
    chain = [stable_id]
    while len(chain) < _LONGEST_CHAIN:
        alias = index.alias(chain[-1])
        if alias is None or alias.successor is None or alias.successor in chain:
            break
        chain.append(alias.successor)
    return chain


def _is_as_asked(index: Index, target: Target, version: str | None, locale: str | None) -> bool:
    scope = next(scope for scope in index.scopes if scope.scope_id == index.page(target.page_id).scope_id)
    return version in {None, scope.version} and locale in {None, scope.locale}


def target_url(index: Index, target: Target) -> str:
    """Return a target's root-relative URL with its fragment."""
    return join_fragment(index.page(target.page_id).url, target.anchor)


def parent_id(stable_id: str) -> str | None:
    """Return the ID of the page that a section's ID belongs to; None for a page's own ID."""
    page, mark, _ = stable_id.partition("#")
    return page if mark else None


def id_words(stable_id: str) -> str:
    """Return an ID's words, to search for what it named."""
    return _SEPARATORS.sub(" ", stable_id).strip()


def _best(index: Index, candidates: list[Target], version: str | None, locale: str | None) -> Target:
    """Return the candidate that fits best: language first, then version, then the last version."""
    scopes = {scope.scope_id: scope for scope in index.scopes}
    wanted_locale = locale or index.info.default_locale

    def fit(target: Target) -> tuple[bool, bool, bool]:
        scope: Scope = scopes[index.page(target.page_id).scope_id]
        return (scope.locale == wanted_locale, scope.version == version, scope.version is None or scope.is_last)

    return max(candidates, key=fit)


LONGEST_SECTION = 20_000  # characters, some 5,000 tokens: more would crowd out what else an agent has to think of


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section with all that is under it, as Markdown, and the sections directly under it.

    `truncated` tells that the text was longer; the subsections then lead to the rest.
    """

    target: Target
    text: str
    truncated: bool
    subsections: tuple[Target, ...]


def read_section(index: Index, target: Target, limit: int = LONGEST_SECTION) -> SectionText:
    """Return the text of a target: a page, a section, or a row or item inside of one.

    Args:
        index: The index that the target is of.
        target: What to read.
        limit: How many characters at most; cut between blocks.
    """
    targets = index.targets_of_page(target.page_id)
    family = _family(targets, target)
    chunks = _chunks_by_target(index.chunks_of_page(target.page_id))
    blocks = list(_blocks(family, chunks)) or _unit_blocks(index, target)
    text, truncated = _joined(blocks, limit)
    below = tuple(one for one in family if one.parent_id == target.target_id and one.target_id in chunks)
    return SectionText(target, text, truncated, below)


def _family(targets: Sequence[Target], root: Target) -> list[Target]:
    """Return a target and those below it, in document order."""
    inside = {root.target_id}
    family = [root]
    for target in targets:
        if target.parent_id in inside and target.target_id not in inside:
            inside.add(target.target_id)
            family.append(target)
    return family


def _chunks_by_target(chunks: Sequence[Chunk]) -> dict[int, list[Chunk]]:
    found: dict[int, list[Chunk]] = {}
    for chunk in chunks:
        found.setdefault(chunk.target_id, []).append(chunk)
    return found


def _blocks(family: Sequence[Target], chunks: Mapping[int, Sequence[Chunk]]) -> Iterator[str]:
    for target in family:
        parts = chunks.get(target.target_id, ())
        if parts and target is not family[0]:
            yield f"{'#' * max(2, target.level)} {target.title}"
        for part in parts:
            yield part.text


def _unit_blocks(index: Index, target: Target) -> list[str]:
    """Return the text of a target inside a section, such as a table row, which has units but no chunk of its own."""
    chunks = {chunk.chunk_id: chunk for chunk in index.chunks_of_page(target.page_id)}
    units = index.sentences_of_chunks(chunks)
    return [chunks[unit.chunk_id].text[unit.start : unit.end] for unit in units if unit.target_id == target.target_id]


def _joined(blocks: Sequence[str], limit: int) -> tuple[str, bool]:
    """Return the blocks joined as far as the limit allows, and whether any was left out; a long first one is cut."""
    text = "\n\n".join(blocks)
    if len(text) <= limit:
        return text, False
    cut = text[:limit]
    return cut[: cut.rfind("\n\n")] if "\n\n" in cut else cut, True
