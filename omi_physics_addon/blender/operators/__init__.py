"""What an artist can do: one module per task, each reads the context, calls a function, reports."""

from __future__ import annotations

from . import (
    bake_scale,
    bodies,
    check,
    copying,
    decompose,
    fit,
    fix_issues,
    gravity,
    inspect_file,
    json_text,
    lists,
    matrix,
    mirror,
    new_objects,
    outliner,
    refit,
    showing,
    systems,
    triggers,
    vehicle_parts,
    vehicles,
)
from .joints import (
    find_joints,
    joint_connect,
    joint_items,
    joint_pose,
    joint_presets,
    joint_set_kind,
    joint_share_settings,
    joint_swap,
    ropes,
)
from .presets import part_presets, sample_library
from .preview import (
    bake,
    needed_substeps,
    play_in_browser,
    play_in_engine,
    preview,
    preview_input,
    record,
    settle,
)
from .rigging import make_ragdoll, rig_vehicle
from .rigid import by_names, known_materials, rigid_bodies, robots

MODULES = (
    *(bodies, vehicle_parts, vehicles, rig_vehicle, make_ragdoll, gravity, new_objects),
    *(fit, refit, decompose, bake_scale, mirror, copying, lists, systems, triggers),
    *(joint_set_kind, joint_share_settings, joint_items, joint_connect, find_joints, ropes),
    *(joint_swap, joint_pose, joint_presets),
    *(outliner, showing, matrix, json_text, check, fix_issues, inspect_file),
    *(preview, needed_substeps, preview_input, play_in_browser, record, play_in_engine),
    *(bake, settle, rigid_bodies, robots, by_names, known_materials),
    *(part_presets, sample_library),
)
