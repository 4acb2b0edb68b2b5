"""Meshes of parsed glTF files, in every form that a file can have them, and with faults."""

import struct

import numpy as np
import pytest

from omi_physics_addon.codec.gltf.mesh_data import MeshData
from omi_physics_addon.geometry import inertia
from tests.support.meshes import FACES, POINTS


class File:
    """A glTF that grows by what is added to it."""

    def __init__(self):
        self.data = b""
        self.json = {"meshes": [{"primitives": []}], "accessors": [], "bufferViews": []}

    def view(self, raw, **members):
        self.data += bytes(-len(self.data) % 4)
        self.json["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw), **members}
        )
        self.data += raw
        return len(self.json["bufferViews"]) - 1

    def accessor(self, view, count, code, kind, **members):
        known = {} if view is None else {"bufferView": view}
        accessor = {**known, "count": count, "componentType": code, "type": kind, **members}
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def positions(self, points=POINTS):
        raw = np.asarray(points, dtype="<f4").tobytes()
        return self.accessor(self.view(raw), len(points), 5126, "VEC3")

    def indices(self, indices=FACES, code=5123, dtype="<u2"):
        raw = np.asarray(indices, dtype=dtype).tobytes()
        return self.accessor(self.view(raw), np.size(indices), code, "SCALAR")

    def add(self, positions, indices=None, **members):
        known = {} if indices is None else {"indices": indices}
        primitive = {"attributes": {"POSITION": positions}, **known, **members}
        self.json["meshes"][0]["primitives"].append(primitive)
        return self

    def read(self):
        return MeshData(self.json, {0: self.data}.get).triangles(0)


def assert_box(found):
    assert inertia.measure_mesh(*found).mass == pytest.approx(6.0)


@pytest.mark.parametrize(("code", "dtype"), [(5121, "u1"), (5123, "<u2"), (5125, "<u4")])
def test_indices_of_every_type(code, dtype):
    file = File()
    points, faces = file.add(file.positions(), file.indices(FACES, code, dtype)).read()
    assert (points == POINTS).all()
    assert (faces == FACES).all()


def test_without_indices():
    file = File()
    assert_box(file.add(file.positions(POINTS[FACES.ravel()])).read())


def test_two_primitives_are_one_mesh():
    file = File()
    file.add(file.positions(), file.indices(FACES[:5]))
    assert_box(file.add(file.positions(), file.indices(FACES[5:])).read())


def test_lines_are_nothing():
    file = File()
    file.add(file.positions(), file.indices())
    file.add(file.positions(), file.indices([0, 1]), mode=1)
    assert_box(file.read())


@pytest.mark.parametrize(
    ("mode", "expected"),
    [(5, [(0, 1, 2), (1, 3, 2), (2, 3, 4)]), (6, [(1, 2, 0), (2, 3, 0), (3, 4, 0)])],
)
def test_strips_and_fans(mode, expected):
    file = File()
    _, faces = file.add(file.positions(), file.indices(range(5)), mode=mode).read()
    assert faces.tolist() == [list(face) for face in expected]


@pytest.mark.parametrize("mode", [4, 5, 6])
@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_indices_make_no_triangle(mode, count):
    file = File()
    _, faces = file.add(file.positions(), file.indices(range(count)), mode=mode).read()
    assert faces.shape == (0, 3)


def test_interleaved_positions_with_offsets():
    file = File()
    rows = b"".join(b"####" + struct.pack("<3f", *point) + b"++++" for point in POINTS)
    view = file.view(b"...." + rows, byteStride=20)
    positions = file.accessor(view, 8, 5126, "VEC3", byteOffset=8)
    assert_box(file.add(positions, file.indices()).read())


def test_normalized_positions():
    file = File()
    raw = np.where(POINTS > 0, 32767, -32768).astype("<i2")
    view = file.view(np.pad(raw, ((0, 0), (0, 1))).tobytes(), byteStride=8)
    positions = file.accessor(view, 8, 5122, "VEC3", normalized=True)
    points, faces = file.add(positions, file.indices()).read()
    assert inertia.measure_mesh(points, faces).mass == pytest.approx(8.0)


@pytest.mark.parametrize("with_view", [True, False])
def test_sparse_positions(with_view):
    file = File()
    wrong = POINTS.copy()
    wrong[-3:] = 9.0
    sparse = {
        "count": 3 if with_view else 8,
        "indices": {"componentType": 5121},
        "values": {},
    }
    rows = range(5, 8) if with_view else range(8)
    sparse["indices"]["bufferView"] = file.view(bytes(rows))
    sparse["values"]["bufferView"] = file.view(POINTS[list(rows)].astype("<f4").tobytes())
    view = file.view(wrong.astype("<f4").tobytes()) if with_view else None
    positions = file.accessor(view, 8, 5126, "VEC3", sparse=sparse)
    assert_box(file.add(positions, file.indices()).read())


def broken(change):
    file = File()
    file.add(file.positions(), file.indices())
    change(file.json)
    return file


FAULTS = {
    "no meshes": lambda json: json.pop("meshes"),
    "no primitives": lambda json: json["meshes"][0].pop("primitives"),
    "a number": lambda json: json.update(meshes=[5]),
    "no positions": lambda json: json["meshes"][0]["primitives"][0].update(attributes={}),
    "no accessor": lambda json: json["meshes"][0]["primitives"][0].update(indices=7),
    "text as accessor": lambda json: json["meshes"][0]["primitives"][0].update(indices="0"),
    "compressed": lambda json: json["accessors"][0].pop("bufferView"),
    "other type": lambda json: json["accessors"][0].update(type="VEC2"),
    "other component": lambda json: json["accessors"][0].update(componentType=5130),
    "too many": lambda json: json["accessors"][0].update(count=9),
    "far too many": lambda json: json["accessors"][0].update(count=10**12),
    "negative count": lambda json: json["accessors"][0].update(count=-1),
    "negative offset": lambda json: json["accessors"][0].update(byteOffset=-4),
    "no buffer": lambda json: json["bufferViews"][0].update(buffer=1),
    "short view": lambda json: json["bufferViews"][0].update(byteLength=95),
    "long view": lambda json: json["bufferViews"][1].update(byteOffset=10**6),
    "small stride": lambda json: json["bufferViews"][0].update(byteStride=4),
    "zero stride": lambda json: json["bufferViews"][0].update(byteStride=0),
    "fewer points than indices": lambda json: json["accessors"][0].update(count=7),
    "sparse of nothing": lambda json: json["accessors"][0].update(sparse={}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults(fault):
    assert broken(FAULTS[fault]).read() is None


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e38])
def test_positions_that_are_no_numbers(number):
    file = File()
    points = POINTS.copy()
    points[3, 1] = number
    assert file.add(file.positions(points), file.indices()).read() is None


def test_a_mesh_that_is_not_there():
    assert MeshData({"meshes": []}, lambda _: None).triangles(0) is None
    assert MeshData({"meshes": []}, lambda _: None).triangles(-1) is None
