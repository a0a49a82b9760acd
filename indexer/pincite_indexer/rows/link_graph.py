"""Links between places of the site: where each stands, where it leads, and what it is called there."""

from pincite_core.types import Link
from pincite_core.urls import lookup_key, resolve, split_fragment
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.site.resolved_site import Site

__all__ = ("inbound_texts", "links_of")


def links_of(site: Site, rows: Rows) -> list[Link]:
    """Return the links between the site's targets, in document order, each once a section.

    A link whose fragment does not exist leads to its page and says so; one whose page does not exist is left out.
    """
    pages = {lookup_key(page.url): page.page_id for page in rows.pages}
    for redirect in site.redirects:
        goal = pages.get(lookup_key(redirect.to_url))
        if goal:
            pages.setdefault(lookup_key(redirect.url), goal)
    targets = {(target.page_id, target.anchor): target.target_id for target in rows.targets}
    ids = {page_id: page.draft.ids for page_id, page in enumerate(site.pages, start=1)}
    found: dict[Link, None] = {}
    for page_id, page in enumerate(site.pages, start=1):
        sections = rows.sections[page_id]
        for draft in page.draft.links:
            url = resolve(draft.href, page.url, site.urls.site_url)
            goal = pages.get(lookup_key(url)) if url is not None else None
            if goal is None or url is None:
                continue
            anchor = split_fragment(url)[1]
            source = sections[draft.piece] if draft.piece < len(sections) else targets[page_id, ""]
            known = not anchor or anchor in ids[goal]
            link = Link(source, targets.get((goal, anchor), targets[goal, ""]), draft.text, known)
            if link.from_target_id != link.to_target_id:
                found[link] = None
    return list(found)


def inbound_texts(links: list[Link]) -> dict[int, str]:
    """Return what other places call each target: the distinct texts of the links that lead to it."""
    texts: dict[int, dict[str, None]] = {}
    for link in links:
        if link.text:
            texts.setdefault(link.to_target_id, {})[link.text] = None
    return {target_id: "\n".join(found) for target_id, found in texts.items()}
