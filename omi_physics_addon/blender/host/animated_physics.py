"""Animated physics through an import and an export, kept with what it moves.

The host makes curves of the pointers that it knows, those of materials, lights and cameras. The
samplers of the others are noted on the physics that they move, and written from there again.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import bpy
import numpy as np

from ...codec.dialects import Encoded, Family, WriteOptions, Writer
from ...codec.gltf import animated
from ...issues import Issues
from ...model.document import PhysicsDocument
from ..base import compat, groups
from . import keyed_physics

MOST_NUMBERS: Final = 2_000_000  # Of all samplers of physics; a minute of 100 axes has 540 000.
_WIDTHS: Final = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_DTYPES: Final = {
    5120: "i1",
    5121: "u1",
    5122: "<i2",
    5123: "<u2",
    5125: "<u4",
    animated.FLOAT: "<f4",
}


class ImportedAnimations:
    """What moves the physics of one file, noted on the parsed file.

    Attributes:
        lost: JSON pointers of the channels that are not kept, and why.
        shapes: of the core, with notes.
    """

    def __init__(self, gltf: Any, shapes: list[Any]) -> None:
        """Note all; physics of the file is read afterwards.

        Args:
            shapes: of the core of the file.
        """
        self.shapes = shapes
        self.lost: list[tuple[str, str]] = []
        self._room = MOST_NUMBERS
        self._notes: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        self._places: defaultdict[str, list[str]] = defaultdict(list)
        for i, animation in enumerate(gltf.data.animations or []):
            for j, channel in enumerate(animation.channels):
                pointer = animated.pointer_of({"extensions": channel.target.extensions})
                if animated.is_ours(pointer, with_core=bool(shapes)):
                    self._note(gltf, pointer, animation, channel.sampler, f"{i}/channels/{j}")
        if self._notes:
            missed, self.shapes = _claim(gltf.data, shapes, self._notes)
            for pointer in sorted(missed):
                self._lose(pointer, "the property does not exist")

    def _note(self, gltf: Any, pointer: str, animation: Any, sampler: int, at: str) -> None:
        try:
            self._make_room(gltf, animation.samplers[sampler])
            found = _sampler(gltf, animation, sampler)
        except (ValueError, IndexError, KeyError, TypeError, AttributeError) as error:
            # The host trusts the buffers of a file; what it stumbles over is told here.
            why = f"the numbers could not be read ({type(error).__name__}: {error})"
            self.lost.append((f"/animations/{at}", _not_kept(pointer, why)))
        else:
            self._places[pointer].append(f"/animations/{at}")
            self._notes[pointer].append(found)

    def _make_room(self, gltf: Any, sampler: Any) -> None:
        """Count the numbers of a sampler before they are decoded.

        Raises:
            ValueError: with these the file has too many.
        """
        for index in (sampler.input, sampler.output):
            accessor = gltf.data.accessors[index]
            self._room -= accessor.count * _WIDTHS[accessor.type]
        if self._room < 0:
            raise ValueError(f"animations of physics have more than {MOST_NUMBERS} numbers")

    def _lose(self, pointer: str, why: str) -> None:
        self.lost += [(where, _not_kept(pointer, why)) for where in self._places[pointer]]
        del self._notes[pointer]

    def check(self, document: PhysicsDocument, families: Sequence[Family]) -> None:
        """Note as lost what is not in the document that was read of the file."""
        if not self._notes:
            return
        options = WriteOptions(families=tuple(families))
        encoded = Writer(Issues(), options, mesh_node=lambda _: None).document(document)
        kept = {_text(found.note) for found in animated.find(encoded.root, encoded.nodes)}
        for pointer, notes in list(self._notes.items()):
            way = pointer.split("/")
            texts = [
                _text({**note, animated.PROPERTY: "/".join(way[at:])})
                for note in notes
                for at in range(1, len(way))
            ]
            if kept.isdisjoint(texts):
                both = len(families) > 1
                why = "the value of the other family is used" if both else "no family has the value"
                self._lose(pointer, why)

    def leave_out(self, keyed: Sequence[dict[str, Any]]) -> None:
        """Forget the notes that keyframes stand for."""
        for pointer, notes in self._notes.items():
            self._notes[pointer] = keyed_physics.without(notes, keyed)

    def note(self, scene: bpy.types.Scene) -> None:
        """Let a scene know what was kept, so that an export can tell what has gone since."""
        if not self._notes:
            return
        group = groups.of_scene(scene)
        noted: dict[str, list[str]] = json.loads(group.imported_animations or "{}")
        for pointer, notes in self._notes.items():
            for each in notes:
                noted.setdefault(_digest(each), []).append(f"{pointer} in {each[animated.NAME]!r}")
        group.imported_animations = json.dumps(noted)


def _not_kept(pointer: str, why: str) -> str:
    return f"the animation of {pointer} is not kept: {why}"


def _claim(
    data: Any, shapes: list[Any], notes: Mapping[str, list[dict[str, Any]]]
) -> tuple[set[str], list[Any]]:
    """The pointers that lead nowhere, and the shapes of the core with notes."""
    nodes: list[Any] = data.nodes or []
    plain: dict[str, Any] = {
        "extensions": data.extensions or {},
        "nodes": [{"extensions": node.extensions or {}} for node in nodes],
        "shapes": shapes,
    }
    changed, missed = animated.claim(plain, notes)
    for node, noted in zip(nodes, changed["nodes"], strict=True):
        node.extensions = noted["extensions"] or node.extensions
    data.extensions = changed["extensions"] or data.extensions
    return missed, changed["shapes"]


def _sampler(gltf: Any, animation: Any, index: int) -> dict[str, Any]:
    """What a sampler says, as JSON."""
    sampler = animation.samplers[index]
    accessor = gltf.data.accessors[sampler.output]
    times, values = (compat.accessor_array(gltf, each) for each in (sampler.input, sampler.output))
    if not (np.isfinite(times).all() and np.isfinite(values).all()):
        raise ValueError("not all are finite")
    return animated.sampled(
        animation.name,
        sampler.interpolation or "LINEAR",
        accessor.type,
        times.ravel().tolist(),
        values.ravel().tolist(),
        animated.FLOAT if accessor.normalized else accessor.component_type,
    )


class KeptAnimations:
    """What moves the physics of one export."""

    def __init__(self) -> None:
        """Without any."""
        self._entries: list[dict[str, str]] = []  # Of each note; the pointer comes last.
        self._notes: list[Mapping[str, Any]] = []
        self._is_written = False

    def add(self, encoded: Encoded, animations: list[Any], settings: Mapping[str, Any]) -> None:
        """Add channels for the notes in what is written, to animations of the same name.

        Args:
            animations: of the host, which has not numbered anything yet.
        """
        by_name = {animation.name: animation for animation in reversed(animations)}
        samplers: dict[int, tuple[Any, int]] = {}
        for _, found, _ in animated.find(encoded.root, encoded.nodes, encoded.shapes):
            self._notes.append(found)
            self._entries.append(entry := {"pointer": ""})
            if not settings.get("gltf_animations", True):
                continue
            name = found.get(animated.NAME)
            animation = by_name.get(name)
            if animation is None:
                animation = by_name[name] = compat.host_animation(name)
                animations.append(animation)
            if id(found) not in samplers:
                samplers[id(found)] = animation, len(animation.samplers)
                animation.samplers.append(_host_sampler(found))
            channel = compat.host_channel(samplers[id(found)][1], {animated.POINTER: entry})
            animation.channels.append(channel)
            self._is_written = True

    def settle(
        self, root: dict[str, Any], nodes: Mapping[int, dict[str, Any]], shapes: list[Any]
    ) -> None:
        """Give the channels their pointers, and take the notes out of what is written.

        Args:
            root, nodes, shapes: extension objects and shapes of the core as they are written, nodes
                by their index in the file and in the order of `add`.
        """
        found = animated.find(root, nodes, shapes)
        for entry, each in zip(self._entries, found, strict=True):
            entry["pointer"] = each.pointer
        animated.remove((root, *nodes.values(), shapes))

    def refer(self, authored: Encoded) -> None:
        """Let the notes on what was authored say what the pointers in the file are."""
        written = {
            _text(note): entry["pointer"]
            for note, entry in zip(self._notes, self._entries, strict=True)
        }
        animated.refer(authored, lambda note: written.get(_text(note)))

    def gone(self, scene: bpy.types.Scene) -> list[str]:
        """The animations of a scene that were imported, and are not in what is written."""
        text: str = groups.of_scene(scene).imported_animations
        if not text:
            return []
        noted: dict[str, list[str]] = json.loads(text)
        written = Counter(map(_digest, self._notes))
        return [" or ".join(s) for digest, s in noted.items() if written[digest] < len(s)]

    def declare(self, gltf: Any) -> None:
        """List the extension where channels of ours use it."""
        used: list[str] = gltf.extensions_used or []
        if self._is_written and animated.POINTER not in used:
            gltf.extensions_used = [*used, animated.POINTER]

    @property
    def is_empty(self) -> bool:
        """Whether nothing moves physics, or is to be written."""
        return not self._entries


def _digest(note: Mapping[str, Any]) -> str:
    """A short text that is the same for the same numbers in the same animation."""
    said = {key: value for key, value in note.items() if key != animated.PROPERTY}
    return hashlib.sha256(_text(said).encode()).hexdigest()[:16]


def _text(note: Mapping[str, Any]) -> str:
    return json.dumps(note, sort_keys=True)


def _host_sampler(found: Mapping[str, Any]) -> Any:
    times = np.array(found[animated.TIMES], dtype=_DTYPES[animated.FLOAT])
    values = np.array(found[animated.VALUES], dtype=_DTYPES[found[animated.COMPONENT]])
    return compat.host_sampler(
        found[animated.LIKE],
        compat.host_accessor(times, "SCALAR", animated.FLOAT, bounded=True),
        compat.host_accessor(values, found[animated.TYPE], found[animated.COMPONENT]),
    )
