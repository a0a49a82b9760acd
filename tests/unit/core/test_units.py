"""Sentences and lengths: what answers quote and what limits count."""

import pytest
import sentencex
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite_core.units import cut_at_blanks, estimate_tokens, rejoin_lines, split_sentences, truncate_to_tokens

TEXT = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            ["One. ", "Two! ", "e.g. ", "`a. b`", "v1.2.3 ", "“Quoted.” ", "日本語。", "؟ ", "...", "\n", "Dr. No "]
        ),
    ),
    max_size=12,
).map("".join)
LANGUAGES = st.sampled_from(["en", "zh-CN", "ja", "ar", "fa", "de", "pt-BR", "xx", ""])


@given(TEXT, LANGUAGES)
def test_sentences_are_in_order_do_not_overlap_and_hold_all_text(text: str, language: str) -> None:
    spans = split_sentences(text, language)
    end = 0
    for start, stop in spans:
        assert end <= start < stop <= len(text)
        assert not text[end:start].strip()
        assert text[start:stop] == text[start:stop].strip()
        end = stop
    assert not text[end:].strip()


@given(
    st.text(st.characters(codec="ascii", exclude_categories=["C"], exclude_characters=".!?:;|\\"), max_size=40),
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=2),
)
def test_text_without_a_mark_that_may_end_a_sentence_is_one_in_every_language(text: str, language: str) -> None:
    assert sum(1 for part in sentencex.segment(language, text) if part.strip()) == bool(text.strip())
    assert [text[start:end] for start, end in split_sentences(text, language)] == [text.strip()] * bool(text.strip())


@given(st.lists(st.text("abc. !?", min_size=1, max_size=12).map(lambda code: f"`{code}`"), min_size=1, max_size=4))
def test_no_sentence_ends_inside_inline_code(codes: list[str]) -> None:
    text = " Then run ".join(codes) + ". Done."
    places = []
    cursor = 0
    for code in codes:
        start = text.index(code, cursor)
        cursor = start + len(code)
        places.append((start, cursor))
    edges = {edge for span in split_sentences(text) for edge in span}
    assert not [edge for edge in edges for start, end in places if start < edge < end]


@pytest.mark.parametrize(
    ("text", "language", "sentences"),
    [
        ("First one. Second one.", "en", ["First one.", "Second one."]),
        ("Use e.g. version 1.2.3 of it. Then stop.", "en", ["Use e.g. version 1.2.3 of it.", "Then stop."]),
        ("Run `a. B. C` now. Done.", "en", ["Run `a. B. C` now.", "Done."]),
        ("这是第一句。这是第二句。", "zh", ["这是第一句。", "这是第二句。"]),
        ("هل يعمل؟ نعم.", "ar", ["هل يعمل؟", "نعم."]),
        ("این است. آن است.", "fa", ["این است.", "آن است."]),
        ("यह है। वह है।", "hi", ["यह है।", "वह है।"]),
        ("یہ ہے۔ وہ ہے۔", "ur", ["یہ ہے۔", "وہ ہے۔"]),
        ("ပထမ။ ဒုတိယ။", "my", ["ပထမ။", "ဒုတိယ။"]),
        ("ប្រយោគ។ ទីពីរ។", "km", ["ប្រយោគ។", "ទីពីរ។"]),
        ("합니다. 그렇습니다.", "ko", ["합니다.", "그렇습니다."]),
        ("นี่คือ นั่นคือ", "th", ["นี่คือ นั่นคือ"]),
        (
            "Nutze z. B. einen Proxy, d.h. den hier. Fertig.",
            "de",
            ["Nutze z. B. einen Proxy, d.h. den hier.", "Fertig."],
        ),
        ("Cela va, c.-à-d. il démarre. Il va. Fin.", "fr", ["Cela va, c.-à-d. il démarre.", "Il va.", "Fin."]),
        ("Это, т. е. прокси, см. рис. 3. Да. Он есть.", "ru", ["Это, т. е. прокси, см. рис. 3.", "Да.", "Он есть."]),
        ("Use p. ex. um proxy. Fim.", "pt", ["Use p. ex. um proxy.", "Fim."]),
        ("Dat is o.a. snel. Einde.", "nl", ["Dat is o.a. snel.", "Einde."]),
        ("Bkz. kılavuz. Son.", "tr", ["Bkz. kılavuz.", "Son."]),
        ("It is so. npm is small.", "en", ["It is so.", "npm is small."]),
        ("  padded.  ", "en", ["padded."]),
        ("", "en", []),
        (" \n ", "en", []),
    ],
)
def test_text_is_cut_into_its_sentences(text: str, language: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in split_sentences(text, language)] == sentences


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("cache", 1), ("configuration", 3), ("a, b", 3), ("2024", 2), ("日本語", 3), ("__init__", 5)],
)
def test_the_estimate_counts_word_pieces(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(st.text(max_size=200), st.integers(0, 60))
def test_truncated_text_is_a_start_within_the_limit(text: str, limit: int) -> None:
    cut = truncate_to_tokens(text, limit)
    assert text.startswith(cut)
    assert estimate_tokens(cut) <= limit
    if estimate_tokens(text) <= limit:
        assert cut == text


def test_truncation_keeps_line_breaks() -> None:
    text = "first line\n\n  second line\nthird line"
    assert truncate_to_tokens(text, 4) == "first line\n\n  second line"


@settings(deadline=None)
@given(st.lists(st.sampled_from(["word ", "`x y` ", "End. ", "``` ", "漢字。", "x" * 300]), min_size=1, max_size=400))
def test_no_sentence_is_endless_and_a_long_text_loses_nothing(parts: list[str]) -> None:
    text = "".join(parts)
    spans = split_sentences(text)
    assert all(end - start <= 2000 for start, end in spans)
    assert "".join(text[start:end] for start, end in spans).replace(" ", "") == text.replace(" ", "")


def test_a_long_paragraph_has_the_same_sentences_as_its_parts() -> None:
    one = "The queue of `a.b` keeps v1.2 jobs (e.g. late ones). Does it? It does! "
    text = one * 200
    assert [text[start:end] for start, end in split_sentences(text)] == [
        one[s:e] for s, e in split_sentences(one)
    ] * 200


@settings(deadline=None)
@given(st.text("x ", max_size=9000))
def test_a_text_cut_at_blanks_loses_no_character(text: str) -> None:
    parts = cut_at_blanks(text)
    assert "".join(parts) == text
    assert all(0 < len(part) <= 2000 for part in parts)


def test_a_name_with_dots_is_not_split() -> None:
    text = "A string or os.PathLike denoting a path. See app.Main too."
    assert [text[start:end] for start, end in split_sentences(text)] == [
        "A string or os.PathLike denoting a path.",
        "See app.Main too.",
    ]


@given(st.lists(st.lists(st.text("abc", min_size=1, max_size=700), max_size=12).map(" ".join), max_size=5))
def test_lines_that_were_cut_are_joined_as_they_were(lines: list[str]) -> None:
    parts = [part for line in lines for part in cut_at_blanks(line) or [line]]
    assert rejoin_lines(parts) == lines
