"""What Godot 4 makes of files that is not what they say."""

from __future__ import annotations

import enum

from ...issue_codes import ACTION, FACT, INFO, WARNING, IssueCode


@enum.unique
class GodotCode(IssueCode):
    """The codes that users see, as those of `Code`."""

    LEAVES_JOINT_OUT = "X20", WARNING, "Godot does not import a joint"
    DETACHES_COLLIDER = "X21", WARNING, "Godot separates a collider from its body"
    MOVES_BODY_ALONG = "X22", WARNING, "Godot moves a body along with its parent body"
    TURNS_VELOCITY = "X23", WARNING, "Godot uses other axes for a velocity"
    IGNORES_INERTIA_ORIENTATION = "X24", WARNING, "Godot ignores the inertia orientation", FACT
    IGNORES_GRAVITY_FACTOR = "X25", WARNING, "Godot ignores gravity factors", FACT
    IGNORES_SURFACES = "X26", WARNING, "Godot ignores physics materials and collision filters", FACT
    IGNORES_GRAVITY = "X27", WARNING, "Godot ignores gravity in glTF", FACT
    DISCONNECTS_WHEEL = "X28", WARNING, "Godot ignores a wheel that is not a child of a vehicle"
    STARTS_THRUSTER_AT_ZERO = "X29", WARNING, "Godot ignores the start values of thrusters", FACT
    MOVES_JOINT_FRAME = "X30", WARNING, "Godot uses another frame for one end of a joint"
    BREAKS_ON_JOINT = "X31", WARNING, "Godot removes a body because of a joint"
    LOCKS_JOINT_TURN = "X32", WARNING, "Godot locks the rotation of a joint"
    HARDENS_SOFT_LIMIT = "X33", WARNING, "Godot makes a soft limit hard"
    CHANGES_DRIVE = "X34", WARNING, "Godot interprets a drive differently"
    TAKES_ACCELERATION_AS_FORCE = "X35", WARNING, "Godot ignores acceleration mode of a drive"
    FLIPS_JOINT = "X36", WARNING, "Godot reverses the angles of a joint"
    DAMPS_BODIES = "X45", INFO, "Godot damps bodies by default", FACT
    STOPS_KINEMATIC = "X46", WARNING, "Godot ignores the velocity of a kinematic body", FACT
    TURNS_MIRRORED = "X47", WARNING, "Godot rotates a mirrored body"
    SPLITS_RANGE = "X48", WARNING, "Godot limits each axis of a limit separately"
    GIVES_FRICTION = "X49", INFO, "Godot gives all surfaces a friction of 1", FACT
    WEAKENS_WHEEL = "X50", WARNING, "Godot's wheels cannot carry a vehicle"
    MIXES_ANGLES = "X53", WARNING, "Godot measures angles about several axes differently"
    TAKES_OTHERWISE = (
        "X57",
        INFO,
        "Godot interprets objects differently, unless the file is written for Godot",
        ACTION,
    )
    READS_NAME = (
        "X68",
        INFO,
        "Godot interprets a name as a command, unless the file is written for Godot",
    )
    LEAVES_BONES = "X69", WARNING, "Godot moves bodies on bones but not the bones"
    ZEROES_SHAPE_KEYS = "X73", INFO, "Godot starts shape keys at 0"
    SHOWS_NO_MESH = "X74", WARNING, "Godot hides the mesh, camera or light of nodes with physics"
    HOLDS_FRONT_ONLY = "X67", WARNING, "Godot may let bodies through a trimesh"
    STIFFENS_MOTOR = "X71", WARNING, "Godot keeps the speed of a motor that a load should slow"
    ROLLS_VEHICLE = "X75", WARNING, "Godot drives or brakes a vehicle differently"
    BREAKS_JOINTS = "X85", INFO, "Godot breaks joints without Jolt", FACT
