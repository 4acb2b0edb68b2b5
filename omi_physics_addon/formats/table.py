"""The formats of robots, and the suffixes of their files.

Command lines load this in whatever Python they are started with, so it needs nothing of newer ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class FormatError(Exception):
    """A file cannot be read or written; the message says where and why."""


@dataclass(frozen=True)
class Format:
    """A format of robots.

    Attributes:
        suffixes: of the names of its files; the first is that of new ones.
        root: the element that its XML begins with; empty for what is no XML.
        reader, writer: modules of this folder.
    """

    name: str
    suffixes: tuple[str, ...]
    root: str
    reader: str
    writer: str


FORMATS = (
    Format("URDF", (".urdf",), "robot", "urdf_reader", "urdf_writer"),
    Format("MJCF", (".xml", ".mjcf"), "mujoco", "mjcf_reader", "mjcf_writer"),
    Format("USD", (".usda", ".usdc", ".usd"), "", "usd_reader", "usd_writer"),
)
SUFFIXES = tuple(suffix for each in FORMATS for suffix in each.suffixes)


def format_of(path: Path) -> Format | None:
    """The format that the name of a file tells; None for none of robots."""
    suffix = path.suffix.lower()
    return next((each for each in FORMATS if suffix in each.suffixes), None)
