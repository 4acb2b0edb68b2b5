"""The clicks of five first steps: with the add-on, with Blender's own rigid bodies, and in Godot.

Every press of a mouse button is one, every value typed and every key that selects. Objects are
modelled, the tab is open, in Godot the file is imported with its defaults and its scene is open.
Those of the add-on are counted in a Blender with a window (walks.py); the others are the shortest
way that we know, step by step.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

Steps = tuple[tuple[int, str], ...]  # How many clicks, and for what.


class Task(NamedTuple):
    """One first step.

    Attributes:
        walk: its name in walk_scenes.py.
        ours, blender, godot: what is clicked.
    """

    title: str
    walk: str
    ours: Steps
    blender: Steps
    godot: Steps


def total(steps: Iterable[tuple[int, str]]) -> int:
    """How many clicks some steps are."""
    return sum(count for count, _ in steps)


_IMPORT: Final = (1, "double-click the file: *Advanced Import Settings*")
_COPIES: Final = "Object > Rigid Body > Copy from Active"

TASKS: Final = (
    Task(
        "A crate that falls",
        "crate",
        ((1, "the crate"), (1, "*Make the Selection Fall*")),
        ((1, "the crate"), (1, "*Rigid Body*")),
        (
            _IMPORT,
            (1, "the crate"),
            (1, "*Physics*"),
            (2, "*Body Type*: *Dynamic*"),
            (1, "*Reimport*"),
        ),
    ),
    Task(
        "A door from 0° to 110°",
        "door",
        (
            (2, "the door and the post"),
            (1, "*Connect Selected*"),
            (1, "its panel"),
            (1, "*Limit Turn*"),
            (2, "*Min*, *Max*"),
            (1, "*Soft*"),
        ),
        (
            (2, "the door, *Rigid Body*"),
            (4, "the post, *Rigid Body*, *Type*: *Passive*"),
            (1, "the door, too"),
            (3, "Object > Rigid Body > Connect"),
            (2, "the new empty, where it is along X"),
            (2, "*Type*: *Hinge*"),
            (3, "*Z Angle*, *Lower*, *Upper*"),
        ),
        (
            _IMPORT,
            (4, "the door, *Physics*, *Body Type*: *Dynamic*"),
            (2, "the post, *Physics*"),
            (1, "*Reimport*"),
            (4, "the root, *Add Child Node*, HingeJoint3D, *Create*"),
            (2, "where it is, and its turn"),
            (6, "*Node A*, *Node B*, each picked from a list"),
            (4, "*Angular Limit*, *Enable*, *Upper*, *Lower*"),
        ),
    ),
    Task(
        "A car from a chassis and four wheels, on a ground",
        "rigged_car",
        ((1, "the chassis"), (1, "*Make Vehicle*"), (1, "*Make the Rest Solid*")),
        (
            (4, "the ground, *Rigid Body*, *Type*: *Passive*"),
            (2, "the chassis, *Rigid Body*"),
            (7, "four wheels, Object > Rigid Body > Add Active"),
            (5, f"*Shape*: *Cylinder*, {_COPIES}"),
            (8, "the chassis last, Object > Rigid Body > Connect"),
            (4, "*Type*: *Hinge*, *Location*: *Selected*"),
            (5, "the four empties, and their turn; neither springs nor motor nor steering"),
        ),
        (
            (4, "the ground, Mesh > *Create Collision Shape*, *Create*"),
            (4, "the chassis, *Change Type*, VehicleBody3D, *Change*"),
            (6, "its mesh, *Create Collision Shape* as a *Sibling*, *Create*"),
            (16, "each wheel, *Change Type*, VehicleWheel3D, *Change*"),
            (4, "four times *Radius*"),
            (4, "*Traction* and *Steering* of two wheels each; the keys are a script"),
        ),
    ),
    Task(
        "A ragdoll of 11 bones with limits",
        "ragdoll",
        ((1, "the skeleton"), (1, "*Make Ragdoll*")),
        (
            (55, "for each bone a cube: Add > Mesh > Cube, its place, its size"),
            (4, "all of them, Object > Rigid Body > Add Active"),
            (30, "for each pair Object > Rigid Body > Connect"),
            (20, "for each pair the two"),
            (20, "for each empty *Type*: *Generic*"),
            (90, "for each empty three ticks and six values"),
            (44, "for each bone a *Copy Transforms* with its cube"),
        ),
        (
            (3, "the skeleton, Skeleton3D > *Create Physical Skeleton*"),
            (30, "for each bone but one, *Joint Type*: *Cone*"),
            (20, "for each *Swing Span* and *Twist Span*"),
        ),
    ),
    Task(
        "A level that is solid, with 50 props that fall",
        "level",
        ((2, "the level, *Trimesh*"), (1, "Ctrl I"), (1, "*Dynamic*")),
        (
            (4, "the level, *Rigid Body*, *Type*: *Passive*"),
            (2, "*Shape*: *Mesh*"),
            (1, "Ctrl I"),
            (3, "Object > Rigid Body > Add Active"),
        ),
        (
            _IMPORT,
            (4, "the level, *Physics*, *Shape Type*: *Trimesh*"),
            (200, "each prop, *Physics*, *Body Type*: *Dynamic*"),
            (1, "*Reimport*"),
        ),
    ),
)


def page() -> str:
    """The page docs/clicks.md."""
    lines = [
        "# Clicks",
        "",
        "How many clicks five first steps take: every press of a mouse button is one, every value",
        "typed, and every key that selects. Objects are modelled, the tab is open, and in Godot",
        "the file is imported with its defaults and its scene open. Ours are counted by a test",
        "that clicks in a Blender with a window; those of Blender's own rigid bodies and of",
        "Godot's editor are the shortest way that we know, written out below.",
        "",
        "| | Ours | Blender | Godot |",
        "| --- | ---: | ---: | ---: |",
    ]
    for task in TASKS:
        counts = (total(task.ours), total(task.blender), total(task.godot))
        lines.append(f"| {task.title} | {' | '.join(map(str, counts))} |")
    for task in TASKS:
        lines += ["", f"## {task.title}", ""]
        for name, steps in (
            ("Ours", task.ours),
            ("Blender", task.blender),
            ("Godot", task.godot),
        ):
            told = "; ".join(f"{words} ({count})" for count, words in steps)
            lines.append(f"- **{name}**, {total(steps)}: {told}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from pathlib import Path

    path = Path(__file__).resolve().parents[2] / "docs" / "clicks.md"
    path.write_text(page(), encoding="utf-8")
