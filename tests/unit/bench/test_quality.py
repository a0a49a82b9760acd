"""The bench on a folder of data like those it is meant for, with a tiny index."""

import json
import sys
from pathlib import Path

import pytest
from bench.quality.__main__ import main
from bench.quality.places import page_key, section_key
from tests.factories import build_index

pytestmark = pytest.mark.slow

PAGES = {
    "/docs/cache": "# Cache\nIt keeps pages.\n## Lifetime {#lifetime}\nCached pages expire after thirty minutes.",
    "/docs/backup": "# Backups\n## Restoring {#restoring}\nRestore a snapshot with the restore command.",
}
LIFETIME = {"id": "q1", "site": "lantern", "question": "When do cached pages expire?", "clear": True, "gold": []}
SNAPSHOT = {"id": "q2", "site": "lantern", "question": "Who won the zeppelin race?", "clear": True}
QRELS = [
    LIFETIME | {"judged": [{"url": "/docs/next/Cache/", "anchor": "Lifetime", "grade": 3}]},
    SNAPSHOT | {"gold": ["https://docs.example/docs/zeppelins#races"], "judged": []},
]
QUESTIONS = [
    {"id": "q1", "kind": "answerable", "product": "lantern", "question": LIFETIME["question"]},
    {"id": "q2", "kind": "answerable", "product": "lantern", "question": SNAPSHOT["question"]},
    {"id": "o1", "kind": "off_topic", "product": "", "question": "How are zeppelins steered?"},
    {"id": "n1", "kind": "near_miss", "product": "lantern", "question": "How do I restore cached pages?"},
    {"id": "s1", "kind": "answerable", "product": "torch", "question": "How do torches glow?"},
]
PASSAGE = "The lamp burns for nine hours. It is filled with oil."
PAIRS = [
    {
        "id": f"{source} {answer}",
        "source": source,
        "passage": PASSAGE,
        "question": "How long does the lamp burn?",
        "answer": answer,
        "grounded": good,
    }
    for source in ("SQuAD2.0 dev", "HaluEval (x)")
    for answer, good in (("nine hours", True), ("The lamp burns for seven weeks.", False))
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    build_index(tmp_path / "indexes" / "lantern", PAGES)
    (tmp_path / "eval").mkdir()
    for name, rows in {"qrels": QRELS, "questions": QUESTIONS, "grounding": PAIRS}.items():
        text = "\n".join(json.dumps(row) for row in rows)
        (tmp_path / "eval" / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def run(
    data: Path, monkeypatch: pytest.MonkeyPatch, *options: str
) -> dict[str, dict[str, dict[str, dict[str, object]]]]:
    record = data / "record.json"
    monkeypatch.setattr(sys, "argv", ["quality", "--data", str(data), "--json", str(record), *options])
    main()
    loaded: dict[str, dict[str, dict[str, dict[str, object]]]] = json.loads(record.read_text(encoding="utf-8"))
    return loaded


def test_systems_are_measured_side_by_side_on_every_site_and_pooled(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    retrieval = run(data, monkeypatch, "--only", "retrieval")["retrieval"]
    assert set(retrieval) == {"lantern", "all sites"}
    assert set(retrieval["lantern"]) == {"Pincite", "BM25", "dense", "cosine 0.35"}
    counted = {name: (share["hits"], share["total"]) for name, share in retrieval["all sites"]["Pincite"].items()}
    assert counted["section@1"] == (1, 2)
    assert counted["section cited"] == (1, 1)
    assert counted["false refusals"] == (1, 2)
    assert counted["off-topic refused"] == (1, 1)
    assert counted["near miss refused"][1] == counted["sister refused"][1] == 1
    assert "section@5" in capsys.readouterr().out


def test_rankings_are_written_for_other_scorers(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(data, monkeypatch, "--only", "retrieval", "--runs", str(data / "runs"))
    rows = [json.loads(line) for line in (data / "runs" / "Pincite@lantern.jsonl").read_text().splitlines()]
    assert [(row["id"], row["refused"]) for row in rows] == [("q1", False), ("q2", True)]
    assert rows[0]["ranked"][0] == {"url_path": "/docs/cache#lifetime", "anchor": "lifetime"}


def test_grounding_has_its_mistakes_and_its_curve_for_both_modes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = run(data, monkeypatch, "--only", "grounding", "selection")
    assert set(record["grounding"]) == {"HaluEval"}
    assert {"false negatives", "false positives", "false positives at 5% FN"} <= set(
        record["grounding"]["HaluEval"]["default"]
    )
    assert record["grounding"]["HaluEval"]["default"]["false positives"]["hits"] == 0  # type: ignore[index]
    assert set(record["selection"]) >= {"answerable, answered", "unanswerable, fallen back", "sentences verbatim"}
    assert {"not looked at", "chosen on"} <= set(record["selection"])


def test_an_exchanged_number_is_counted_as_invented(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# Lamps\n## Care {#care}\n" + "".join(
        f"Lamp {n}0{n} holds {n}5 drops of oil by night.\n\n" for n in range(1, 8)
    )
    build_index(data / "indexes" / "lantern", {"/docs/lamps": text})
    invented = run(data, monkeypatch, "--only", "invented")["invented"]["lantern"]
    assert invented["as they stand, accepted"]["hits"] == invented["as they stand, accepted"]["total"] == 7
    swapped = invented["number of another sentence, accepted"]
    assert (swapped["hits"], swapped["total"]) == (0, 7)


@pytest.mark.parametrize(
    "url",
    [
        "/docs/Cache/",
        "/docs/30.4/cache",
        "/docs/next/cache#x",
        "https://host/docs/cache.html",
        "/docs/cache/index.html",
    ],
)
def test_spellings_and_versions_of_a_page_are_one_page(url: str) -> None:
    assert page_key(url) == "/docs/cache"


def test_a_section_is_its_page_and_its_decoded_anchor() -> None:
    assert section_key("/docs/cache#Caf%C3%A9", "#Caf%C3%A9") == ("/docs/cache", "café")
    assert section_key("/docs/cache", None) == ("/docs/cache", "")


def test_written_questions_are_asked_of_sites_that_are_named_and_both_folds_are_reported(
    data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    long = "Every evening the keeper carefully trims both wicks before the northern harbour lights are finally lit."
    for site in ("lamp", "torch", "lantern"):
        build_index(data / "ready" / site, {"/docs/wicks": f"# Wicks\n## Trimming {{#trimming}}\n{long} A {site}."})
    questions = tmp_path / "questions"
    questions.mkdir()
    rows = "- question: when are wicks of a {0} trimmed\n  expect: /docs/wicks#trimming\n"
    rows += "- question: zinc\n  refuse: true\n"
    for site in ("lamp", "torch", "unnamed"):
        (questions / f"{site}.yml").write_text(rows.format(site), encoding="utf-8")
    monkeypatch.setattr("bench.quality.written.QUESTIONS", questions)
    named = [f"--index={site}={data / 'ready' / site}" for site in ("lamp", "torch", "lantern")]
    record = run(data, monkeypatch, "--only", "written", "folds", *named)
    assert set(record["written"]) == {"lamp", "torch", "all sites"}
    counted = {name: (share["hits"], share["total"]) for name, share in record["written"]["lamp"]["Pincite"].items()}
    assert counted["section@1"] == (1, 1)
    assert [counted[kind][1] for kind in ("near miss refused", "off-topic refused", "sister refused")] == [1, 1, 1]
    assert set(record["folds"]) == {"judged sites", "sites of bench/questions"}
    assert {rule["total"] for rule in record["folds"]["sites of bench/questions"]["answerable"]} == {2}
