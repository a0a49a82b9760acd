"""`index.json`: one record for whoever writes, serves, fetches or asks."""

import datetime
from pathlib import Path

import msgspec
import pytest

from pincite_core.deployed.build_facts import (
    BuildFacts,
    BuildVersion,
    EncoderEntry,
    facts_beside,
    facts_json,
    parse_facts,
)
from pincite_core.errors import IndexCorruptError
from pincite_core.index.schema import DATABASE_NAME, INFO_NAME

FACTS = BuildFacts(
    index_id="i-1",
    build_id="b-1",
    built_at="2026-02-13T10:00:00+00:00",
    sha256="0" * 64,
    size=4096,
    title="Lantern",
    encoder=EncoderEntry("encoder.onnx", "1" * 64, "tokenizer.json", "2" * 64, 256, "mean"),
    counts={"pages": 3},
    locales=("en",),
    versions=(BuildVersion("default", "1.0", "1.0", is_last=True),),
    siblings=("/kit/fr/pincite/",),
)


def test_written_facts_are_read_back(tmp_path: Path) -> None:
    (tmp_path / INFO_NAME).write_bytes(facts_json(FACTS))
    assert facts_beside(tmp_path / DATABASE_NAME) == FACTS


def test_every_field_is_written_even_if_it_is_empty() -> None:
    assert list(msgspec.json.decode(facts_json(BuildFacts()))) == list(BuildFacts.__struct_fields__)


def test_an_index_without_an_index_json_has_default_facts(tmp_path: Path) -> None:
    assert facts_beside(tmp_path / DATABASE_NAME) == BuildFacts()


@pytest.mark.parametrize("data", [b"{", b"[]", b'{"sha256": "x"}', b'{"siblings": "/fr/"}', b"\xff\xfe"])
def test_a_damaged_file_is_named(data: bytes) -> None:
    with pytest.raises(IndexCorruptError, match=r"^here is damaged, not the index\.json of an index"):
        parse_facts(data, "here")


@pytest.mark.parametrize(
    ("built_at", "zone"),
    [
        ("2026-02-13T10:00:00Z", datetime.timedelta(0)),
        ("2026-02-13T10:00:00", datetime.timedelta(0)),
        ("2026-02-13T10:00:00+09:00", datetime.timedelta(hours=9)),
    ],
)
def test_a_timestamp_without_a_zone_is_taken_for_utc(built_at: str, zone: datetime.timedelta) -> None:
    built = BuildFacts(built_at=built_at).built
    assert built is not None
    assert (built.replace(tzinfo=None), built.utcoffset()) == (datetime.datetime(2026, 2, 13, 10), zone)


@pytest.mark.parametrize("built_at", [None, "", "yesterday"])
def test_an_invalid_timestamp_is_none(built_at: str | None) -> None:
    assert BuildFacts(built_at=built_at).built is None
