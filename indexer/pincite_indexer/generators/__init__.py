"""Site generators: one module each with all that is special about it. Whoever reads pages knows only the record.

A generator is added by its module and by its name in `GENERATORS`.
"""

from collections.abc import Callable, Iterable

from pincite_indexer.generators.docusaurus import DOCUSAURUS
from pincite_indexer.generators.generator import Generator, PageMarkup
from pincite_indexer.generators.mkdocs import MKDOCS
from pincite_indexer.generators.plain import PLAIN
from pincite_indexer.generators.sphinx import SPHINX
from pincite_indexer.generators.typedoc import TYPEDOC
from pincite_indexer.generators.vitepress import VITEPRESS

__all__ = ("GENERATORS", "every", "generator_named", "name_of_generator")

GENERATORS = (DOCUSAURUS, TYPEDOC, VITEPRESS, MKDOCS, PLAIN, SPHINX)
"""In the order in which their contents are looked for."""


def every(names: Callable[[Generator], Iterable[str]]) -> frozenset[str]:
    """Return what any of the generators has of some names, such as classes."""
    return frozenset(name for generator in GENERATORS for name in names(generator))


def name_of_generator(page: PageMarkup) -> str:
    """Return what made a page, as the page says it; empty when nothing tells."""
    sources = [script.get("src") or "" for script in page.scripts]
    for generator in GENERATORS:
        if generator.script and any(generator.script in source for source in sources):
            return generator.name
    return page.metas.get("generator", "")


def generator_named(name: str) -> Generator:
    """Return the generator that a page names; `PLAIN` for one that is not known here."""
    known = (generator for generator in GENERATORS if generator.name and name.startswith(generator.name))
    return next(known, PLAIN)
