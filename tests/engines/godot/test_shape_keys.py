"""Shape keys that begin at 0 in Godot are told once, unless its editor is told their values."""

from __future__ import annotations

from typing import Any

import pytest

from omi_physics_addon.codec.dialects import WriteOptions
from omi_physics_addon.codec.gltf import rewriting
from omi_physics_addon.engines import engine_of
from omi_physics_addon.issue_codes import Severity
from omi_physics_addon.issues import Issue, Issues
from tests.codec.targets.test_unscaled_bodies import MOVING, gltf, node


def keyed(count: int = 1, *, mesh: Any = None, own: Any = None, name: str = "") -> dict[str, Any]:
    """Nodes whose mesh has a shape key, and an animation of it where there is a name for one."""
    more = {} if own is None else {"weights": own}
    json = gltf(*(node(f"Face {i}", below={"mesh": 0, **more}, **MOVING) for i in range(count)))
    json["meshes"] = [{"primitives": [], **({} if mesh is None else {"weights": mesh})}]
    if name:
        channel = {"sampler": 0, "target": {"node": 0, "path": "weights"}}
        json["animations"] = [{"name": name, "channels": [channel], "samplers": [{}]}]
    return json


def told(json: dict[str, Any], target: Any = "GODOT_4") -> list[Issue]:
    issues = Issues()
    rewriting.change(json, issues, WriteOptions(target=engine_of(target)))
    return [issue for issue in issues if issue.code == "X73"]


@pytest.mark.parametrize(
    "json", [keyed(mesh=[0.0, 0.5]), keyed(own=[1.0]), keyed(mesh=[0.5], name="Blink")]
)
def test_shape_keys_elsewhere_than_at_0_are_told(json):
    (issue,) = told(json)
    assert (issue.pointer, issue.severity) == ("/nodes/0", Severity.INFO)
    assert "shape keys of /nodes/0 at 0" in issue.message
    assert "RESET" in issue.message


@pytest.mark.parametrize(
    ("json", "target"),
    [
        (keyed(), "GODOT_4"),
        (keyed(mesh=[0.0]), "GODOT_4"),
        (keyed(mesh=[0.5], own=[0.0]), "GODOT_4"),
        (keyed(mesh=[0.5], name="RESET"), "GODOT_4"),
        (keyed(mesh=[0.5]), "BABYLON"),
    ],
)
def test_nothing_is_told_where_nothing_looks_otherwise(json, target):
    assert told(json, target) == []


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (2, "of /nodes/0 and /nodes/1 at 0"),
        (5, "of /nodes/0, /nodes/1, /nodes/2 and 2 more at 0"),
    ],
)
def test_many_are_told_at_once(count, words):
    (issue,) = told(keyed(count, mesh=[0.5]))
    assert words in issue.message
