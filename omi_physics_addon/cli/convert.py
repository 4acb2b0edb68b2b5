"""Write the physics of a glTF file in the words of another family, or in today's.

Needs no Blender. All that is no physics of ours stays as it was.
"""

from __future__ import annotations

import argparse
import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ..engines import EXAMPLE, WORDS, engine_of
from . import jobs, printing, pythons, robots, side_paths, sources, staging
from .jobs import InputError

if TYPE_CHECKING:
    from ..codec.convert.draft import ReadMesh
    from ..codec.convert.shape_conversion import MeasureMesh
    from ..codec.dialects import Family, WriteOptions
    from ..codec.gltf.containers import Container
    from ..codec.gltf.mesh_data import MeshData
    from ..codec.gltf.rewriting import Converted
    from ..files.beside import Beside
    from ..geometry.mesh_solids import Solids, Triangles
    from ..issues import Issues

SUFFIXES = (".glb", ".gltf", *robots.SUFFIXES)
FAMILIES: dict[str | None, tuple[Family, ...]] = {
    None: (),
    "omi": ("OMI",),
    "khr": ("KHR",),
    "both": ("OMI", "KHR"),
}
GEOMETRIES = {
    "mesh": "MESH",
    "mesh+node": "MESH_AND_NODE",
    "node": "NODE",
    "collision-shapes": "COLLISION_SHAPES",
    "core": "CORE",
}
DESCRIPTION = """\
Write the physics of a glTF in another family of extensions, or in the current form. Everything
except physics is kept.

IN may be a folder, and OUT is one then: all .glb and .gltf files in it are converted, as by
`batch convert`.

Robots are read from URDF, MJCF and USD files, and written as such, by way of glTF. What the other
format cannot say is reported.

Where errors of the input are left in the output, it is written, and the exit code is 1.
"""
EXAMPLES = f"""\
examples:
  convert omi.glb khr.glb --family khr
  convert old.gltf new.gltf                     in the current form
  convert crate.glb {EXAMPLE}.glb --target {EXAMPLE}
  convert assets khr --family khr               every file of a folder
  convert arm.urdf arm.glb                      a robot as glTF
  convert arm.glb arm.xml                       and as MJCF; .usda is USD
"""


def add_command(commands: Any) -> None:
    """Add the sub-command `convert`."""
    parser = printing.add_command(
        commands, "convert", run, "write the physics of a glTF anew", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("source", metavar="IN.glb|.gltf|.urdf|.xml|.usda", type=Path)
    parser.add_argument("output", metavar="OUT.glb|.gltf|.urdf|.xml|.usda", type=Path)
    parser.add_argument(
        "--family",
        choices=("omi", "khr", "both"),
        help=(
            "family to write, in its current form; when left out, the family that the engine "
            "of --target reads, or that of the file"
        ),
    )
    parser.add_argument(
        "--geometry",
        choices=tuple(GEOMETRIES),
        default="mesh",
        help=(
            "how KHR refers to collision meshes: current form (mesh), form of 2025 (node), "
            "both, KHR_collision_shapes of 2024, or shapes of the glTF 2.1 draft (core)"
        ),
    )
    parser.add_argument(
        "--target",
        choices=tuple(WORDS),
        default="specification",
        help="the engine that the file is written for",
    )
    parser.add_argument(
        "--repair", action="store_true", help="write repaired values in place of faulty ones"
    )
    parser.add_argument(
        "--old-vehicle-names",
        action="store_true",
        help="write the names that OMI's vehicle parts had in 2025 as well",
    )
    side_paths.add_option(parser)
    printing.add_output_options(parser)


def run(arguments: argparse.Namespace, _environments: object) -> int:
    """Run the sub-command `convert`; returns the exit code."""
    pythons.check_version()
    outcome = convert(arguments)
    printing.show(outcome, arguments, arguments.output)
    return outcome.exit_code


def convert(arguments: argparse.Namespace) -> jobs.Outcome:
    """Read, change and write the file."""
    try:
        return _convert(arguments)
    except InputError as problem:
        return jobs.not_done(str(problem))
    except OSError as problem:
        return jobs.not_done(f"cannot write {arguments.output}: {problem.strerror}")


def _convert(arguments: argparse.Namespace) -> jobs.Outcome:
    source, output = Path(arguments.source), Path(arguments.output)
    check_names(source, output)
    from ..codec.gltf import containers, limits, rewriting
    from ..files.beside import Beside
    from ..issues import Issues

    issues, beside = Issues(), Beside(source, allow_outside=arguments.allow_outside)
    is_robot = robots.is_robot(source)
    container = robots.read(arguments, issues) if is_robot else sources.read(source)
    if robots.is_robot(output):
        return robots.write(arguments, container, issues)
    check_kind(container, source, output)
    family, engine = FAMILIES[arguments.family], engine_of(WORDS[arguments.target])
    if family and engine is not None and engine.family not in family:
        word = engine.family.lower()
        raise InputError(f"{engine.name} reads {engine.family}: give --family {word}, or none")
    if engine is not None and arguments.geometry == "core":
        raise InputError(f"{engine.name} does not read shapes of glTF 2.1: leave out --target")
    try:
        converted = rewriting.change(
            container.json,
            issues,
            options_of(arguments),
            family,
            measure_of(container, beside),
            read_mesh=meshes_of(container, beside),
        )
        new = containers.write(container, converted.json)
    except (containers.ContainerError, limits.LimitError) as problem:
        raise InputError(f"{source}: {problem}") from problem
    missing = missing_files(container, source, output)
    staging.write(output, new)
    exit_code = jobs.FAILED if _has_errors(converted, issues) else jobs.DONE
    return summary(converted, issues, missing, beside)._replace(exit_code=exit_code)


def _has_errors(converted: Converted, told: Issues) -> bool:
    """Whether errors of the input are left in the output; other families have repaired values."""
    from ..codec import dialects
    from ..issue_codes import Severity
    from ..issues import Issues

    again = Issues()
    if told.count(Severity.ERROR):
        dialects.read(dialects.gltf_file(converted.json), again)
    return again.count(Severity.ERROR) > 0


def measure_of(container: Container, beside: Beside) -> MeasureMesh:
    """What measures the meshes of a file; it reads nothing before a mass is asked for."""

    @functools.cache
    def solids() -> Solids:
        from ..codec.gltf import mesh_data
        from ..geometry.mesh_solids import Solids

        return Solids(mesh_data.of_file(container, beside.read).triangles)

    return lambda mesh, convex, linear: solids().measure(mesh, convex, linear)


def meshes_of(container: Container, beside: Beside) -> ReadMesh:
    """What reads the meshes of a file; None for one that cannot be read, or beyond the limits."""

    @functools.cache
    def data() -> MeshData:
        from ..codec.gltf import mesh_data

        return mesh_data.of_file(container, beside.read)

    def read(mesh: int) -> Triangles | None:
        from ..codec.gltf import limits

        try:
            return data().triangles(mesh)
        except limits.LimitError:
            return None

    return read


def check_names(source: Path, output: Path) -> None:
    """Make sure that the names can be those of files that are read and written.

    Raises:
        InputError: they cannot.
    """
    for path in (source, output):
        if path.suffix.lower() not in SUFFIXES:
            raise InputError(f"{path}: the name must end in {' or '.join(SUFFIXES)}")
    if not source.is_file():
        raise InputError(f"there is no file {source}")
    staging.check_target(output)


def check_kind(container: Container, source: Path, output: Path) -> None:
    """Make sure that the file can be written under the name asked for.

    Raises:
        InputError: it cannot.
    """
    if container.suffix != output.suffix.lower():
        raise InputError(
            f"{source} holds a {container.suffix}, and {output} would be another container; "
            f"this command changes physics only, so name the output {container.suffix}"
        )


def options_of(arguments: argparse.Namespace) -> WriteOptions:
    """How to write."""
    from ..codec.dialects import WriteOptions

    chosen: dict[str, Any] = {
        "target": engine_of(WORDS[arguments.target]),
        "geometry": GEOMETRIES[arguments.geometry],
    }
    return WriteOptions(
        repair=arguments.repair, old_vehicle_names=arguments.old_vehicle_names, **chosen
    )


def missing_files(container: Container, source: Path, output: Path) -> list[str]:
    """Buffers and images that the output needs beside it and does not have there."""
    from ..codec.gltf.containers import side_files
    from ..files import beside as paths

    if source.absolute().parent == output.absolute().parent:
        return []
    found: list[str] = []
    for uri in side_files(container.json):
        path = paths.path_of(uri, output.absolute())
        there = path is not None and paths.is_inside(path, output) and paths.is_there(path)
        if not there and not paths.is_on_net(uri):
            found.append(unquote(uri))
    return found


def summary(
    converted: Converted, issues: Issues, missing: list[str], beside: Beside
) -> jobs.Outcome:
    """What was done, for a person and for a program."""
    from ..codec.gltf import rewriting
    from ..issues import lines_of

    counts = rewriting.count(converted.document)
    things = (
        ", ".join(printing.counted(number, name) for name, number in counts.items()) or "no physics"
    )
    lines = [f"{' and '.join(converted.families)}: {things}"]
    lines += (f"needs beside it: {name}" for name in missing)
    lines += side_paths.lines(beside.refused)
    lines += lines_of(issues)
    report = {
        "families": list(converted.families),
        "counts": counts,
        "missingFiles": missing,
        "notRead": beside.refused,
        "issues": [issue.to_json() for issue in issues],
    }
    return jobs.Outcome(lines=tuple(lines), report=report)
