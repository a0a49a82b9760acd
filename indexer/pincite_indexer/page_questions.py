"""Suggest questions for each page: derive them from headings, search the index, and keep those that the page answers.

A heading is used if it is a question ("Which port is used?") or a task ("Configuring the port", "Port konfigurieren").
English tasks become "How do I configure the port?". Each question is searched as if a reader on that page asked it. A
question is kept if the best section is the heading's section or a subsection, and the evidence is high enough.
Questions that the page's author wrote replace the derived ones without a check.
"""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from msgspec import Struct, ValidationError, convert, to_builtins

from pincite_core.embedders import Embedder
from pincite_core.errors import FrontMatterError
from pincite_core.index.read import Index
from pincite_core.index.schema import DATABASE_NAME, PAGE_QUESTIONS
from pincite_core.index.write import IndexContent, write_index
from pincite_core.search.evidence import CALIBRATION_KEY, DEFAULT_CALIBRATION, Calibration, evidence_probability
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_core.search.terms import content_terms
from pincite_core.types import Page, Target
from pincite_indexer.calibration import latest_scopes
from pincite_indexer.moves.previous import Previous
from pincite_indexer.site.site_page import SitePage

__all__ = ("FRONT_MATTER_KEY", "authored_questions", "page_questions", "question_of")

FRONT_MATTER_KEY = "pincite_questions"

_RECIPE = 1  # increase it when a change of the code changes the questions of an unchanged page
_AUTHORED = 0  # recipe of an author's questions; a later build never reuses them
_OFFERED = 3  # questions for each page; the chat shows at most three
_LONGEST_AUTHORED = 200  # characters; the widget shows each question on a button
_MOST_OF_PAGE = 5  # candidates for each page; the search stops after three successes
_MOST_OF_SITE = 400  # candidates for the site, about 20 ms each; the first of every page come first
_EVIDENCE = 0.5  # default threshold above which the sidecar answers a question
_LONGEST = 60  # characters; a longer question does not fit a button
_FEWEST_WORDS, _MOST_WORDS = 2, 10
_NAMED = 2  # content terms; "What changes" has fewer and means nothing outside its page
_LEVELS = (2, 3)
_NUMBER = re.compile(r"^(?:(?:step )?\d+(?:\.\d+)*[.:)]? +)", re.IGNORECASE)
_MARKS = re.compile(r"[\u200b¶#]+$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")

_VERBS = (
    "add adjust apply attach authenticate avoid build bundle call change choose combine configure connect convert"
    " create customize debug declare define delete deploy detect disable download edit enable exclude export"
    " extend fetch find generate get handle hide implement import improve include initialize install integrate"
    " invalidate join load manage migrate mock modify monitor move normalize optimize organize override persist"
    " prepare prevent protect publish read reduce register remove rename render replace reset resolve restrict retrieve"
    " reuse run save secure select send serve set share show skip specify split start stop switch test throttle"
    " track transform translate troubleshoot turn uninstall update upgrade upload use validate verify write"
).split()
_DOUBLED = frozenset("get reset run set skip split stop".split())
_TO_DO = {
    form: verb
    for verb in _VERBS
    for form in (verb, f"{verb}{verb[-1]}ing" if verb in _DOUBLED else f"{verb.removesuffix('e')}ing")
}
_ASKS = re.compile(
    r"^(?:how|what|when|where|why|which|can I|wie|was|wann|wo|warum|kann ich|comment|quand|où|pourquoi|puis-je"
    r"|cómo|qué|cuándo|dónde|por qué|làm (?:sao|thế nào)|tại sao|khi nào|چگونه|چطور|چرا|چه)\b"
    r"|^(?:如何|怎么|怎样|为什么|什么(?:是|时候)|なぜ|どう)",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(r"^what['’]s (?:next|new|included|changed)\b|^where to go\b|^what next\b", re.IGNORECASE)
_LEANS = re.compile(r"\b(?:it|its|them|they|this|these|those|here)\b", re.IGNORECASE)
_SMALL = re.compile(r"\b(?:Up|Down|Out|Off|On|In|To|From|With|Without|For|And|Or|Of|By|A|An|The|Your|New)\b")
_TO_DO_OTHERS = re.compile(
    r"^(?:cài đặt|cấu hình|tạo|sử dụng|thêm|bật|tắt|triển khai|chạy|thiết lập|kiểm tra|nâng cấp|xóa|viết) "
    r"|^(?:安装|配置|使用|创建|添加|启用|禁用|部署|运行|设置|测试|升级|删除|编写|自定义)."
    r"|(?:する|する方法|の(?:設定|使用|作成|追加|有効化|無効化|方法))$"
    r"|^(?:نصب|پیکربندی|ساخت|ایجاد|استفاده از|افزودن|فعال کردن|غیرفعال کردن|استقرار|اجرای) "
    r"|^(?:installer|configurer|créer|utiliser|ajouter|activer|désactiver|déployer|exécuter|tester|supprimer|écrire) "
    r"|^(?:instalar|configurar|crear|usar|utilizar|añadir|agregar|activar|desactivar|desplegar|ejecutar|eliminar) "
    r"| (?:installieren|konfigurieren|einrichten|erstellen|verwenden|hinzufügen|aktivieren|deaktivieren|ausführen"
    r"|testen|löschen|schreiben|einstellen|anpassen)$",
    re.IGNORECASE,
)


class _Offered(Struct, frozen=True):
    """Stored questions of a page, with the recipe and the hash of the page's text."""

    recipe: int
    content_hash: str
    questions: tuple[str, ...]


class _Candidate(Struct, frozen=True):
    page: Page
    target_id: int
    question: str


def question_of(heading: str) -> str | None:
    """Return a heading as a question; None if the heading only names a thing."""
    text = _MARKS.sub("", _NUMBER.sub("", heading.strip())).strip()
    signs = len(_CJK.findall(text))
    if len(text) > _LONGEST or not _FEWEST_WORDS <= len(text.split()) + signs / 2 <= _MOST_WORDS:
        return None
    if _SAYS_NOTHING.match(text) or _LEANS.search(text):
        return None
    if text.endswith(("?", "\N{FULLWIDTH QUESTION MARK}", "\N{ARABIC QUESTION MARK}")):
        return text
    if text.isascii() and len({*content_terms(text)}) < _NAMED:
        return None
    if text.lower().startswith("how to "):
        return f"How do I {text[len('how to ') :]}?"
    if _ASKS.match(text):
        return text
    first, _, rest = text.partition(" ")
    verb = _TO_DO.get(first.lower())
    if verb is not None and text.isascii():
        return f"How do I {verb} {_SMALL.sub(lambda word: word.group().lower(), rest)}?"
    return text if _TO_DO_OTHERS.search(text) else None


def authored_questions(pages: Iterable[SitePage]) -> dict[str, tuple[str, ...]]:
    """Return the questions that authors wrote in their front matter, by page URL.

    An empty list means that the page offers no questions.

    Raises:
        FrontMatterError: The value is not a list of up to three questions.
    """
    found = {}
    for page in pages:
        if FRONT_MATTER_KEY in page.front_matter and not page.listing:
            value = page.front_matter[FRONT_MATTER_KEY] or []
            texts = [text.strip() for text in value if isinstance(text, str)] if isinstance(value, list) else None
            is_valid = texts is not None and len(texts) == len(value) <= _OFFERED
            if not is_valid or not all(0 < len(text) <= _LONGEST_AUTHORED for text in texts or ()):
                raise FrontMatterError(
                    f"{page.source or page.draft.file}: {FRONT_MATTER_KEY} must be a list of at most {_OFFERED} "
                    f'questions, each of 1 to {_LONGEST_AUTHORED} characters, such as ["How do I change the port?"].'
                )
            found[page.url] = tuple(texts or ())
    return found


def page_questions(
    content: IndexContent,
    embedder: Embedder,
    previous: Previous | None,
    authored: Mapping[str, tuple[str, ...]] | None = None,
) -> dict[str, object]:
    """Return the index's `meta` entries with the suggested questions of each page, by key.

    If a page's text is unchanged since the earlier index, the page keeps its earlier questions. Only pages of the
    default scopes get questions. Posts and API references get none, because their headings are of a different kind.
    Questions that authors wrote, by page URL, replace the derived ones.
    """
    scopes = latest_scopes(content)
    authored = authored or {}
    pages = [
        page
        for page in content.pages
        if page.scope_id in scopes and page.source_type not in {"blog", "api"} and page.url not in authored
    ]
    is_same_model = previous is not None and previous.made_by.vectors_key == embedder.info.vectors_key
    unchanged = dict(_unchanged(pages, previous)) if previous and is_same_model else {}
    candidates = _candidates([page for page in pages if page.page_id not in unchanged], content.targets)
    offered: dict[int, list[str]] = {item.page.page_id: [] for item in candidates}
    if candidates:
        _add_answered(candidates, offered, content, embedder)
    found = {page_id: tuple(questions) for page_id, questions in offered.items()} | unchanged
    offers = {
        page: _Offered(_RECIPE, page.content_hash, found[page.page_id]) for page in pages if page.page_id in found
    }
    offers |= {
        page: _Offered(_AUTHORED, page.content_hash, authored[page.url])
        for page in content.pages
        if page.url in authored
    }
    return {f"{PAGE_QUESTIONS}{page.url}": to_builtins(offer) for page, offer in offers.items()}


def _unchanged(pages: Iterable[Page], previous: Previous) -> Iterator[tuple[int, tuple[str, ...]]]:
    for page in pages:
        try:
            offered = convert(previous.index.meta(f"{PAGE_QUESTIONS}{page.url}"), _Offered)
        except ValidationError:
            continue
        if (offered.recipe, offered.content_hash) == (_RECIPE, page.content_hash):
            yield page.page_id, offered.questions


def _candidates(pages: Sequence[Page], targets: Iterable[Target]) -> list[_Candidate]:
    """Return the candidate questions; the first of every page come before the second of any page."""
    of_page: dict[int, dict[str, _Candidate]] = {page.page_id: {} for page in pages}
    by_id = {page.page_id: page for page in pages}
    for target in targets:
        found = of_page.get(target.page_id)
        if found is None or target.kind != "heading" or target.level not in _LEVELS or len(found) == _MOST_OF_PAGE:
            continue
        question = question_of(target.title)
        if question is not None:
            found.setdefault(question, _Candidate(by_id[target.page_id], target.target_id, question))
    ranked = ((place, item) for found in of_page.values() for place, item in enumerate(found.values()))
    return [item for _, item in sorted(ranked, key=lambda pair: pair[0])][:_MOST_OF_SITE]


def _add_answered(
    candidates: Sequence[_Candidate], offered: dict[int, list[str]], content: IndexContent, embedder: Embedder
) -> None:
    """Add the questions whose best section is their heading's section or a subsection of it."""
    scopes, parents = latest_scopes(content), {target.target_id: target.parent_id for target in content.targets}
    calibration = convert(content.meta.get(CALIBRATION_KEY, asdict(DEFAULT_CALIBRATION)), Calibration)
    encoded = embedder.encode_with_tokens([item.question for item in candidates], "query")
    with tempfile.TemporaryDirectory(prefix="pincite-", ignore_cleanup_errors=True) as folder:
        write_index(content, Path(folder) / DATABASE_NAME)
        index = Index.open(folder)
        language = index.language_of(scopes)
        for item, vectors in zip(candidates, encoded, strict=True):
            of_page = offered[item.page.page_id]
            if len(of_page) == _OFFERED:
                continue
            query = parse_query(item.question, language)
            result = search(index, vectors.vector, query, scopes, 1, query_tokens=vectors.tokens)
            best = result.sections[0].target_id if result.sections else None
            while best not in {None, item.target_id}:  # upwards from a subsection
                best = parents[best]
            if best is not None and evidence_probability(result.signals, calibration) >= _EVIDENCE:
                of_page.append(item.question)
