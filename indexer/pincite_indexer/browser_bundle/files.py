"""Build the files of the folder `search/` in an index folder, with their names and the manifest."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pincite_core.index.schema import SEARCH_MANIFEST_NAME, VERSION_FOLDERS
from pincite_core.index.write import ChunkTerms, IndexContent
from pincite_core.search.languages import primary
from pincite_core.types import IndexInfo, Scope
from pincite_indexer.browser_bundle.answer_files import answer_files
from pincite_indexer.browser_bundle.answers import answers_facts
from pincite_indexer.browser_bundle.exact import LanguageTerms, language_terms
from pincite_indexer.browser_bundle.phrases import phrase_files
from pincite_indexer.browser_bundle.shard import ScopeParts, SearchRows, firsts_of, shard_of
from pincite_indexer.browser_bundle.units import units_files
from pincite_indexer.browser_bundle.vocabulary import Vocabulary, telling_nothing

__all__ = ("FORMAT", "search_files")

FORMAT = 3
_NAME_LENGTH = 10  # characters of a hash, enough to make all file names of a site distinct


def search_files(
    rows: SearchRows, terms: Sequence[ChunkTerms], info: IndexInfo, answering: IndexContent | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of every file in the folder, the manifest last.

    The manifest lists the other files. Their names are hashes of their contents, so caches never mix builds.

    Args:
        rows: The index's rows that readers may see.
        terms: The search terms of each chunk, in order.
        info: The index's metadata.
        answering: All rows of the index, to answer in the browser as well; None for search alone.
    """
    languages = _languages(answering) if answering else {}
    spelled: defaultdict[str, list[Vocabulary]] = defaultdict(list)
    entries = []
    for scope in rows.scopes:
        parts = ScopeParts.of(rows, terms, scope)
        if parts is None:
            continue
        shard = shard_of(rows, parts)
        spelled[scope.locale].append(shard.spelled)
        kinds = [
            (kind, "json", [msgspec.json.encode(content) for content in contents])
            for kind, contents in (("words", [shard.words]), ("postings", shard.postings), ("texts", shard.texts))
        ]
        if answering:
            kinds.extend(answer_files(answering, parts, shard, languages[scope.locale]))
            units = units_files(answering, scope, firsts_of(shard.texts))
            kinds.append(("units", "json", [msgspec.json.encode(content) for content in units]))
        named = {kind: [_name(data, ending) for data in contents] for kind, ending, contents in kinds}
        for kind, _, contents in kinds:
            yield from zip(named[kind], contents, strict=True)
        entries.append(_entry(scope) | _folders(rows, scope) | named)
    manifest = _manifest(entries, info)
    if answering:
        phrases = {language: msgspec.json.encode(content) for language, content in phrase_files()}
        files = {language: _name(data, "json") for language, data in phrases.items()}
        yield from zip(files.values(), phrases.values(), strict=True)
        facts = msgspec.json.encode({**answers_facts(answering, languages, spelled), "phrases": files})
        manifest["answers"] = _name(facts, "json")
        yield manifest["answers"], facts
    yield SEARCH_MANIFEST_NAME, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def _languages(content: IndexContent) -> dict[str, LanguageTerms]:
    """Return the term statistics of each locale."""
    locales = {scope.scope_id: scope.locale for scope in content.scopes}
    return {
        locale: language_terms(
            words
            for chunk, words in zip(content.chunks, content.terms, strict=True)
            if locales[chunk.scope_id] == locale
        )
        for locale in sorted(set(locales.values()))
    }


def _name(data: bytes, ending: str) -> str:
    return f"{hashlib.sha256(data).hexdigest()[:_NAME_LENGTH]}.{ending}"


def _entry(scope: Scope) -> dict[str, object]:
    return {
        "plugin": scope.plugin_id,
        "version": scope.version,
        "version_label": scope.version_label,
        "is_last": scope.is_last,
        "locale": scope.locale,
    }


def _folders(rows: SearchRows, scope: Scope) -> dict[str, object]:
    """Return the folders that tell a browser that a page has the scope's version; empty if the page itself does."""
    folders = rows.meta.get(VERSION_FOLDERS) if isinstance(rows, IndexContent) else None
    own = folders.get(str(scope.scope_id)) if isinstance(folders, dict) else None
    return {"folders": list(own)} if own else {}


def _manifest(entries: list[dict[str, object]], info: IndexInfo) -> dict[str, Any]:
    languages = {primary(str(entry["locale"])) for entry in entries}
    return {
        "format": FORMAT,
        "index_id": info.index_id,
        "default_locale": info.default_locale,
        "scopes": entries,
        "small_words": {language: " ".join(telling_nothing(language)) for language in sorted(languages)},
    }
