"""While it saves, the exporter finds objects in its lists as it does by itself, but at once."""

from __future__ import annotations

import random
from typing import Any

import bpy
import pytest

from omi_physics_addon.blender.base import compat
from omi_physics_addon.blender.host import host_save
from tests.blender.support.scenes import add

NAME = "_GlTF2Exporter__append_unique_and_get_index"


def owner() -> Any:
    module = compat.host_module("blender.exp.exporter", "blender.exp.gltf2_blender_gltf2_exporter")
    return module.GlTF2Exporter


class Item:
    """Equal to nothing but itself, as the host's objects are."""


@pytest.mark.parametrize("seed", range(5))
def test_what_is_found_is_what_the_host_finds(seed: int) -> None:
    random_ = random.Random(seed)
    items: list[Any] = [Item() for _ in range(20)] + ["a", "b", {"c": 1}, {"c": 1}]
    ours: list[list[Any]] = [[], []]
    theirs: list[list[Any]] = [[], []]
    plain = getattr(owner(), NAME)
    with host_save._finding():
        find = getattr(owner(), NAME)
        assert find is not plain
        for _ in range(300):
            at, item = random_.randrange(2), random_.choice(items)
            change = random_.random()
            for lists in (ours, theirs):  # As other add-ons may.
                if change < 0.03:
                    lists[at].insert(0, item)
                elif change < 0.06 and lists[at]:
                    lists[at].pop()
                elif change < 0.09:
                    lists[at].reverse()
            assert find(ours[at], item) == plain(theirs[at], item)
            assert ours == theirs
    assert getattr(owner(), NAME) is plain


def test_an_export_looks_through_no_list_of_nodes(tmp_path, monkeypatch) -> None:
    plain = getattr(owner(), NAME)
    looked: list[str] = []

    def watched(target: list[Any], obj: Any) -> int:
        looked.append(type(obj).__name__)
        return plain(target, obj)

    monkeypatch.setattr(owner(), NAME, staticmethod(watched))
    for i in range(5):
        add(f"Plain {i}")
    bpy.ops.export_scene.gltf(filepath=str(tmp_path / "a.glb"))
    assert "Node" not in looked
    assert getattr(owner(), NAME) is watched


def test_a_host_without_that_way_is_left_alone(monkeypatch) -> None:
    monkeypatch.delattr(owner(), NAME)
    with host_save._finding():
        assert not hasattr(owner(), NAME)
