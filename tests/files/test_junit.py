from xml.etree import ElementTree

from omi_physics_addon.files.junit import Case, Suite, to_xml


def test_suites_are_counted_and_told():
    cases = [Case("rests"), Case("stays <in>", "left\x00 at 1 s\nand at 2 s")]
    text = to_xml([Suite("a.glb", 2.0, cases), Suite("b.glb", None, [], "no such body")])
    root = ElementTree.fromstring(text)
    assert root.attrib == {"tests": "3", "failures": "1", "errors": "1"}
    one, other = root
    assert one.attrib["name"] == "a.glb"
    assert [case.attrib["name"] for case in one] == ["rests", "stays <in>"]
    (failure,) = one[1]
    assert failure.attrib["message"] == "left\ufffd at 1 s"
    assert failure.text is not None
    assert "and at 2 s" in failure.text
    assert (one.get("time"), other.get("time")) == ("2.000", None)
    assert other[0][0].tag == "error"
    assert other[0][0].attrib["message"] == "no such body"


def test_nothing_is_a_file_too():
    assert ElementTree.fromstring(to_xml([])).attrib["tests"] == "0"
