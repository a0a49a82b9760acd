"""Faults are small, stand where they say, and leave code that runs; what does no harm is read from its table."""

import ast
from pathlib import Path

import pytest
from bench.mutants.__main__ import AREAS, ROOT, known_survivors, modules_of, sample_of
from bench.mutants.mutations import mutants_of

SOURCE = b'''"""Words. 1 < 2"""
LIMIT: int = 3


def check(word: str, most: int = 2) -> bool:
    """Whether it holds. 1 < 2"""
    if not word:
        raise ValueError(f"{len(word) + 1} too few")
    print(word)
    return len(word) < most and word in "abc"
'''


def test_faults_are_put_into_what_runs_and_not_into_words_about_it() -> None:
    assert [(one.line, one.place, one.change) for one in mutants_of(SOURCE)] == [
        (2, "", "3 -> 4"),
        (5, "check", "2 -> 3"),
        (7, "check", "not word -> (word)"),
        (9, "check", "print(word) -> pass"),
        (10, "check", "return len(word) < most and word in 'abc' -> return None"),
        (10, "check", "len(word) < most -> (len(word) <= most)"),
        (10, "check", "len(word) < most and word in 'abc' -> (len(word) < most or word in 'abc')"),
        (10, "check", "len(word) < most and word in 'abc' -> (len(word) < most)"),
        (10, "check", "len(word) < most and word in 'abc' -> (word in 'abc')"),
        (10, "check", "word in 'abc' -> (word not in 'abc')"),
    ]


@pytest.mark.parametrize("area", AREAS)
def test_faults_leave_code_that_can_be_read_and_is_another(area: str) -> None:
    faults = 0
    for module in modules_of(AREAS[area]):
        source = (ROOT / module).read_bytes()
        whole = ast.dump(ast.parse(source))
        for mutant in sample_of(module, source, 5, seed=1):
            faults += 1
            assert ast.dump(ast.parse(mutant.applied(source))) != whole
    assert faults > 5


@pytest.mark.parametrize("area", AREAS)
def test_the_tests_of_a_room_are_there(area: str) -> None:
    assert all((ROOT / place).exists() for place in AREAS[area].tests)


def test_a_sample_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    module = modules_of(AREAS["grounding"])[0]
    source = Path(ROOT / module).read_bytes()
    assert sample_of(module, source, 5, seed=1) == sample_of(module, source, 5, seed=1)
    assert sample_of(module, source, 5, seed=1) != sample_of(module, source, 5, seed=2)
    assert len(sample_of(module, source, 5, seed=1)) == 5


def test_what_is_known_to_do_no_harm_is_found_by_its_place_and_change() -> None:
    table = "| place | change | why |\n|---|---|---|\n| `names.py _names` | `a \\| b -> (a & b)` | The same here. |\n"
    assert known_survivors(table) == {("names.py _names", "a | b -> (a & b)"): "The same here."}
