"""Pages in charsets other than UTF-8."""

import pytest
from tests.unit.indexer.one_page import read_bytes

from pincite_indexer.pages.decoding import decoded


def page(declaration: str, text: str) -> str:
    return f"<!doctype html><html><head>{declaration}<title>T</title></head><body><main><p>{text}</main>"


@pytest.mark.parametrize(
    ("declaration", "codec", "text"),
    [
        ("<meta charset=utf-8>", "utf-8", "Öl für fünf Lampen"),
        ("<meta charset=iso-8859-1>", "cp1252", "Öl – fünf €"),
        ("<META CHARSET='Latin1'>", "cp1252", "Öl"),
        ("<meta http-equiv=Content-Type content='text/html; charset=windows-1252'>", "cp1252", "ab 5 €"),
        ("<meta content='text/html;charset=\"koi8-r\"' http-equiv='content-type' />", "koi8-r", "Масло"),
        ("<meta charset=gb2312>", "gb18030", "备份€"),
        ("<meta charset=shift_jis>", "cp932", "①～油"),
        ("<meta charset=x-sjis>", "cp932", "油"),
        ("<meta charset=euc-kr>", "cp949", "똠 기름"),
        ("<meta charset=big5>", "big5hkscs", "機油"),
        ("<meta charset=windows-1251>", "cp1251", "Масло"),
        ("<meta charset=utf-16>", "utf-8", "Öl"),
        ("<!-- <meta charset=iso-8859-1> --><meta charset=utf-8>", "utf-8", "Öl"),
        ("<meta name=description content='charset=big5'>", "utf-8", "Öl"),
        ("<meta charset=no-such-charset>", "utf-8", "Öl"),
        ("", "utf-8", "Öl"),
        ("", "utf-16", "Öl"),
        ("<meta charset=iso-8859-1>", "utf-8-sig", "Öl"),
    ],
)
def test_a_page_is_decoded_by_the_charset_that_it_declares(declaration: str, codec: str, text: str) -> None:
    read = read_bytes(page(declaration, text).encode(codec))
    assert [unit.text for unit in read.units] == [text]
    assert not read.draft.garbled


def test_an_xml_declaration_counts_if_no_element_declares_a_charset() -> None:
    start = '<?xml version="1.0" encoding="iso-8859-2"?>'
    assert read_bytes((start + page("", "żółw")).encode("iso-8859-2")).units[0].text == "żółw"
    assert read_bytes((start + page("<meta charset=utf-8>", "żółw")).encode()).units[0].text == "żółw"


def test_a_wrong_declaration_is_obeyed_as_browsers_obey_it() -> None:
    assert read_bytes(page("<meta charset=iso-8859-1>", "é").encode()).units[0].text == "Ã©"


def test_a_declaration_after_the_first_kilobyte_does_not_count() -> None:
    late = f"<!--{'x' * 1024}--><meta charset=iso-8859-1>"
    assert read_bytes(page(late, "é").encode()).units[0].text == "é"


def test_bytes_that_cannot_be_decoded_are_replaced_and_counted() -> None:
    found = decoded("<meta charset=utf-8>é".encode() + b"\xff")
    assert found.data.decode() == "<meta charset=utf-8>é\ufffd"
    assert found.problem == "contains 1 bytes or characters that are not valid utf-8"


def test_a_page_without_a_declaration_is_read_as_windows_1252_if_it_is_not_utf8() -> None:
    found = decoded("Öl für fünf Lampen".encode("cp1252"))
    assert found.data.decode() == "Öl für fünf Lampen"
    assert "windows-1252" in found.problem
