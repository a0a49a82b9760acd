"""The vocabulary shared by the indexer and the sidecar: frozen, slotted records, one per row of the index.

Row ids are 1-based and dense, in document order: pages by URL, targets and chunks by page and position. The records
that a site has by the hundred thousand are msgspec structs, which are made several times faster than dataclasses.
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
    "Sentence",
    "SourceType",
    "Target",
    "TargetKind",
    "Title",
    "UnitFact",
    "UnitKind",
    "UnitRole",
    "fact_bits",
)

SourceType = Literal["guide", "api", "example", "blog", "page"]
TargetKind = Literal["page", "heading", "row", "item", "term", "details", "member", "option", "other"]
SECTION_KINDS: frozenset[TargetKind] = frozenset({"page", "heading", "details", "member"})
"""Those that a section begins at: their text is searched by itself."""

UnitKind = Literal["prose", "item", "row", "code", "term", "heading"]
UnitRole = Literal["stands", "leans", "asks", "refers", "announces", "fragment"]
"""What a unit is without its neighbours: it stands alone, leans back on the one before, only asks, only sends the
reader elsewhere, announces what follows, or is too brief to mean anything."""

UnitFact = Literal["leans", "goes_on", "whether", "duration", "size", "count", "number", "case", "warns"]
"""What else holds of a unit: it cannot be read without what stands before it; it is code that goes on from the part
before; it says what can be or cannot; it has a quantity of a kind; it is a row about a case in plain words; it begins
an admonition that warns."""

_UNIT_FACTS: tuple[UnitFact, ...] = get_args(UnitFact)
IdKind = Literal["author", "auto"]
Role = Literal["query", "passage"]
"""What a text is to a model: what is asked, or what is searched."""

_Prompt = Annotated[str, Meta(max_length=2000)]  # the longest in use, instructions with an example, have some hundred


@dataclass(frozen=True, slots=True)
class Scope:
    """One plugin instance's version in one locale: the unit of filtering. `version` is None for unversioned pages."""

    scope_id: int
    plugin: str
    plugin_id: str
    version: str | None
    version_label: str | None
    is_last: bool
    locale: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page. `url` is root-relative, encoded as a browser would, without a fragment."""

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
    """What hides a target until it is opened: a tab (its label) or a details element (its summary), outermost first."""

    kind: Literal["tab", "details"]
    label: str


class Target(Struct, frozen=True, gc=False):
    """A place a reader can be sent to. `anchor` is the raw id; an empty one is the page itself.

    `heading_path` runs from the page's title to the target's own title.
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
    """What a target is called, and what it is."""

    text: str
    kind: TargetKind


class Chunk(Struct, frozen=True, gc=False):
    """One section or a part of a long one. `target_id` is the section's own target; `ordinal` counts its parts."""

    chunk_id: int
    target_id: int
    page_id: int
    scope_id: int
    ordinal: int
    text: str
    vector_id: int


class Sentence(Struct, frozen=True, gc=False):
    """A sentence, list item, table row or code block: characters `start` to `end` of its chunk's text.

    Attributes:
        sentence_id: Row id.
        chunk_id: The chunk whose text it stands in.
        target_id: The innermost target that holds it, so that a citation lands on the row and not on its table.
        scope_id: Its scope.
        start: First character in the chunk's text.
        end: The character after its last.
        kind: What it is.
        vector_id: Its vector; 0 for code, which has none.
        block: The number of its paragraph, item, row or listing in the section, from 1.
        mark: Its bullet or number with the indent, where it begins an item; else "".
        labels: The bold lines right above its block, where it begins one.
        admonition: Whether it stands in one.
        tab: The label of its tab; "" outside of tabs.
        first_tab: The label of the first tab beside its own.
        role: What it is without its neighbours.
        facts: `fact_bits` of what else holds of it.
        cells: Of a table row how many characters each column's name and each cell have, one after another.
    """

    sentence_id: int
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

    def has(self, fact: UnitFact) -> bool:
        """Whether a fact holds of it."""
        return bool(self.facts >> _UNIT_FACTS.index(fact) & 1)


def fact_bits(facts: Mapping[UnitFact, bool]) -> int:
    """Return facts as `Sentence.facts` has them: a bit each, in the order of `UnitFact`."""
    return sum(holds << _UNIT_FACTS.index(fact) for fact, holds in facts.items())


class Link(Struct, frozen=True, gc=False):
    """A link between two places of the site. `to_anchor_found` is False when the fragment does not exist."""

    from_target_id: int
    to_target_id: int
    text: str
    to_anchor_found: bool


@dataclass(frozen=True, slots=True)
class Redirect:
    """A page that only forwards: its URL, and the URL (perhaps with a fragment) it forwards to."""

    url: str
    to_url: str


@dataclass(frozen=True, slots=True)
class Alias:
    """A stable ID that is no longer current. `successor` is None when its text is gone (lost)."""

    stable_id: str
    successor: str | None


class Prompts(Struct, frozen=True):
    """What a model wants in front of every question and of every passage, exactly as it is written."""

    query: _Prompt = ""
    passage: _Prompt = ""

    def before(self, role: Role) -> str:
        """Return what goes before a text of this role."""
        return self.query if role == "query" else self.passage

    def __bool__(self) -> bool:
        """Return whether there is anything to put before a text."""
        return bool(self.query or self.passage)


NO_PROMPTS = Prompts()


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """What the index says of itself; stored as JSON in the table `meta`.

    `encoder` is the SHA-256 of the exported encoder that made the vectors, empty when the model itself made them.
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
