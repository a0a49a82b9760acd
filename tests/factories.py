"""Tiny indexes by hand: a few pages in a small Markdown become a real index file, with the deterministic embedder.

# Title                     the page (first line)
## Heading {#anchor}        a section
Text of a paragraph.        prose, cut into sentences
- An item {#anchor}         a list item, a target of its own when it has an anchor
| Option: a; Type: b | {#anchor}   a table row, already linearised
```js ... ```               a code block
> Text                      prose in an admonition
:: Name {#anchor}           a term, which the blocks after it define
**label**, === tab          labels and tabs, which are no units
[text](/page#anchor)        a link on a line of its own
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec import structs
from tests.marked_units import marked_units

from pincite_core.embedders import Embedder, FakeEmbedder
from pincite_core.index.quantise import to_int8
from pincite_core.index.read import Index
from pincite_core.index.schema import FORMAT, text_hash
from pincite_core.index.shown_text import ShownPart, letters, shown_facts, tell_shown
from pincite_core.index.write import ChunkTerms, IndexContent, content_hash, write_index
from pincite_core.search.evidence import Calibration
from pincite_core.search.late_interaction import pack_tokens
from pincite_core.search.terms import exact_codes, terms
from pincite_core.types import Chunk, IndexInfo, Landing, Link, Page, Scope, Target, TextLink, Unit, UnitKind
from pincite_core.units import split_sentences
from pincite_indexer.rows.injections import with_injections
from pincite_indexer.rows.link_graph import link_place
from pincite_indexer.rows.passages import with_passages
from pincite_server.answerer import Answerer
from pincite_server.policy import Policy

__all__ = ("GUIDE_SCOPE", "PageSource", "build_index", "make_answerer", "make_scope")

# The stand-in's cosines mean little, and BM25 means nothing over a handful of chunks: here the words decide.
_CALIBRATION = replace(Calibration.uniform(0), best_sentence=4, coverage=8, bias=-7)
_ANCHOR = re.compile(r"\s*\{#([^}]+)\}\s*$")
_LOOKS = re.compile(r"(?:> )?\*\*[^*]+\*\*|===.*")
_LINK = re.compile(r"^\[([^\]]+)\]\(([^)]+)\)$")


def make_scope(
    scope_id: int = 1,
    *,
    plugin: str = "docusaurus-plugin-content-docs",
    plugin_id: str = "default",
    version: str | None = "current",
    label: str | None = None,
    is_last: bool = True,
    locale: str = "en",
) -> Scope:
    return Scope(scope_id, plugin, plugin_id, version, label or version, is_last, locale)


GUIDE_SCOPE = make_scope()


@dataclass(frozen=True, slots=True)
class PageSource:
    text: str
    scope_id: int = 1
    source_type: str = "guide"
    breadcrumbs: tuple[str, ...] = ()
    translated: bool = True
    landing: Mapping[str, tuple[Landing, ...]] = field(default_factory=dict)
    members: frozenset[str] = frozenset()  # anchors of the sections that are members of an interface
    shown: str = ""  # what a browser would select of the whole page, where the index is to know


@dataclass(slots=True)
class _Build:
    embedder: Embedder
    pages: list[Page] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    terms: list[ChunkTerms] = field(default_factory=list)
    texts: dict[str, int] = field(default_factory=dict)
    links: list[tuple[int, str, str]] = field(default_factory=list)
    shown: dict[str, list[ShownPart]] = field(default_factory=dict)

    def vector_id(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts) + 1)


def build_index(
    folder: Path,
    pages: Mapping[str, str | PageSource],
    *,
    scopes: Sequence[Scope] = (GUIDE_SCOPE,),
    title: str = "Lantern",
    default_locale: str = "en",
    base_url: str = "/",
    site_url: str = "https://docs.example",
    embedder: Embedder | None = None,
    meta: dict[str, object] | None = None,
) -> Index:
    """Write an index of the pages (URL -> text) to `folder` and open it."""
    build = _Build(embedder or FakeEmbedder())
    for url in sorted(pages):
        source = pages[url]
        _add_page(build, url, PageSource(source) if isinstance(source, str) else source)
    info = IndexInfo(
        format=FORMAT,
        index_id=content_hash(text.encode() for text in build.texts),
        title=title,
        site_url=site_url,
        base_url=base_url,
        default_locale=default_locale,
        locales=tuple(dict.fromkeys(scope.locale for scope in scopes)),
        model=build.embedder.info.name,
        weights_sha256=build.embedder.info.weights_sha256,
        dimension=build.embedder.info.dimension,
        max_tokens=build.embedder.info.max_tokens,
        generator="test",
        encoder=build.embedder.info.encoder,
    )
    content = IndexContent(
        info=info,
        scopes=list(scopes),
        pages=build.pages,
        targets=build.targets,
        chunks=build.chunks,
        units=_read_units(build, scopes),
        vectors=to_int8(build.embedder.encode(list(build.texts))),
        text_hashes=[text_hash(text) for text in build.texts],
        terms=build.terms,
        links=_resolved_links(build),
        tokens=_tokens(build),
        meta={"calibration": msgspec.to_builtins(_CALIBRATION), **shown_facts(build.shown), **(meta or {})},
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_index(content, folder / "index.db")
    return Index.open(folder)


def _tokens(build: _Build) -> dict[int, bytes]:
    of_chunks = {chunk.vector_id for chunk in build.chunks}
    texts = {number: text for text, number in build.texts.items() if number in of_chunks}
    encoded = build.embedder.encode_with_tokens(list(texts.values()))
    return {
        number: pack_tokens(text.tokens).tobytes()
        for number, text in zip(texts, encoded, strict=True)
        if text.tokens is not None
    }


def make_answerer(
    folder: Path, pages: Mapping[str, str | PageSource], *, policy: Policy | None = None, **options: object
) -> Answerer:
    """Build an index and pair it with the deterministic embedder."""
    return Answerer.with_embedder(build_index(folder, pages, **options), FakeEmbedder(), policy)  # type: ignore[arg-type]


def _add_page(build: _Build, url: str, source: PageSource) -> None:
    page_id = len(build.pages) + 1
    first, _, rest = source.text.strip().partition("\n")
    title = first.removeprefix("# ").strip()
    build.pages.append(
        Page(
            page_id,
            source.scope_id,
            url,
            title,
            "",
            source.source_type,  # type: ignore[arg-type]
            url.strip("/"),
            source.breadcrumbs,
            (),
            source.translated,
            "",
            content_hash([source.text.encode()]),
        )
    )
    root = _add_target(build, source, page_id, None, "", title, "page", 1)
    section, body = root, ""
    for line in [*rest.splitlines(), "## "]:
        if line.startswith("## "):
            _add_chunk(build, source, page_id, section, title, body.strip())
            if line == "## ":
                break
            text, anchor = _split_anchor(line.removeprefix("## "))
            kind = "member" if anchor in source.members else "heading"
            section, body = _add_target(build, source, page_id, root, anchor, text, kind, 2), ""
        else:
            body += line + "\n"
    if source.shown:
        chunks = (chunk.text for chunk in build.chunks if chunk.page_id == page_id)
        build.shown[url] = tell_shown(letters(source.shown), letters("".join(chunks)))


def _add_target(
    build: _Build,
    source: PageSource,
    page_id: int,
    parent: Target | None,
    anchor: str,
    title: str,
    kind: str,
    level: int,
) -> Target:
    path = (*parent.heading_path, title) if parent else (title,)
    chapter = build.pages[-1].doc_id or "index"
    target = Target(
        target_id=len(build.targets) + 1,
        page_id=page_id,
        parent_id=parent.target_id if parent else None,
        position=len(build.targets),
        anchor=anchor,
        kind=kind,  # type: ignore[arg-type]
        level=level,
        title=title,
        heading_path=path,
        stable_id=f"default/{chapter}" + (f"#{anchor}" if anchor else ""),
        id_kind="auto",
        landing=source.landing.get(anchor, ()),
    )
    build.targets.append(target)
    return target


def _add_chunk(build: _Build, source: PageSource, page_id: int, section: Target, page_title: str, body: str) -> None:
    if not body:
        return
    chunk_id = len(build.chunks) + 1
    text = ""
    units: list[tuple[int, int, UnitKind, Target]] = []
    for block in _blocks(body):
        link = _LINK.match(block)
        if link:
            build.links.append((section.target_id, link.group(2), link.group(1)))
            continue
        text += "\n\n" if text else ""
        offset = len(text)
        shown, kind, anchor = _parse_block(block)
        text += shown
        target = section
        if anchor:
            target = _add_target(build, source, page_id, section, anchor, shown.split(";")[0], kind, 0)
        mark = re.match("> | *- ", shown)
        skip = mark.end() if mark else 0
        spans = [(skip + start, skip + end) for start, end in split_sentences(shown[skip:])]
        if _LOOKS.fullmatch(shown):
            spans = []
        elif kind not in {"prose", "item"}:
            spans = [(0, len(shown))]
        units.extend((offset + start, offset + end, kind, target) for start, end in spans)
    headings = " ".join(section.heading_path[1:])
    vector_id = build.vector_id(f"{' '.join(section.heading_path)} {text}")
    build.chunks.append(Chunk(chunk_id, section.target_id, page_id, source.scope_id, 0, text, vector_id))
    build.vector_id(section.title)
    first = len(build.units)
    build.units.extend(
        Unit(
            first + number,
            chunk_id,
            target.target_id,
            source.scope_id,
            start,
            end,
            kind,
            0 if kind == "code" else build.vector_id(f"{section.title} {text[start:end]}"),
        )
        for number, (start, end, kind, target) in enumerate(units, start=1)
    )
    columns = (" ".join(terms(part)) for part in (text, headings, page_title))
    codes = " ".join(exact_codes(f"{text} {section.title}"))
    body_terms, heading_terms, page_terms = columns
    build.terms.append(ChunkTerms(chunk_id, body_terms, heading_terms, page_terms, "", codes))


def _read_units(build: _Build, scopes: Sequence[Scope]) -> list[Unit]:
    """Return all units with what their sections' texts show of them."""
    locales = {scope.scope_id: scope.locale for scope in scopes}
    linked: dict[int, set[str]] = {}
    for link in _resolved_links(build):
        linked.setdefault(link.from_target_id, set()).add(link.text)
    by_chunk = {chunk.chunk_id: chunk for chunk in build.chunks}
    found: list[Unit] = []
    for target_id, units in groupby(build.units, lambda unit: by_chunk[unit.chunk_id].target_id):
        own = list(units)
        chunks = [by_chunk[chunk_id] for chunk_id in dict.fromkeys(unit.chunk_id for unit in own)]
        marked = marked_units(chunks, own, linked.get(target_id, set()), locales[own[0].scope_id])
        of_section = [link for link in _resolved_links(build) if link.from_target_id == target_id]
        found += _with_links(marked, {chunk.chunk_id: chunk.text for chunk in chunks}, of_section)
    return with_injections(with_passages(found, build.chunks), build.chunks, build.targets, build.pages)


def _with_links(units: Sequence[Unit], texts: Mapping[int, str], links: Sequence[Link]) -> list[Unit]:
    """Return the units of a section with its links, each at the first free place of its words."""
    placed: dict[int, list[TextLink]] = {unit.unit_id: [] for unit in units}
    for link in links:
        for unit in units:
            text, own = texts[unit.chunk_id][unit.start : unit.end], placed[unit.unit_id]
            if unit.kind != "code" and (place := link_place(text, link.text, own, unit.cells)):
                own.append(TextLink(*place, link.to_target_id))
                break
    return [structs.replace(unit, links=tuple(sorted(placed[unit.unit_id]))) for unit in units]


def _blocks(body: str) -> list[str]:
    fenced = re.split(r"(^```.*?^```$)", body, flags=re.DOTALL | re.MULTILINE)
    return [
        block.strip("\n").rstrip()
        for position, part in enumerate(fenced)
        for block in ([part] if position % 2 else re.split(r"\n\s*\n|\n(?= +- |[-|\[] ?)", part))
        if block.strip()
    ]


def _parse_block(block: str) -> tuple[str, UnitKind, str]:
    """Return a block's text, its kind, and its anchor if it has one."""
    if block.startswith("```"):
        return block, "code", ""
    text, anchor = _split_anchor(block)
    if text.startswith(":: "):
        return text.removeprefix(":: "), "term", anchor
    if text.startswith("|"):
        return text.strip("| "), "row", anchor
    return text, "item" if text.lstrip().startswith("- ") else "prose", anchor


def _split_anchor(text: str) -> tuple[str, str]:
    found = _ANCHOR.search(text)
    return (text[: found.start()].rstrip(), found.group(1)) if found else (text.rstrip(), "")


def _resolved_links(build: _Build) -> list[Link]:
    places = {
        build.pages[target.page_id - 1].url + (f"#{target.anchor}" if target.anchor else ""): target.target_id
        for target in build.targets
    }
    return [Link(source, places[href], text, True) for source, href, text in build.links if href in places]
