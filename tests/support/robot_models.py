"""Twenty robots of our own in the kinds that people publish, made from their names alone.

Ten are URDF, ten MJCF. Their links are boxes with colliders that do not touch each other, so that
what is compared is masses, inertia, frames, joints and drives.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

URDF: dict[str, Callable[[], str]] = {}
MJCF: dict[str, Callable[[], str]] = {}
# The corners and faces of a mesh that a robot names.
WEDGE = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def write(name: str, folder: Path) -> Path:
    """Write a robot and its mesh into a folder; returns the file."""
    made, suffix = (URDF[name], "urdf") if name in URDF else (MJCF[name], "xml")
    path = folder / f"{name}.{suffix}"
    path.write_text(made(), encoding="utf-8")
    (folder / "wedge.obj").write_text(WEDGE, encoding="utf-8")
    return path


def link(name, mass=1.0, center=(0, 0, 0), size=(0.1, 0.1, 0.1), turn=(0, 0, 0), off=0.0):
    """A link with the inertia of a box, of which one product is `off` of a moment."""
    x, y, z = (side * side * mass / 12 for side in size)
    words = "{} {} {}".format
    return (
        f'<link name="{name}"><inertial><origin xyz="{words(*center)}" rpy="{words(*turn)}"/>'
        f'<mass value="{mass}"/><inertia ixx="{y + z}" iyy="{z + x}" izz="{x + y}"'
        f' ixy="{off * min(y + z, z + x)}" ixz="0" iyz="0"/></inertial>'
        f'<collision><origin xyz="{words(*center)}"/>'
        f'<geometry><sphere radius="0.02"/></geometry></collision></link>'
    )


def joint(name, kind, parent, child, at=(0, 0, 0), axis=(0, 0, 1), more="", turn=(0, 0, 0)):
    words = "{} {} {}".format
    limit = '<limit lower="-20" upper="20" effort="9" velocity="9"/>'
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{words(*at)}" rpy="{words(*turn)}"/><axis xyz="{words(*axis)}"/>'
        f"{more if '<limit' in more or kind not in ('revolute', 'prismatic') else limit + more}"
        "</joint>"
    )


def damped(value):
    return f'<dynamics damping="{value}"/>'


def robot(name, *parts):
    # MuJoCo joins what does not move, and drops what is only seen, unless it is told not to.
    told = '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco>'
    return f'<robot name="{name}">{told}<link name="world"/>{"".join(parts)}</robot>'


def urdf(make):
    URDF[make.__name__] = make
    return make


def mjcf(make):
    MJCF[make.__name__] = make
    return make


@urdf
def pendulum():
    return robot(
        "pendulum",
        link("bob", 2.0, (0.5, 0, 0), (0.6, 0.1, 0.1)),
        joint("pivot", "continuous", "world", "bob", (0, 0, 1), (0, 1, 0)),
    )


@urdf
def double_pendulum():
    return robot(
        "double_pendulum",
        link("upper", 1.5, (0.4, 0, 0), (0.7, 0.1, 0.1)),
        link("lower", 0.8, (0.3, 0, 0), (0.5, 0.08, 0.08)),
        joint("shoulder", "continuous", "world", "upper", (0, 0, 2), (0, 1, 0), damped(0.3)),
        joint("elbow", "continuous", "upper", "lower", (0.8, 0, 0), (0, 1, 0), damped(0.2)),
    )


@urdf
def cart_pole():
    return robot(
        "cart_pole",
        link("cart", 3.0, (0, 0, 0), (0.4, 0.2, 0.2)),
        link("pole", 0.6, (0, 0, 0.4), (0.05, 0.05, 0.8)),
        joint("rail", "prismatic", "world", "cart", (0, 0, 1), (1, 0, 0), damped(0.5)),
        joint("hinge", "continuous", "cart", "pole", (0, 0, 0.1), (0, 1, 0), turn=(0, 0.6, 0)),
    )


@urdf
def rotary_pendulum():
    return robot(
        "rotary_pendulum",
        link("turntable", 1.2, (0.2, 0, 0), (0.5, 0.1, 0.05)),
        link("rod", 0.4, (0, 0, -0.25), (0.04, 0.04, 0.5)),
        joint("base", "continuous", "world", "turntable", (0, 0, 1), (0, 0, 1), damped(0.02)),
        joint("tip", "continuous", "turntable", "rod", (0.4, 0, 0), (1, 0, 0), turn=(1.2, 0, 0)),
    )


@urdf
def arm_of_six():
    parts, parent = [], "world"
    steps = (
        ((0, 0, 0.2), (0, 0, 1), (0, 0, 0.1), 4.0),
        ((0, 0.1, 0.15), (0, 1, 0), (0.2, 0, 0), 5.0),
        ((0.45, -0.05, 0), (0, 1, 0), (0.18, 0, 0), 2.5),
        ((0.4, 0, 0), (0, 1, 0), (0, 0.06, 0), 1.2),
        ((0, 0.1, 0), (0, 0, 1), (0, 0, -0.06), 1.2),
        ((0, 0, -0.1), (0, 1, 0), (0.05, 0.05, 0), 0.4),
    )
    for number, (at, axis, center, mass) in enumerate(steps):
        name = f"part{number}"
        parts.append(link(name, mass, center, (0.3, 0.15, 0.12)))
        parts.append(joint(f"axis{number}", "revolute", parent, name, at, axis, damped(1.5)))
        parent = name
    return robot("arm_of_six", *parts)


@urdf
def scara():
    return robot(
        "scara",
        link("first", 3.0, (0.2, 0, 0), (0.4, 0.1, 0.1)),
        link("second", 2.0, (0.15, 0, 0), (0.3, 0.1, 0.1)),
        link("quill", 0.5, (0.02, 0, -0.1), (0.05, 0.05, 0.3)),
        link("flange", 0.2, (0.03, 0, 0), (0.1, 0.06, 0.02)),
        # The base leans, so that it falls to one side.
        joint("one", "revolute", "world", "first", (0, 0, 0.5), more=damped(0.4), turn=(0.4, 0, 0)),
        joint("two", "revolute", "first", "second", (0.4, 0, 0), more=damped(0.3)),
        joint("lift", "prismatic", "second", "quill", (0.3, 0, 0), more=damped(12.0)),
        joint("twist", "continuous", "quill", "flange", (0, 0, -0.3), more=damped(0.02)),
    )


@urdf
def gripper():
    fingers = "".join(
        link(f"finger{side}", 0.1, (0, 0, 0.04), (0.02, 0.02, 0.08))
        + joint(
            f"slide{side}",
            "prismatic",
            "tool",
            f"finger{side}",
            (0, side * 0.05, 0.1),
            (0, 1, 0),
            damped(1.0),
        )
        for side in (-1, 1)
    )
    return robot(
        "gripper",
        link("arm", 2.0, (0, 0, 0.2), (0.1, 0.1, 0.4)),
        link("palm", 0.5, (0, 0, 0.03), (0.1, 0.15, 0.05)),
        '<link name="tool"/>',
        joint("swing", "revolute", "world", "arm", (0, 0, 1), (1, 0.2, 0), damped(0.3)),
        joint("mount", "fixed", "arm", "palm", (0, 0, 0.45), turn=(0.3, 0, 0.2)),
        joint("tool_joint", "fixed", "palm", "tool", (0, 0, 0.05)),
        fingers,
    )


@urdf
def hexapod():
    parts = []
    for leg in range(6):
        side, along = (-1 if leg % 2 else 1), (leg // 2 - 1) * 0.3
        upper, lower = f"thigh{leg}", f"shin{leg}"
        parts += [
            link(upper, 0.4, (0, side * 0.1, 0), (0.05, 0.2, 0.05)),
            link(lower, 0.25, (0, side * 0.15, 0), (0.04, 0.3, 0.04)),
            joint(f"hip{leg}", "revolute", "world", upper, (along, side * 0.9, 1), (1, 0, 0),
                  damped(0.05)),
            joint(f"knee{leg}", "revolute", upper, lower, (0, side * 0.2, 0), (1, 0.1 * leg, 0),
                  damped(0.03)),
        ]  # fmt: skip
    return robot("hexapod", *parts)


@urdf
def excavator():
    return robot(
        "excavator",
        link("house", 8.0, (0.1, 0.05, 0.2), (0.6, 0.5, 0.4), (0.1, 0.2, 0.3), 0.1),
        link("boom", 3.0, (0.5, 0, 0.1), (1.0, 0.1, 0.15), (0, 0.3, 0), 0.2),
        link("stick", 1.5, (0.3, 0, 0), (0.6, 0.08, 0.1), (0.4, 0, 0.2), -0.2),
        link("bucket", 0.8, (0.1, 0, -0.1), (0.2, 0.3, 0.2), (0.3, 0.3, 0.3), 0.3),
        joint("slew", "continuous", "world", "house", (0, 0, 0.3), (0.1, 0, 1), damped(2.0)),
        joint("lift", "revolute", "house", "boom", (0.3, 0, 0.3), (0, 1, 0.05), damped(3.0),
              (0, -0.7, 0)),
        joint("crowd", "revolute", "boom", "stick", (1.0, 0, 0.2), (0, 1, 0), damped(1.0),
              (0, 1.2, 0)),
        joint("curl", "revolute", "stick", "bucket", (0.6, 0, 0), (0.1, 1, 0), damped(0.3)),
    )  # fmt: skip


@urdf
def pan_tilt():
    camera = link("camera", 0.6, (0.05, 0.02, 0.03), (0.15, 0.1, 0.08))
    mesh = '<collision name="lens"><geometry><mesh filename="wedge.obj" scale="0.5 0.5 -0.5"/>'
    camera = camera.replace("</link>", f"{mesh}</geometry></collision></link>")
    return robot(
        "pan_tilt",
        link("yoke", 0.5, (0.02, 0, 0.1), (0.1, 0.2, 0.2)),
        camera,
        joint("pan", "continuous", "world", "yoke", (0, 0, 1), (0.3, 0, 1), damped(0.02)),
        joint("tilt", "revolute", "yoke", "camera", (0, 0, 0.2), (0, 1, 0),
              damped(0.01) + '<calibration rising="0"/>'),
    )  # fmt: skip


def model(name, bodies, more="", options=""):
    return (
        f'<mujoco model="{name}"><compiler angle="radian"/><option {options}/>'
        '<default><geom contype="2" conaffinity="1" density="500"/></default>'
        f"<worldbody>{bodies}</worldbody>{more}</mujoco>"
    )


@mjcf
def ball_chain():
    chain = ""
    for number in reversed(range(4)):
        at = "0 0 2" if number == 0 else "0.3 0 0"
        chain = (
            f'<body name="bead{number}" pos="{at}"><joint name="ball{number}" type="ball" '
            f'damping="0.02"/><geom type="capsule" fromto="0.05 0 0 0.25 0 0" size="0.03"/>'
            f"{chain}</body>"
        )
    return model("ball_chain", chain)


@mjcf
def hanging_figure():
    def limb(name, at, axis):
        return (
            f'<body name="upper_{name}" pos="{at}"><joint name="root_{name}" type="ball" '
            'damping="0.1"/><geom type="capsule" fromto="0 0 0 0.05 0 -0.3" size="0.04"/>'
            f'<body name="lower_{name}" pos="0.05 0 -0.35"><joint name="mid_{name}" '
            f'axis="{axis}" range="-2.5 2.5" damping="0.05"/>'
            '<geom type="capsule" fromto="0 0 0 0 0.02 -0.3" size="0.03"/></body></body>'
        )

    limbs = (
        limb("arm_l", "0 0.3 0.4", "0 1 0"),
        limb("arm_r", "0 -0.3 0.4", "0 1 0"),
        limb("leg_l", "0 0.12 -0.2", "0 1 0"),
        limb("leg_r", "0 -0.12 -0.2", "0 1 0.1"),
    )
    torso = '<joint name="hook" axis="0 1 0" pos="0 0 0.6" damping="0.5"/>'
    torso += '<geom type="box" size="0.1 0.2 0.3" pos="0.05 0 0.1"/>'
    return model("hanging_figure", f'<body name="torso" pos="0 0 2">{torso}{"".join(limbs)}</body>')


@mjcf
def spring_slider():
    return model(
        "spring_slider",
        '<body name="weight" pos="0 0 1"><joint name="rail" type="slide" axis="0 0 1" ref="0.1" '
        'stiffness="60" springref="0.2" damping="1.5"/><geom type="box" size="0.1 0.1 0.1"/>'
        '<body name="flap" pos="0.15 0 0"><joint name="flap_hinge" axis="0 1 0" ref="0.3" '
        'stiffness="0.4" springref="0.5" damping="0.03"/>'
        '<geom type="box" size="0.1 0.05 0.01" pos="0.1 0 0"/></body></body>',
    )


@mjcf
def servo_arm():
    return model(
        "servo_arm",
        '<body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping="0.1"/>'
        '<geom type="box" size="0.2 0.03 0.03" pos="0.2 0 0"/>'
        '<body name="fore" pos="0.4 0 0"><joint name="elbow" axis="0 1 0"/>'
        '<geom type="box" size="0.15 0.02 0.02" pos="0.15 0 0"/></body></body>',
        '<actuator><position name="hold" joint="shoulder" kp="8" kv="1"/>'
        '<position name="bend" joint="elbow" kp="3" kv="0.3" forcerange="-1.5 1.5"/></actuator>',
    )


@mjcf
def geared_wheel():
    return model(
        "geared_wheel",
        '<body name="wheel" pos="0 0 1"><joint name="axle" axis="0 1 0" pos="0.01 0 0"/>'
        '<geom type="cylinder" size="0.2 0.03" euler="1.5707963 0 0"/>'
        '<geom type="sphere" size="0.03" pos="0.15 0 0"/></body>'
        '<body name="drum" pos="1 0 1"><joint name="spindle" axis="1 1 0" damping="0.05"/>'
        '<geom type="box" size="0.1 0.02 0.1" pos="0 0 0.1"/></body>',
        '<actuator><velocity name="spin" joint="axle" kv="0.02" gear="3"/>'
        '<general name="lean" joint="spindle" gear="2" biastype="affine" gainprm="0" '
        'biasprm="0.2 -0.5 -0.05"/></actuator>',
    )


@mjcf
def four_bar():
    return model(
        "four_bar",
        '<body name="crank" pos="0 0 1"><joint name="crank_pin" axis="0 1 0" damping="0.05"/>'
        '<geom type="capsule" fromto="0 0 0 0.2 0 0.1" size="0.02"/>'
        '<body name="coupler" pos="0.2 0 0.1"><joint name="coupler_pin" axis="0 1 0" '
        'damping="0.02"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/></body></body>'
        '<body name="rocker" pos="0.7 0 0.8"><joint name="rocker_pin" axis="0 1 0" '
        'damping="0.05"/><geom type="capsule" fromto="0 0 0 0 0 0.3" size="0.02"/></body>',
        '<equality><connect name="closing" body1="coupler" body2="rocker" anchor="0.5 0 0" '
        'solref="0.002 1"/></equality>',
    )


@mjcf
def slider_crank():
    return model(
        "slider_crank",
        '<body name="flywheel" pos="0 0 1"><joint name="main_bearing" axis="0 1 0" '
        'damping="0.1"/><geom type="box" size="0.15 0.02 0.05" pos="0.05 0 0"/>'
        '<body name="rod" pos="0.2 0 0"><joint name="crank_pin" axis="0 1 0" damping="0.01"/>'
        '<geom type="capsule" fromto="0 0 0 0.6 0 0" size="0.02"/></body></body>'
        '<body name="piston" pos="0.8 0 1"><joint name="bore" type="slide" axis="1 0 0" '
        'damping="2"/><geom type="box" size="0.05 0.05 0.05"/></body>',
        '<equality><connect name="wrist_pin" body1="rod" body2="piston" anchor="0.6 0 0" '
        'solref="0.002 1"/></equality>',
    )


@mjcf
def floating_cluster():
    return model(
        "floating_cluster",
        '<body name="hub" pos="0 0 5" gravcomp="0.5"><freejoint name="afloat"/>'
        '<geom type="box" size="0.2 0.2 0.1"/>'
        '<body name="panel" pos="0.25 0 0"><joint name="panel_hinge" axis="0 1 0" stiffness="3" '
        'springref="0.8" damping="0.1"/><geom type="box" size="0.2 0.1 0.01" pos="0.2 0 0"/></body>'
        '<body name="mast" pos="0 0 0.1"><joint name="mast_hinge" axis="1 0.2 0" stiffness="1" '
        'springref="-0.5" damping="0.05"/><geom type="capsule" fromto="0 0 0 0.05 0 0.5" '
        'size="0.02"/></body></body>',
    )


@mjcf
def gantry():
    return model(
        "gantry",
        '<body name="head" pos="0 0 2"><joint name="along" type="slide" axis="1 0 0" damping="1"/>'
        '<joint name="across" type="slide" axis="0 1 0" damping="2"/>'
        '<joint name="up" type="slide" axis="0 0 1" stiffness="80" damping="8"/>'
        '<geom type="box" size="0.1 0.1 0.1"/>'
        '<body name="jib" pos="0.1 0 -0.1"><joint name="jib_hinge" axis="0.2 1 0" damping="0.03"/>'
        '<geom type="box" size="0.2 0.02 0.02" pos="0.25 0.03 0"/></body></body>',
        options='gravity="1 0.5 -9"',
    )


@mjcf
def door():
    return model(
        "door",
        '<body name="frame" pos="0 0 1"><geom type="box" size="0.05 0.05 1"/>'
        '<body name="leaf" pos="0.1 0 0" euler="0.05 0 0"><joint name="hinges" axis="0 0 1" '
        'range="-1 2" ref="1.2" stiffness="4" springref="0.2" damping="1.2"/>'
        '<geom type="box" size="0.4 0.02 0.9" pos="0.45 0 0"/>'
        '<body name="latch" pos="0.8 0.05 0"><joint name="latch_slide" type="slide" axis="0 1 0" '
        'stiffness="200" damping="5"/><geom type="box" size="0.02 0.05 0.02"/></body>'
        "</body></body>",
    )
