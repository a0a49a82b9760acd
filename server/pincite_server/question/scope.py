"""Stage 1, scope: choose the pages that may answer. Pages outside the scope are never searched, quoted or cited."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec

from pincite_core.errors import InputError
from pincite_core.index.read import Index
from pincite_core.index.schema import VERSION_FOLDERS
from pincite_core.rules import QUESTION
from pincite_core.search.language_detection import foreign_language
from pincite_core.search.languages import is_paired, primary, small_words
from pincite_core.search.terms import STOP_WORDS, terms
from pincite_core.types import Scope
from pincite_core.urls import decoded_path
from pincite_core.wording import language_of, name_of, say
from pincite_server.question.question import MAX_QUERY, Question
from pincite_server.reply.records import AnsweredScope, Notice

__all__ = (
    "ChosenScope",
    "choose_scope",
    "languages_to_ask_in",
    "locale_in_language",
    "match_locale",
    "require_known_scope",
    "scope_of_question",
)

_COMMON = 0.01  # least share of the chunks that contain a function word, in docs of the word's language
_MOST_KNOWN = 0.5


@dataclass(frozen=True, slots=True)
class ChosenScope:
    """The search filter of a question.

    Attributes:
        scope_ids: Row ids of the index's scopes.
        named: The description of the scope for the reader.
        foreign: The language of the question if it certainly differs from the scope's (primary part of a BCP 47 tag).
    """

    scope_ids: tuple[int, ...]
    named: AnsweredScope
    foreign: str | None = None

    @property
    def locale(self) -> str:
        """The language of every page in the scope."""
        return self.named.locale


def scope_of_question(index: Index, question: Question) -> tuple[ChosenScope, tuple[Notice, ...]]:
    """Return the scope of a question, in the question's own language if the site has it, and notices about the choice.

    If a question is certainly in another language than the reader's page, the pages of that language answer it, with a
    notice. The version must have such pages. This does not apply to a locale that was chosen, or to a selected passage.
    """
    query = question.query[:MAX_QUERY]
    here = _scope_of_page(index, question.page_url)
    foreign = foreign_language(query, question.locale or (here.locale if here else _default_locale(index)))
    if foreign and not question.locale_chosen and question.mode != "selection":
        version = question.version or (here.version if here else None)
        if own := locale_in_language(index, foreign, version):
            chosen, notices = choose_scope(index, version, own)
            language = language_of(query, foreign)
            message = say("own_language_searched", language, name=name_of(foreign, language))
            return chosen, (Notice("own_language_searched", message), *notices)
    chosen, notices = choose_scope(index, question.version, question.locale, question.page_url)
    if foreign and foreign != primary(chosen.locale) and not _corpus_matches_language(index, chosen, query, foreign):
        chosen = replace(chosen, foreign=foreign)
    return chosen, notices


def _corpus_matches_language(index: Index, scope: ChosenScope, query: str, language: str) -> bool:
    """Whether the docs are in a question's language, regardless of their declared locale.

    They are if they contain most of its function words, or most of its character bigrams. Examples are German pages
    with the `lang="en"` of a template, or a site in two languages.
    """
    docs = index.language_of(scope.scope_ids)
    found = set(terms(query, docs))
    if is_paired(language):
        asked, least = {term for term in found if not term.isascii()}, 1
    else:
        small = {term for word in small_words(language) - STOP_WORDS for term in terms(word, docs)}
        asked, least = found & small, max(1, round(_COMMON * index.chunk_count))
    known = index.document_frequencies(asked, scope.scope_ids)
    return bool(asked) and sum(count >= least for count in known.values()) > _MOST_KNOWN * len(asked)


def locale_in_language(index: Index, language: str, version: str | None = None) -> str | None:
    """Return the first locale of an index in a language that has a version; None if there is none."""
    for locale in _locales(index):
        scopes = [scope for scope in index.scopes if scope.locale == locale]
        if primary(locale) == language and (version is None or _with_version(scopes, version)):
            return locale
    return None


def languages_to_ask_in(index: Index, scope: ChosenScope, language: str) -> str:
    """Return the names of the docs' languages, in the reader's language.

    The scope's language comes first, then other languages that have the scope's version.
    """
    others = [locale for locale in _locales(index) if locale_in_language(index, primary(locale), scope.named.version)]
    locales = sorted(others, key=lambda locale: (locale != scope.locale, locale != _default_locale(index)))
    names = dict.fromkeys(name_of(locale, language) for locale in (scope.locale, *locales))
    return " / ".join(list(names)[: QUESTION.docs_languages])


def choose_scope(
    index: Index, version: str | None = None, locale: str | None = None, page_url: str | None = None
) -> tuple[ChosenScope, tuple[Notice, ...]]:
    """Return the scopes that may answer a question, and notices about the choice.

    An explicit request comes first, then the reader's page, then the default locale and each docs plugin's last
    version. A version, by name or label, only restricts the plugins that have it. Unversioned pages and the other
    plugins' last versions stay in the scope. An unknown locale or version is replaced by the page's or the default one,
    with a notice.
    """
    here, notices = _scope_of_page(index, page_url), []
    chosen = here.locale if here else _default_locale(index)
    if locale and (found := match_locale(index, locale)):
        chosen = found
    elif locale:
        notices.append(Notice("unknown_locale", say("unknown_locale", chosen, asked=locale, used=chosen)))
    scopes = [scope for scope in index.scopes if scope.locale == chosen]
    named = _with_version(scopes, version) if version else []
    bound = named  # the versioned scopes that restrict the question
    if not named and here and here.version is not None:
        bound = [scope for scope in _with_version(scopes, here.version) if scope.plugin_id == here.plugin_id]
    if version and not named:
        used = ", ".join(_version_names(bound or (scope for scope in scopes if _is_last(scope, scopes))))
        notices.append(Notice("unknown_version", say("unknown_version", chosen, asked=version, used=used or "-")))
    plugins = {(scope.plugin, scope.plugin_id) for scope in bound}
    allowed = [
        scope
        for scope in scopes
        if scope.version is None
        or (scope in bound if (scope.plugin, scope.plugin_id) in plugins else _is_last(scope, scopes))
    ]
    shown = bound or [scope for scope in allowed if scope.version is not None]
    only = shown[0] if len(shown) == 1 else None
    first = bound[0] if bound else only
    answered = AnsweredScope(
        locale=chosen,
        version=first.version if first else None,
        version_label=first.version_label if first else None,
        plugin_id=only.plugin_id if only else None,
    )
    return ChosenScope(tuple(scope.scope_id for scope in allowed), answered), tuple(notices)


def require_known_scope(
    index: Index, version: str | None, locale: str | None, locales: Iterable[str] | None = None
) -> None:
    """Check that the index has a locale, and that the locale has a version of this name or label.

    Raises:
        InputError: The index does not have the version or locale. The message lists the existing ones. It lists
            `locales` instead of the index's own locales if `locales` is given, because other indexes are served too.
    """
    found = match_locale(index, locale) if locale else _default_locale(index)
    if found is None:
        named = ", ".join(_locales(index) if locales is None else locales)
        message = f"The index has no locale {locale!r}. Choose one of: {named}."
        raise InputError(message)
    scopes = [scope for scope in index.scopes if scope.locale == found]
    if version and not _with_version(scopes, version):
        names = _version_names(scopes)
        choice = f"Choose one of: {', '.join(names)}." if names else "None of its pages is versioned."
        message = f"The index has no version {version!r}. {choice}"
        raise InputError(message)


def match_locale(index: Index, locale: str) -> str | None:
    """Return the index's spelling of a locale; `de-AT` matches `de`. None if the index does not have it."""
    by_name = {own.lower().replace("_", "-"): own for own in _locales(index)}
    wanted = locale.lower().replace("_", "-")
    return by_name.get(wanted) or by_name.get(wanted.split("-")[0])


def _scope_of_page(index: Index, page_url: str | None) -> Scope | None:
    page = index.page_at(page_url) if page_url else None
    if page:
        return next(scope for scope in index.scopes if scope.scope_id == page.scope_id)
    return _scope_of_folder(index, page_url) if page_url else None


def _scope_of_folder(index: Index, page_url: str) -> Scope | None:
    """Return the scope of the version whose folder a page is in that is not indexed, such as a search page."""
    try:
        folders = msgspec.convert(index.meta(VERSION_FOLDERS) or {}, dict[str, list[str]])
    except msgspec.ValidationError:  # of an index that something else wrote
        return None
    path = f"{decoded_path(page_url)}/"
    lengths = {
        scope_id: max((len(url) for url in urls if path.startswith(decoded_path(url))), default=0)
        for scope_id, urls in folders.items()
    }
    around = [scope for scope in index.scopes if lengths.get(str(scope.scope_id))]
    default = _default_locale(index)
    return max(around, key=lambda scope: (lengths[str(scope.scope_id)], scope.locale == default), default=None)


def _is_last(scope: Scope, scopes: Sequence[Scope]) -> bool:
    """Whether a versioned scope is its plugin's last one; if no scope is marked as last, the first one counts."""
    plugin = [
        other
        for other in scopes
        if (other.plugin, other.plugin_id) == (scope.plugin, scope.plugin_id) and other.version is not None
    ]
    marked = [other for other in plugin if other.is_last]
    return scope.version is not None and (scope in marked if marked else scope == plugin[0])


def _with_version(scopes: Sequence[Scope], version: str) -> list[Scope]:
    """Return the scopes with a version's name, or else with its label."""
    named = [scope for scope in scopes if scope.version == version]
    return named or [scope for scope in scopes if scope.version is not None and scope.version_label == version]


def _version_names(scopes: Iterable[Scope]) -> list[str]:
    return list(dict.fromkeys(scope.version for scope in scopes if scope.version is not None))


def _locales(index: Index) -> list[str]:
    return list(dict.fromkeys(scope.locale for scope in index.scopes))


def _default_locale(index: Index) -> str:
    """Return the site's default locale, or the first locale if the index lacks it (one translated folder alone)."""
    locales, default = _locales(index), index.info.default_locale
    return default if default in locales or not locales else locales[0]
