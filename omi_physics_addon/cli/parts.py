"""One output for each top-level collection, or each object at the top, of a scene."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from .jobs import Outcome

WAYS = ("file", "collection", "object")
LONGEST = 100  # Letters of a name.
# Blender's exporter leaves out what is in a collection of this name.
LEFT_OUT = "glTF_not_exported"
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)  # By Windows.


class Part(NamedTuple):
    """What goes into one output.

    Attributes:
        name: of the collection or object.
        file: the same as the name of a file, without its ending; another one for each part.
        objects: those to write.
        collection: the name of the collection whose settings count; empty for the scene's.
    """

    name: str
    file: str
    objects: Sequence[Any]
    collection: str = ""


def file_names(names: Iterable[str]) -> list[str]:
    """Names that every system takes for a file, no two alike, even where case does not count."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        plain = re.sub(r"[^\w .()+-]+", "_", name)[:LONGEST].strip(" .") or "_"
        if RESERVED.match(plain):
            plain = f"_{plain}"
        unique, number = plain, 1
        while unique.casefold() in taken:
            number += 1
            unique = f"{plain}_{number}"
        taken.add(unique.casefold())
        found.append(unique)
    return found


def parts_of(scene: Any, way: str, *, selected: bool) -> list[Part]:
    """The parts of a scene by name; empty collections are none.

    Args:
        way: "collection" or "object".
        selected: only the selected objects.
    """
    wanted = {obj for obj in scene.objects if not selected or obj.select_get()}
    own: dict[str, str] = {}
    if way == "collection":
        groups = [(each.name, list(each.all_objects)) for each in scene.collection.children]
        groups.append((scene.collection.name, list(scene.collection.objects)))
        # The exporter finds no linked ones by name.
        own = {each.name: each.name for each in scene.collection.children if not each.library}
    else:
        below: dict[Any, list[Any]] = {obj: [obj] for obj in wanted}
        tops = {obj: _top(obj, wanted) for obj in wanted}
        for obj, top in tops.items():
            if top is not obj:
                below[top].append(obj)
        groups = [(obj.name, below[obj]) for obj, top in tops.items() if top is obj]
    groups = [(name, [obj for obj in objects if obj in wanted]) for name, objects in groups]
    kept = sorted(((name, found) for name, found in groups if found), key=lambda each: each[0])
    files = file_names(name for name, _ in kept)
    return [
        Part(name, file, sorted(objects, key=lambda obj: obj.name), own.get(name, ""))
        for file, (name, objects) in zip(files, kept, strict=True)
    ]


def _top(obj: Any, wanted: set[Any]) -> Any:
    while obj.parent in wanted:
        obj = obj.parent
    return obj


def cuts(part: Part) -> list[str]:
    """What a part loses by standing alone: parents that are in others."""
    inside = set(part.objects)
    return [
        f"{obj.name} is below {obj.parent.name}, which is not in this file"
        for obj in part.objects
        if obj.parent is not None and obj.parent not in inside
    ]


@contextlib.contextmanager
def alone(scene: Any, data: Any) -> Generator[Callable[[Part], None], None, None]:
    """Give a function that leaves one part in the scene, which is as before afterwards.

    What is above objects of a part is in the scene, too, as the exporter finds them below it, but
    is left out of the file with all that is below it.
    """
    top = scene.collection
    children, objects = list(top.children), list(top.objects)
    # What is in no collection at all would count as deleted.
    store = data.collections.new("OMI Physics Parts")
    was_there = LEFT_OUT in data.collections
    left_out = data.collections[LEFT_OUT] if was_there else data.collections.new(LEFT_OUT)
    below: dict[Any, list[Any]] = {}
    for obj in data.objects:
        below.setdefault(obj.parent, []).append(obj)
    hidden: list[Any] = []
    for obj in objects:
        store.objects.link(obj)
        top.objects.unlink(obj)
    for child in children:
        top.children.unlink(child)

    def show(part: Part | None) -> None:
        for obj in list(top.objects):
            top.objects.unlink(obj)
        while hidden:
            left_out.objects.unlink(hidden.pop())
        for obj in part.objects if part else ():
            top.objects.link(obj)
        above, others = _around(part.objects if part else (), below)
        for obj in above:
            top.objects.link(obj)
        for obj in others:
            if obj.name not in left_out.objects:
                left_out.objects.link(obj)
                hidden.append(obj)

    try:
        yield show
    finally:
        show(None)
        for child in children:
            top.children.link(child)
        for obj in objects:
            top.objects.link(obj)
        data.collections.remove(store)
        if not was_there:
            data.collections.remove(left_out)


def _around(objects: Sequence[Any], below: dict[Any, list[Any]]) -> tuple[list[Any], list[Any]]:
    """What is above some objects and not one of them, and that with all else below it."""
    inside = set(objects)
    above: dict[Any, None] = {}
    for obj in objects:
        up = obj.parent
        while up is not None and up not in above:
            if up not in inside:
                above[up] = None
            up = up.parent
    found = dict.fromkeys(above)
    waiting = list(found)
    while waiting:
        for obj in below.get(waiting.pop(), ()):
            if obj not in found:
                waiting.append(obj)
                found[obj] = None
    return list(above), [obj for obj in found if obj not in inside]


def together(way: str, done: Sequence[tuple[Part, Outcome]]) -> Outcome:
    """The outcomes of all parts as one; the first that failed tells why."""
    lines: list[str] = []
    issues: list[Any] = []
    ignored: list[Any] = []
    counts: dict[str, int] = {}
    for part, outcome in done:
        lines += [f"{part.name}:", *(f"  {line}" for line in (*outcome.lines, *cuts(part)))]
        report = outcome.report or {}
        issues += report.get("issues", ())
        ignored += report.get("ignored", ())
        for name, number in report.get("counts", {}).items():
            counts[name] = counts.get(name, 0) + number
    lost = [(part, outcome) for part, outcome in done if outcome.exit_code]
    error = "\n".join(f"{way} {part.name}: {outcome.error}" for part, outcome in lost)
    first = done[-1][1] if not lost else lost[0][1]
    report = {
        "kind": "EXPORT",
        "failed": bool(lost),
        "failure": error,
        "counts": counts,
        "issues": issues,
        "ignored": ignored,
        "parts": [{"name": part.name, "file": part.file, "cuts": cuts(part)} for part, _ in done],
    }
    return first._replace(error=error, lines=tuple(lines), report=report)
