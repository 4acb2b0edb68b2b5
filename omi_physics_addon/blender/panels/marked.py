"""A layout that puts a warning beside the fields that issues are about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import bpy

    from ...issues import Issue

_LAYOUTS: Final = frozenset({"row", "column", "box", "split", "column_flow", "grid_flow"})


def marked(layout: Any, context: bpy.types.Context, part: str, *, is_main: bool) -> Any:
    """A layout for a panel of a part: the same where its object has no issue there.

    Args:
        is_main: all issues of the part are told at the top, too.
    """
    from ..authoring import issue_fields

    obj: Any = context.object
    scene: Any = context.scene
    issues = [
        issue
        for issue in issue_fields.of_object(obj, scene)
        if issue_fields.part_of(obj, issue) == part
    ]
    if not issues:
        return layout
    by_field: dict[str, list[Issue]] = {}
    for issue in issues:
        by_field.setdefault(issue_fields.field_of(issue), []).append(issue)
    for issue in issues if is_main else ():
        row = layout.row(align=True)
        row.use_property_split = False
        _button(row, issue, _short(issue))
    return Marked(layout, by_field)


def draw_others(layout: Any, context: bpy.types.Context) -> None:
    """Draw the issues of an object that none of its parts is to blame for."""
    from ..authoring import issue_fields

    obj: Any = context.object
    scene: Any = context.scene
    for issue in issue_fields.of_object(obj, scene):
        if not issue_fields.part_of(obj, issue):
            _button(layout.row(align=True), issue, _short(issue))


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


def _short(issue: Issue) -> str:
    from ...issue_codes import CATALOGUE

    return CATALOGUE[issue.code].text


def _button(layout: Any, issue: Issue, text: str) -> None:
    from ..authoring.issue_groups import ICONS

    button = layout.operator(
        "object.omi_physics_about_issue",
        text=text,
        icon=ICONS[issue.severity],
        emboss=False,
        translate=False,
    )
    button.code, button.object_name = issue.code, issue.pointer
