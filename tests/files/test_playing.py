"""The page that plays a file: what is in it, and that nothing in a file becomes a part of it."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import pytest

from omi_physics_addon.codec.gltf import containers
from omi_physics_addon.files import playing, source
from tools import environment

JOINTS = environment.ROOT / "examples" / "joints.glb"
HOSTILE = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>&amp;\u2028"
MOST_BYTES = 5_000_000
PIXEL = bytes.fromhex("89504e470d0a1a0a")


def _part(page: bytes, name: str) -> bytes:
    found = re.search(rf'<script id="{name}" type="text/plain">([^<]*)</script>'.encode(), page)
    assert found
    return base64.b64decode(found[1], validate=True)


def report_of(page: bytes) -> dict:
    """What is told on a page."""
    return json.loads(_part(page, "report"))


def asset_of(page: bytes) -> bytes:
    """The glTF in a page."""
    return _part(page, "asset")


def gltf(tmp_path: Path, said: dict) -> source.Source:
    path = tmp_path / "file.gltf"
    path.write_text(json.dumps({"asset": {"version": "2.0"}, **said}), encoding="utf-8")
    return source.read(path)


def test_a_page_has_the_file_and_its_issues():
    made = playing.player_page(source.read(JOINTS))
    report = report_of(made.content)
    assert report["name"] == "joints.glb"
    assert report["cost"]["joints"] == 7
    assert [row["name"] for row in report["tree"]]
    read = containers.read(asset_of(made.content))
    assert "OMI_physics_joint" in read.json["extensionsUsed"]
    assert made.missing == ()


def test_the_page_without_the_file_is_small():
    assert playing.PLAYER.stat().st_size <= MOST_BYTES


def test_the_page_names_nothing_on_a_network():
    page = playing.PLAYER.read_text(encoding="utf-8")
    head = page.partition("<script>")[0]
    assert "default-src 'none'" in head
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", head)
    assert "unsafe-inline" not in head
    assert "unsafe-eval" not in head.replace("wasm-unsafe-eval", "")


def test_hostile_words_stay_words(tmp_path):
    given = gltf(
        tmp_path,
        {
            "scenes": [{"nodes": [0]}],
            "nodes": [
                {
                    "name": HOSTILE,
                    "extensions": {"OMI_physics_body": {"motion": {"type": HOSTILE}}},
                }
            ],
            "extensionsUsed": ["OMI_physics_body"],
        },
    )
    page = playing.player_page(given).content
    plain = playing.PLAYER.read_bytes()
    assert page.count(b"<") == plain.count(b"<")
    assert b"alert(" not in page
    assert "alert(1)" in report_of(page)["tree"][0]["name"]


def test_older_forms_are_written_in_the_current_one(tmp_path):
    given = gltf(
        tmp_path,
        {
            "scenes": [{"nodes": [0]}],
            "nodes": [{"extensions": {"OMI_collider": {"collider": 0}}}],
            "extensions": {"OMI_collider": {"colliders": [{"type": "sphere", "radius": 0.3}]}},
            "extensionsUsed": ["OMI_collider"],
        },
    )
    read = containers.read(asset_of(playing.player_page(given).content)).json
    assert "OMI_collider" not in read.get("extensions", {})
    assert read["extensions"]["OMI_physics_shape"]["shapes"][0]["sphere"] == {"radius": 0.3}


def test_buffers_and_images_beside_come_in(tmp_path):
    (tmp_path / "a.bin").write_bytes(bytes(range(12)))
    (tmp_path / "my picture.png").write_bytes(PIXEL)
    inline = "data:application/octet-stream;base64," + base64.b64encode(b"abcd").decode()
    given = gltf(
        tmp_path,
        {
            "buffers": [{"uri": "a.bin", "byteLength": 12}, {"uri": inline, "byteLength": 4}],
            "bufferViews": [
                {"buffer": 0, "byteOffset": 4, "byteLength": 8},
                {"buffer": 1, "byteLength": 4},
            ],
            "images": [{"uri": "my%20picture.png"}],
        },
    )
    made = playing.player_page(given)
    read = containers.read(asset_of(made.content))
    assert read.chunks
    whole = read.chunks[0][1]
    first, second, third = read.json["bufferViews"]
    assert made.missing == ()
    assert len(read.json["buffers"]) == 1
    assert [v["buffer"] for v in (first, second, third)] == [0, 0, 0]
    assert whole[first["byteOffset"] :][:8] == bytes(range(4, 12))
    assert whole[second["byteOffset"] :][:4] == b"abcd"
    assert whole[third["byteOffset"] :][:8] == PIXEL
    assert read.json["images"] == [{"mimeType": "image/png", "bufferView": 2}]


@pytest.mark.parametrize("uri", ["gone.bin", "../outside.bin", "https://host.test/a.bin"])
def test_what_is_missing_is_named(tmp_path, uri):
    given = gltf(
        tmp_path, {"buffers": [{"uri": uri, "byteLength": 4}], "images": [{"uri": "no.png"}]}
    )
    assert playing.player_page(given).missing == (uri, "no.png")


def test_a_number_that_json_has_no_word_for_is_refused(tmp_path):
    path = tmp_path / "file.gltf"
    path.write_text('{"asset": {"version": "2.0"}, "cameras": [{"x": 1e999}]}', encoding="utf-8")
    with pytest.raises(source.SourceError, match=r"file\.gltf: a number"):
        playing.player_page(source.read(path))
