"""Mark the units that address an AI assistant, so that no answer quotes them (`pincite_core.quoting.prompt_injection`).

A section is suspicious from the first such text on, and as a whole if a title around it addresses an assistant.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pincite_core.quoting.prompt_injection import addressed_from, addresses_assistant
from pincite_core.types import Chunk, Page, Target, Unit, UnitFact, fact_bits

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
    titles = {target.target_id for target in targets if any(map(addresses_assistant, target.heading_path))}
    crumbs = {page.page_id for page in pages if any(map(addresses_assistant, page.breadcrumbs))}
    ends: dict[UnitFact, list[int]] = {
        "injection": _ends(chunks, mentions=False),
        "quoted_injection": _ends(chunks, mentions=True),
    }
    found: list[Unit] = []
    for unit in units:
        chunk = chunks[unit.chunk_id - 1]
        is_named = chunk.page_id in crumbs or chunk.target_id in titles
        facts = {fact: is_named or unit.end > ends[fact][unit.chunk_id - 1] for fact in ends}
        if any(facts.values()):
            unit = replace(unit, facts=unit.facts | fact_bits(facts))
        found.append(replace(unit, target_id=chunk.target_id) if unit.target_id in titles else unit)
    return found


def _ends(chunks: Sequence[Chunk], *, mentions: bool) -> list[int]:
    """Return for each chunk the length of the text before the first text in its section that addresses an assistant."""
    known: dict[str, int] = {}  # versions of a page share most of their texts
    ends: list[int] = []
    for chunk in chunks:
        if chunk.text not in known:
            start = addressed_from(chunk.text, mentions)
            known[chunk.text] = len(chunk.text) if start is None else len(chunk.text[:start].rstrip())
        goes_on = chunk.ordinal > 0 and ends[-1] < len(chunks[len(ends) - 1].text)
        ends.append(0 if goes_on else known[chunk.text])
    return ends
