"""Mark the units that address an AI assistant, so that no answer quotes them (`pincite_core.quoting.prompt_injection`).

A section is suspicious from the first such text on, and as a whole if a title around it addresses an assistant.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pincite_core.quoting.prompt_injection import addressed_from, addresses_assistant
from pincite_core.types import Chunk, Page, Target, Unit, fact_bits

__all__ = ("with_injections",)


def with_injections(
    units: Sequence[Unit], chunks: Sequence[Chunk], targets: Sequence[Target], pages: Sequence[Page]
) -> list[Unit]:
    """Return the units with the facts `injection` and `quoted_injection`.

    A unit in a place whose title addresses an assistant gets its section as target, because a citation shows titles.

    Args:
        units: All units of a site, in order.
        chunks: All chunks, in order.
        targets: All targets; target ID 1 is the first.
        pages: All pages; page ID 1 is the first.
    """
    names = {name for one in targets for name in one.heading_path} | {name for one in pages for name in one.breadcrumbs}
    orders = set(filter(addresses_assistant, names))
    titles = {target.target_id for target in targets if not orders.isdisjoint(target.heading_path)}
    crumbs = {page.page_id for page in pages if not orders.isdisjoint(page.breadcrumbs)}
    ends = list(_ends(chunks))
    found: list[Unit] = []
    for unit in units:
        chunk = chunks[unit.chunk_id - 1]
        is_named = chunk.page_id in crumbs or chunk.target_id in titles
        plain, quoted = (is_named or unit.end > end for end in ends[unit.chunk_id - 1])
        if plain or quoted:
            unit = replace(unit, facts=unit.facts | fact_bits({"injection": plain, "quoted_injection": quoted}))
        found.append(replace(unit, target_id=chunk.target_id) if unit.target_id in titles else unit)
    return found


def _ends(chunks: Sequence[Chunk]) -> Iterator[tuple[int, int]]:
    """Yield for each chunk the length of its text before the first text in its section that addresses an assistant.

    The second length counts text inside quotation marks and code, too.
    """
    known: dict[str, tuple[int, int]] = {}  # versions of a page share most of their texts
    before, length = (0, 0), 0
    for chunk in chunks:
        if chunk.text not in known:
            known[chunk.text] = _end(chunk.text, mentions=False), _end(chunk.text, mentions=True)
        plain, quoted = known[chunk.text]
        if chunk.ordinal > 0:
            plain, quoted = plain * (before[0] == length), quoted * (before[1] == length)
        before, length = (plain, quoted), len(chunk.text)
        yield before


def _end(text: str, *, mentions: bool) -> int:
    start = addressed_from(text, mentions)
    return len(text) if start is None else len(text[:start].rstrip())
