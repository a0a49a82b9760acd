"""Rules of the answering engine: each constant and pattern that the sidecar and the browser share, with its reason.

Python reads them from the objects below. The browser gets them as `rules` in the facts that its manifest names
(`pincite_indexer.browser_bundle.rules`). To add a constant, add a field with its value and reason to a class here; a
browser then has it as `rules.CLASS.field`. Rules of search alone are in `pincite_core.search`, beside what they rule.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from pincite_core.types import UnitRole

if TYPE_CHECKING:
    from pincite_core.wording import Key

SuggestionCode = Literal["contact", "rephrase", "other_topic", "whole_site", "docs_language"]

__all__ = (
    "BOUNDARIES",
    "CITATIONS",
    "COMPOSING",
    "FOLLOW_UPS",
    "GUARDS",
    "LANGUAGE",
    "LEXICON",
    "MARKDOWN",
    "PASSAGES",
    "PROVENANCE",
    "QUERY",
    "QUESTION",
    "RENDERING",
    "RULES",
    "SCORING",
    "SELECTION",
    "SPELLING",
    "BoundaryRules",
    "CitationRules",
    "ComposingRules",
    "FollowUpRules",
    "GuardRules",
    "LanguageRules",
    "LexiconRules",
    "MarkdownRules",
    "PassageRules",
    "ProvenanceRules",
    "QueryRules",
    "QuestionRules",
    "QuoteBudget",
    "RenderingRules",
    "ScoringRules",
    "SelectionRules",
    "SpellingRules",
    "SuggestionCode",
)


class QuestionRules(Struct, frozen=True):
    """Limits of a question, and what search finds for it."""

    max_query: int = 2_000  # characters
    sections: int = 8  # five are cited at most; a few more let the composer choose
    candidates: int = 24  # three times as many, because several pages may describe an option in the same words
    nearest: int = 3  # sections shown with a refusal
    weak: float = 0.5  # share of the threshold; a question with less evidence is about another subject
    topics: int = 3  # words of the question that a refusal names as missing
    docs_languages: int = 3  # languages of the docs named in a message
    already_a_name: re.Pattern[str] = re.compile(
        r"(?:docs|documentation|handbook|guide|book|manual|wiki)$", re.IGNORECASE
    )  # titles that need no word for documentation
    around_words: str = ".,;:!?()[]{}\"'`"  # characters around a word of a question
    suggestions: "Mapping[SuggestionCode, Key]" = MappingProxyType(
        {
            "contact": "suggest_contact",
            "rephrase": "suggest_rephrase",
            "other_topic": "suggest_scope",
            "whole_site": "suggest_whole_site",
        }
    )  # the message of each suggestion


class QueryRules(Struct, frozen=True):
    """How a question becomes a query (`search.query`)."""

    terms: int = 128  # distinct terms to look up; an encoder reads about 100 terms of an English text
    codes: int = 64
    tracker_prefix: re.Pattern[str] = re.compile(
        r"^\s*(?:\[[^\]\n]{1,40}\]\s*:?\s*)+"
        r"|^\s*(?:bug|feature|feature request|question|docs?|documentation|feat|fix|chore|help|rfc)"
        r"(?:\([^)]*\))?\s*:\s+",
        re.IGNORECASE,
    )  # of issue titles: "[Bug]:", "[jest-mock] [v29]", "feat(cli):", "Docs:"
    fence: re.Pattern[str] = re.compile(r"```[^\n]*\n(.*?)(?:```|$)", re.DOTALL)
    stack_line: re.Pattern[str] = re.compile(r"^[^\S\n]+at [^\n]*:\d+:\d+\)?[^\S\n]*$", re.MULTILINE)
    digit: re.Pattern[str] = re.compile(r"\d")
    name: re.Pattern[str] = re.compile(r"[^\W\d_][\w+#]*(?:[.-]\w+)*")
    sentence_ends: str = ".?!:"
    telling_length: int = 4  # letters; titles differ in whether they capitalise shorter words
    capitals_of_a_title: int = 2  # if one word in two is capitalised, the text is a title, and capitals mark no names


class ScoringRules(Struct, frozen=True):
    """How well a unit answers a question, and which chunks of a section are read for that."""

    coverage_weight: float = 0.35  # weight of the share of the question's words (IDF-weighted) that a unit contains
    quantity_bonus: float = 0.15  # for a number of the kind that the question asks for ("how long", "how many")
    whether_bonus: float = 0.05  # for a statement of possibility, if the question asks "can I" or "is it possible"
    penalties: Mapping[UnitRole, float] = MappingProxyType(
        {
            "stands": 0.0,
            "leans": 0.06,
            "asks": 1.0,
            "refers": 0.25,
            "announces": 0.05,
            "fragment": 0.25,
        }
    )
    other_case_penalty: float = 0.15  # for a row about a case that the question does not name
    note_penalty: float = 0.08  # for a unit in an admonition
    parts: int = 8  # chunks; of a longer section, only its opening and the chunks around its best one are read
    hundred: int = 100  # words: the unit of `shown` among the signals of a useful answer
    usual_nearest: float = 0.8  # for the score of the nearest unit, if no vectors are compared


class QuoteBudget(Struct, frozen=True):
    """The most that a passage may take on the screen.

    Attributes:
        words: The most words. A section of no more is quoted as a whole.
        lines: The most lines of code.
        nearer: How much higher a passage elsewhere in the section must score to be added to the opening.
    """

    words: int
    lines: int
    nearer: float


class ComposingRules(Struct, frozen=True):
    """How passages become an answer."""

    passages: int = 5
    budgets: tuple[QuoteBudget, ...] = (
        QuoteBudget(words=300, lines=60, nearer=-0.3),
        QuoteBudget(words=200, lines=40, nearer=-0.1),  # for the next two sections
        QuoteBudget(words=200, lines=40, nearer=-0.1),
        QuoteBudget(words=100, lines=30, nearer=0.0),  # for all further sections
    )
    places: int = 5  # places that the passages cite together; each passage cites at least one
    sure: int = 3  # passages that always get a place; others get one only if places are left
    sections: int = 8  # sections that passages may come from
    of_a_page: int = 4  # sections of one page; the fifth place goes to another page
    section_floor: float = 0.5  # share of the best section's score; a section below it is about another subject
    fewest_words: int = 4  # a passage of fewer is a version or a label


class PassageRules(Struct, frozen=True):
    """How much of a section is quoted. The passage of each unit is in the index (`pincite_indexer.rows.passages`)."""

    sentences: int = 3  # ANSWER-2
    sentence_end: re.Pattern[str] = re.compile(r"[.!。！।۔።]$")
    say_nothing: tuple[UnitRole, ...] = ("asks", "refers", "fragment")  # no passage starts from such a unit
    the_row: float = 0.2  # a row that scores higher than the next by this margin is quoted alone
    few_rows: int = 6  # rows of a table that is quoted as a whole
    near: int = 8  # units from a section's opening to the end of a passage that is joined with it
    beats_opening: float = 0.12  # margin by which another passage must score higher to replace the section's opening
    definition: QuoteBudget = QuoteBudget(words=100, lines=0, nearer=0.0)  # a longer one may be the text after the list
    near_best: float = 0.06  # items and rows whose score is this near to the best one are quoted too
    picked: int = 3  # of these, at most so many
    longest_list: int = 1600  # characters
    name: re.Pattern[str] = re.compile(r"`@?([A-Za-z_$][\w$.-]*)")  # a name in inline code
    named: float = 0.15  # score of one name of the passage in code, as a share of the question's words
    enough_names: int = 3
    fits_better: float = 0.2  # margin of code over the code that a passage has
    close_by: int = 4  # units from a passage to code that belongs to it regardless of names
    around: int = 10  # units from a passage to a warning about it, or to code for it


class CitationRules(Struct, frozen=True):
    """Citations and their excerpts."""

    most: int = 5  # PIPE-5
    of_one_page: int = 4  # the fifth citation goes to another page: a reader can read this one from its top
    excerpt: int = 200  # characters; the excerpt length of the selected-text validation
    fence: re.Pattern[str] = re.compile(r"^ *`{3,}[^`\n]*$", re.MULTILINE)


class RenderingRules(Struct, frozen=True):
    """An answer as Markdown."""

    titles: int = 2  # parts of a heading path: the page's title and the section's own
    tells: re.Pattern[str] = re.compile(
        r"^(?:description|meaning|explanation|details|purpose|notes?|comments?|summary)$", re.IGNORECASE
    )  # columns whose cell follows a dash
    continued: str = " …"  # ends the first line of a code block that goes on in the next chunk
    cell_joint: str = "; "


class MarkdownRules(Struct, frozen=True):
    """What is escaped so that Markdown renders exactly a text."""

    code_span: re.Pattern[str] = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)", re.DOTALL)
    always: re.Pattern[str] = re.compile(r"[\\*<>\[\]`]|(?<!~)~(?!~)")  # `~~` marks struck-out text
    edge_underscore: re.Pattern[str] = re.compile(
        r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
    )  # inside a word it is no emphasis
    entity: re.Pattern[str] = re.compile(r"&(?=#?\w+;)")
    line_start: re.Pattern[str] = re.compile(r"^(\s*)([#+=|-]|\d+(?=[.)]))", re.MULTILINE)
    item_mark: re.Pattern[str] = re.compile(r"^(?:-|0\.|[1-9]\d{0,8}\.)(?: |$)")  # marks that Markdown has as well


class FollowUpRules(Struct, frozen=True):
    """Which questions are read with the one before (`pincite_core.phrasing` has their words)."""

    longest: int = 300  # characters of the earlier question
    most_words: int = 10  # words of a follow-up; a Chinese or Japanese character counts as half a word
    most_terms: int = 4  # content terms around an opener or a pronoun
    most_before: int = 1  # content terms before a pronoun, for a verb; a second one may be the pronoun's noun
    words_a_term: int = 3  # words for each content term, in languages without a stop word list
    fragment_words: int = 4
    phrase_words: int = 4  # words from a preposition to the end, which a similar phrase may replace
    word: re.Pattern[str] = re.compile(r"[^\W_]+(?:['’.-]\w+)*")
    cjk: re.Pattern[str] = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
    quoted: re.Pattern[str] = re.compile(r"[`\"“«「\n]|\w\(|://|^(?:AND|OR|NOT)\b")
    question_marks: str = "?？؟"
    ends: str = "?？؟.!。！…"  # characters after which another sentence may follow
    before_words: str = " \t\r\n¿¡,;:–—-"  # characters around a question that say nothing
    after_words: str = " \t\r\n¿¡,、?？؟.!。！…"


class BoundaryRules(Struct, frozen=True):
    """How to split a question into sentences, to detect a prompt injection without a question."""

    sentence_end: re.Pattern[str] = re.compile(r"(?<=[.!?。！？])\s+|\n+")


class GuardRules(Struct, frozen=True):
    """Confidence of an answer, from a table (CONF-5): a base by the number of documents, and adjustments."""

    no_context: float = 0.2
    one_document: float = 0.5
    several: float = 0.8
    passed: float = 0.1


class LanguageRules(Struct, frozen=True):
    """In which language a question is, by its letters and stop words.

    The browser has no language model, and decides by `scripts` and stop words alone.
    """

    most_words: int = 60  # words of a question to check
    sure: int = 2  # stop words of another language beyond the stop words of the page's language
    siblings: tuple[str, ...] = ("es", "pt")  # a few words do not distinguish these languages
    traditional: tuple[str, ...] = ("hant", "tw", "hk", "mo")  # scripts and regions of Chinese
    signs_a_word: int = 2  # a Chinese or Japanese character is half a word
    word: re.Pattern[str] = re.compile(r"[^\W\d_]+")
    latin: re.Pattern[str] = re.compile(r"^[a-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]", re.IGNORECASE)
    scripts: tuple[tuple[str, re.Pattern[str]], ...] = (
        ("ja", re.compile("[\u3040-\u30ff]")),
        ("ko", re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")),
        ("zh", re.compile("[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")),
        ("th", re.compile("[\u0e00-\u0e7f]")),
        ("fa", re.compile("[پچژگکی]")),
        ("ar", re.compile("[\u0600-\u06ff]")),
        ("uk", re.compile("[ЄІЇҐєіїґ]")),
        ("ru", re.compile("[\u0400-\u04ff]")),
        ("hi", re.compile("[\u0900-\u097f]")),
    )  # letters that one language uses, or mostly one
    messages: tuple[str, ...] = ("en", "vi", "zh", "zh-Hant", "de", "fr", "es", "pt", "ja", "ko", "ru", "fa")
    vietnamese: re.Pattern[str] = re.compile("[đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]", re.IGNORECASE)


class SpellingRules(Struct, frozen=True):
    """Query expansion for words that a site lacks (`search.query_expansion` and the modules that it uses)."""

    shortest: int = 5  # letters; one changed letter turns a shorter word into another word
    long: int = 8  # letters; terms of at least this length may have two errors
    most_parted: int = 4  # words of a question to split; each needs about a hundred term lookups
    shortest_part: int = 4  # letters of a part of a compound; shorter parts are too often suffixes (Benutz-er)
    shortest_first: int = 3  # letters of the first part, as in Web-Seite
    shortest_word: int = 7
    longest_word: int = 40
    most_parts: int = 5
    word_signs: int = 4  # signs of a word, in scripts of letters without spaces between words
    written_in_letters: tuple[str, ...] = ("th", "lo", "km", "my")
    letters: re.Pattern[str] = re.compile(r"^[a-z]+$", re.IGNORECASE)  # words whose spelling is corrected
    alphabetic: re.Pattern[str] = re.compile(r"^[^\W\d_]+$")  # words that may be compounds
    arabic_preposition: re.Pattern[str] = re.compile("^[بكل]...")  # "in", "as", "to": prefixes of the next word


class LexiconRules(Struct, frozen=True):
    """How the browser finds the term of a word that the site has in no form, in a language without a stemmer here.

    It learns from the site's spellings which endings words of the language have.
    """

    share: float = 0.02  # of all changes of endings; rarer ones mislead
    fewest_changes: int = 3
    doubling: float = 0.05  # share of an ending before which a letter doubles (*beginning*)
    stays: float = 0.6  # share of a word that its ending leaves
    fewest_letters: int = 3


class ProvenanceRules(Struct, frozen=True):
    """Where a selected passage is on its page."""

    min_letters: int = 12  # a shorter passage could be anywhere
    min_piece: int = 6  # the longest piece of a split passage must have this many letters, to identify its position
    telling: int = 60  # letters of a piece that identify its position in the browser
    piece_break: re.Pattern[str] = re.compile(r"[\n\t\r|…]+|\.\.\.")


class SelectionRules(Struct, frozen=True):
    """Rules for the answers to questions about a passage that the reader selected.

    The weights were fitted on one half of SQuAD's rows (split by a hash of the id): 5 % of the answerable questions
    are refused.
    """

    min_length: int = 50  # characters; shorter selections lack context (SELECT-1)
    max_length: int = 10_000  # characters; selected-text validation, edge case 1
    max_age: int = 10 * 60  # seconds: the reader's five minutes, and the tolerance of Kerberos for clocks
    max_sentences: int = 3
    answered_from: float = 0.5  # the least score of an answer
    adds_floor: float = 0.75  # least score of a further sentence, as a share of the best one's
    most_encoded: int = 24  # units of a long passage that are encoded: those that share most words with the question
    confidence: float = 2.4
    weights: Mapping[str, float] = MappingProxyType(
        {
            "distance": 3.0,
            "uncovered": 0.5,
            "stranger": 1.5,
            "foreign_name": 1.0,
            "foreign_quantity": 2.0,
            "other_kind": 2.0,
            "opposite": 2.0,
            "negated": 3.0,
        }
    )
    cosine_share: float = 0.6  # weight of a unit's cosine
    word_share: float = 0.25  # weight of a unit's share of the question's words
    kind_bonus: float = 0.1  # for a unit with a person, date or number, if the question asks for one
    least_words_distance: float = 0.35  # for the cosine's distance, without vectors: all of the question's words
    most_words_distance: float = 0.85  # none of them
    fence: re.Pattern[str] = re.compile(r"```[^\n]*\n.*?(?:\n```|$)", re.DOTALL)
    # For the browser, which has neither the sidecar's sentence splitter nor its detection of names and quantities:
    sentence: re.Pattern[str] = re.compile(
        r"[^.!?。！？।۔]*(?:[.!?]+(?!\s|$)[^.!?。！？।۔]*)*(?:[.!?。！？।۔]+[\"'”’»」』)\]]*|$)"
    )
    name: re.Pattern[str] = re.compile(r"(?<=\S\s)(?:[A-ZÀ-ÖØ-ÞА-ЯЁ][\w.'-]+|[^\W\d_]+\d\w*)")
    number: re.Pattern[str] = re.compile(r"(?<![^\W_])(?<![_.])\d+(?:[.,]\d+)*")


QUESTION = QuestionRules()
QUERY = QueryRules()
SCORING = ScoringRules()
COMPOSING = ComposingRules()
PASSAGES = PassageRules()
CITATIONS = CitationRules()
RENDERING = RenderingRules()
MARKDOWN = MarkdownRules()
FOLLOW_UPS = FollowUpRules()
BOUNDARIES = BoundaryRules()
GUARDS = GuardRules()
LANGUAGE = LanguageRules()
SPELLING = SpellingRules()
LEXICON = LexiconRules()
PROVENANCE = ProvenanceRules()
SELECTION = SelectionRules()

RULES: Mapping[str, Any] = MappingProxyType(
    {
        "question": QUESTION,
        "query": QUERY,
        "scoring": SCORING,
        "composing": COMPOSING,
        "passages": PASSAGES,
        "citations": CITATIONS,
        "rendering": RENDERING,
        "markdown": MARKDOWN,
        "follow_ups": FOLLOW_UPS,
        "boundaries": BOUNDARIES,
        "guards": GUARDS,
        "language": LANGUAGE,
        "spelling": SPELLING,
        "lexicon": LEXICON,
        "provenance": PROVENANCE,
        "selection": SELECTION,
    }
)
"""All rules by the name under which the browser has them."""
