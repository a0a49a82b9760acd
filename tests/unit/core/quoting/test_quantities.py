import pytest

from pincite_core.quoting.quantities import (
    Quantity,
    contradicted_numbers,
    has_quantity,
    numbers_of,
    quantities_in,
    quantities_of,
    quantity_asked,
    unsaid_counts,
    unsupported_numbers,
    unsupported_quantities,
    unsupported_units,
    without_asking,
)


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("How long is a lease?", "duration"),
        ("After how many days are jobs removed?", "duration"),
        ("how often should I back up", "duration"),
        ("How big may a payload be?", "size"),
        ("How much memory does it need?", "size"),
        ("How many characters may a name have?", "size"),
        ("How many times is it tried?", "count"),
        ("How much does it cost?", "number"),
        ("What is a lease?", None),
        ("How do I pause a queue?", None),
    ],
)
def test_a_question_tells_which_kind_of_number_would_answer_it(query: str, kind: Quantity | None) -> None:
    assert quantity_asked(query) == kind


def test_the_words_of_one_language_ask_for_nothing_in_another() -> None:
    assert quantity_asked("Wie lange dauert eine Sperre?", "de") == "duration"
    assert quantity_asked("Wie lange dauert eine Sperre?", "en") is None
    assert quantity_asked("How long is a lease?", "de") is None
    assert quantity_asked("How long is a lease?", "tlh") is None


@pytest.mark.parametrize(
    ("text", "kind", "held"),
    [
        ("A lease lasts 60 seconds.", "duration", True),
        ("A lease lasts half a minute.", "duration", True),
        ("Kept for an hour.", "duration", True),
        ("Logs are deleted daily.", "duration", True),
        ("The largest value is 100.", "duration", False),
        ("Up to 256 KiB after encoding", "size", True),
        ("Up to 256 jobs", "size", False),
        ("The default is 5 attempts.", "count", True),
        ("The default is 30 s.", "count", False),
        ("After 30 s it is tried 5 times.", "count", True),
        ("Elle dure 60 secondes.", "number", True),
    ],
)
def test_a_sentence_has_a_number_of_a_kind_when_its_unit_says_so(text: str, kind: Quantity, held: bool) -> None:
    assert has_quantity(text, kind) is held


@pytest.mark.parametrize(
    ("language", "text", "kinds"),
    [
        ("en", "The parser is fast.", ()),
        ("en", "Port 8080 is open.", ("count", "number")),
        ("en", "It waits for 30 seconds.", ("duration", "number")),
        ("en", "It waits for half an hour.", ("duration",)),
        ("en", "Files are cut after two megabytes.", ("size",)),
        ("en", "Each of the 3 files has 5 KB.", ("size", "count", "number")),
        ("de", "Die Sperre dauert zwei Minuten.", ("duration",)),
        ("ja", "ロックは三十分間続きます。", ("duration",)),
        ("ko", "파일은 5바이트입니다.", ("size", "number")),
    ],
)
def test_a_quick_test_finds_the_same_kinds_of_numbers(language: str, text: str, kinds: tuple[Quantity, ...]) -> None:
    assert quantities_in(text, language) == kinds
    every: tuple[Quantity, ...] = ("duration", "size", "count", "number")
    assert kinds == tuple(kind for kind in every if has_quantity(text, kind, language))


def test_the_words_that_ask_for_a_number_are_no_subject() -> None:
    assert without_asking("How long is a lease?").split() == ["is", "a", "lease?"]
    assert without_asking("Wie lange ist sie?", "de").split() == ["ist", "sie?"]


@pytest.mark.parametrize(
    ("sentence", "near", "found"),
    [
        ("Use two workers.", "Use three workers at once.", ["two"]),
        ("It is minus two for the main thread.", "The cores minus one for the main thread.", ["two"]),
        ("The fourth argument.", "It is the third argument.", ["fourth"]),
        ("Use two workers and three queues.", "Three queues serve two workers.", []),
        ("It has two doors.", "The house is old.", []),
    ],
)
def test_a_number_in_the_place_of_another_is_contradicted(sentence: str, near: str, found: list[str]):
    assert contradicted_numbers(sentence, near) == found


def test_a_number_that_the_question_has_is_not_contradicted():
    assert contradicted_numbers("Use two workers.", "Use three workers.", "two workers") == []


def test_a_number_with_marks_of_thousands_keeps_its_unit():
    assert quantities_of("It takes 1,500 MB.")["1500"] == quantities_of("It takes 1500 MB.")["1500"] == {"mb"}


def test_a_unit_that_is_not_near_is_unsupported():
    assert unsupported_units("It waits 180 milliseconds.", "It waits 180 seconds.") == {"ms"}
    assert unsupported_units("It waits 3 minutes.", "It waits for 3 min.") == set()


@pytest.mark.parametrize(
    ("language", "text", "numbers"),
    [
        ("de", "Bis zu 1.500 Einträge, 1.250.000 Zeichen und 2,50 Euro", {"1500", "1250000", "2.5"}),
        ("de", "Python 3.10, 0.125 und 192.168.0.1", {"3.10", "0.125", "192.168.0.1"}),
        ("de", "1\u202f500 Einträge", {"1500"}),
        ("fr", "Jusqu'à 1 500 entrées, 2\u202f000\u00a0000 signes et 1,5 s", {"1500", "2000000", "1.5"}),
        ("fr", "Les ports 80 et 443, ou 8080 9090", {"80", "443", "8080", "9090"}),
        ("ru", "до 12 500,5 байт", {"12500.5"}),
        ("en", "Up to 1,500 entries, 1.500 seconds, 1 500", {"1500", "1.5", "1", "500"}),
        ("en", "From 2.0 to 2.10, 0.50 of them", {"2", "2.10", "0.5"}),
    ],
)
def test_a_number_is_read_as_its_language_writes_it(language: str, text: str, numbers: set[str]) -> None:
    assert numbers_of(text, language) == numbers


@pytest.mark.parametrize(
    ("language", "claim", "passage"),
    [
        ("de", "Es sind höchstens 1500 Einträge.", "Höchstens 1.500 Einträge werden behalten."),
        ("fr", "Au plus 1500 entrées.", "Au plus 1 500 entrées sont gardées."),
        ("fr", "Au plus 1 500 entrées.", "Au plus 1500 entrées sont gardées."),
    ],
)
def test_thousands_are_the_same_number_however_they_are_parted(language: str, claim: str, passage: str) -> None:
    assert unsupported_quantities(claim, quantities_of(passage, language), language) == []
    assert contradicted_numbers(claim, passage, language=language) == []
    other = passage.replace("500", "400")
    assert unsupported_quantities(claim, quantities_of(other, language), language) != []


@pytest.mark.parametrize(
    ("sentence", "text", "found"),
    [
        ("It runs twice for each boat.", "It runs once for each boat.", ["twice"]),
        ("It runs twice for each boat.", "It runs two times for each boat.", []),
        ("There are three piers.", "See the 3 piers.", []),
        ("There are three piers.", "See the piers of the second harbor.", ["three"]),
        ("There is one pier.", "See the pier.", []),
        ("There are 4 piers.", "See the piers.", []),
    ],
)
def test_a_count_in_words_is_said_where_its_number_is(sentence: str, text: str, found: list[str]) -> None:
    assert unsaid_counts(sentence, text) == found


def test_a_number_with_an_exponent_is_another_number() -> None:
    held = "A stream holds 10⁶ events."
    assert unsupported_numbers("It holds 10^6 events.", held, "en") == []
    assert unsupported_numbers("It holds 10 events.", held, "en") == ["10"]
    assert unsupported_numbers("It holds 106 events.", held, "en") == ["106"]
    assert unsupported_quantities("It holds 10 events.", quantities_of(held)) == ["10"]
    assert unsupported_quantities("It holds 10⁶ events.", quantities_of(held)) == []
    assert contradicted_numbers("A stream holds 10⁷ events.", held) == ["10⁷"]
    assert numbers_of("2⁻³ and 1,000^2 and 4 m²") == {"2^-3", "1000^2", "4"}
