"""How many issues an object has, in headers, and warnings beside the fields they are about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ..base import reports
from ..live import watch

if TYPE_CHECKING:
    import bpy

    from ...issues import Issue

_LAYOUTS: Final = frozenset({"row", "column", "box", "split", "column_flow", "grid_flow"})


def marked(layout: Any, context: bpy.types.Context, part: str) -> Any:
    """A layout for a panel of a part: the same where its object has no issue there."""
    from ..authoring import issue_fields

    by_field: dict[str, list[Issue]] = {}
    for issue in _issues(context, part):
        by_field.setdefault(issue_fields.field_of(issue), []).append(issue)
    return Marked(layout, by_field) if by_field else layout


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
    """A layout of Blender that draws a warning beside some fields."""

    def __init__(self, layout: Any, issues: dict[str, list[Issue]]) -> None:
        object.__setattr__(self, "_layout", layout)
        object.__setattr__(self, "_issues", issues)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._layout, name)
        if name not in _LAYOUTS:
            return value

        def inner(*given: Any, **options: Any) -> Marked:
            return Marked(value(*given, **options), self._issues)

        return inner

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._layout, name, value)

    def panel(self, *given: Any, **options: Any) -> tuple[Any, Any]:
        """A panel within; its body is None where it is closed."""
        header, body = self._layout.panel(*given, **options)
        return header, None if body is None else Marked(body, self._issues)

    def prop(self, data: Any, name: str, **options: Any) -> None:
        """A field, with the icons of its issues behind it."""
        issues = () if options.get("index", 0) > 0 else self._issues.get(name, ())
        self._field(issues, "prop", data, name, **options)

    def prop_search(self, data: Any, name: str, *given: Any, **options: Any) -> None:
        """A field with a search, in the same way."""
        self._field(self._issues.get(name, ()), "prop_search", data, name, *given, **options)

    def _field(self, issues: Sequence[Issue], kind: str, *given: Any, **options: Any) -> None:
        layout = self._layout.row(align=True) if issues else self._layout
        getattr(layout, kind)(*given, **options)
        for issue in issues:
            _button(layout, issue, "")


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
