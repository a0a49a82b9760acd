"""Compute the search terms of each chunk by column, and add the titles of sections to the embedded texts.

If the site also uses the parts of a compound as separate words, the parts are search terms, too.

`pincite_core.search.terms` splits questions in the same way.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from pincite_core.index.write import ChunkTerms
from pincite_core.search.compounds import compound_parts, is_compounding
from pincite_core.search.languages import primary, small_words, stem
from pincite_core.search.terms import exact_codes, terms
from pincite_core.types import Link
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.rows.link_graph import inbound_texts

__all__ = ("Compounds", "add_titles", "chunk_terms")

_TITLES = ("page", "heading")
_CODE = re.compile(r"```.*?(?:```|$)|`[^`\n]+`", re.DOTALL)
_WORD = re.compile(r"(?<![\w-])[^\W\d_]+(?!\w|-(?!\w))")  # not the first part of "Sicherungs- und Systemdateien"
_LETTERS = re.compile(r"[^\W\d_]+")
_SHORTEST = 4  # letters
_SHORT_NAME = 3  # letters of a word that is only written with a capital, and so is not a suffix: Web, Bit


def chunk_terms(rows: Rows, links: list[Link]) -> list[ChunkTerms]:
    """Return one row of terms for each chunk, in order."""
    targets = {target.target_id: target for target in rows.targets}
    pages = {page.page_id: page for page in rows.pages}
    inbound = inbound_texts(links)
    locales = {scope.scope_id: scope.locale for scope in rows.scopes}
    compounds = {locale: Compounds(_texts(rows, locale), locale) for locale in set(locales.values())}

    @cache  # versions of a page share most of their text
    def words(text: str, language: str) -> str:
        return " ".join([*terms(text, language), *compounds[language].terms(text)])

    codes = cache(_codes)
    found = []
    for chunk in rows.chunks:
        language = locales[chunk.scope_id]
        headings = " ".join(targets[chunk.target_id].heading_path[1:])
        found.append(
            ChunkTerms(
                chunk.chunk_id,
                words(chunk.text, language),
                words(headings, language),
                words(pages[chunk.page_id].title, language),
                words(inbound.get(chunk.target_id, ""), language),
                f"{codes(headings)} {codes(chunk.text)}".strip(),
            )
        )
    return found


def add_titles(rows: Rows) -> None:
    """Add the distinct titles of all sections with text to the texts to embed.

    A question in other words than the section's is similar only to its title. No row refers to the titles' vectors.
    Search finds the vectors by the hash of the title.
    """
    known = set(rows.texts)
    titles = {target.target_id: target.title for target in rows.targets}
    wanted = dict.fromkeys(titles[chunk.target_id] for chunk in rows.chunks)
    rows.texts.extend(title for title in wanted if title and title not in known)


def _texts(rows: Rows, locale: str) -> Iterator[str]:
    scopes = {scope.scope_id for scope in rows.scopes if scope.locale == locale}
    yield from (chunk.text for chunk in rows.chunks if chunk.scope_id in scopes)
    pages = {page.page_id for page in rows.pages if page.scope_id in scopes}
    yield from (target.title for target in rows.targets if target.page_id in pages and target.kind in _TITLES)


def _codes(text: str) -> str:
    return " ".join(exact_codes(text))


class Compounds:
    """Compound splitter for one language of a site.

    Args:
        texts: All texts of the site in this language; the same texts give the same terms.
        language: BCP 47 tag; a language without compounds gives no terms.
    """

    def __init__(self, texts: Iterable[str], language: str) -> None:
        self._language = language
        self._alone = _words_alone(texts, primary(language)) if is_compounding(primary(language)) else frozenset()
        self._known: dict[str, tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        """Return the terms of the parts of a text's compounds, in order, with repeats."""
        return [term for word in _LETTERS.findall(text) for term in self._parts(word)] if self._alone else []

    def _parts(self, word: str) -> tuple[str, ...]:
        if word not in self._known:
            is_code = any(sign.isupper() for sign in word[1:])  # identifiers are split at their capitals elsewhere
            found = () if is_code else compound_parts(word.lower(), primary(self._language), self._alone)
            self._known[word] = tuple(term for part in found for term in terms(part, self._language))
        return self._known[word]


def _words_alone(texts: Iterable[str], language: str) -> frozenset[str]:
    """Return the lower-case words that occur separately in the texts outside code, and their stems."""
    written = {word for text in texts for word in _WORD.findall(_CODE.sub(" ", text))}
    words = {word.lower() for word in written if len(word) >= _SHORTEST}
    names = {word.lower() for word in written if len(word) == _SHORT_NAME and word.istitle()}
    words |= {name for name in names if name not in written and name.upper() not in written}
    words -= small_words(language)
    return frozenset(words | {cut for word in words if len(cut := stem(word, language)) >= _SHORTEST})
