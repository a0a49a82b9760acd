import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tests.factories import build_index

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.write import ChunkTerms, IndexContent
from pincite_core.search.evidence import DEFAULT_CALIBRATION, evidence_probability
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_core.search.terms import exact_codes, terms
from pincite_core.types import Link
from pincite_indexer.calibration import calibrate, foreign_questions, own_questions

pytestmark = pytest.mark.slow

THINGS = (
    "lantern wick burner mantle glass handle bracket chain shade reflector filter valve gasket pump nozzle funnel "
    "canister tripod hinge latch spring washer sleeve collar knob dial gauge plate frame cover"
).split()


def site(count: int) -> dict[str, str]:
    return {
        f"/docs/{thing}": f"# The {thing}\n## Care of a {thing} {{#care}}\n"
        f"Polish every {thing} weekly, drying the {thing} slowly beside another {other}. Store it dry."
        for thing, other in pairwise(THINGS[: count + 1])
    }


def content_of(folder: Path, pages: dict[str, str]) -> IndexContent:
    index = build_index(folder, pages)
    chunks, targets = index.chunks(), {target.target_id: target for target in index.targets()}
    titles = {page.page_id: page.title for page in index.pages()}
    rows = [
        ChunkTerms(
            chunk.chunk_id,
            " ".join(terms(chunk.text)),
            " ".join(terms(" ".join(targets[chunk.target_id].heading_path[1:]))),
            " ".join(terms(titles[chunk.page_id])),
            "",
            " ".join(exact_codes(chunk.text)),
        )
        for chunk in chunks
    ]
    count = index.counts()["vectors"]
    return IndexContent(
        info=index.info,
        scopes=list(index.scopes),
        pages=index.pages(),
        targets=list(targets.values()),
        chunks=chunks,
        units=index.units(),
        vectors=index.vectors(list(range(1, count + 1))),
        text_hashes=[str(number).encode() for number in range(count)],
        terms=rows,
        links=[],
    )


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> IndexContent:
    return content_of(tmp_path_factory.mktemp("calibrate"), site(30))


def test_the_calibration_separates_own_questions_from_foreign_ones(content: IndexContent, tmp_path: Path) -> None:
    calibration = calibrate(content, FakeEmbedder()).get("en")
    assert calibration is not None
    assert calibration != DEFAULT_CALIBRATION
    index = build_index(tmp_path, site(30))

    def accepted(questions: list[str]) -> float:
        vectors = FakeEmbedder().encode(questions)
        found = [
            search(index, vector, parse_query(text), (1,), 1).signals
            for text, vector in zip(questions, vectors, strict=True)
        ]
        return sum(evidence_probability(signals, calibration) >= 0.5 for signals in found) / len(found)

    assert accepted(own_questions(content, (1,))) > 0.9
    assert accepted(list(foreign_questions()[1::2])) < 0.15


def test_untranslated_pages_give_no_questions(content: IndexContent) -> None:
    """Their words are another language's, which nobody asks in: they brought the bar down to where anything passed."""
    pages = [replace(page, translated=number < 10) for number, page in enumerate(content.pages)]
    own = own_questions(replace(content, pages=pages), (1,))
    translated = {page.title.split()[-1] for page in pages if page.translated}
    assert own
    assert all(translated & set(question.split()) for question in own)
    unknown = replace(content, pages=[replace(page, translated=False) for page in content.pages])
    assert own_questions(unknown, (1,)) == own_questions(content, (1,))


def test_only_the_zero_point_is_the_sites_own(content: IndexContent) -> None:
    calibration = calibrate(content, FakeEmbedder()).get("en")
    assert calibration is not None
    assert replace(calibration, bias=DEFAULT_CALIBRATION.bias) == DEFAULT_CALIBRATION


def test_a_site_about_the_bundled_questions_still_answers_its_own(
    content: IndexContent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = own_questions(content, (1,))
    monkeypatch.setattr("pincite_indexer.calibration.foreign_questions", lambda _: tuple(own))
    calibration = calibrate(content, FakeEmbedder()).get("en")
    assert calibration is not None
    index = build_index(tmp_path, site(30))
    vectors = FakeEmbedder().encode(own)
    found = [
        search(index, vector, parse_query(text), (1,), 1).signals for text, vector in zip(own, vectors, strict=True)
    ]
    assert sum(evidence_probability(signals, calibration) >= 0.5 for signals in found) >= 0.9 * len(own)


def test_the_same_site_gives_the_same_calibration(content: IndexContent) -> None:
    first = calibrate(content, FakeEmbedder())
    assert first
    assert calibrate(content, FakeEmbedder()) == first


def test_a_site_with_too_few_questions_keeps_the_default_calibration(tmp_path: Path) -> None:
    assert calibrate(content_of(tmp_path, site(5)), FakeEmbedder()) == {}


def test_no_own_question_is_a_heading_or_a_whole_sentence(content: IndexContent) -> None:
    said = {target.title.lower() for target in content.targets}
    said |= {chunk.text[:80].lower() for chunk in content.chunks}
    asked = own_questions(content, (1,))
    assert asked
    for question in asked:
        assert question.lower() not in said
        assert not any(question.lower() in text for text in said)


def test_link_texts_are_questions_unless_they_are_the_title(content: IndexContent) -> None:
    links = [
        Link(2, 1, content.targets[0].title, True),
        Link(2, 1, "keeping old brass shining", True),
        Link(2, 1, "here", True),
    ]
    linked = IndexContent(**{**{name: getattr(content, name) for name in content.__slots__}, "links": links})
    assert set(own_questions(linked, (1,))) - set(own_questions(content, (1,))) == {"keeping old brass shining"}


def test_foreign_questions_are_several_hundred_and_none_twice() -> None:
    questions = foreign_questions()
    assert len(questions) >= 300
    assert len({re.sub(r"\W", "", question.lower()) for question in questions}) == len(questions)
