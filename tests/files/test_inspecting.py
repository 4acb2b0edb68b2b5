"""What is told of a file, and the page that shows it."""

from __future__ import annotations

import copy
import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_physics_addon.cli import main as cli
from omi_physics_addon.codec.gltf.containers import Container
from omi_physics_addon.files import drawing, inspecting, pages, source
from omi_physics_addon.files.source import Source
from tests.codec.rules import test_all_rules as rules
from tests.codec.rules.test_all_rules import CONVEX, SPHERE, TRIMESH, body, file, solid
from tests.files.test_fixing import arrays, with_mesh
from tests.support import pace
from tools import environment

EXAMPLES = environment.ROOT / "examples"
Json = dict[str, Any]


def given(json_value: Json, name: str = "file.gltf") -> Source:
    return Source(Path("/nowhere") / name, Container(json={"asset": {}, **json_value}))


def found(json_value: Json) -> inspecting.Inspection:
    return inspecting.inspect(given(json_value))[0]


def page(json_value: Json, name: str = "file.gltf") -> str:
    file_ = given(json_value, name)
    told, checked = inspecting.inspect(file_)
    return pages.inspection_page(told, drawing.draw(checked, file_))


def test_counts_and_cost():
    told = found(file(body(), body(kind="static"), solid(SPHERE)))
    assert told.families == ("OMI",)
    assert told.counts["dynamic body"] == told.counts["static body"] == 1
    assert (told.cost.bodies, told.cost.moving, told.cost.shapes) == (2, 1, 3)


@pytest.mark.parametrize(
    ("shape", "vertices", "triangles"),
    [("convex", 4, 0), ("trimesh", 0, 4)],
)
def test_meshes_are_counted_for_each_shape(shape, vertices, triangles):
    value = with_mesh({"type": shape, shape: {"mesh": 0}}, *arrays(rules.tetrahedron()))
    value["nodes"].append(copy.deepcopy(value["nodes"][0]))
    cost = found(value).cost
    assert (cost.hull_vertices, cost.triangles, cost.unread) == (2 * vertices, 2 * triangles, 0)


def test_meshes_that_cannot_be_read_are_told():
    cost = found(file(solid(CONVEX), solid(TRIMESH))).cost
    assert cost.unread == 2
    assert "2 collision meshes could not be read" in cost.lines()


def test_the_tree_has_the_nodes_above():
    value = file(rules.node(1), rules.node(2), body(), rules.node())
    for k, name in enumerate(("Room", "Table", "Vase", "Lamp")):
        value["nodes"][k]["name"] = name
    assert [str(at) for at in found(value).tree] == [
        "Room",
        "  Table",
        "    Vase: dynamic body of 1 kg, collider: box 1 x 1 x 1 m",
    ]


def test_a_name_is_cut_in_lines_and_whole_for_programs():
    name = "N" * 1_000_000
    value = file(rules.node(1), body())
    value["nodes"][1]["name"] = name
    told = found(value)
    assert len(max(told.lines(), key=len)) < 200
    assert told.to_json()["tree"][1]["name"] == name


def test_a_circle_of_nodes_ends():
    value = file(body(1), body(0))
    assert len(found(value).tree) <= 2
    assert page(value)


def test_json_is_json():
    told = found(file(body(), **{rules.BODY: {"physicsMaterials": [{"staticFriction": 9}]}}))
    again = json.loads(json.dumps(told.to_json(), allow_nan=False))
    assert again["counts"]["dynamic body"] == 1
    assert {"C05", "C13"} <= {issue["code"] for issue in again["issues"]}


HOSTILE = '</script><img src=x onerror=alert(1)>"&\n\u202e\ud800'


def test_strings_of_the_file_are_text_on_the_page():
    value = file(body(), **{rules.BODY: {"physicsMaterials": [{"name": HOSTILE, HOSTILE: 1}]}})
    value["nodes"][0]["name"] = HOSTILE
    text = page(value, name="<b>&.gltf")
    assert "<img" not in text
    assert "<b>" not in text
    assert text.count("</script>") == 2  # Those of the page itself.
    text.encode("utf-8")


def test_a_page_needs_nothing_else():
    text = page(file(body(), solid(SPHERE)))
    assert "default-src 'none'" in text
    assert re.findall(r"(?:src|href)=", text) == []
    assert "http:" not in text
    assert "https:" not in text


def test_lines_stand_where_the_shapes_do():
    value = file(body(place={"translation": [5, 0, 0], "scale": [2, 2, 2]}))
    file_ = given(value)
    _, checked = inspecting.inspect(file_)
    lines = drawing.draw(checked, file_).lines["dynamic"]
    assert (lines.min(axis=0).tolist(), lines.max(axis=0).tolist()) == ([4, -1, -1], [6, 1, 1])


def test_what_is_too_far_or_too_much_is_left_out(monkeypatch):
    far = given(file(body(place={"translation": [1e30, 0, 0]})))
    assert drawing.draw(inspecting.inspect(far)[1], far).lines == {}
    monkeypatch.setattr(drawing, "MOST_LINES", 12)
    many = given(file(body(), body()))
    drawn = drawing.draw(inspecting.inspect(many)[1], many)
    assert (len(drawn.lines["dynamic"]), drawn.left_out) == (24, 12)


def test_every_kind_of_thing_is_drawn():
    file_ = source.read(EXAMPLES / "joints.glb")
    drawn = drawing.draw(inspecting.inspect(file_)[1], file_)
    assert set(drawn.lines) == {"static", "dynamic", "joint"}
    assert set(drawn.lines) <= set(pages.COLOURS)
    assert all(np.isfinite(lines).all() for lines in drawn.lines.values())


@pytest.mark.parametrize("name", ["khr", "vehicles", "gravity"])
def test_examples(name, tmp_path, capsys):
    out = tmp_path / "page.html"
    assert cli.main(["inspect", str(EXAMPLES / f"{name}.glb"), "--html", str(out)]) == 0
    assert name in capsys.readouterr().out
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_exit_codes(tmp_path, capsys):
    path = tmp_path / "bad.gltf"
    path.write_text(json.dumps({"asset": {}, **file(body(motion={"mass": -1}))}))
    assert cli.main(["inspect", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["report"]["families"] == ["OMI"]
    assert cli.main(["inspect", str(tmp_path / "none.glb")]) == 2
    assert cli.main(["inspect", str(path), "--html", str(tmp_path / "no" / "page.html")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def seconds(count: int) -> float:
    value = given(file(*(body(place={"translation": [2.0 * k, 0, 0]}) for k in range(count))))
    start = time.thread_time()
    told, checked = inspecting.inspect(value)
    pages.inspection_page(told, drawing.draw(checked, value))
    return time.thread_time() - start


def test_the_time_grows_as_the_file_does():
    seconds(20)
    pace.check_growth(seconds, 80, 800, most=40.0)  # A square would take 100.
