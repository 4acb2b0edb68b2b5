"""Rows of the catalogue of engines: what files can be written for, and how nodes can be named.

Command lines load this in whatever Python they are started with, so it needs nothing of newer ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Literal

    from ..issue_codes import IssueCode

    Family = Literal["OMI", "KHR"]
else:
    Family = str

# The target of files that are written for everybody, by the specifications.
SPECIFICATION = "SPECIFICATION"


@dataclass(frozen=True)
class Target:
    """An engine that files can be written for; the module of the engine has this as `TARGET`.

    Attributes:
        id: what .blend files, written files and scripts call it; never changes.
        number: of its item in Blender's list, which .blend files store; 0 is the specification.
        word: what command lines call it.
        name: as its makers write it.
        family: the extensions that it reads.
        text: the tooltip of its item.
        load: gives its `codec.engine.Engine`; the imports that this needs stand inside of it.
        gravity: how to set the strength of gravity there, where it reads none from files.
        codes: those that tell what it does; None for none of its own.
        blend_imports: part of the path that it lets Blender export .blend files to.
        has_old_names: whether files for it always have the vehicle names of 2025.
    """

    id: str
    number: int
    word: str
    name: str
    family: Family
    text: str
    load: Callable[[], Any]
    gravity: str = ""
    codes: type[IssueCode] | None = None
    blend_imports: str = ""
    has_old_names: bool = False


@dataclass(frozen=True)
class Player:
    """An engine that scenes can be played in; its module has this as `PLAYER`.

    Attributes:
        word: the command that installs the importer into a project.
        name: of the engine.
        target: id of the target that scenes are written for.
        text: the tooltip of the button that plays.
        install, install_text: label and tooltip of the button that installs the importer.
        about: what the command does, for its help.
        example: of a project, in help.
        project: file of a project, for tooltips.
        program_text: the tooltip of the path of the program.
        missing: what to do where there is no program; {where} says which.
        too_old: where the program of {path} is too old.
        find: the program, of a chosen path or in the usual places; None for none.
        is_new_enough: whether a program can play; raises ValueError where it does not start.
        install_into: copies the importer into a project; raises ValueError or OSError.
        make: makes a project to play in, or keeps the one that is there; raises as above.
        command: what starts a program with a project and a file.
        layers: the names of the collision layers of a project; raises OSError.
    """

    word: str
    name: str
    target: str
    text: str
    install: str
    install_text: str
    about: str
    example: str
    project: str
    program_text: str
    missing: str
    too_old: str
    find: Callable[[str], Path | None]
    is_new_enough: Callable[[Path], bool]
    install_into: Callable[[Path], Path]
    make: Callable[[Path], None]
    command: Callable[[Path, Path, Path], list[str]]
    layers: Callable[[Path], list[str]]


@dataclass(frozen=True)
class Tag:
    """What the name of an object asks for.

    Attributes:
        word: the suffix or prefix itself.
        shape: type of the collider.
        motion: of the body; empty where the object is no body of its own.
        is_collision_only: whether its mesh is for collisions alone.
        owners: names that the object may have that it is a collider of, the likeliest first.
    """

    word: str
    shape: str
    motion: str = ""
    is_collision_only: bool = False
    owners: tuple[str, ...] = ()


@dataclass(frozen=True)
class NamedMesh:
    """A mesh with a collider, for a name that tells of it.

    Attributes:
        shape: type of the collider.
        motion: of its body; STATIC where it has none.
        is_body: whether it has the body itself, or there is none.
        is_collision_only: whether its mesh is for collisions alone.
        owner: name of the mesh above it that is not for collisions alone; empty for none.
        number: of the collider of its owner, from 1.
    """

    shape: str
    motion: str
    is_body: bool
    is_collision_only: bool
    owner: str
    number: int


@dataclass(frozen=True)
class NameConvention:
    """Suffixes or prefixes by which an engine makes physics; its module has this as `NAMES`.

    Attributes:
        id, number: of its item in Blender's list, as of a target.
        engine: whose convention it is.
        words: the suffixes or prefixes, for sentences.
        text: the tooltip of its item.
        parse: what a name asks for; None for nothing.
        is_unknown: whether a name looks like one of the convention and asks for nothing known.
        name: a name of a node that tells of its mesh; the same one where there is none.
    """

    id: str
    number: int
    engine: str
    words: str
    text: str
    parse: Callable[[str], Tag | None]
    is_unknown: Callable[[str], bool]
    name: Callable[[str, NamedMesh], str]
