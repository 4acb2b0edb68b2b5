"""How many issues an object has, in headers, and warnings beside the fields they are about.

In a narrow editor, numbers with long names say these within their field, where nothing cuts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ..base import reports
from ..live import watch
from ..translations import pgettext_iface
from .texts import letters, width_of

if TYPE_CHECKING:
    import bpy

    from ...issues import Issue

_LABEL: Final = 0.42  # Of the letters of a line, how many a label beside a field has room for.
_LONGEST: Final = 24  # Letters of a label; where as many have room, none is cut.
_LAYOUTS: Final = frozenset({"row", "column", "box", "split", "column_flow", "grid_flow"})


def marked(layout: Any, context: bpy.types.Context, part: str) -> Any:
    """A layout for a panel of a part: the same where its object has no issue and all have room."""
    from ..authoring import issue_fields

    by_field: dict[str, list[Issue]] = {}
    for issue in _issues(context, part):
        by_field.setdefault(issue_fields.field_of(issue), []).append(issue)
    room = int(_LABEL * letters(context))
    return Marked(layout, by_field, room) if by_field or room < _LONGEST else layout


def draw_count(layout: Any, context: bpy.types.Context, part: str = "") -> None:
    """Draw how many issues the object has into a header: a button that lists them.

    Args:
        part: only those of one part.
    """
    obj: Any = context.object
    watch.look_at(obj, context.scene)
    issues = _issues(context, part)
    if issues:
        worst = min(issues, key=reports.weight)
        button = _button(layout, worst, str(len(issues)))
        button.code, button.object_name, button.part = "", obj.name, part
    elif not part and watch.is_known(obj, context.scene):
        layout.label(icon="CHECKMARK")


def _issues(context: bpy.types.Context, part: str) -> Sequence[Issue]:
    from ..authoring import issue_fields

    obj: Any = context.object
    scene: Any = context.scene
    return issue_fields.of_object(obj, scene, part)


class Marked:
    """A layout of Blender that draws a warning beside some fields, and cuts no names of numbers.

    Args:
        room: letters that a label beside a field may have.
    """

    def __init__(self, layout: Any, issues: dict[str, list[Issue]], room: int = _LONGEST) -> None:
        object.__setattr__(self, "_layout", layout)
        object.__setattr__(self, "_issues", issues)
        object.__setattr__(self, "_room", room)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._layout, name)
        if name not in _LAYOUTS:
            return value

        def inner(*given: Any, **options: Any) -> Marked:
            return Marked(value(*given, **options), self._issues, self._room)

        return inner

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._layout, name, value)

    def panel(self, *given: Any, **options: Any) -> tuple[Any, Any]:
        """A panel within; its body is None where it is closed."""
        header, body = self._layout.panel(*given, **options)
        return header, None if body is None else Marked(body, self._issues, self._room)

    def prop(self, data: Any, name: str, **options: Any) -> None:
        """A field, with the icons of its issues behind it."""
        issues = () if options.get("index", 0) > 0 else self._issues.get(name, ())
        is_cut = _label(data, name, options) > self._room
        layout = self._layout.row(align=True) if issues or is_cut else self._layout
        if is_cut:
            layout.use_property_split = False
        layout.prop(data, name, **options)
        for issue in issues:
            _button(layout, issue, "")


def _label(data: Any, name: str, options: dict[str, Any]) -> int:
    """How wide the name of a number is that stands beside its field; zero for other fields."""
    if data is None:
        return 0
    prop = data.bl_rna.properties[name]
    if prop.type not in ("FLOAT", "INT") or prop.is_array or options.get("text") == "":
        return 0
    return width_of(pgettext_iface(options.get("text") or prop.name))


def _button(layout: Any, issue: Issue, text: str) -> Any:
    from ..authoring.issue_groups import ICONS

    button = layout.operator(
        "object.omi_physics_about_issue",
        text=text,
        icon=ICONS[issue.severity],
        emboss=False,
        translate=False,
    )
    button.code, button.object_name = issue.code, issue.pointer
    return button
