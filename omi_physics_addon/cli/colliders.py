"""Gives every mesh of a file a collider and writes it as glTF, by way of Blender."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engines import WORDS
from . import background, export, jobs, printing, side_paths, staging
from .simulate import PLAYED

if TYPE_CHECKING:
    from .pythons import Environments

FITS = (
    *("simplest", "box", "sphere", "capsule", "cylinder", "convex", "trimesh"),
    *("kdop10", "kdop18", "kdop26", "hulls", "voxels"),
)
BODIES = ("static", "kinematic", "dynamic", "none")
DESCRIPTION = """\
Give every mesh of a file a collider that fits it, and write the file as glTF, by way of Blender.
IN stays as it was. Meshes that have physics, or belong to a body that has a shape, stay as they
are; --replace fits the colliders of meshes anew. A mesh that belongs to no body becomes one, and
meshes below it become parts of it.

"simplest" is the simplest shape that is at most --tolerance larger than its mesh; "kdop10",
"kdop18" and "kdop26" are boxes whose edges or corners are cut off. "hulls" cuts each mesh into
convex hulls that together fill it, by CoACD; "voxels" fills it with boxes.

IN may be a folder, and OUT is one then: all .blend, .glb and .gltf files in it are done, as by
`batch colliders`.
"""
EXAMPLES = """\
examples:
  colliders house.glb solid.glb                               static bodies, simplest shapes
  colliders house.glb solid.glb --fit trimesh --only "Wall*"
  colliders crates.blend crates.glb --body dynamic --density 400
  colliders chair.glb solid.glb --fit hulls --most-hulls 12
  colliders statue.glb solid.glb --fit trimesh --triangles 800
  colliders assets built --fit convex --vertices 32           every file of a folder
"""


def add_command(commands: Any, environments: Environments | None) -> None:
    """Add the sub-command `colliders`."""
    parser = printing.add_command(
        commands, "colliders", run, "give every mesh of a file a collider", DESCRIPTION, EXAMPLES
    )
    parser.add_argument("source", metavar="IN.blend|.glb|.gltf", type=Path)
    parser.add_argument("output", metavar="OUT.glb|.gltf", type=Path)
    parser.add_argument("--fit", choices=FITS, default="simplest", help="simplest when left out")
    parser.add_argument(
        "--tolerance",
        metavar="PERCENT",
        type=float,
        default=20.0,
        help="how much larger than its mesh the simplest shape may be; 20 when left out",
    )
    parser.add_argument("--vertices", type=int, help="the most vertices of a convex hull, 8 to 256")
    parser.add_argument(
        "--concavity",
        metavar="PERCENT",
        type=float,
        help="how far hulls may be from the surface inside of them, of the mesh's size; 5 when "
        "left out",
    )
    parser.add_argument(
        "--most-hulls", metavar="N", type=int, help="the most hulls of a mesh; 32 when left out"
    )
    parser.add_argument(
        "--seed", type=int, help="the same number gives the same hulls; 0 when left out"
    )
    parser.add_argument(
        "--cells",
        metavar="N",
        type=int,
        help="voxels along the longest side of a mesh, 1 to 64; 12 when left out",
    )
    parser.add_argument(
        "--triangles",
        metavar="N",
        type=int,
        help="the most triangles of a trimesh; all of the mesh when left out",
    )
    parser.add_argument("--free", action="store_true", help="let shapes lie however is smallest")
    split = parser.add_mutually_exclusive_group()
    split.add_argument("--parts", action="store_true", help="one shape for each loose part")
    split.add_argument(
        "--materials", action="store_true", help="one shape for the faces of each material"
    )
    parser.add_argument("--body", choices=BODIES, default="static", help="static when left out")
    weight = parser.add_mutually_exclusive_group()
    weight.add_argument("--mass", metavar="KG", type=float, help="of each new body")
    weight.add_argument("--density", metavar="KG_PER_M3", type=float, help="of each new body")
    parser.add_argument(
        "--only", metavar="PATTERN", action="append", default=[], help='names such as "Wall*"'
    )
    parser.add_argument("--replace", action="store_true", help="fit colliders anew")
    parser.add_argument("--target", choices=tuple(WORDS))
    parser.add_argument("--allow-errors", action="store_true", help="write files with errors, too")
    background.add_blender_options(parser, environments)
    side_paths.add_option(parser)
    printing.add_output_options(parser)
    parser.set_defaults(verify=wishes)


def run(arguments: argparse.Namespace, environments: Environments | None) -> int:
    """Run the sub-command `colliders`; returns the exit code."""
    return background.run(job_of(arguments), arguments, environments)


def job_of(arguments: argparse.Namespace) -> jobs.Colliders:
    """The job that the command line asks for.

    Raises:
        InputError: a path or a number is wrong.
    """
    source, output = Path(arguments.source).absolute(), Path(arguments.output).absolute()
    if source.suffix.lower() not in PLAYED:
        raise jobs.InputError(f"{arguments.source}: the name must end in .blend, .glb or .gltf")
    if not source.is_file():
        raise jobs.InputError(f"there is no file {arguments.source}")
    staging.check_target(output, [source])
    kind = export.format_of(output, None)
    plan, wish = wishes(arguments)
    return jobs.Colliders(
        source=str(source),
        output=str(output),
        format=kind,
        target=arguments.target,
        allow_errors=arguments.allow_errors,
        plan=plan,
        wish=wish,
        allow_outside=arguments.allow_outside,
    )


def wishes(arguments: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """How shapes are fitted, and to what, in the words of the authoring.

    Raises:
        InputError: a number is wrong, or an option has no use here.
    """
    for name in ("tolerance", "mass", "density"):
        value = getattr(arguments, name)
        if value is not None and not (math.isfinite(value) and value >= 0.0):
            raise jobs.InputError(f"--{name} must be a number of at least 0")
    fit: str = arguments.fit
    plan: dict[str, Any] = {"kind": fit.upper(), "threshold": arguments.tolerance / 100.0}
    if fit.startswith("kdop"):
        plan |= {"kind": "CONVEX", "planes": fit.removeprefix("kdop")}
    if arguments.vertices is not None:
        if fit not in ("convex", "simplest", "hulls"):
            why = f"--vertices is for --fit convex, simplest and hulls, not for {fit}"
            raise jobs.InputError(why)
        if not 8 <= arguments.vertices <= 256:
            raise jobs.InputError("--vertices must be 8 to 256")
        plan |= {"use_budget": True, "budget": arguments.vertices}
    if fit == "hulls":
        plan |= _of_hulls(arguments)
    elif (arguments.concavity, arguments.most_hulls, arguments.seed) != (None, None, None):
        raise jobs.InputError("--concavity, --most-hulls and --seed are for --fit hulls")
    if fit == "voxels":
        plan["kind"] = "VOXEL"
    plan |= _numbered(arguments)
    if arguments.free:
        plan["orientation"] = "FREE"
    if arguments.parts:
        plan["source"] = "PARTS"
    elif arguments.materials:
        plan["source"] = "MATERIALS"
    body: str | None = arguments.body.upper()
    if body == "NONE":
        body = None
    if (arguments.mass, arguments.density) != (None, None) and body is None:
        raise jobs.InputError("--mass and --density are of new bodies, and --body none makes none")
    wish = {
        "only": arguments.only,
        "replace": arguments.replace,
        "body": body,
        "mass": arguments.mass,
        "density": arguments.density,
    }
    return plan, wish


def _numbered(arguments: argparse.Namespace) -> dict[str, Any]:
    """What a plan says of the numbers that are for one fit alone.

    Raises:
        InputError: a number is wrong, or has no use here.
    """
    plan: dict[str, Any] = {}
    for name, fit, least, most in (
        ("cells", "voxels", 1, 64),
        ("triangles", "trimesh", 4, 1_000_000),
    ):
        value = getattr(arguments, name)
        if value is None:
            continue
        if arguments.fit != fit:
            raise jobs.InputError(f"--{name} is for --fit {fit}, not for {arguments.fit}")
        if not least <= value <= most:
            raise jobs.InputError(f"--{name} must be {least} to {most}")
        plan[name] = value
    if "triangles" in plan:
        plan["use_triangles"] = True
    return plan


def _of_hulls(arguments: argparse.Namespace) -> dict[str, Any]:
    """What a plan says of convex decomposition.

    Raises:
        InputError: a number is wrong.
    """
    concavity = 5.0 if arguments.concavity is None else arguments.concavity
    if not 1.0 <= concavity <= 100.0:
        raise jobs.InputError("--concavity must be 1 to 100")
    hulls = 32 if arguments.most_hulls is None else arguments.most_hulls
    if not 0 <= hulls <= 500:
        raise jobs.InputError("--most-hulls must be 0, for any number, to 500")
    if (arguments.seed or 0) < 0:
        raise jobs.InputError("--seed must be at least 0")
    vertices = arguments.vertices or 64
    cuts = [concavity / 100.0, hulls, vertices, arguments.seed or 0]
    return {"kind": "CONVEX", "use_budget": True, "budget": vertices, "cuts": cuts}
