"""XML with lines, and without what makes XML dangerous."""

from __future__ import annotations

from pathlib import Path

import pytest

from omi_physics_addon.formats import xml_source
from omi_physics_addon.formats.table import FormatError


def test_elements_know_their_lines() -> None:
    root = xml_source.parse(b'<a>\n <b x="1"/>\n\n <c><b/></c></a>', "f.xml")
    assert [(each.tag, each.origin) for each in root.walk()] == [
        ("a", "f.xml:1"), ("b", "f.xml:2"), ("c", "f.xml:4"), ("b", "f.xml:4")
    ]  # fmt: skip
    assert [each.attributes for each in root.all("b")] == [{"x": "1"}]
    assert root.first("d") is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_encodings_are_those_of_xml(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><a x="é"/>'
    assert xml_source.parse(text.encode(encoding), "f.xml").attributes == {"x": "é"}


BAD = {
    "an unknown encoding": b'<?xml version="1.0" encoding="none"?><a/>',
    "bytes that are no text": b"<a>\xff\xfe</a>",
    "zeros": bytes(100),
    "nothing": b"",
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_what_is_no_xml_is_told(content: bytes) -> None:
    with pytest.raises(FormatError, match=r"f\.xml:\d+: the file is no XML: "):
        xml_source.parse(content, "f.xml")


def test_a_file_of_a_billion_laughs_takes_no_time() -> None:
    laughs = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10 if k else "ha"}">' for k in range(20))
    text = f"<!DOCTYPE a [{laughs}]><a>&l19;</a>"
    with pytest.raises(FormatError, match="declares a document type or entities"):
        xml_source.parse(text.encode(), "f.xml")


def test_a_missing_file_is_told() -> None:
    with pytest.raises(FormatError, match=r"cannot read nowhere\.xml: No such file"):
        xml_source.read(Path("nowhere.xml"))
