"""Projects of Godot: our reader in them, one to play a scene in, and where Godot itself is.

The reader is the folder `godot/addons/omi_physics` of this package, which has a stage to play on.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..model.targets import Player

READER: Final = Path(__file__).resolve().parents[1] / "godot" / "addons" / "omi_physics"
STAGE: Final = "res://addons/omi_physics/stage/stage.tscn"
PLUGIN: Final = "res://addons/omi_physics/plugin.cfg"
OLDEST: Final = (4, 3)
_NAMES: Final = ("godot", "godot4", "Godot", "godot-4")
# Where installers and downloads put it, by system; the newest of several names comes last.
_PLACES: Final = {
    "darwin": (
        "/Applications/Godot*.app/Contents/MacOS/Godot",
        "~/Applications/Godot*.app/Contents/MacOS/Godot",
    ),
    "win32": (
        "~/scoop/apps/godot/current/godot.exe",
        "C:/Program Files/Godot*/Godot*.exe",
        "C:/Program Files (x86)/Steam/steamapps/common/Godot Engine/godot*.exe",
        "~/Downloads/Godot_v4*/Godot_v4*win64.exe",
    ),
    "linux": (
        "/var/lib/flatpak/exports/bin/org.godotengine.Godot",
        "/snap/bin/godot*",
        "~/.local/share/Steam/steamapps/common/Godot Engine/godot*",
        "~/.local/bin/Godot_v4*",
        "~/Applications/Godot_v4*",
        "~/Downloads/Godot_v4*linux.x86_64",
    ),
}
_PROJECT: Final = """config_version=5

[application]

config/name="Play in Godot"
config/use_hidden_project_data_directory=true

[physics]

3d/physics_engine="Jolt Physics"
3d/default_gravity=9.81
3d/default_linear_damp=0.0
3d/default_angular_damp=0.0

[rendering]

renderer/rendering_method="gl_compatibility"
"""
_SECTION: Final = re.compile(r"^\[editor_plugins\][ \t]*(?=\r?$)", re.MULTILINE)
_LAYER: Final = re.compile(r'^3d_physics/layer_\d+[ \t]*=[ \t]*"((?:[^"\\]|\\.)+)"', re.MULTILINE)
_ENABLED: Final = re.compile(
    r"^enabled[ \t]*=[ \t]*(?:PackedStringArray|PoolStringArray)\((.*?)\)", re.M | re.S
)


class ProjectError(ValueError):
    """A folder is no project that the reader can be installed into; the message says why."""


def install(project: Path) -> Path:
    """Copy the reader into a Godot project and enable it; an older copy of it is replaced.

    Returns where it is.

    Args:
        project: the folder with `project.godot`.

    Raises:
        ProjectError: there is no such project, it is one of Godot 3, or another add-on is there.
        OSError: files cannot be read or written.
    """
    settings = project / "project.godot"
    if not settings.is_file():
        raise ProjectError(f"{project} is no Godot project: project.godot is missing")
    text = settings.read_bytes().decode("utf-8")  # Ends of lines stay as they are.
    version = re.search(r"^config_version=(\d+)", text, re.MULTILINE)
    if version is None or int(version[1]) < 5:
        raise ProjectError(f"{settings} is not of Godot 4; open the project in Godot 4 first")
    place = project / "addons" / READER.name
    if place.exists():
        if not _is_reader(place):
            raise ProjectError(f"{place} has another add-on; move that away first")
        shutil.rmtree(place)
    shutil.copytree(READER, place)
    enabled = with_plugin(text)
    if enabled != text:
        settings.write_bytes(enabled.encode("utf-8"))
    return place


def _is_reader(place: Path) -> bool:
    plugin = place / "plugin.cfg"
    return plugin.is_file() and 'name="OMI Physics"' in plugin.read_text(encoding="utf-8")


def with_plugin(text: str) -> str:
    """The text of a `project.godot` that enables the reader; all else stays as it stands."""
    section = _SECTION.search(text)
    if section is None:
        return f'{text.rstrip()}\n\n[editor_plugins]\n\nenabled=PackedStringArray("{PLUGIN}")\n'
    end = re.compile(r"^\[", re.MULTILINE).search(text, section.end())
    stop = len(text) if end is None else end.start()
    found = _ENABLED.search(text, section.end(), stop)
    if found is None:
        line = f'enabled=PackedStringArray("{PLUGIN}")'
        return f"{text[: section.end()]}\n\n{line}{text[section.end() :]}"
    if f'"{PLUGIN}"' in found[1]:
        return text
    listed = f"{found[1].rstrip()}, " if found[1].strip() else ""
    return f'{text[: found.start(1)]}{listed}"{PLUGIN}"{text[found.end(1) :]}'


def make(folder: Path) -> None:
    """Make a project to play scenes in, with the reader; one that is there is kept.

    Raises:
        ProjectError, OSError: as `install`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    settings = folder / "project.godot"
    if not settings.exists():
        settings.write_text(_PROJECT, encoding="utf-8")
    install(folder)


def layers(project: Path) -> list[str]:
    """The names that a project gives layers of 3D physics, in their order; of none, no name.

    Raises:
        OSError: its settings cannot be read.
    """
    settings = project / "project.godot"
    text = settings.read_text(encoding="utf-8", errors="replace") if settings.is_file() else ""
    return [re.sub(r"\\(.)", r"\1", found[1]) for found in _LAYER.finditer(text)]


def find_godot(chosen: str = "") -> Path | None:
    """Godot's program: the chosen one, that of the variable GODOT, on PATH, or in usual places."""
    for path in (chosen, os.environ.get("GODOT", "")):
        if path:
            return _program(Path(path).expanduser())
    on_path = (shutil.which(name) for name in _NAMES)
    return next((Path(path) for path in on_path if path), None) or next(_usual(), None)


def _program(path: Path) -> Path | None:
    """A program, also where an application of macOS or its folder is named."""
    inside = path / "Contents" / "MacOS" / "Godot"
    return inside if inside.is_file() else path if path.is_file() else None


def _usual() -> Iterator[Path]:
    for pattern in _PLACES.get(sys.platform, ()):
        path = Path(pattern).expanduser()
        anchor = Path(path.anchor)
        found = sorted(anchor.glob(str(path.relative_to(anchor))))
        yield from reversed([each for each in found if each.is_file()])


def version_of(godot: Path) -> tuple[int, int]:
    """The release of a Godot, such as (4, 6).

    Raises:
        ProjectError: the program does not say one.
    """
    try:
        done = subprocess.run(
            [str(godot), "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60.0,
            check=False,
        )
        said = done.stdout.decode("utf-8", "replace")
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise ProjectError(f"{godot} does not start: {problem}") from problem
    found = re.search(r"^(\d+)\.(\d+)", said, re.MULTILINE)
    if found is None:
        raise ProjectError(f"{godot} is not Godot: it gives no version")
    return int(found[1]), int(found[2])


def command(godot: Path, project: Path, file: Path) -> list[str]:
    """What starts a file on the stage of a project, which reads it again when it changes."""
    return [str(godot), "--path", str(project), STAGE, "--", str(file)]


PLAYER = Player(
    word="godot",
    name="Godot",
    target="GODOT_READER",
    text="Export the scene and play it in a window of Godot; the window reloads the scene when it "
    "is played again",
    install="Install Godot Importer",
    install_text="Copy the add-on that reads physics from glTF files into a Godot 4 project, and "
    "enable it there",
    about="""\
Copy the importer of physics into a Godot 4 project, as addons/omi_physics, and enable it in
project.godot, where all else stays as it stands. An older copy of the importer is replaced. From
then on Godot's editor reads the physics of all glTF files of the project; import older ones again.
""",
    example="godot ~/games/racer",
    project="project.godot",
    program_text="Program of Godot 4.3 or newer for Play in Godot; when empty, the one on the PATH "
    "or in the usual folders",
    missing="{where}; install Godot 4.3 or newer, or set its path in the add-on's preferences",
    too_old="{path} is older than Godot 4.3",
    find=find_godot,
    is_new_enough=lambda godot: version_of(godot) >= OLDEST,
    install_into=install,
    make=make,
    command=command,
    layers=layers,
)
