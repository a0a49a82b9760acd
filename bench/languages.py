"""Measure search, answers and refusals on sites in other languages than English, compared with plain BM25.

    python -m bench.languages --data DIR [--only LANGUAGE ...] [--first N]
    python -m bench.languages --data DIR --sizes N

DIR/eval/languages/*.jsonl holds passages of public question sets and questions about them (`lang`, `passage_id`,
`passage`; `question`, `answers`). Each passage becomes a page. The bench asks an index of all passages. It also asks
an index of the first half of the passages the questions about the second half, which must be refused.
DIR/guides/LOCALE/*.html is a guide, and `questions/guide.jsonl` has the questions about it; a question without pages is
about another subject.

With `--sizes` the bench asks no questions. It indexes the first N passages of each language, and as many English
passages of DIR/eval/grounding.jsonl, without cached vectors. It prints the size of each index and the time, for each
passage.
"""

import argparse
import html
import json
import math
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

GUIDE = Path(__file__).parent / "questions" / "guide.jsonl"
_TITLE_SIGNS = 30  # characters from a passage's beginning, up to its first break
_BREAK = re.compile(r"[\s,，、。]")
_HTML_TAG = re.compile(r"<html\b(?![^>]*\blang=)", re.IGNORECASE)
_SPACELESS = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff"
_RUN = re.compile(f"[{_SPACELESS}]+")
_WORD = re.compile(rf"(?:(?![{_SPACELESS}])\w)+")
_K1, _B = 1.2, 0.75  # BM25's usual constants
_ENGLISH = "SQuAD"  # prefix of the source of English passages that resemble the other languages
_WORDS = ("postings", "postings_by_term")  # the index tables for words

Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", nargs="*", metavar="LANGUAGE")
    parser.add_argument("--first", type=int, help="questions of each language that are asked; all by default")
    parser.add_argument("--sizes", type=int, metavar="N", help="index N passages of each language and ask nothing")
    options = parser.parse_args()
    if options.sizes:
        for language, texts in _corpora(options.data, options.sizes):
            with tempfile.TemporaryDirectory(prefix="pincite-languages-") as scratch:
                print(f"{language}: {_size_of(language, texts, Path(scratch))}", flush=True)
        return
    for file in sorted((options.data / "eval/languages").glob("*.jsonl")):
        if options.only is None or file.stem in options.only:
            with tempfile.TemporaryDirectory(prefix="pincite-languages-") as scratch:
                print(f"{file.stem}: {_of_passages(_read(file), Path(scratch), options.first)}", flush=True)
    for folder in sorted((options.data / "guides").glob("*/")):
        if options.only is None or folder.name in options.only:
            with tempfile.TemporaryDirectory(prefix="pincite-languages-") as scratch:
                rows = [row for row in _read(GUIDE) if row["locale"] == folder.name]
                print(f"guide in {folder.name}: {_of_guide(rows, folder, Path(scratch))}", flush=True)


def _corpora(data: Path, count: int) -> Iterable[tuple[str, list[str]]]:
    told = (row for row in _read(data / "eval/grounding.jsonl") if row["source"].startswith(_ENGLISH))
    yield "en", list(dict.fromkeys(row["passage"] for row in told))[:count]
    for file in sorted((data / "eval/languages").glob("*.jsonl")):
        yield file.stem, [row["passage"] for row in _read(file) if "passage" in row][:count]


def _size_of(language: str, texts: Sequence[str], scratch: Path) -> str:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    site = _indexed(scratch, language, {str(number): text for number, text in enumerate(texts)}, "--no-cache")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    database = sqlite3.connect(site / "pincite" / "index.db")
    tables = dict(database.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall())
    sentences = database.execute("SELECT count(*) FROM units").fetchone()[0]
    size, words = sum(tables.values()), sum(tables[table] for table in _WORDS)
    return (
        f"{len(texts)} passages of {sum(map(len, texts)) / len(texts):.0f} characters in {sentences / len(texts):.1f} "
        f"sentences: {size / len(texts) / 1024:.1f} KiB a passage, words {words / size:.2f}, "
        f"{seconds:.0f} s of processor time, loading the model included"
    )


def _read(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _of_passages(rows: Sequence[Row], scratch: Path, first: int | None) -> str:
    passages = {str(row["passage_id"]): str(row["passage"]) for row in rows if "passage" in row}
    questions = [row for row in rows if "question" in row][:first]
    early = list(passages)[: len(passages) // 2]
    whole = _indexed(scratch / "all", rows[0]["lang"], passages)
    half = _indexed(scratch / "half", rows[0]["lang"], {number: passages[number] for number in early})
    texts = [row["question"] for row in questions]
    found = [_pages(reply) for reply in _replies("search", whole, texts)]
    answers = _replies("ask", whole, texts)
    foreign = _replies("ask", half, [row["question"] for row in questions if str(row["passage_id"]) not in early])
    wanted = [f"p{row['passage_id']}" for row in questions]
    words = [[f"p{number}" for number in ranked] for ranked in _by_bm25(passages, texts)]
    quoted = [
        any(part in answer.get("answer", "") for part in row["answers"])
        for row, answer in zip(questions, answers, strict=True)
    ]
    return (
        f"page@1 {_share(_among(1, wanted, found))} @5 {_share(_among(5, wanted, found))} "
        f"(BM25 {_share(_among(1, wanted, words))} {_share(_among(5, wanted, words))}), answerable refused "
        f"{_share(map(_is_refused, answers))}, quoted {_share(quoted)}, not there refused "
        f"{_share(map(_is_refused, foreign))}, of {len(questions)}"
    )


def _of_guide(rows: Sequence[Row], folder: Path, scratch: Path) -> str:
    for file in folder.glob("*.html"):  # a page that names no language counts as English
        text = file.read_text(encoding="utf-8")
        (scratch / file.name).write_text(_HTML_TAG.sub(f'<html lang="{folder.name}"', text, count=1), encoding="utf-8")
    _pincite("index", str(scratch), "--json")
    told = [row for row in rows if row["pages"]]
    texts = [row["question"] for row in told]
    found = [_pages(reply) for reply in _replies("search", scratch, texts)]
    answers = _replies("ask", scratch, texts)
    foreign = _replies("ask", scratch, [row["question"] for row in rows if not row["pages"]])
    right = [[page.split(".")[0] in row["pages"] for page in pages] for row, pages in zip(told, found, strict=True)]
    return (
        f"page first {sum(any(row[:1]) for row in right)}, among three {sum(any(row[:3]) for row in right)}, refused "
        f"{sum(map(_is_refused, answers))} of {len(told)}; foreign refused {sum(map(_is_refused, foreign))} "
        f"of {len(foreign)}"
    )


def _indexed(site: Path, language: str, passages: dict[str, str], *options: str) -> Path:
    """Write a page for each passage, and index them; return the site."""
    for number, text in passages.items():
        folder = site / f"p{number}"
        folder.mkdir(parents=True)
        title = html.escape(_BREAK.split(text.strip(), maxsplit=1)[0][:_TITLE_SIGNS])
        page = (
            f'<!doctype html><html lang="{language[:2]}"><head><meta charset="utf-8"><title>{title}</title></head>'
            f'<body><main><h1 id="top">{title}</h1><p>{html.escape(text)}</p></main></body></html>'
        )
        (folder / "index.html").write_text(page, encoding="utf-8")
    _pincite("index", str(site), "--json", *options)
    return site


def _replies(command: str, site: Path, questions: Sequence[str]) -> list[Row]:
    rows = "".join(json.dumps({"id": str(n), "query": query}) + "\n" for n, query in enumerate(questions))
    return [
        json.loads(line) for line in _pincite(command, str(site / "pincite"), "--json", "-", given=rows).splitlines()
    ]


def _pincite(*arguments: str, given: str = "") -> str:
    command = [sys.executable, "-m", "pincite_indexer", *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    if done.returncode not in {0, 1}:  # 1: a question was refused
        sys.exit(done.stderr)
    return done.stdout


def _pages(reply: Row) -> list[str]:
    return list(dict.fromkeys(urlsplit(hit["url"]).path.strip("/").rpartition("/")[2] for hit in reply["results"]))


def _is_refused(reply: Row) -> bool:
    return bool(reply["type"] == "refusal")


def _among(k: int, wanted: Sequence[str], found: Sequence[Sequence[str]]) -> list[bool]:
    return [page in pages[:k] for page, pages in zip(wanted, found, strict=True)]


def _share(hits: Iterable[bool]) -> str:
    counted = list(hits)
    return f"{sum(counted) / max(1, len(counted)):.3f}"


def _by_bm25(passages: dict[str, str], questions: Sequence[str]) -> list[list[str]]:
    """Return the passages' numbers for each question, best first; scripts without spaces use pairs of characters."""
    counts = {number: Counter(_words(text)) for number, text in passages.items()}
    lengths = {number: held.total() for number, held in counts.items()}
    mean = sum(lengths.values()) / len(lengths)
    held_by = Counter(word for held in counts.values() for word in held)

    def score(number: str, asked: Sequence[str]) -> float:
        held, norm = counts[number], _K1 * (1 - _B + _B * lengths[number] / mean)
        return sum(
            math.log(1 + (len(counts) - held_by[word] + 0.5) / (held_by[word] + 0.5))
            * (held[word] * (_K1 + 1) / (held[word] + norm))
            for word in asked
            if held[word]
        )

    return [sorted(counts, key=lambda number: -score(number, asked)) for asked in map(_words, questions)]


def _words(text: str) -> list[str]:
    lower = text.lower()
    runs = _RUN.findall(lower)
    return _WORD.findall(lower) + [run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1))]


if __name__ == "__main__":
    main()
