"""Pages that show a module's source code, as Sphinx writes them: highlighted files, and no documentation.

`sphinx.ext.viewcode` writes `_modules/a/b.html` for the module `a.b`, and `_modules/index.html`, which lists them. A
site has as many as documented modules, and they hold every word of them: a search would find little else. Its words
("Source code for a.b") are translated, so pages are known by the module's name where it stands. An author may call a
folder `_modules` too, and keep pages about modules in it.
"""

import re
from itertools import pairwise

from pincite_indexer.pages.facts import SPHINX
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Block, Heading, LinkDraft, Piece

__all__ = ("is_source_page",)

_FILE = re.compile(r"(?:^|/)_modules/(.+?)(?:/index)?\.html$")
_LIST = "index"


def is_source_page(draft: PageDraft) -> bool:
    """Tell whether a page is a module's source code, or the list of the modules whose code Sphinx shows."""
    found = _FILE.search(draft.file)
    if found is None or draft.facts.generator != SPHINX:
        return False
    return _lists_modules(draft) if found[1] == _LIST else _shows_module(draft.pieces, _module(found[1]))


def _shows_module(pieces: tuple[Piece, ...], module: str) -> bool:
    """Tell whether a title that names the module, and says more than its name, has its code below and no other.

    What a theme puts around it on every page may be there, but nothing with a heading.
    """
    for place, (title, code) in enumerate(pairwise(pieces)):
        if _is_title(title) and module in title.text and module != title.text and _is_block(code, "code"):
            return not any(isinstance(piece, Heading) or piece.kind == "code" for piece in pieces[place + 2 :])
    return False


def _lists_modules(draft: PageDraft) -> bool:
    """Tell whether the first link of the list below a title is called by the module whose page it leads to."""
    for place, (title, item) in enumerate(pairwise(draft.pieces)):
        if _is_title(title) and _is_block(item, "item"):
            return any(_names_its_module(link) for link in draft.links if link.piece == place + 1)
    return False


def _is_title(piece: Piece) -> bool:
    return isinstance(piece, Heading) and piece.level == 1


def _is_block(piece: Piece, kind: str) -> bool:
    return isinstance(piece, Block) and piece.kind == kind


def _names_its_module(link: LinkDraft) -> bool:
    return _module(link.href.removesuffix("/").removesuffix(".html")) == link.text


def _module(path: str) -> str:
    return path.replace("/", ".")
