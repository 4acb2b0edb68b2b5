"""What a recording of a preview says in files."""

import csv
import io
import json

import numpy as np
import pytest

from omi_physics_addon.geometry.rotations import rotations_of_vectors
from omi_physics_addon.simulation.recording import Passage, Recording, to_csv, to_json
from omi_physics_addon.simulation.state import Masses, State


def masses(center):
    one, zero = np.ones(1), np.zeros((1, 3, 3))
    return Masses(one, one, zero, zero, np.array([center]), np.array([True]), one)


def state(angle, place=(0.0, 0.0, 0.0)):
    turn = rotations_of_vectors(np.array([[0.0, angle, 0.0]]))
    return State(np.array([place]), turn, np.array([[1.0, 2.0, 3.0]]), np.array([[0.0, angle, 0]]))


@pytest.fixture
def recording():
    made = Recording(("Böx, 1",), ("dynamic",))
    for i in range(9):
        made.add(i / 60.0, state(i * np.pi / 4.0, (0.0, float(i), 0.0)), masses((1.0, 0.0, 0.0)))
    return made


def test_places_are_those_of_the_nodes(recording):
    """The centre of mass is one metre along the body's X, which turns toward -Z."""
    assert recording.places[0][0] == pytest.approx([-1.0, 0.0, 0.0])
    assert recording.places[2][0] == pytest.approx([0.0, 2.0, 1.0])


def test_rotations_do_not_jump(recording):
    turns = np.array(recording.rotations)[:, 0]
    assert (np.einsum("ij,ij->i", turns[1:], turns[:-1]) > 0.9).all()
    assert turns[8] == pytest.approx([0.0, 0.0, 0.0, -1.0])


def test_json(recording):
    text = to_json(recording, [Passage(0.5, "a", "b", True)], [("Near only", ("a", "c"))])
    data = json.loads(text)
    body = data["bodies"][0]
    assert (body["name"], body["type"]) == ("Böx, 1", "dynamic")
    assert np.shape(body["position"]) == (9, 3)
    assert np.shape(body["rotation"]) == (9, 4)
    assert body["linearVelocity"][3] == [1.0, 2.0, 3.0]
    assert body["angularVelocity"][4] == pytest.approx([0.0, np.pi, 0.0])
    assert data["times"][6] == pytest.approx(0.1)
    assert data["events"] == [{"time": 0.5, "body": "a", "trigger": "b", "entered": True}]
    assert data["notExact"] == [{"text": "Near only", "objects": ["a", "c"]}]
    assert "-0.0," not in text


def test_csv_says_the_same(recording):
    rows = list(csv.DictReader(io.StringIO(to_csv(recording))))
    assert len(rows) == 9
    data = json.loads(to_json(recording))["bodies"][0]
    row = rows[5]
    assert row["name"] == "Böx, 1"
    assert [float(row[k]) for k in ("x", "y", "z")] == data["position"][5]
    assert [float(row[k]) for k in ("qx", "qy", "qz", "qw")] == data["rotation"][5]
    assert [float(row[k]) for k in ("vx", "vy", "vz")] == data["linearVelocity"][5]
    assert [float(row[k]) for k in ("wx", "wy", "wz")] == data["angularVelocity"][5]


def test_nothing_recorded_gives_valid_files():
    empty = Recording((), ())
    assert json.loads(to_json(empty))["bodies"] == []
    assert len(to_csv(empty).splitlines()) == 1


def test_no_number_that_json_does_not_know_is_written() -> None:
    recording = Recording(("a",), ("dynamic",))
    recording.add(0.0, state(0.0, (np.nan, 0.0, 0.0)), masses((0.0, 0.0, 0.0)))
    with pytest.raises(ValueError, match="JSON"):
        to_json(recording)
