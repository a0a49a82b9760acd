"""Replay written answers through the checks, and report the verdicts on true units, and on falsified units by kind.

    python -m bench.written [--seen | --whole] [--units] [--exchanged] [--sheet FILE] [--verdicts FILE] [--json FILE]

Reports on the sites on which nothing was fitted. --seen reports on the sites used for fitting. --whole reports on
answers that were written from whole sections, and again on the answers whose falsified copies nobody had looked at.
--units names the wrong verdicts. --exchanged adds generated copies, with a name replaced by another name of the
excerpts. --sheet writes the shown sentences and items, shuffled and without their labels, for a grader (`{"id",
"statement", "excerpts"}` a line). --verdicts reads the grader's verdicts (`{"id", "supported"}`) and reports the result
of applying them.
"""

import argparse
import hashlib
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

from bench.quality.tables import print_table, share_cell
from bench.written.answers import HELD_OUT, KINDS, SEEN, WHOLE_SECTIONS, WrittenAnswer, read_answers
from bench.written.exchanged import EXCHANGED, with_exchanged
from bench.written.replay import ReplayedUnit, is_broken, replay

from pincite_server.cli.eval_output import share_record
from pincite_server.evaluation.shares import Share

_NAME = re.compile(r"[\w$@.-]*\w")


@dataclass(frozen=True, slots=True)
class _Labelled:
    """`kind` is the kind of the falsification, or "true" for a unit as written."""

    kind: str
    answer_id: str
    unit: ReplayedUnit
    is_seen: bool = False
    is_shown: bool = False  # a wrong name that occurs elsewhere in the shown text

    @property
    def id(self) -> str:
        return hashlib.sha256(f"{self.answer_id} {self.unit.written}".encode()).hexdigest()[:12]


def main() -> None:
    options = _arguments()
    sites = (WHOLE_SECTIONS,) if options.whole else SEEN if options.seen else HELD_OUT
    rows = [row for site in sites for row in read_answers(site)]
    whole = [(row, replay(row, row.answer)) for row in rows]
    units = [*_true_units(whole), *_falsified_units(whole)]
    shares = _shares(units, whole)
    print_table("written answers", ["rules"], {name: [share_cell(share)] for name, share in shares.items()})
    unseen = [one for one in units if one.kind != "true" and not one.is_seen]
    if options.whole:
        print_table("not looked at", ["rules"], {name: [share_cell(one)] for name, one in _caught(unseen).items()})
    seconds = quantiles([one.unit.seconds for one in units if one.unit.kind != "code"], n=20)
    print(f"a unit's check: median {seconds[9] * 1000:.1f} ms, 95th percentile {seconds[18] * 1000:.1f} ms")
    if options.exchanged:
        exchanged = _exchanged_shares(rows)
        print_table(
            "a name exchanged for another", ["rules"], {name: [share_cell(one)] for name, one in exchanged.items()}
        )
        shares |= exchanged
    if options.verdicts:
        looked = _second_look(units, _read_verdicts(options.verdicts))
        print_table("second look", ["left"], {name: [share_cell(share)] for name, share in looked.items()})
        shares |= looked
    if options.units:
        _print_wrong(units)
    if options.sheet:
        _write_sheet(options.sheet, units)
    if options.json:
        record = {name: share_record(share) for name, share in shares.items()}
        options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _true_units(whole: Sequence[tuple[WrittenAnswer, list[ReplayedUnit]]]) -> Iterator[_Labelled]:
    for row, units in whole:
        yield from (_Labelled("true", row.id, unit) for unit in units)


def _falsified_units(whole: Sequence[tuple[WrittenAnswer, list[ReplayedUnit]]]) -> Iterator[_Labelled]:
    """Yield the first unit of each falsified copy that the original answer does not have."""
    for row, units in whole:
        written = {unit.written for unit in units}
        for one in row.falsified:
            changed = [unit for unit in replay(row, row.with_falsified(one)) if unit.written not in written]
            put = set(_NAME.findall(one.put)) - set(_NAME.findall(one.find))
            is_shown = one.kind == "name" and all(_stands_in(name, row) for name in put)
            yield _Labelled(one.kind, row.id, changed[0], row.is_seen, is_shown)


def _stands_in(name: str, row: WrittenAnswer) -> bool:
    shown = " ".join(f"{excerpt.title} {excerpt.text}" for excerpt in row.excerpts)
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", shown, re.IGNORECASE) is not None


def _shares(units: Sequence[_Labelled], whole: Sequence[tuple[WrittenAnswer, list[ReplayedUnit]]]) -> dict[str, Share]:
    true = [one.unit.outcome for one in units if one.kind == "true"]
    shares = {
        "true, dropped": Share.of(outcome == "dropped" for outcome in true),
        "true, doubtful": Share.of(outcome == "doubtful" for outcome in true),
        "answers whole": Share.of(all(unit.outcome != "dropped" for unit in found) for _, found in whole),
        "answers broken": Share.of(is_broken(found) for _, found in whole),
    }
    absent = [one.unit.outcome for one in units if one.kind == "true" and one.unit.is_absent]
    if absent:
        shares["absent, kept"] = Share.of(outcome != "dropped" for outcome in absent)
    return {**shares, **_caught([one for one in units if one.kind != "true"])}


def _caught(falsified: Sequence[_Labelled]) -> dict[str, Share]:
    """Return by kind the share of falsified units that is dropped, and the share that is not verified."""
    shares: dict[str, Share] = {}
    for kind in KINDS:
        outcomes = [one.unit.outcome for one in falsified if one.kind == kind]
        shares[f"{kind}, dropped"] = Share.of(outcome == "dropped" for outcome in outcomes)
        shares[f"{kind}, caught"] = Share.of(outcome != "verified" for outcome in outcomes)
    names = [one for one in falsified if one.kind == "name"]
    for kind, is_shown in (("name that nothing shown has", False), ("name from elsewhere in what was shown", True)):
        of_kind = [one.unit.outcome for one in names if one.is_shown == is_shown]
        shares[f"{kind}, caught"] = Share.of(outcome != "verified" for outcome in of_kind)
    return {**shares, "all falsified, caught": Share.of(one.unit.outcome != "verified" for one in falsified)}


def _exchanged_shares(rows: Sequence[WrittenAnswer]) -> dict[str, Share]:
    others = [with_exchanged(row) for row in rows]
    units = [*_falsified_units([(row, replay(row, row.answer)) for row in others])]
    return {
        f"{kind}, caught": Share.of(one.unit.outcome != "verified" for one in units if one.kind == kind)
        for kind in EXCHANGED
    }


def _second_look(units: Sequence[_Labelled], verdicts: Mapping[str, bool]) -> dict[str, Share]:
    """Return the withheld units after a second look at the doubtful units, or at all; units without a verdict stay.

    Shown falsified units without a verdict are left out, because the grader did not see them.
    """
    shares: dict[str, Share] = {}
    for looked_at, outcomes in (("doubtful", {"doubtful"}), ("all", {"doubtful", "verified", "mended"})):

        def withheld(one: _Labelled, outcomes: set[str] = outcomes) -> bool:
            refuted = one.unit.outcome in outcomes and not verdicts.get(one.id, True)
            return one.unit.outcome == "dropped" or refuted

        false = [one for one in units if one.kind != "true" and _is_decided(one, verdicts)]
        shares[f"{looked_at}: falsified, withheld or mended"] = Share.of(
            one.unit.outcome == "mended" or withheld(one) for one in false
        )
        shares[f"{looked_at}: true, withheld"] = Share.of(withheld(one) for one in units if one.kind == "true")
    return shares


def _is_decided(one: _Labelled, verdicts: Mapping[str, bool]) -> bool:
    return one.unit.outcome in {"dropped", "mended"} or one.id in verdicts


def _read_verdicts(file: Path) -> dict[str, bool]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {row["id"]: row["supported"] for row in rows}


def _write_sheet(file: Path, units: Sequence[_Labelled]) -> None:
    shown = {one.id: one.unit for one in units if one.unit.outcome != "dropped" and one.unit.kind != "code"}
    rows = [{"id": key, "statement": unit.text, "excerpts": unit.evidence} for key, unit in shown.items()]
    random.Random(7).shuffle(rows)
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def _print_wrong(units: Sequence[_Labelled]) -> None:
    for one in units:
        wrong = one.unit.outcome in {"dropped", "doubtful"} if one.kind == "true" else one.unit.outcome == "verified"
        if wrong:
            print(f"{one.kind:<10} {one.answer_id} {one.unit.outcome} {','.join(one.unit.doubts)}: {one.unit.text}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seen", action="store_true")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--units", action="store_true")
    parser.add_argument("--exchanged", action="store_true")
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--verdicts", type=Path)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
