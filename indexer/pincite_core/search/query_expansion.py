"""Query expansion for words that a site lacks: splits compounds, strips Arabic prepositions, corrects spelling.

For example, `Datenbankverbindung` becomes `Datenbank` and `Verbindung`, and `لمجلد` ("to a folder") loses its
preposition. Retrieval and evidence scoring both use the split terms. Only retrieval uses corrected spellings: a word of
another product, corrected to a word of this site, is not evidence.
"""

from collections.abc import Sequence
from dataclasses import replace

from pincite_core.index.read import Index
from pincite_core.rules import SPELLING
from pincite_core.search.compounds import is_compounding, known_parts, possible_parts
from pincite_core.search.languages import primary, stem, without_preposition
from pincite_core.search.query import Query
from pincite_core.search.terms import terms

__all__ = ("correct_spelling", "split_compounds")

_WITH_PREPOSITIONS = "ar"  # language whose prepositions are prefixes of the next word


def correct_spelling(index: Index, query: Query, scope_ids: Sequence[int]) -> Query:
    """Return the query with misspelled terms replaced by the site's terms; names and codes stay unchanged."""
    unknown = _unknown(index, query, scope_ids)
    if not unknown:
        return query
    corrected = (index.correct_spelling(term, scope_ids) if term in unknown else term for term in query.terms)
    return replace(query, terms=tuple(dict.fromkeys(corrected)))


def split_compounds(index: Index, query: Query, scope_ids: Sequence[int]) -> Query:
    """Return the query with unknown compounds replaced by parts that occur on the site; names stay whole."""
    language = primary(query.language)
    if not is_compounding(language) and language != _WITH_PREPOSITIONS:
        return query
    unknown = _unknown(index, query, scope_ids)
    if not unknown:
        return query
    split = _without_preposition if language == _WITH_PREPOSITIONS else _parts
    looked_up = [term for term in query.terms if term in unknown][: SPELLING.most_parted]
    parts = {term: split(index, term, language, scope_ids) for term in looked_up}
    cut = (part for term in query.terms for part in parts.get(term, ()) or (term,))
    return replace(query, terms=tuple(dict.fromkeys(cut)))


def _parts(index: Index, term: str, language: str, scope_ids: Sequence[int]) -> tuple[str, ...]:
    stems = {part: stem(part, language) for part in possible_parts(term, language)}
    found = index.document_frequencies(set(stems.values()), scope_ids)
    known = {part for part, cut in stems.items() if cut in found}
    return tuple(stems[part] for part in known_parts(term, language, known))


def _without_preposition(index: Index, term: str, language: str, scope_ids: Sequence[int]) -> tuple[str, ...]:
    found = index.document_frequencies(without_preposition(term, language), scope_ids)
    return (max(found, key=lambda word: (found[word], word)),) if found else ()


def _unknown(index: Index, query: Query, scope_ids: Sequence[int]) -> frozenset[str]:
    exempt = {*query.names, *(term for code in query.codes for term in terms(code, query.language))}
    return frozenset(query.terms) - index.document_frequencies(query.terms, scope_ids).keys() - exempt
