"""Lets the animations of a file that is written anew move the properties that they moved before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from ...issue_codes import Code
from ...issues import Issues
from ..dialects import Encoded
from ..values.json_members import as_list, as_object, member
from . import animated
from .animated import Channel, Json

_CHANNEL: Final = "channel"  # Of a note: which animation of the file, and which of its channels.
Places = dict[tuple[int, int], list[str]]


def noted(json: Mapping[str, Any], *, with_core: bool) -> tuple[Mapping[str, Any], list[Channel]]:
    """A parsed glTF with notes on what its animations move, and the channels that do.

    A channel whose pointer leads nowhere is not among them; it stays as it is.

    Args:
        with_core: the core's shapes are written anew as well.
    """
    moving = list(animated.channels(json, with_core=with_core))
    if not moving:
        return json, moving
    notes: defaultdict[str, list[Json]] = defaultdict(list)
    for channel in moving:
        notes[channel.pointer].append({_CHANNEL: [channel.animation, channel.channel]})
    changed, lost = animated.claim(json, notes)
    return changed, [channel for channel in moving if channel.pointer not in lost]


def take(encoded: Encoded) -> Places:
    """The pointers of each channel in what is written, whose notes go."""
    places: Places = defaultdict(list)
    for found in animated.find(encoded.root, encoded.nodes, encoded.shapes):
        animation, channel = found.note[_CHANNEL]
        places[animation, channel].append(found.pointer)
    animated.remove((encoded.root, *encoded.nodes.values(), encoded.shapes))
    return places


def refer(authored: Encoded, places: Places) -> None:
    """Let the notes on what was authored say what the pointers in the file are."""
    animated.refer(authored, lambda note: next(iter(places.get(tuple(note[_CHANNEL]), ())), None))


def settle(json: Json, moving: Iterable[Channel], places: Places, issues: Issues) -> None:
    """Give the channels of a file their new pointers; what is gone is told and left out."""
    animations = json["animations"] = list(as_list(json.get("animations")))
    gone: defaultdict[int, set[int]] = defaultdict(set)
    moving = list(moving)
    kept = {_alike(json, each) for each in moving if places.get((each.animation, each.channel))}
    for channel in moving:
        pointers = places.get((channel.animation, channel.channel), [])
        if pointers == [channel.pointer]:
            continue
        animation = animations[channel.animation] = dict(animations[channel.animation])
        channels = animation["channels"] = list(animation["channels"])
        old = channels[channel.channel]
        new = [_pointed(old, pointer) for pointer in pointers]
        if new:
            channels[channel.channel] = new[0]
            channels += new[1:]
        else:
            gone[channel.animation].add(channel.channel)
            if _alike(json, channel) in kept:
                continue  # The other family said so as well, and still does.
            why = (
                f"an animation targets {channel.pointer}, which no longer exists, so the channel "
                "is left out"
            )
            where = f"/animations/{channel.animation}/channels/{channel.channel}"
            issues.add(Code.ANIMATION_TARGET_GONE, where, why)
    for i, some in gone.items():
        channels = animations[i]["channels"]
        animations[i]["channels"] = [x for j, x in enumerate(channels) if j not in some]
    left = [x for i, x in enumerate(animations) if i not in gone or x["channels"]]
    if left:
        json["animations"] = left
    else:
        del json["animations"]


def _alike(json: Mapping[str, Any], channel: Channel) -> tuple[int, str, str, str]:
    """The same for channels that give a property of one node or list its values in each family."""
    said = as_list(json["animations"])[channel.animation]["channels"][channel.channel]
    steps = channel.pointer.split("/")
    owner = steps[2] if steps[1] == "nodes" else ""
    return channel.animation, repr(member(said, "sampler")), owner, steps[-1]


def _pointed(channel: Mapping[str, Any], pointer: str) -> Json:
    target = as_object(channel["target"])
    extensions = as_object(target["extensions"])
    entry = {**as_object(extensions[animated.POINTER]), "pointer": pointer}
    return {**channel, "target": {**target, "extensions": {**extensions, animated.POINTER: entry}}}
