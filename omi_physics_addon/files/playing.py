"""A page that plays the physics of a glTF in a browser, in one file and without a network.

What plays it, `page/player.html`, is made by `tools/page`. Here the file comes in, in the current
form of its extensions and with all that it names beside it, and what is wrong with it. Both are
base64, so nothing in them can be taken for HTML.
"""

from __future__ import annotations

import base64
import copy
import json
import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote, unquote_to_bytes

from ..codec.dialects import WriteOptions
from ..codec.gltf import containers, limits, mesh_data, rewriting
from ..codec.values.json_members import as_list, member
from ..geometry.mesh_solids import Solids
from ..issues import Issues
from . import inspecting
from .source import Source, SourceError

if TYPE_CHECKING:
    from .inspecting import Inspection

PLAYER: Final = Path(__file__).resolve().parents[1] / "page" / "player.html"
_BINARY: Final = 0x004E4942
_MARKS: Final = ("@REPORT@", "@ASSET@")


class PlayerPage(NamedTuple):
    """A page, and what it is about.

    Attributes:
        content: of the file, UTF-8.
        found: what the glTF says, and its issues.
        missing: addresses of buffers and images that could not be read.
    """

    content: bytes
    found: Inspection
    missing: tuple[str, ...]


def player_page(source: Source) -> PlayerPage:
    """The page that plays a file.

    Raises:
        SourceError: its physics cannot be read, or not be written.
    """
    found, _ = inspecting.inspect(source)
    whole, missing = packed(_current(source), source)
    told = {**found.to_json(), "name": found.name, "missing": missing}
    report = json.dumps(told, allow_nan=False).encode("utf-8")
    page = PLAYER.read_text(encoding="utf-8")
    for mark, content in zip(_MARKS, (report, whole), strict=True):
        page = page.replace(mark, as_base64(content), 1)
    return PlayerPage(page.encode("utf-8"), found, tuple(missing))


def as_base64(content: bytes) -> str:
    """Bytes as they stand in a page."""
    return base64.b64encode(content).decode("ascii")


def _current(source: Source) -> dict[str, Any]:
    """The glTF with its physics in the current form of its own families."""
    solids = Solids(source.triangles)
    try:
        changed = rewriting.change(
            source.json,
            Issues(),
            WriteOptions(),
            measure_mesh=solids.measure,
            read_mesh=source.triangles,
        )
    except (containers.ContainerError, limits.LimitError) as problem:
        raise SourceError(f"{source.path}: {problem}") from problem
    return changed.json


def packed(json_value: dict[str, Any], source: Source) -> tuple[bytes, list[str]]:
    """A .glb of a glTF, with all buffers and images in it; addresses of those that are missing.

    Raises:
        SourceError: JSON has no words for what it says.
    """
    new, whole, starts = copy.deepcopy(json_value), bytearray(), dict[int, int]()
    missing: list[str] = []

    def put(content: bytes) -> int:
        whole.extend(b"\0" * (-len(whole) % 4))
        whole.extend(content)
        return len(whole) - len(content)

    read = mesh_data.buffers_of(
        containers.Container(new, chunks=source.container.chunks), source.beside.read
    )
    buffers, images = as_list(new.get("buffers")), as_list(new.get("images"))
    for i, one in enumerate(buffers):
        content = read(i)
        if content is None:
            missing.append(_address(one, f"buffer {i}"))
            length = member(one, "byteLength")
            content = bytes(length if isinstance(length, int) and 0 <= length < 1 << 28 else 0)
        starts[i] = put(content)
    views = as_list(new.get("bufferViews"))
    for view in views:
        if isinstance(member(view, "buffer"), int) and view["buffer"] in starts:
            view["byteOffset"] = view.get("byteOffset", 0) + starts[view["buffer"]]
            view["buffer"] = 0
    for image in images:
        uri = member(image, "uri")
        if not isinstance(uri, str):
            continue
        content, kind = _image(uri, source)
        if content is None:
            missing.append(_address(image, "image"))
            content, kind = _BLANK, "image/png"
        del image["uri"]
        image["mimeType"] = kind
        image["bufferView"] = len(views)
        views.append({"buffer": 0, "byteOffset": put(content), "byteLength": len(content)})
    if views:
        new["bufferViews"] = views
    whole.extend(b"\0" * (-len(whole) % 4))
    if whole:
        new["buffers"] = [{"byteLength": len(whole)}]
    else:
        new.pop("buffers", None)
    chunks = ((_BINARY, bytes(whole)),) if whole else ()
    try:
        return containers.write(containers.Container(new, chunks=chunks), new), missing
    except containers.ContainerError as problem:
        raise SourceError(f"{source.path}: {problem}") from problem


# A white pixel, in place of an image that is missing.
_BLANK: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4////fwAJ+wP9KobjigAAAABJRU5ErkJggg=="
)


def _address(one: Any, word: str) -> str:
    uri = member(one, "uri")
    return unquote(uri) if isinstance(uri, str) and not uri.startswith("data:") else word


def _image(uri: str, source: Source) -> tuple[bytes | None, str]:
    """The bytes of an image and what kind they are."""
    if not uri.startswith("data:"):
        return source.beside.read(uri), mimetypes.guess_type(unquote(uri))[0] or "image/png"
    head, _, content = uri[len("data:") :].partition(",")
    kind = head.split(";")[0] or "image/png"
    if not head.endswith(";base64"):
        return unquote_to_bytes(content), kind
    try:
        return base64.b64decode(content), kind
    except ValueError:
        return None, kind
