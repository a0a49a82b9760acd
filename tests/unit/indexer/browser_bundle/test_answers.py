"""The files for answers: whose vectors they hold, what they say of terms, and that none is there unless asked for."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from tests.unit.indexer.builds import LEASE, RETRY, Silence, guide, section

from pincite_core.embedders import FAKE_MODEL, FakeEmbedder
from pincite_core.index.quantise import to_int8
from pincite_core.index.read import Index
from pincite_core.search.late_interaction import TOKEN_BYTES, pack_tokens
from pincite_indexer.build import BuildOptions, build_index
from pincite_indexer.words_calibration import WORDS_CALIBRATION_KEY

OFTEN = "Retry " * 11 + "with `--no-cache`."
PAGES = {
    "docs/leases/index.html": guide("Leases", section("length", "Length", LEASE), version="2.0"),
    "docs/retries.html": guide("Retries", section("when", "When", f"{RETRY} {LEASE}"), version="2.0"),
    "docs/often.html": guide("Often", section("often", "Often", OFTEN), version="2.0"),
    "docs/1.0/leases/index.html": guide("Leases", section("length", "Length", LEASE), version="1.0"),
}


def build(site: Path, *, answers: bool = True, pages: dict[str, str] = PAGES) -> Path:
    for name, text in pages.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    build_index(BuildOptions(site, model=FAKE_MODEL, cache=False, browser_answers=answers), None, Silence())
    return site / "pincite" / "search"


def read(folder: Path, names: list[str]) -> Any:
    (name,) = names
    return json.loads((folder / name).read_bytes())


def joined(folder: Path, names: list[str]) -> bytes:
    return b"".join((folder / name).read_bytes() for name in names)


def last_scope(folder: Path) -> dict[str, Any]:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    return next(scope for scope in manifest["scopes"] if scope["version"] == "2.0")


def test_nothing_is_written_unless_it_is_asked_for(tmp_path: Path) -> None:
    folder = build(tmp_path, answers=False)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    assert "answers" not in manifest
    assert set(manifest["scopes"][0]) & {"exact", "places", "vectors", "tokens"} == set()
    assert Index.open(tmp_path).meta(WORDS_CALIBRATION_KEY) is None


def test_what_an_earlier_build_wrote_for_answers_goes(tmp_path: Path) -> None:
    build(tmp_path)
    assert not list(build(tmp_path, answers=False).glob("*.bin"))


def test_the_search_is_the_same_with_and_without_answers(tmp_path: Path) -> None:
    plain = {file.name: file.read_bytes() for file in build(tmp_path, answers=False).iterdir()}
    folder = build(tmp_path)
    assert all((folder / name).read_bytes() == data for name, data in plain.items() if name != "manifest.json")


def test_every_part_unit_and_title_has_its_vector(tmp_path: Path) -> None:
    folder = build(tmp_path)
    scope = last_scope(folder)
    places = read(folder, scope["places"])
    stored = np.frombuffer(joined(folder, scope["vectors"]), dtype=np.int8).reshape(-1, FakeEmbedder.info.dimension)
    expected = to_int8(FakeEmbedder().encode(["Length", "Often", "When"]))
    assert (stored[places["titles"]] == expected).all()
    index = Index.open(tmp_path)
    chunks = [chunk for chunk in index.chunks() if index.page(chunk.page_id).url != "/docs/1.0/leases/"]
    assert (stored[places["parts"]] == index.vectors([chunk.vector_id for chunk in chunks])).all()
    for chunk, rows in zip(chunks, places["units"], strict=True):
        units = index.units_of_chunks([chunk.chunk_id])
        assert [row >= 0 for row in rows] == [unit.vector_id > 0 for unit in units]
        found = [unit.vector_id for unit in units if unit.vector_id]
        assert (stored[[row for row in rows if row >= 0]] == index.vectors(found)).all()


def test_the_tokens_of_parts_lie_in_the_order_of_their_vectors(tmp_path: Path) -> None:
    folder = build(tmp_path)
    scope = last_scope(folder)
    lengths = read(folder, scope["places"])["tokens"]
    packed = joined(folder, scope["tokens"])
    assert len(packed) == sum(lengths) * TOKEN_BYTES
    index = Index.open(tmp_path)
    chunk = next(chunk for chunk in index.chunks() if index.page(chunk.page_id).url == "/docs/leases/")
    embedded = f"Leases Length {chunk.text}"
    tokens = pack_tokens(FakeEmbedder().encode_with_tokens([embedded])[0].tokens)
    assert lengths[0] == len(tokens)


def test_terms_are_counted_in_all_versions_of_the_language(tmp_path: Path) -> None:
    folder = build(tmp_path)
    scope = last_scope(folder)
    exact = read(folder, scope["exact"])
    vocabulary = read(folder, scope["words"])["vocabulary"].split("\n")
    terms = [line.split(" ")[0] for line in vocabulary]
    counted = Index.open(tmp_path).document_frequencies(terms)
    assert dict(zip(terms, exact["found"][0], strict=True)) == counted
    assert exact["codes"] == ["--no-cache"]
    assert exact["found_codes"] == [[1], [1]]


def test_a_term_has_all_of_its_occurrences_in_a_part(tmp_path: Path) -> None:
    folder = build(tmp_path)
    scope = last_scope(folder)
    terms = [line.split(" ")[0] for line in read(folder, scope["words"])["vocabulary"].split("\n")]
    (body, *_) = read(folder, scope["postings"])[terms.index("retri")]
    assert -11 in body


def test_the_traits_of_sections_are_written(tmp_path: Path) -> None:
    changelog = guide("Changelog", section("links", "See also", LEASE) + section("new", "New", f"{LEASE} " * 4))
    folder = build(tmp_path, pages={"docs/log.html": changelog})
    (scope,) = json.loads((folder / "manifest.json").read_bytes())["scopes"]
    traits = read(folder, scope["exact"])["traits"]
    assert traits == {"past": [0, 1], "changes": [0, 1], "further": [0], "brief": [0]}


def test_the_facts_hold_the_calibrations_and_the_weights(tmp_path: Path) -> None:
    folder = build(tmp_path)
    facts = json.loads((folder / json.loads((folder / "manifest.json").read_bytes())["answers"]).read_bytes())
    assert facts["languages"]["en"]["parts"] == 4
    assert facts["languages"]["en"]["words_calibration"]["best_chunk"] == 0
    assert facts["rules"]["fusion"]["first_place"]["dense"] == 0.4
    assert facts["rules"]["fusion"]["other_places"]["dense"] == 0.5
    assert facts["tokens"]["hidden"] == FakeEmbedder.info.dimension
