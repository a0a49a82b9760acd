"""What vectors are worth in a language is measured on the site, and words carry what the model does not read."""

import string
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from safetensors.numpy import save_file
from tests.factories import build_index
from tests.unit.indexer.builds import Builds, guide, section
from tokenizers import Tokenizer, pre_tokenizers
from tokenizers.models import WordPiece

from pincite_core.embedders import FakeEmbedder, OnnxEmbedder
from pincite_core.embedders.base import Encoded, Vectors
from pincite_core.index.write import IndexContent
from pincite_core.search.language_profile import LANGUAGES_KEY, LanguageProfile, parse_profiles
from pincite_core.types import IndexInfo, Role, Scope
from pincite_indexer.build_report import BuildReport, report_lines
from pincite_indexer.calibration import foreign_questions
from pincite_indexer.dense_weight import dense_weight, measure_languages
from pincite_indexer.vectors.encoder_export import float_embedder

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


def content_in(locale: str, folder: Path, pages: Mapping[str, str] | None = None) -> IndexContent:
    told = "# L\nWer {0} sagt und {0} putzt, der wartet lange. Danach ruht {0} beim {0} eine Weile."
    index = build_index(folder, pages or {f"/p{number}": told.format(thing) for number, thing in enumerate(THINGS)})
    scopes = [Scope(1, "docs", "default", None, None, True, locale)]
    info = IndexInfo(**{**{name: getattr(index.info, name) for name in index.info.__slots__}, "locales": (locale,)})
    return IndexContent(info, scopes, index.pages(), index.targets(), index.chunks(), index.units(), *([[]] * 4))  # type: ignore[arg-type]


def test_a_model_that_covers_nothing_of_a_language_has_weight_zero(tmp_path: Path) -> None:
    found = measure_languages(content_in("de", tmp_path), Illiterate())["de"]
    assert found.vectors < 0.1
    assert found.unknown > 0


def test_a_model_that_covers_every_word_has_weight_one(tmp_path: Path) -> None:
    assert measure_languages(content_in("de", tmp_path), FakeEmbedder())["de"] == LanguageProfile()


def test_english_always_has_weight_one(tmp_path: Path) -> None:
    class Spelling(Illiterate):
        def pieces(self, text: str) -> list[str]:
            return list(text)

    assert measure_languages(content_in("en", tmp_path), Spelling())["en"].vectors == 1.0


def test_an_index_tells_what_was_measured_and_how_its_words_are_cut(tmp_path: Path) -> None:
    told = section("docht", "Der Docht", "Die Dochte der Lampen werden gekürzt.")
    index = Builds(tmp_path).add({"docs/a.html": guide("Lampen", told, doc_id="a", locale="de")})
    scopes = [scope.scope_id for scope in index.scopes]
    assert index.language_of(scopes) == "de"
    assert index.language_profile(scopes).vectors == 1.0


def test_an_index_that_says_nothing_of_its_languages_was_cut_as_english(tmp_path: Path) -> None:
    index = build_index(tmp_path, {"/a": "# A\nText of a page."})
    assert index.language_of([1]) == "en"
    assert index.language_profile([1]) == LanguageProfile()


@pytest.mark.parametrize("stored", [None, [], {"de": 3}, {"de": {"vectors": 7}}, {"de": {"vectors": "much"}}])
def test_unreadable_language_profiles_are_ignored(stored: object) -> None:
    assert parse_profiles(stored) == {}


def test_the_report_names_a_language_that_the_model_reads_badly() -> None:
    report = BuildReport(languages={"zh": LanguageProfile(0.05, 0.31), "en": LanguageProfile()})
    lines = dict(report_lines(report))
    assert "zh: 31% of the text is unknown to the model" in lines["Languages"]
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


def polyglot(folder: Path, known: Mapping[str, Sequence[str]]) -> OnnxEmbedder:
    """Return a real encoder of a model of many languages, which has no word whole: words for a thing begin alike.

    A text's vector is the mean of its words' beginnings, each of them a thing's own; English words are whole.
    """
    beginnings = {word[:4]: place for place, words in enumerate(known.values()) for word in words}
    assert len(beginnings) == sum(map(len, known.values()))
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *sorted(ENGLISH), *beginnings]
    pieces += [*string.ascii_letters, *(f"##{letter}" for letter in string.ascii_letters + "äöüß"), *"äöüß.,"]
    names = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(WordPiece(names, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    states = np.zeros((len(names), 64), np.float32)
    things = np.random.default_rng(1).standard_normal((len(known), 64)).astype(np.float32)
    for beginning, place in beginnings.items():
        states[names[beginning]] = things[place]
    zeros, ones = np.zeros(64, np.float32), np.ones(64, np.float32)
    weights = {
        "embeddings.word_embeddings.weight": states,
        "embeddings.position_embeddings.weight": np.zeros((512, 64), np.float32),
        "embeddings.token_type_embeddings.weight": np.zeros((2, 64), np.float32),
        "embeddings.LayerNorm.weight": ones,
        "embeddings.LayerNorm.bias": zeros,
    }
    save_file(weights, folder / "model.safetensors")
    files: dict[str, object] = {
        "modules": [{"type": "a.Transformer", "path": ""}, {"type": "a.Pooling", "path": "pooling"}],
        "config": {"model_type": "bert", "hidden_size": 64, "num_hidden_layers": 0, "num_attention_heads": 1},
        "sentence_bert_config": {"max_seq_length": 512},
        "pooling/config": {"pooling_mode": "mean"},
    }
    for name, content in files.items():
        file = folder / f"{name}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(msgspec.json.encode(content))
    return float_embedder(folder, "polyglot")


def test_a_multilingual_model_has_weight_one_where_its_vectors_retrieve_better(tmp_path: Path) -> None:
    """Half of the sections say their thing by another name in their second half, as no words can find."""
    others = {thing: f"{thing[::-1]}q" for thing in THINGS}
    told = "# L\nWer {0} sagt und {0} putzt, der wartet lange. Danach ruht {1} beim {1} eine Weile."
    pages = {
        f"/p{place}": told.format(thing, others[thing] if place % 2 else thing) for place, thing in enumerate(THINGS)
    }
    content = content_in("de", tmp_path, pages)
    known = {thing: (thing, others[thing]) for thing in THINGS}
    assert measure_languages(content, polyglot(tmp_path, known))["de"].vectors == 1.0
    strangers = {word: (word,) for pair in known.values() for word in pair}
    (tmp_path / "strangers").mkdir()
    assert measure_languages(content, polyglot(tmp_path / "strangers", strangers))["de"].vectors < 0.5


@pytest.mark.parametrize(
    ("whole", "found", "least", "most"),
    [
        (0.53, 1.07, 0.85, 1.0),  # multilingual-e5-small in Russian
        (0.52, 1.02, 0.5, 0.7),  # in Turkish
        (0.38, 1.02, 0.1, 0.2),  # all-MiniLM-L6-v2 in German
        (0.01, 0.33, 0.0, 0.0),  # in Russian
        (0.53, 0.6, 0.0, 0.1),  # a vocabulary alone says little
    ],
)
def test_half_of_the_words_are_enough_if_vectors_retrieve_as_well_as_words(
    whole: float, found: float, least: float, most: float
) -> None:
    assert least <= dense_weight(whole, found) <= most
