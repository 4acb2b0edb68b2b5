"""What `compare_engines` asks of its worker inside Blender, `engine_scenes`."""

from __future__ import annotations

from typing import NamedTuple


class Rehearse(NamedTuple):
    """Play a glTF file as an engine of others understands it, and export it for that engine.

    Attributes:
        source: absolute path of the .glb or .gltf file.
        engine: "babylon" or "godot".
        poses: absolute path of the .json file to write.
        exported: absolute path of the .glb file to write.
        seconds, fps, substeps: as in `jobs.Simulate`.
    """

    source: str
    engine: str
    poses: str
    exported: str
    seconds: float
    fps: int
    substeps: int
