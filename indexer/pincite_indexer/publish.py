"""Write the files that are deployed with a site: index, `index.json`, `ids.json`, encoder and widget of one build."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from pincite_core.deployed.build_facts import BuildFacts, BuildVersion, EncoderEntry, facts_json
from pincite_core.embedders import Encoder
from pincite_core.embedders.shipped import sha256
from pincite_core.errors import OutputError
from pincite_core.index.schema import (
    BROWSER_ENCODER_FOLDER,
    DATABASE_NAME,
    ENCODER_NAME,
    IDS_NAME,
    INFO_NAME,
    SEARCH_FOLDER,
    TOKENIZER_NAME,
)
from pincite_core.index.write import IndexContent, write_atomically, write_index
from pincite_core.urls import join_fragment
from pincite_indexer.browser_bundle.files import search_files
from pincite_indexer.browser_encoder import BROWSER_ENCODER_FILES, has_content, write_browser_encoder
from pincite_indexer.staging import staged_folder

__all__ = ("Placing", "encoder_facts", "ids_json", "publish", "widget_folder")

_ENCODER_FILES = frozenset({ENCODER_NAME, TOKENIZER_NAME}) | BROWSER_ENCODER_FILES


@dataclass(frozen=True, slots=True)
class Placing:
    """Place of an index within a deploy: the ID of the site's build and the index folders of the other locales.

    `default_folder` is the index folder of the default locale, relative to this index folder.
    """

    build_id: str = ""
    siblings: list[str] = field(default_factory=list)
    default_folder: str | None = None


def publish(
    content: IndexContent,
    out: Path,
    placing: Placing,
    encoder: Encoder | None = None,
    *,
    search: bool = True,
    browser_encoder: bool = False,
    answers: bool = False,
) -> BuildFacts:
    """Write an index folder and return the content of its `index.json`.

    `encoder` computed the vectors and is deployed with the index. `search` writes the files for search in the browser,
    `browser_encoder` those with which browsers run the encoder, and `answers` those for answering in the browser.

    Raises:
        OutputError: The folder cannot be written; its earlier files are unchanged.
    """
    _make_folder(out)
    try:
        # The names of the search files of an earlier build contain a content hash.
        earlier = {
            file.relative_to(out).as_posix()
            for file in (out / SEARCH_FOLDER).glob("*")
            if file.suffix in {".json", ".bin"}
        }
        with staged_folder(out, optional=_ENCODER_FILES | earlier, last=INFO_NAME) as folder:
            entry = _ship_encoder(encoder, folder, out, placing.default_folder) if encoder else None
            if browser_encoder and encoder and entry:
                shared = None if placing.default_folder is None else out / placing.default_folder
                write_browser_encoder(encoder, entry, folder, widget_folder(), shared)
            if search:
                _make_folder(folder / SEARCH_FOLDER)
                for name, data in search_files(content, content.terms, content.info, content if answers else None):
                    write_atomically(folder / SEARCH_FOLDER / name, data)
            return _fill(folder, content, placing, entry)
    except OutputError:
        raise
    except OSError as error:
        message = f"Could not put the new index into {out} ({error.strerror}). Choose another folder with --out."
        raise OutputError(message) from error


def _fill(folder: Path, content: IndexContent, placing: Placing, encoder: EncoderEntry | None) -> BuildFacts:
    database = folder / DATABASE_NAME
    write_index(content, database)
    _copy_widget(folder)
    write_atomically(folder / IDS_NAME, msgspec.json.format(msgspec.json.encode(ids_json(content)), indent=1) + b"\n")
    facts = _facts(content, database, placing, encoder)
    write_atomically(folder / INFO_NAME, facts_json(facts))
    return facts


def ids_json(content: IndexContent) -> dict[str, object]:
    """Return the public list of stable IDs: the target of each ID, aliases of earlier IDs, and lost IDs."""
    scopes = {scope.scope_id: scope for scope in content.scopes}
    pages = {page.page_id: (page.url, scopes[page.scope_id]) for page in content.pages}
    ids = [
        {
            "id": target.stable_id,
            "url": join_fragment(url, target.anchor),
            "locale": scope.locale,
            "version": scope.version,
            "title": target.title,
            "kind": target.id_kind,
        }
        for target in content.targets
        for url, scope in [pages[target.page_id]]
    ]
    aliases = [{"from": alias.stable_id, "to": alias.successor} for alias in content.aliases if alias.successor]
    return {"ids": ids, "aliases": aliases, "lost": [a.stable_id for a in content.aliases if not a.successor]}


def widget_folder() -> Path | None:
    """Return the folder of the built widget, in the installed package or in the source tree of an editable install."""
    package = Path(__file__).parent
    places = (package / "widget", package.parent.parent / "widget" / "dist")
    return next(filter(Path.is_dir, places), None)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"Could not make the folder {folder} ({error.strerror}). Choose another one with --out."
        raise OutputError(message) from error


def _copy_widget(out: Path) -> None:
    source = widget_folder()
    if source is None:
        return
    for file in sorted(source.rglob("*.js")):
        if file.parent.name != BROWSER_ENCODER_FOLDER:  # `write_browser_encoder` copies that folder on request
            goal = out / file.relative_to(source)
            _make_folder(goal.parent)
            write_atomically(goal, file.read_bytes())


def _facts(content: IndexContent, database: Path, placing: Placing, encoder: EncoderEntry | None) -> BuildFacts:
    info = content.info
    data = database.read_bytes()
    versions = {
        (scope.plugin_id, scope.version): BuildVersion(
            scope.plugin_id, scope.version, scope.version_label, scope.is_last
        )
        for scope in content.scopes
        if scope.version
    }
    return BuildFacts(
        index_id=info.index_id,
        build_id=placing.build_id,
        built_at=datetime.now(UTC).isoformat(timespec="seconds"),
        sha256=sha256(data),
        size=len(data),
        title=info.title,
        site_url=info.site_url,
        base_url=info.base_url,
        model=info.model,
        weights_sha256=info.weights_sha256,
        dimension=info.dimension,
        prompts=info.prompts,
        encoder=encoder,
        counts={
            "pages": len(content.pages),
            "targets": len(content.targets),
            "chunks": len(content.chunks),
            "units": len(content.units),
        },
        locales=info.locales,
        versions=tuple(versions.values()),
        siblings=tuple(placing.siblings),
    )


def _ship_encoder(encoder: Encoder, folder: Path, out: Path, shared: str | None) -> EncoderEntry:
    """Write an encoder's files into the staging folder of `out`, unless the default locale's folder has the same files.

    `shared` is the path of the default locale's index folder, relative to `out`, as a URL without a trailing slash. It
    is None if `out` is that folder.
    """
    files = ((ENCODER_NAME, encoder.onnx), (TOKENIZER_NAME, encoder.tokenizer))
    if shared is not None and all(has_content(out / shared / name, data) for name, data in files):
        return encoder.entry(f"{shared}/")
    for name, data in files:
        write_atomically(folder / name, data)
    return encoder.entry()


def encoder_facts(encoder: Encoder) -> dict[str, object]:
    """Return the facts that the index stores about the encoder, without the places of its files."""
    entry: dict[str, object] = msgspec.to_builtins(encoder.entry())
    return {key: value for key, value in entry.items() if key not in ("file", "tokenizer")}
