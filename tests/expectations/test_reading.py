import random

import pytest

from omi_physics_addon.expectations.reading import read
from omi_physics_addon.expectations.records import ExpectationError, Range, Rest, Window

GOOD = """\
seconds = 4
axes = "blender"

[[input]]
vehicle = "Car"
throttle = 1
from_s = 1

[[expect]]
body = "Car"
place_m = { min = [0, 1, 2], max = [3, 4, 5] }
at_s = 2

[[expect]]
joint = "Hinge"
axis = "y"
angle_deg = { is = 90, tolerance = 2 }
within_s = 3

[[expect]]
body = "*"
rests_within_s = 1.5
"""


def test_tables_become_records():
    found = read(GOOD, "car.expect.toml")
    assert (found.seconds, found.fps, found.is_blender) == (4.0, 60, True)
    (told,) = found.inputs
    assert (told.name, told.values, told.window) == ("Car", {"throttle": 1.0}, Window(1.0, 4.0))
    box, angle, rest = found.expectations
    assert box.want == Range("place_m", (0.0, 1.0, 2.0), (3.0, 4.0, 5.0))
    assert box.window == Window(2.0, 2.0)
    assert angle.want == Range("angle_deg", (88.0,), (92.0,), axis=1)
    assert angle.window == Window(0.0, 3.0, is_once=True)
    assert rest.want == Rest(1.5, 0.05, 3.0)
    assert str(box.place) == "car.expect.toml:11: [[expect]] 1"


def test_the_play_lasts_as_long_as_times_need():
    assert read("[[expect]]\nbody='A'\nrests_within_s=2", "f").seconds == 5.0
    assert read("[[expect]]\nbody='A'\nrests_within_s=8", "f").seconds == 8.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = ", "f: this is no TOML"),
        (f"a = {'[' * 5000}", "f: this is no TOML: it is nested too deep"),
        ("", "f: there is no table [[expect]]"),
        ("second = 2", "f:1: top: there is no key second; did you mean seconds?"),
        ("seconds = true\n[[expect]]\nworst_issue='none'", "f:1: top: seconds must be a number"),
        ("fps = 0.5\n[[expect]]\nenergy_gain_j={max=1}", "fps must be a whole number, 1 to 960"),
        ("expect = 3", "f:1: top: expect must be tables, each headed by [[expect]]"),
        ("axes = 'z'\n[[expect]]\nenergy_gain_j={max=1}", "axes must be one of gltf, blender"),
        ("[[expect]]", "f:1: [[expect]] 1: what is expected of a scene needs one of"),
        ("[[expect]]\nbodi = 'A'", "f:2: [[expect]] 1: there is no key bodi; did you mean body"),
        (
            "[[expect]]\nbody='A'\nspeed={max=1}",
            "there is no key speed; did you mean speed_m_per_s",
        ),
        ("[[expect]]\nbody='A'", "what is expected of a body needs one of speed_m_per_s"),
        ("[[expect]]\nbody='A'\njoint='B'\ngap_m={max=1}", "needs one of body, joint"),
        ("[[expect]]\nbody='A'\nspeed_m_per_s=1", "speed_m_per_s must be { min"),
        ("[[expect]]\nbody='A'\nspeed_m_per_s={}", "speed_m_per_s must be { min"),
        ("[[expect]]\nbody='A'\nspeed_m_per_s={is=1}", "speed_m_per_s must be { min"),
        ("[[expect]]\nbody='A'\nspeed_m_per_s={most=1}", "speed_m_per_s has no most"),
        ("[[expect]]\nbody='A'\nspeed_m_per_s={min=2,max=1}", "min of speed_m_per_s is above"),
        ("[[expect]]\nbody='A'\nplace_m={min=1}", "min of place_m must be three numbers"),
        ("[[expect]]\nbody='A'\nspeed_m_per_s={min='1'}", "min of speed_m_per_s must be a number"),
        ("[[expect]]\nbody='A'\nspeed_m_per_s={is=1,tolerance=-1}", "tolerance of speed_m_per_s"),
        ("[[expect]]\nbody=3\nrests_within_s=1", "body must be a name in quotes"),
        ("[[expect]]\nbody='A'\ndistance_m={max=1}", "distance_m and to"),
        ("[[expect]]\njoint='A'\ngap_m={max=1}\naxis='w'", "axis must be one of x, y, z"),
        ("seconds=2\n[[expect]]\nbody='A'\nrests_within_s=3", "rests_within_s is after the end"),
        ("seconds=2\n[[expect]]\nbody='A'\nmoved_m={max=1}\nat_s=3", "at_s is after the end"),
        ("[[expect]]\nbody='A'\nmoved_m={max=1}\nat_s=3\nto_s=4", "at_s cannot be with"),
        ("[[expect]]\nbody='A'\nmoved_m={max=1}\nfrom_s=3\nto_s=2", "from_s 3 is after the end 2"),
        ("[[expect]]\nbody='A'\nrests_within_s=1\nat_s=2", "at_s cannot be with rests_within_s"),
        ("[[expect]]\ntrigger='T'\nnot_entered_by='A'\nwithin_s=2", "use to_s"),
        ("[[expect]]\npasses_through=true", "passes_through must be false"),
        ("[[expect]]\nworst_issue='bad'", "worst_issue must be one of none, info, warning"),
        ("[[input]]\nvehicle='C'\n[[expect]]\nworst_issue='none'", "an input of a vehicle needs"),
        ("[[input]]\nvehicle='C'\nthrottle=2\n[[expect]]\nworst_issue='none'", "at most 1"),
        ("[[input]]\njoint='C'\ntarget=2\n[[expect]]\nworst_issue='none'", "no key target"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text, message):
    with pytest.raises(ExpectationError) as told:
        read(text, "f")
    assert message in str(told.value)
    assert str(told.value).startswith("f:")


def test_damaged_files_are_read_or_refused_with_a_message():
    chance = random.Random(17)
    pieces = ["[", "]", "=", "'x'", "-1", "{", "}", "true", "inf", "nan", "\n", "1e400", "[1]", ""]
    messages: list[str] = []
    for _ in range(300):
        at = chance.randrange(len(GOOD))
        text = GOOD[:at] + chance.choice(pieces) + GOOD[at + chance.randrange(6) :]
        try:
            assert read(text, "f").expectations
        except ExpectationError as problem:
            messages.append(str(problem))
    assert all(message.startswith("f:") for message in messages)
    assert 100 < len(messages) < 300
