"""A site of two versions and two languages, and files of questions about it."""

from collections.abc import Mapping
from pathlib import Path

from tests.factories import PageSource, build_index, make_scope

from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource

__all__ = ("PAGES", "SCOPES", "build_site", "open_site", "write_questions")

SCOPES = (
    make_scope(1, version="2.10", label="2.x"),
    make_scope(2, version="1.0", is_last=False),
    make_scope(3, version="2.10", label="2.x", locale="fr"),
)
_CACHE = """# Cache
The cache keeps rendered pages.

## Lifetime {#lifetime}
Cached pages expire after AGE minutes of silence.

## Options {#options}
| Option: cache-folder; Meaning: the directory that holds cached pages | {#opt-folder}
"""
_BACKUP = """# Backups
Snapshots are written every night.

## Restoring {#restoring}
Restore a snapshot with the restore command.
"""
_FRENCH = """# Cache
Le cache garde les pages rendues.

## Lifetime {#lifetime}
Les pages du cache expirent après trente minutes de silence.
"""
PAGES: Mapping[str, PageSource] = {
    "/docs/cache": PageSource(_CACHE.replace("AGE", "thirty")),
    "/docs/backup": PageSource(_BACKUP),
    "/docs/1.0/cache": PageSource(_CACHE.replace("AGE", "ten"), scope_id=2),
    "/fr/docs/cache": PageSource(_FRENCH, scope_id=3),
}


def build_site(folder: Path, pages: Mapping[str, PageSource] = PAGES) -> Path:
    """Write the site's index and return its folder."""
    build_index(folder, pages, scopes=SCOPES)
    return folder


def open_site(folder: Path) -> IndexSet:
    """Open an index as the command does."""
    return IndexSource(folder).open()


def write_questions(folder: Path, text: str) -> Path:
    """Write a file of questions and return its path."""
    file = folder / "questions.yml"
    file.write_text(text, encoding="utf-8")
    return file
