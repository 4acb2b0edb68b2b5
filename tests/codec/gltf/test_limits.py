"""Files that are too large end with a sentence that has the number."""

from __future__ import annotations

import json

import pytest

from omi_physics_addon.cli import jobs
from omi_physics_addon.codec.gltf import containers, limits
from tools import omi_physics


def chain(count: int) -> dict[str, object]:
    nodes = [{"children": [i + 1]} for i in range(count - 1)] + [{}]
    return {"asset": {"version": "2.0"}, "nodes": nodes}


def raw(value: object) -> bytes:
    return json.dumps(value).encode()


def test_nodes_nested_too_deeply():
    why = "its nodes are nested 10000 deep; 8192 is the most"
    with pytest.raises(containers.ContainerError, match=why):
        containers.read(raw(chain(10_000)))
    containers.read(raw(chain(8192)))


def test_depth():
    assert limits.depth({}) == 1
    assert limits.depth(chain(7)) == 7
    assert limits.depth({"nodes": [{}, {"children": [0]}]}) == 2
    assert limits.depth({"nodes": [{"children": [1]}, {"children": [0]}]}) == 2  # A circle.
    assert limits.depth({"nodes": [{"children": ["x", 9]}, 3]}) == 1


@pytest.mark.parametrize("key", ["nodes", "meshes", "accessors", "anything"])
def test_too_many_items(monkeypatch, key):
    monkeypatch.setattr(limits, "MOST_ITEMS", 3)
    with pytest.raises(containers.ContainerError, match=f"it has 4 {key}; 3 are the most"):
        containers.read(raw({"asset": {}, key: [{}] * 4}))
    containers.read(raw({"asset": {}, key: [{}] * 3}))


def test_a_large_file_is_not_even_read(tmp_path, monkeypatch, capsys):
    path = tmp_path / "in.gltf"
    with path.open("wb") as file:
        file.truncate(limits.MOST_BYTES + 1)  # Takes no space.
    for words in (["check", path], ["convert", path, tmp_path / "out.gltf"]):
        assert omi_physics.main([*map(str, words)]) == jobs.BAD_INPUT
        assert f"the file has {limits.MOST_BYTES + 1} bytes; " in capsys.readouterr().err


def test_text_nested_too_deeply():
    with pytest.raises(containers.ContainerError, match=r"too deeply; about \d+ levels"):
        containers.read(b'{"asset":' + b"[" * 100_000)
