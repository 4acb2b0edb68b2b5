"""Projects of Godot with files in them, which its editor imports, as it does for everybody."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from tools import environment, programs
from tools.engines import engine_files

ADD_ON = "addons/omi_extensions"
READER = environment.ROOT / "omi_physics_addon" / "godot" / "addons" / "omi_physics"
# Nothing slows bodies, and they fall as in our preview.
_AS_EARTH = """3d/default_gravity=9.81
3d/default_linear_damp=0.0
3d/default_angular_damp=0.0"""
_PHYSICS = {"jolt": "Jolt Physics", "godot": "GodotPhysics3D"}


def find_add_on() -> Path | None:
    """The folder of the OMI add-on in OMI_PHYSICS_CLIENTS; None where there is none."""
    clients = os.environ.get("OMI_PHYSICS_CLIENTS")
    found = Path(clients) / "godot" / "run" / "jolt" / ADD_ON if clients else None
    return found if found is not None and found.is_dir() else None


def homes(place: Path) -> dict[str, str]:
    """The environment of a Godot that keeps all of its own in a folder."""
    kinds = ("DATA", "CONFIG", "CACHE")
    return {**os.environ, **{f"XDG_{kind}_HOME": str(place / kind.lower()) for kind in kinds}}


def make(
    place: Path,
    godot: Sequence[str],
    files: Sequence[Path],
    *,
    add_on: Path | None = None,
    physics: str = "jolt",
    blender: Path | None = None,
) -> list[str]:
    """Make a project in `place / "project"` and have the editor import files, all at once.

    Args:
        place: a folder for the project and for what Godot keeps of its own, see `homes`.
        godot: the command.
        files: .glb, .gltf or .blend; what they refer to is copied with them.
        add_on: folder of the add-on that the project has, such as `READER`; else it has none.
        blender: program that Godot calls for .blend files.

    Returns:
        The place of each file in the project; what was not imported cannot be loaded there.

    Raises:
        RuntimeError: the editor failed as a whole.
    """
    project = place / "project"
    project.mkdir(parents=True)
    lines = ["config_version=5", '[application]\nconfig/name="files"']
    if add_on is not None:
        shutil.copytree(add_on, project / "addons" / add_on.name)
        enabled = f'enabled=PackedStringArray("res://addons/{add_on.name}/plugin.cfg")'
        lines.append(f"[editor_plugins]\n{enabled}")
    lines.append(f'[physics]\n3d/physics_engine="{_PHYSICS[physics]}"\n{_AS_EARTH}')
    (project / "project.godot").write_text("\n".join([*lines, ""]), encoding="utf-8")
    if blender is not None:
        _set_blender(place, godot, blender)
    found: list[str] = []
    for i, file in enumerate(files):
        inside = Path("files") / str(i) / file.name
        engine_files.put(file, project / inside.parent)
        found.append(f"res://{inside.as_posix()}")
    command = [*godot, "--headless", "--path", str(project), "--import"]
    programs.run(command, place, homes(place))
    return found


def _set_blender(place: Path, godot: Sequence[str], blender: Path) -> None:
    """Tell the editor which Blender to call."""
    release = ".".join(programs.run([*godot, "--version"], place, homes(place)).split(".")[:2])
    settings = [
        '[gd_resource type="EditorSettings" format=3]\n\n[resource]',
        f'filesystem/import/blender/blender_path = "{blender}"',
        "filesystem/import/blender/rpc_port = 0",
    ]
    folder = Path(homes(place)["XDG_CONFIG_HOME"]) / "godot"
    folder.mkdir(parents=True)
    text = "\n".join([*settings, ""])
    (folder / f"editor_settings-{release}.tres").write_text(text, encoding="utf-8")
