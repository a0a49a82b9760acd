"""What vectors are worth in a language is measured on the site, and words carry what the model does not read."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.factories import build_index
from tests.unit.indexer.builds import Builds, guide, section

from pincite_core.embedders import FakeEmbedder
from pincite_core.embedders.base import Encoded, Vectors
from pincite_core.index.write import IndexContent
from pincite_core.search.spoken import LANGUAGES_KEY, Spoken, spoken_languages
from pincite_core.types import IndexInfo, Role, Scope
from pincite_indexer.build_report import BuildReport, report_lines
from pincite_indexer.calibration import foreign_questions
from pincite_indexer.worth import measure_languages

THINGS = (
    "docht glas haken kette schirm filter ventil pumpe düse trichter kanister gelenk riegel feder scheibe hülse kragen "
    "knopf zeiger platte rahmen deckel griff bügel rohr zange spule sieb ring mantel"
).split()


class Illiterate(FakeEmbedder):
    """A model that reads every word in pieces, and whose vectors say nothing of what it read."""

    def encode(self, texts: Sequence[str], role: Role = "passage") -> Vectors:
        return super().encode([f"{role} {number}" for number, _ in enumerate(texts)])

    def encode_with_tokens(self, texts: Sequence[str], role: Role = "passage") -> list[Encoded]:
        return [Encoded(vector) for vector in self.encode(texts)]

    def pieces(self, text: str) -> list[str]:
        return [text] if text in ENGLISH else ["[UNK]", *text]


ENGLISH = frozenset("how many people live in this country and what language do they speak which river".split())


def content_in(locale: str, folder: Path) -> IndexContent:
    told = "# L\nWer {0} sagt und {0} putzt, der wartet lange. Danach ruht {0} beim {0} eine Weile."
    pages = {f"/p{number}": told.format(thing) for number, thing in enumerate(THINGS)}
    index = build_index(folder, pages)
    scopes = [Scope(1, "docs", "default", None, None, True, locale)]
    info = IndexInfo(**{**{name: getattr(index.info, name) for name in index.info.__slots__}, "locales": (locale,)})
    return IndexContent(info, scopes, index.pages(), index.targets(), index.chunks(), index.sentences(), *([[]] * 4))  # type: ignore[arg-type]


def test_a_model_that_reads_nothing_of_a_language_is_worth_nothing_there(tmp_path: Path) -> None:
    found = measure_languages(content_in("de", tmp_path), Illiterate())["de"]
    assert found.vectors < 0.1
    assert found.unknown > 0


def test_a_model_that_reads_every_word_counts_in_full(tmp_path: Path) -> None:
    assert measure_languages(content_in("de", tmp_path), FakeEmbedder())["de"] == Spoken()


def test_english_counts_in_full_whatever_its_words(tmp_path: Path) -> None:
    class Spelling(Illiterate):
        def pieces(self, text: str) -> list[str]:
            return list(text)

    assert measure_languages(content_in("en", tmp_path), Spelling())["en"].vectors == 1.0


def test_an_index_tells_what_was_measured_and_how_its_words_are_cut(tmp_path: Path) -> None:
    told = section("docht", "Der Docht", "Die Dochte der Lampen werden gekürzt.")
    index = Builds(tmp_path).add({"docs/a.html": guide("Lampen", told, doc_id="a", locale="de")})
    scopes = [scope.scope_id for scope in index.scopes]
    assert index.language_of(scopes) == "de"
    assert index.spoken(scopes).vectors == 1.0


def test_an_index_that_says_nothing_of_its_languages_was_cut_as_english(tmp_path: Path) -> None:
    index = build_index(tmp_path, {"/a": "# A\nText of a page."})
    assert index.language_of([1]) == "en"
    assert index.spoken([1]) == Spoken()


@pytest.mark.parametrize("stored", [None, [], {"de": 3}, {"de": {"vectors": 7}}, {"de": {"vectors": "much"}}])
def test_what_cannot_be_read_of_languages_is_as_if_untold(stored: object) -> None:
    assert spoken_languages(stored) == {}


def test_the_report_names_a_language_that_the_model_reads_badly() -> None:
    report = BuildReport(languages={"zh": Spoken(0.05, 0.31), "en": Spoken()})
    lines = dict(report_lines(report))
    assert "zh: the model reads 31% of the text as unknown pieces" in lines["Languages"]
    assert "--model" in lines["Languages"]
    assert "en:" not in lines["Languages"]


@pytest.mark.parametrize("language", "de fr es it pt nl pl ru tr ar fa vi id hi zh ja ko th".split())
def test_every_language_has_foreign_questions_of_its_own(language: str) -> None:
    questions = foreign_questions(language)
    assert questions != foreign_questions("en")
    assert len(set(questions)) >= 36


def test_a_language_without_foreign_questions_takes_the_english_ones() -> None:
    assert foreign_questions("xx") == foreign_questions("en")
    assert LANGUAGES_KEY == "languages"
