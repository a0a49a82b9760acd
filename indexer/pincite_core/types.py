"""Define the record types of the index, which the indexer and the server share. A record represents one row.

Row ids start at 1, have no gaps, and follow document order: pages by URL, targets and chunks by page and position.
Record types with very many instances are msgspec structs, since these are created several times faster than
dataclasses.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, get_args

from msgspec import Meta, Struct

__all__ = (
    "NO_PROMPTS",
    "SECTION_KINDS",
    "Alias",
    "Chunk",
    "IdKind",
    "IndexInfo",
    "Landing",
    "Link",
    "Page",
    "Prompts",
    "Redirect",
    "Role",
    "Scope",
    "SourceType",
    "TabPassage",
    "Target",
    "TargetKind",
    "TextLink",
    "Title",
    "Unit",
    "UnitFact",
    "UnitKind",
    "UnitRole",
    "fact_bits",
)

SourceType = Literal["guide", "api", "example", "blog", "page"]
TargetKind = Literal["page", "heading", "row", "item", "term", "details", "member", "option", "other"]
SECTION_KINDS: frozenset[TargetKind] = frozenset({"page", "heading", "details", "member"})
"""Target kinds that start a section. The text of each section is searched separately."""

UnitKind = Literal["prose", "item", "row", "code", "term", "heading"]
UnitRole = Literal["stands", "leans", "asks", "refers", "announces", "fragment"]
"""The role of a text unit when it is read without its neighbours.

- `stands`: the unit is understandable alone
- `leans`: the unit needs the previous unit as context
- `asks`: the unit is only a question
- `refers`: the unit only points to another place
- `announces`: the unit introduces the next unit
- `fragment`: the unit is too short to have a meaning
"""

UnitFact = Literal[
    "leans",
    "goes_on",
    "whether",
    "duration",
    "size",
    "count",
    "number",
    "case",
    "entry",
    "warning",
    "opening",
    "navigation",
    "picks",
    "injection",
    "quoted_injection",
    "picture",
]
"""Additional properties of a text unit.

- `leans`: the unit needs the previous text as context
- `goes_on`: the unit is code that continues the previous part
- `whether`: the unit says whether something is possible
- `duration`, `size`, `count`, `number`: the unit contains a quantity of this kind
- `case`: the unit is a table row that describes a case in plain words (no code in its first cell)
- `entry`: the unit is a term of a definition list, and not a signature
- `warning`: the unit is one of the first sentences of an admonition that warns of a danger or a deprecation
- `opening`: the section may be quoted from this unit on; of several such units, the best one for the question counts
- `navigation`: the unit only asks or refers, or its list mostly consists of such items; or it is quoted only for itself
- `picks`: of the last range of the unit's passage, a list or table, only the best items or rows are quoted
- `injection`: the unit addresses an AI assistant or follows such text in its section (`prompt_injection`)
- `picture`: the unit is only the alternative text of a picture, and is quoted only for itself
- `quoted_injection`: the same, where text inside quotation marks or code counts too
"""

_FACT_BITS: Mapping[UnitFact, int] = {fact: 1 << at for at, fact in enumerate(get_args(UnitFact))}
IdKind = Literal["author", "auto"]
Role = Literal["query", "passage"]
"""The role of a text for an embedding model: a query, or a passage to search."""

_Prompt = Annotated[str, Meta(max_length=2000)]  # the longest known prompts have several hundred characters


@dataclass(frozen=True, slots=True)
class Scope:
    """The unit of filtering: one version of one plugin instance in one locale. Unversioned pages have no `version`."""

    scope_id: int
    plugin: str
    plugin_id: str
    version: str | None
    version_label: str | None
    is_last: bool
    locale: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page. `url` is root-relative, percent-encoded as in a browser, and has no fragment."""

    page_id: int
    scope_id: int
    url: str
    title: str
    description: str
    source_type: SourceType
    doc_id: str
    breadcrumbs: tuple[str, ...]
    tags: tuple[str, ...]
    translated: bool
    source: str
    content_hash: str


class Landing(Struct, frozen=True, gc=False):
    """An element that hides a target until a reader opens it.

    `label` is the label of a tab or the summary of a details element.
    """

    kind: Literal["tab", "details"]
    label: str


class Target(Struct, frozen=True, gc=False):
    """A place on a page that a link can lead to.

    `anchor` is the raw HTML id, or "" for the page itself. `heading_path` runs from the page's title to the target's
    own title. `landing` lists the elements that hide the target, outermost first.
    """

    target_id: int
    page_id: int
    parent_id: int | None
    position: int
    anchor: str
    kind: TargetKind
    level: int
    title: str
    heading_path: tuple[str, ...]
    stable_id: str
    id_kind: IdKind
    landing: tuple[Landing, ...]


class Title(NamedTuple):
    """The title and the kind of a target."""

    text: str
    kind: TargetKind


class Chunk(Struct, frozen=True, gc=False):
    """A section, or a part of a long section.

    `target_id` is the target of the section. `ordinal` is the number of the part within the section.
    """

    chunk_id: int
    target_id: int
    page_id: int
    scope_id: int
    ordinal: int
    text: str
    vector_id: int


class TabPassage(NamedTuple):
    """The passage of a unit outside of tabs, if a question names a tab other than the first one of its group."""

    tab: str
    passage: tuple[int, ...]


class TextLink(NamedTuple):
    """A link in a unit's text: characters `start` to `end` of the unit, and the row id of a target or a URL."""

    start: int
    end: int
    to: int | str


class Unit(Struct, frozen=True, gc=False):
    """A sentence, list item, table row or code block: characters `start` to `end` of its chunk's text.

    Attributes:
        unit_id: The row id.
        chunk_id: The chunk that contains the unit.
        target_id: The innermost target that contains the unit. A citation then leads to a row and not to its table.
        scope_id: The scope.
        start: The offset of the first character in the chunk's text.
        end: The offset after the last character.
        kind: The kind of text.
        vector_id: The vector, or 0 for code, which has no vector.
        block: The number of the paragraph, list item, row or listing in the section, from 1.
        mark: The indent and the bullet or number, if the unit starts a list item. Otherwise "".
        labels: The bold lines directly above the block, if the unit starts a block.
        admonition: whether the unit is in an admonition. Always False for code.
        tab: The label of the tab that contains the unit, or "".
        first_tab: The label of the first tab in the same group of tabs.
        role: The role of the unit when it is read without its neighbours.
        facts: The additional properties as bits (`fact_bits`).
        cells: For a table row, the lengths in characters of each column name and each cell, alternating. Empty if
            the row was cut.
        passage: The units that the unit is quoted with, as the first and the last unit of each range, relative to this
            unit: (-1, 2) is the unit before, the unit itself and the two units after it. The ranges are in order and
            within the section. Empty if no complete passage exists.
        tab_passages: The passages that differ if another tab is shown.
        links: The links in the unit's text, in order.
    """

    unit_id: int
    chunk_id: int
    target_id: int
    scope_id: int
    start: int
    end: int
    kind: UnitKind
    vector_id: int
    block: int = 1
    mark: str = ""
    labels: tuple[str, ...] = ()
    admonition: bool = False
    tab: str = ""
    first_tab: str = ""
    role: UnitRole = "stands"
    facts: int = 0
    cells: tuple[int, ...] = ()
    passage: tuple[int, ...] = ()
    tab_passages: tuple[TabPassage, ...] = ()
    links: tuple[TextLink, ...] = ()

    @property
    def indent(self) -> int:
        """The number of blanks before the bullet or number."""
        return len(self.mark) - len(self.mark.lstrip(" "))

    def has(self, fact: UnitFact) -> bool:
        """Return whether the unit has a property."""
        return self.facts & _FACT_BITS[fact] != 0


def fact_bits(facts: Mapping[UnitFact, bool]) -> int:
    """Return properties as a bit field for `Unit.facts`, one bit per property in the order of `UnitFact`."""
    return sum(_FACT_BITS[fact] for fact, holds in facts.items() if holds)


class Link(Struct, frozen=True, gc=False):
    """A link between two places of the site. `to_anchor_found` is False when the fragment does not exist."""

    from_target_id: int
    to_target_id: int
    text: str
    to_anchor_found: bool


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirect page. `to_url` is the destination and may have a fragment."""

    url: str
    to_url: str


@dataclass(frozen=True, slots=True)
class Alias:
    """A stable ID that is no longer current. `successor` is the ID that replaces it, or None if its text is gone."""

    stable_id: str
    successor: str | None


class Prompts(Struct, frozen=True):
    """The prompts of a model: the exact prefixes of every query and of every passage."""

    query: _Prompt = ""
    passage: _Prompt = ""

    def before(self, role: Role) -> str:
        """Return the prompt for texts with this role."""
        return self.query if role == "query" else self.passage

    def __bool__(self) -> bool:
        """Return whether there is a prompt for any role."""
        return bool(self.query or self.passage)


NO_PROMPTS = Prompts()


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """The metadata of an index, stored as JSON in the table `meta`.

    `encoder` is the SHA-256 of the exported encoder that made the vectors, or "" if the model itself made them.
    """

    format: int
    index_id: str
    title: str
    site_url: str
    base_url: str
    default_locale: str
    locales: tuple[str, ...]
    model: str
    weights_sha256: str
    dimension: Annotated[int, Meta(ge=1, le=8192)]
    max_tokens: Annotated[int, Meta(ge=1, le=1 << 20)]
    generator: str
    encoder: str = ""
    prompts: Prompts = NO_PROMPTS
