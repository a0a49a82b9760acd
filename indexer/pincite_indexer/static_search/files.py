"""The folder `search/` of an index folder: names, manifest and contents."""

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from pincite_core.index.schema import SEARCH_MANIFEST_NAME
from pincite_core.index.write import ChunkTerms
from pincite_core.search.languages import asking_words, primary, small_words
from pincite_core.search.terms import STOP_WORDS
from pincite_core.types import IndexInfo, Scope
from pincite_indexer.static_search.shard import SearchRows, shard_of

__all__ = ("FORMAT", "search_files", "telling_nothing")

FORMAT = 1
_NAME_LENGTH = 10  # of a hash: enough that no two files of a site share a name


def search_files(rows: SearchRows, terms: Sequence[ChunkTerms], info: IndexInfo) -> Iterator[tuple[str, bytes]]:
    """Yield every file of the folder, by name, the manifest last.

    It names the others, whose names are hashes of what they hold, so that caches never mix builds.

    Args:
        rows: What the index holds, which is what readers may see.
        terms: What each chunk is found by, in order.
        info: What the index says of itself.
    """
    entries = []
    for scope in rows.scopes:
        shard = shard_of(rows, terms, scope)
        if shard is None:
            continue
        named = {}
        for kind, contents in (("words", [shard.words]), ("postings", shard.postings), ("texts", shard.texts)):
            encoded = [msgspec.json.encode(content) for content in contents]
            named[kind] = [f"{hashlib.sha256(data).hexdigest()[:_NAME_LENGTH]}.json" for data in encoded]
            yield from zip(named[kind], encoded, strict=True)
        entries.append(_entry(scope) | named)
    yield SEARCH_MANIFEST_NAME, msgspec.json.format(msgspec.json.encode(_manifest(entries, info)), indent=1) + b"\n"


def _entry(scope: Scope) -> dict[str, object]:
    return {
        "plugin": scope.plugin_id,
        "version": scope.version,
        "version_label": scope.version_label,
        "is_last": scope.is_last,
        "locale": scope.locale,
    }


def _manifest(entries: list[dict[str, object]], info: IndexInfo) -> dict[str, object]:
    languages = {primary(str(entry["locale"])) for entry in entries}
    return {
        "format": FORMAT,
        "index_id": info.index_id,
        "default_locale": info.default_locale,
        "scopes": entries,
        "small_words": {language: " ".join(telling_nothing(language)) for language in sorted(languages)},
    }


def telling_nothing(language: str) -> list[str]:
    """Return the words that say nothing of a question's subject; longer ones first where they are cut out of runs."""
    found = STOP_WORDS if language == "en" else small_words(language)
    return sorted(found) or sorted(asking_words(language), key=lambda word: (-len(word), word))
