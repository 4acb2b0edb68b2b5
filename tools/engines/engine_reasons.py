"""Why the preview differs from engines of others, file by file; `compare_engines` writes it down.

Each reason was found by measuring, and says what was measured.
"""

from __future__ import annotations

from typing import Final

REASONS: Final[dict[str, str]] = {
    "flat landing": (
        "where a drum or a hull lands flat, Bullet begins with one place "
        "of contact, and the body is thrown aside a little. Small balls around its rims leave "
        "at most 4 of 13 cm of that, but 500 such bodies then take 47 ms a frame in place of "
        "5."
    ),
    "bumpy ground": (
        "the bodies of ShapeTypes fall on an uneven mesh. The ball touches two triangles within "
        "1 mm of height; in Havok it leaves along the steeper one, a fifth faster, in the "
        "preview and in Godot along the lower one, within 1 mm of each other for half a second. "
        "From the second contact on, each body goes its own way in every engine."
    ),
    "several contacts": (
        "balls that strike one that lies on the floor touch at several places at once, all with "
        "friction; who turns whom depends on the order of the solver. The first ball lies still "
        "until 0.3 s everywhere; 0.1 s later it turns by 2.3 rad/s in the preview, at 240 as at "
        "1200 steps a second, and hardly in Godot."
    ),
    "rocking": (
        "two joined capsules land one after the other and rock. What is left of their turning "
        "differs, also from step to step: the end that lifts rises to 0.26 m in the preview, "
        "to 0.26 m at 60 and 0.31 m at 240 steps a second in Godot, to 0.44 m in Babylon.js, "
        "where it then falls off the floor."
    ),
    "touching cubes": (
        "cubes on joints at their corners touch while they swing. Until then all agree; then "
        "those of the preview begin to turn about the vertical, as Bullet's places of contact "
        "are not symmetrical, and those of the engines do not."
    ),
    "balanced pole": (
        "a pole stands on a joint that begins to circle. It begins to fall with 0.36 rad/s "
        "after 0.1 s in the preview, where the formula for a jerked pendulum gives 0.33, and "
        "about a third of that in Havok, which is as far 0.2 s later."
    ),
    "ends of limits": "at ends of angles Havok throws back, by 3 cm, and Bullet does not.",
    "steps of the engine": (
        "the engine itself is not settled. RigidBodies_Joint_07 is at -1.99, -1.93 and -1.90 m "
        "with 60, 120 and 240 steps a second, and at -1.86 m in the preview; the honeycomb of "
        "Materials_Friction is at 0.36 and 0.30 m with 60 and 240 after it has landed on its "
        "slope, and at 0.40 m in the preview."
    ),
    "room of joints": (
        "what swings where a joint leaves room along three axes cannot rise above its start. "
        "The cube of JointTypes later gets as far as 0.24 m above it in Havok, 0.22 m below "
        "it in the preview, and 0.34 m below it in Godot."
    ),
    "motors": ("Babylon.js turns motors 2.3 times as fast as they are told: 3.6 for 1.57 rad/s."),
    "no filters": (
        "Godot does not read filters, so the preview goes without them too, and bodies that lie "
        "in each other are thrown apart. An arm of the robot moves by 4 cm in 0.05 s, and with "
        "filters by less than 1 mm."
    ),
    "start of joints": (
        "Godot measures joints from where the two bodies are when they are loaded, not from "
        "where the two frames meet."
    ),
    "moved by velocity": (
        "Godot does not move kinematic bodies by the velocities that the file gives them."
    ),
    "moving meshes": (
        "a moving triangle mesh is its hull in the preview; Havok keeps its hollows, and in "
        "Godot it falls through everything."
    ),
    "soft sliders": (
        "Babylon.js holds what is soft across the bar of slider_ball hard, and lets the ball run "
        "through the end along it; in the preview it gives way by what the springs say."
    ),
    "long lever": (
        "springs pull at a lever of 1.2 m of a ball that is light to turn, and their forces stay "
        "the same for a frame. The equations of the ball, solved in steps of 0.02 ms, are met "
        "within 0.02 m at a rate of 240, and within 0.5 m at 60, after 15 m; *Differences from "
        "Export* names it."
    ),
    "soft across": (
        "a spring of 0.7 N/m lets the ball of 1 kg hang 14.0 m lower, which the preview and Godot "
        "show; Babylon.js holds what is soft across the bar hard."
    ),
    "no ground": (
        "with no ground below, Godot's hover thrusters push themselves off the origin of the "
        "world; in the preview they have nothing to push."
    ),
    "many joints": (
        "17 bodies hang on each other by springs and limits. The preview is within 3 cm of "
        "Babylon.js for a second, and within 7 cm for five."
    ),
}

_KINDS: Final = "RigidBodies_ColliderTypeMatrix"
_JOINT: Final = "RigidBodies_Joint"

# Of a file, and an engine's key, the reasons.
WHY: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("ball_pit", "babylon"): ("several contacts",),
    ("ball_pit", "godot"): ("several contacts",),
    ("hovercraft", "godot"): ("no ground",),
    ("simple_joint", "babylon"): ("rocking",),
    ("simple_joint", "godot"): ("rocking",),
    ("slider_ball", "babylon"): ("soft sliders",),
    ("swing_and_slide", "babylon"): ("soft across",),
    ("swing_and_slide", "godot"): ("long lever",),
    ("weld_joint", "babylon"): ("rocking",),
    ("weld_joint", "godot"): ("rocking",),
    ("JointTypes", "babylon"): (
        "touching cubes",
        "room of joints",
        "balanced pole",
        "ends of limits",
        "motors",
    ),
    ("JointTypes", "godot"): ("touching cubes", "moved by velocity", "room of joints"),
    ("Materials_Friction", "babylon"): ("steps of the engine",),
    ("Robot_skinned", "babylon"): ("many joints",),
    ("Robot_skinned", "godot"): ("no filters",),
    ("ShapeTypes", "babylon"): ("bumpy ground", "moving meshes"),
    ("ShapeTypes", "godot"): ("bumpy ground", "moving meshes"),
    ("WaterWheel", "babylon"): ("moving meshes",),
    ("WaterWheel", "godot"): ("moving meshes", "no filters", "moved by velocity"),
    (f"{_KINDS}_09", "babylon"): ("flat landing",),
    (f"{_KINDS}_09", "godot"): ("flat landing",),
    (f"{_KINDS}_22", "babylon"): ("flat landing",),
    (f"{_KINDS}_29", "godot"): ("moving meshes",),
    (f"{_KINDS}_35", "godot"): ("moving meshes",),
    (f"{_JOINT}_07", "babylon"): ("steps of the engine",),
    (f"{_JOINT}_07", "godot"): ("start of joints",),
    (f"{_JOINT}_10", "godot"): ("start of joints",),
}
