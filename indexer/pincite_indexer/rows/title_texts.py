"""Sections' own titles, embedded for themselves: who asks for a subject in other words is near the title alone.

Their vectors have no row that points to them; search finds them by their texts.
"""

from pincite_indexer.rows.assemble import Rows

__all__ = ("add_titles",)


def add_titles(rows: Rows) -> None:
    """Add to the texts that will be embedded the title of every section that has text of its own, each once."""
    known = set(rows.texts)
    titles = {target.target_id: target.title for target in rows.targets}
    wanted = dict.fromkeys(titles[chunk.target_id] for chunk in rows.chunks)
    rows.texts.extend(title for title in wanted if title and title not in known)
