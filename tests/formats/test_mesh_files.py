"""Meshes beside a robot's file: OBJ and STL in their forms, and damaged ones."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from omi_physics_addon.formats.mesh_files import MeshFileError, MeshFiles, obj_of

CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def read(content: bytes, name: str, folder: Path) -> set[tuple[tuple[float, ...], ...]]:
    """The triangles of a mesh by their corners, each from its least one on."""
    (folder / name).write_bytes(content)
    corners, faces = MeshFiles(folder / "robot.urdf", allow_outside=False).read(name)
    return {turned(corners[face]) for face in faces}


def turned(points: np.ndarray) -> tuple[tuple[float, ...], ...]:
    rows = [tuple(row) for row in points.tolist()]
    first = rows.index(min(rows))
    return tuple(rows[first:] + rows[:first])


SOLID = {turned(CORNERS[face]) for face in FACES}


def binary_stl() -> bytes:
    facets = b"".join(struct.pack("<12fH", 0, 0, 0, *CORNERS[face].ravel(), 0) for face in FACES)
    return b"solid".ljust(80) + struct.pack("<I", len(FACES)) + facets


def text_stl() -> bytes:
    facets = "".join(
        "facet normal 0 0 0\n outer loop\n"
        + "".join("  vertex {} {} {}\n".format(*CORNERS[at]) for at in face)
        + " endloop\nendfacet\n"
        for face in FACES
    )
    return f"solid wedge\n{facets}endsolid\n".encode()


def test_all_forms_are_the_same_solid(tmp_path: Path) -> None:
    assert read(binary_stl(), "a.stl", tmp_path) == SOLID
    assert read(text_stl(), "b.STL", tmp_path) == SOLID
    assert read(obj_of(CORNERS, FACES), "c.obj", tmp_path) == SOLID


def test_an_obj_may_have_quads_and_count_backwards(tmp_path: Path) -> None:
    text = b"# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1 -1/1\n"
    found = read(text, "a.obj", tmp_path)
    assert found == {((0, 0, 0), (1, 0, 0), (1, 1, 0)), ((0, 0, 0), (1, 1, 0), (0, 1, 0))}


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.obj", b"v 0 0 0\n", "a mesh has no triangles"),
        ("a.obj", b"v 0 0\nf 1 1 1\n", 'is damaged: "v 0 0" is no corner'),
        ("a.obj", b"v a b c\n", "is damaged: could not convert"),
        ("a.obj", b"v 0 0 0\nf 1 1 " + b"9" * 20, "is damaged: .* too (large|big)"),
        ("a.obj", b"v 0 0 0\nf 1 2 3\n", "a triangle refers to a corner that does not exist"),
        ("a.obj", b"v 0 0 1e40\nf 1 1 1\n", "not a number that a file can mean"),
        ("a.obj", b"v 0 0 nan\nf 1 1 1\n", "not a number that a file can mean"),
        ("a.stl", b"", "a mesh has no triangles"),
        ("a.stl", b"vertex 1 2 3\n", "a triangle lacks corners"),
        ("a.stl", b"vertex 1 2 x\n" * 3, "is damaged: could not convert"),
    ],
)
def test_damaged_meshes_are_told(name: str, content: bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(MeshFileError, match=why):
        read(content, name, tmp_path)


def test_a_mesh_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_bytes(obj_of(CORNERS, FACES))
    files = MeshFiles(tmp_path / "robot.urdf", allow_outside=False)
    first = files.read("a.obj")
    (tmp_path / "a.obj").write_bytes(b"")
    assert files.read("./a.obj") is first


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "a.obj").write_bytes(obj_of(CORNERS, FACES))
    (inside / "b.obj").symlink_to(tmp_path / "a.obj")
    with pytest.raises(MeshFileError, match="is outside of the folder"):
        MeshFiles(inside / "robot.urdf", allow_outside=False).read("b.obj")
