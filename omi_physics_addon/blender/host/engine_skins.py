"""The skins of the exporter's finished file and of the importer's parsed one; see `idle_skins`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ...codec.targets import idle_skins
from ..base import compat


def bones(nodes: Sequence[Any]) -> set[int]:
    """Which of the exporter's nodes the skins of others bend with, before it numbers them."""
    skins = {id(node.skin): node.skin for node in nodes if node is not None and node.skin}
    found = {id(joint) for skin in skins.values() for joint in skin.joints}
    return {i for i, node in enumerate(nodes) if id(node) in found} if found else set()


def take(gltf: Any, movers: Collection[int]) -> dict[str, Any]:
    """Take idle skins out of a finished file.

    Args:
        movers: indices of the nodes with dynamic bodies.

    Returns:
        The skins, by their indices as texts.
    """
    json: dict[str, Any] = {
        "skins": plain(gltf),
        "nodes": [{} if node.skin is None else {"skin": node.skin} for node in gltf.nodes],
    }
    taken = idle_skins.take(json, movers)
    if taken:
        gltf.skins = [skin for k, skin in enumerate(gltf.skins) if str(k) not in taken]
        for node, known in zip(gltf.nodes, json["nodes"], strict=True):
            node.skin = known.get("skin")
    return taken


def plain(gltf: Any) -> list[dict[str, Any]]:
    """The skins of a file as plain JSON."""
    made: list[Any] = gltf.skins or []
    skins: list[dict[str, Any]] = [skin.to_dict() for skin in made]
    return [{k: v for k, v in skin.items() if v not in (None, {})} for skin in skins]


def put_back(data: Any, skins: list[Any]) -> None:
    """Give a parsed file these skins in place of its own, if there are more."""
    if len(skins) > len(data.skins or []):
        data.skins = [compat.host_skin(skin) for skin in skins]
