"""Every kind of expectation, where it holds and where it fails, over plays that were made up."""

import math
import random

import numpy as np
import pytest

from omi_physics_addon.expectations.film import Film
from omi_physics_addon.expectations.judging import judge
from omi_physics_addon.expectations.reading import read
from omi_physics_addon.expectations.records import ExpectationError
from omi_physics_addon.issue_codes import Severity
from omi_physics_addon.issues import Issue
from omi_physics_addon.model.joints import JointLimit
from omi_physics_addon.simulation.recording import Passage, PassedBy, Recording
from omi_physics_addon.simulation.state import WORLD, Masses
from omi_physics_addon.simulation.world import Frame, JointFrames

FPS, SECONDS = 20, 2.0


def limits(*, turning: bool):
    """A hinge about Y, or a slide along X."""
    linear = () if turning else (0,)
    rows = [
        JointLimit(linear_axes=(axis,), min=0.0, max=0.0) for axis in range(3) if axis not in linear
    ]
    angular = (0, 2) if turning else (0, 1, 2)
    return (*rows, JointLimit(angular_axes=angular, min=0.0, max=0.0))


def joint(body, *, turning):
    there = Frame(WORLD, np.zeros(3), np.eye(3))
    return JointFrames(
        0, Frame(body, np.zeros(3), np.eye(3)), there, limits(turning=turning), (), False
    )


def film(**changes):
    """Ball runs along X by 1 m/s for 1 s and then rests; Door turns about Y by 60 deg/s."""
    recording = Recording(("Ball", "Door", "Wall"), ("dynamic", "dynamic", "static"))
    for frame in range(round(FPS * SECONDS) + 1):
        time = frame / FPS
        runs = time < 1.0
        half = math.radians(60.0 * time) / 2.0
        recording.times.append(time)
        recording.places.append(np.array([[min(time, 1.0), 0.0, 0.5], [0.0] * 3, [0, 0, -3.0]]))
        turn = [0.0, math.sin(half), 0.0, math.cos(half)]
        recording.rotations.append(np.array([[0, 0, 0, 1.0], turn, [0, 0, 0, 1.0]]))
        recording.velocities.append(np.array([[float(runs), 0, 0], [0.0] * 3, [0.0] * 3]))
        recording.spins.append(np.array([[0.0] * 3, [0, math.radians(60.0), 0], [0.0] * 3]))
    values = {
        "recording": recording,
        "masses": Masses(
            mass=np.array([2.0, 1.0, np.inf]),
            inverse_mass=np.array([0.5, 1.0, 0.0]),
            inertia_local=np.tile(np.eye(3), (3, 1, 1)),
            inverse_inertia_local=np.tile(np.eye(3), (3, 1, 1))
            * np.array([1, 1, 0])[:, None, None],
            center_local=np.zeros((3, 3)),
            is_dynamic=np.array([True, True, False]),
            gravity_factor=np.ones(3),
        ),
        "joints": (("Hinge", joint(1, turning=True)), ("Slide", joint(0, turning=False))),
        "triggers": ("Zone",),
        "passages": (Passage(0.5, "Ball", "Zone", True), Passage(0.8, "Ball", "Zone", False)),
        "passed": (),
        "gravity": np.array([0.0, -9.81, 0.0]),
        "has_volumes": False,
        "issues": (Issue("B16", "/nodes/1", "it balances elsewhere", Severity.INFO),),
    }
    return Film(**(values | changes))


def verdict(text, played=None, top=""):
    wanted = read(f"seconds = 2\n{top}\n[[expect]]\n{text}\n", "f")
    (found,) = judge(wanted, played or film())
    assert found.to_json()["line"] >= 3
    return found.failures


# What holds, the neighbour that fails, and what is told of it.
PAIRS = {
    "speed": (
        'body="Ball"\nspeed_m_per_s={max=1.1}',
        'body="Ball"\nspeed_m_per_s={max=0.9}',
        "Ball: speed was 1 m/s at 0.00 s, at [0, 0, 0.5] m; wanted at most 0.9 m/s",
    ),
    "speed within": (
        'body="Ball"\nspeed_m_per_s={min=0.9}\nwithin_s=1',
        'body="Ball"\nspeed_m_per_s={min=1.5}\nwithin_s=1',
        "Ball: speed came nearest with 1 m/s",
    ),
    "speed at": (
        'body="Ball"\nspeed_m_per_s={max=0}\nat_s=1.5',
        'body="Ball"\nspeed_m_per_s={max=0}\nat_s=0.5',
        "at 0.50 s",
    ),
    "speed from": (
        'body="Ball"\nspeed_m_per_s={max=0}\nfrom_s=1',
        'body="Ball"\nspeed_m_per_s={max=0}\nto_s=1',
        "at 0.00 s",
    ),
    "velocity": (
        'body="Ball"\nvelocity_m_per_s={min=[0,0,0],max=[1,0,0]}',
        'body="Ball"\nvelocity_m_per_s={min=[0,0,0],max=[0.5,0,0]}',
        "velocity was [1, 0, 0] m/s",
    ),
    "spin": (
        'body="Door"\nspin_deg_per_s={is=60,tolerance=0.1}',
        'body="Door"\nspin_deg_per_s={is=50,tolerance=0.1}',
        "spin was 60 deg/s",
    ),
    "box": (
        'body="*"\nplace_m={min=[-1,-1,-1],max=[2,1,1]}',
        'body="*"\nplace_m={min=[-1,-1,-1],max=[0.5,1,1]}',
        "Ball: place was [1, 0, 0.5] m at 1.00 s",
    ),
    "place at": (
        'body="Ball"\nplace_m={is=[0.5,0,0.5],tolerance=0.01}\nat_s=0.5',
        'body="Ball"\nplace_m={is=[0.5,0,0.5],tolerance=0.01}\nat_s=0.6',
        "place was [0.6, 0, 0.5] m at 0.60 s",
    ),
    "moved": (
        'body="Ball"\nmoved_m={max=1.01}',
        'body="Ball"\nmoved_m={max=0.99}',
        "moved was 1 m",
    ),
    "turned": (
        'body="Door"\nturned_deg={max=121}',
        'body="Door"\nturned_deg={max=119}',
        "turned was 120 deg at 2.00 s",
    ),
    "distance": (
        'body="Ball"\ndistance_m={min=3.5}\nto="Wall"',
        'body="Ball"\ndistance_m={min=3.6}\nto="Wall"',
        "distance was 3.5 m at 0.00 s",
    ),
    "angle": (
        'joint="Hinge"\nangle_deg={min=0,max=121}',
        'joint="Hinge"\nangle_deg={min=0,max=110}',
        "Hinge: angle was 120 deg at 2.00 s; wanted at least 0 deg and at most 110 deg",
    ),
    "angle about": (
        'joint="Hinge"\nangle_deg={max=0.001}\naxis="x"',
        'joint="Hinge"\nangle_deg={max=0.001}\naxis="y"',
        "angle was 120 deg",
    ),
    "slide": (
        'joint="Slide"\nslide_m={min=0,max=1.01}',
        'joint="Slide"\nslide_m={min=-1.01,max=0}',
        "slide was 1 m",
    ),
    "gap": (
        'joint="Hinge"\ngap_m={max=0.01}',
        'joint="Slide"\ngap_m={max=0.01}',
        "Slide: gap was 0.5 m",
    ),
    "chain": (
        'chain=["Ball","Wall"]\nlength_m={max=3.65}',
        'chain=["Ball","Wall"]\nlength_m={max=3.6}',
        "Ball to Wall: length was 3.64 m at 1.00 s",
    ),
    "rest": (
        'body="Ball"\nrests_within_s=1',
        'body="Door"\nrests_within_s=1',
        "Door: moved at 2.00 s by 0 m/s and 60 deg/s; wanted rest from 1 s on",
    ),
    "entered": (
        'trigger="Zone"\nentered_by="Ball"\nwithin_s=0.6',
        'trigger="Zone"\nentered_by="Ball"\nwithin_s=0.3',
        "Zone: Ball entered it only at 0.50 s",
    ),
    "left": (
        'trigger="Zone"\nleft_by="Ball"',
        'trigger="Zone"\nleft_by="Door"',
        "Zone: Door left it at no time",
    ),
    "not entered": (
        'trigger="Zone"\nnot_entered_by="Door"',
        'trigger="Zone"\nnot_entered_by="*"',
        "Zone: Ball entered it at 0.50 s",
    ),
    "not left": (
        'trigger="Zone"\nnot_left_by="Ball"\nto_s=0.6',
        'trigger="Zone"\nnot_left_by="Ball"\nto_s=0.9',
        "Zone: Ball left it at 0.80 s",
    ),
    "energy": (
        "energy_gain_j={max=0.001}",
        "energy_gain_j={min=-0.5}",
        "scene: energy gain was -1 J at 1.00 s; wanted at least -0.5 J",
    ),
    "issues": ('worst_issue="info"', 'worst_issue="none"', "INFO B16 /nodes/1"),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_each_kind_holds_and_fails(kind):
    good, bad, message = PAIRS[kind]
    assert verdict(good) == ()
    failures = verdict(bad)
    assert any(message in failure for failure in failures), failures


def test_nothing_may_pass_through():
    assert verdict("passes_through=false") == ()
    passed = (PassedBy(0.25, "Ball", "Wall"),)
    told = verdict("passes_through=false", film(passed=passed))
    assert told == ("Ball passed through Wall at 0.25 s",)


def test_warnings_and_errors_are_worse():
    warning = Issue("B25", "/nodes/1", "it starts inside", Severity.WARNING)
    error = Issue("B05", "/nodes/1", "no", Severity.ERROR)
    assert verdict('worst_issue="warning"', film(issues=(warning,))) == ()
    assert verdict('worst_issue="info"', film(issues=(warning,))) == (str(warning),)
    assert verdict('worst_issue="warning"', film(issues=(warning, error))) == (str(error),)


def test_blenders_axes():
    top = 'axes = "blender"'
    assert verdict('body="Ball"\nplace_m={is=[1,-0.5,0],tolerance=0.01}\nat_s=2', top=top) == ()
    hinge = 'joint="Hinge"\nangle_deg={is=120,tolerance=0.1}\nat_s=2'
    assert verdict(hinge, top=top) == verdict(hinge + '\naxis="z"', top=top) == ()
    assert verdict(hinge + '\naxis="y"', top=top)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('body="Bal"\nrests_within_s=1', "there is no body Bal; did you mean Ball"),
        ('body="Tree *"\nrests_within_s=1', "no body is called Tree *"),
        ('joint="Hing"\ngap_m={max=1}', "there is no joint Hing; did you mean Hinge?"),
        ('trigger="Zona"\nentered_by="Ball"', "there is no trigger Zona; did you mean Zone?"),
        ('trigger="Zone"\nentered_by="Bull"', "there is no body Bull; did you mean Ball"),
        ('body="Ball"\ndistance_m={max=1}\nto="Floor"', "there is no body Floor"),
        ('joint="Slide"\nangle_deg={max=1}', "turns about 0 axes; say axis"),
        ('chain="Ball"\nlength_m={max=1}', "a chain needs at least two bodies"),
    ],
)
def test_unknown_names_are_told_with_near_ones(text, message):
    with pytest.raises(ExpectationError, match=r"f:\d+: \[\[expect\]\] 1: ") as told:
        verdict(text)
    assert message in str(told.value)


def test_energy_needs_the_gravity_of_the_scene_alone():
    with pytest.raises(ExpectationError, match="where volumes have gravity"):
        verdict("energy_gain_j={max=1}", film(has_volumes=True))


def test_bounds_and_windows_at_random():
    """Against the same said in plain Python, over speeds of the ball."""
    chance = random.Random(5)
    played = film()
    speeds = list(
        zip(played.recording.times, [float(t < 1.0) for t in played.recording.times], strict=True)
    )
    seen = set()
    for _ in range(100):
        low = chance.uniform(-0.5, 1.5)
        start, end = sorted((chance.randrange(41) / FPS, chance.randrange(41) / FPS))
        once = chance.random() < 0.5
        times = f"within_s={end}" if once else f"from_s={start}\nto_s={end}"
        inside = [v >= low for t, v in speeds if (once or t >= start - 1e-9) and t <= end + 1e-9]
        holds = any(inside) if once else all(inside)
        found = verdict(f'body="Ball"\nspeed_m_per_s={{min={low}}}\n{times}', played)
        assert (found == ()) == holds, (low, times)
        seen.add((once, holds))
    assert len(seen) == 4
