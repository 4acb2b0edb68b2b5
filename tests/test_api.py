"""The functions for scripts that work on files, without Blender, and the page about them."""

from __future__ import annotations

import dataclasses
import errno
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from omi_physics_addon import api
from tools import command_pages

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
CRATES = ROOT / "docs" / "commands" / "crates.gltf"
WITHOUT_BLENDER = """
import sys
sys.modules["bpy"] = None
from omi_physics_addon import api
assert api.check(api.read(sys.argv[1])).issues
for name in ("enable", "add_bodies"):
    try:
        getattr(api, name)()
    except ImportError as problem:
        print(problem)
"""


def test_the_examples_about_files_work(capsys):
    with command_pages.playground() as folder:
        for script in EXAMPLES[:2]:
            exec(compile(script, "api.md", "exec"), {"__name__": "example"})
        assert api.document(api.read(folder / "khr.gltf")).nodes
        assert api.check(api.read(folder / "mended.gltf")).issues is not None
    told = capsys.readouterr().out
    assert told.startswith("ERROR B05 /nodes/1")
    assert "3 set right" in told
    assert "mass" in told


def test_the_page_names_every_function_and_no_other():
    named = set(re.findall(r"`(\w+)\(", PAGE)) | {"Source", "SourceError", "document", "change"}
    assert named == set(api.__all__)
    assert sorted(api.__all__) == api.__all__


def test_files_need_no_blender_and_scenes_say_that_they_do():
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_BLENDER, str(CRATES)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines() == [
        "enable needs Blender, or a Python with the module bpy",
        "add_bodies needs Blender, or a Python with the module bpy",
    ]


def test_what_is_no_function_is_no_attribute():
    with pytest.raises(AttributeError, match="has no attribute 'explode'"):
        _ = api.explode  # pyright: ignore[reportAttributeAccessIssue]


def test_every_function_is_typed():
    assert (ROOT / "omi_physics_addon" / "py.typed").is_file()
    functions = [
        getattr(api, name) for name in api.__all__ if inspect.isfunction(vars(api).get(name))
    ]
    assert len(functions) > 6
    for function in functions:
        signature = inspect.signature(function)
        told = [signature.return_annotation, *(p.annotation for p in signature.parameters.values())]
        assert inspect.Signature.empty not in told, function.__name__


def test_records_are_frozen():
    node = next(iter(api.document(api.read(CRATES)).nodes.values()))
    with pytest.raises(dataclasses.FrozenInstanceError):
        node.motion = None  # pyright: ignore[reportAttributeAccessIssue]


def test_a_file_that_cannot_be_finished_stays_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "crates.gltf"
    path.write_bytes(CRATES.read_bytes())

    def full(*_args, **_options):
        raise OSError(errno.ENOSPC, "No space left on device")

    for name in ("replace", "write_bytes"):
        with monkeypatch.context() as broken:
            broken.setattr(Path, name, full)
            broken.setattr(os, "replace", full)
            with pytest.raises(api.SourceError, match="No space left"):
                api.write(api.fix(api.read(path)).source, path)
        assert path.read_bytes() == CRATES.read_bytes()
        assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_change_without_a_change_means_the_same(tmp_path):
    before = api.read(CRATES)
    text = CRATES.read_bytes()
    after, _ = api.change(before, lambda document: document)
    assert not api.diff(before, after).changes
    api.write(after, tmp_path / "out.gltf")
    assert not api.diff(before, api.read(tmp_path / "out.gltf")).changes
    assert CRATES.read_bytes() == text


def test_a_change_reaches_both_families(tmp_path):
    both, _ = api.convert(api.fix(api.read(CRATES)).source, "OMI", "KHR")

    def lighter(document):
        for index, node in document.nodes.items():
            if node.motion is not None:
                motion = dataclasses.replace(node.motion, mass=0.125)
                document.nodes[index] = dataclasses.replace(node, motion=motion)
        return document

    changed, _ = api.change(both, lighter)
    found = [
        extension["motion"]["mass"]
        for node in changed.json["nodes"]
        for extension in node.get("extensions", {}).values()
        if extension.get("motion", {}).get("type", "dynamic") == "dynamic" and "motion" in extension
    ]
    assert len(found) >= 2
    assert set(found) == {0.125}
    assert api.check(changed).families == ("OMI", "KHR")


@pytest.mark.parametrize(
    ("work", "why"),
    [
        (lambda folder: api.read(folder / "none.glb"), "cannot read .*none.glb"),
        (lambda folder: api.read(__file__), "test_api.py"),
        (lambda folder: api.write(api.read(CRATES), folder / "out.glb"), "out.glb"),
        (lambda folder: api.write(api.read(CRATES), folder / "no" / "out.gltf"), "no folder"),
    ],
)
def test_what_cannot_be_read_or_written_names_the_file(tmp_path, work, why):
    with pytest.raises(api.SourceError, match=why):
        work(tmp_path)
    assert list(tmp_path.iterdir()) == []
