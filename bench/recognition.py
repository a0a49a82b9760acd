"""Measure language detection of questions on an English page, and false detections of English questions.

    python -m bench.recognition FILE.jsonl ... [--home TAG]

Rows are {"question", "language"}, or "lang" for the latter; rows without a question are left out.
`bench/questions/short_questions.jsonl` has short questions, mixed with names of code, in 22 languages. It also has
English keywords that look like words of other languages.
"""

import argparse
import time
from collections import Counter, defaultdict
from pathlib import Path

import msgspec

from pincite_core.search.language_detection import foreign_language
from pincite_core.search.languages import primary


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--home", default="en", help="the page's language")
    parser.add_argument("--show", action="store_true", help="print the questions that are taken for another language")
    options = parser.parse_args()
    rows = [row for file in options.files for row in read(file)]
    foreign_language("load the model first", options.home)
    started = time.perf_counter()
    told = [(language, foreign_language(question, options.home), question) for language, question in rows]
    each = (time.perf_counter() - started) / max(1, len(rows))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for language, found, question in told:
        right = found == (None if language == primary(options.home) else language)
        counts[language]["right" if right else "unknown" if found is None else "another"] += 1
        if options.show and found and not right:
            print(f"{language} taken for {found}: {question}")
    print("| language | questions | right | unknown | another |\n|---|---|---|---|---|")
    for language, count in sorted(counts.items()):
        total = count.total()
        shares = (f"{count[kind] / total:.3f}" for kind in ("right", "unknown", "another"))
        print(f"| {language} | {total} | {' | '.join(shares)} |")
    print(f"\n{each * 1e6:.0f} µs a question")


def read(file: Path) -> list[tuple[str, str]]:
    """Return (language, question) of a file's rows."""
    found = (msgspec.json.decode(line) for line in file.read_bytes().splitlines() if line.strip())
    return [(primary(row.get("language") or row["lang"]), row["question"]) for row in found if row.get("question")]


if __name__ == "__main__":
    main()
