"""Shows what a glTF file says about physics, or would say."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import bpy
from bpy_extras.io_utils import ImportHelper

from ..base import preferences
from .chosen_objects import done, failed

if TYPE_CHECKING:
    from ...files.inspecting import Inspection

_FileSelector: Any = ImportHelper  # The stubs have it differ from operators.
_MOST_LINES: Final = 36  # That a popup shows; the page has all.
_LONGEST: Final = 96  # Letters of a line.


class OMIPHYSICS_OT_inspect(_FileSelector, bpy.types.Operator):
    """Tells what a file says about physics, and changes nothing."""

    bl_idname = "scene.omi_physics_inspect"
    bl_label = "Inspect glTF Physics"
    bl_description = (
        "Show the physics of a glTF file without importing: extensions, node tree, cost and issues"
    )
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.
    filename_ext = ".glb"

    filter_glob: bpy.props.StringProperty(  # pyright: ignore[reportInvalidTypeForm]
        default="*.glb;*.gltf", options={"HIDDEN"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a window to show it in, or nobody who looks."""
        return bpy.app.background or context.window is not None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Read, write the page beside Blender's own temporary files, and show both."""
        return show(self, context, Path(bpy.path.abspath(self.filepath)))


class ExportsScene:
    """An operator that exports the scene."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the scene can be exported."""
        exporter: Any = bpy.ops.export_scene.gltf
        return exporter.poll()


class OMIPHYSICS_OT_inspect_export(ExportsScene, bpy.types.Operator):
    """Tells what an export would say about physics, and keeps no file."""

    bl_idname = "scene.omi_physics_inspect_export"
    bl_label = "Inspect Export"
    bl_description = (
        "Show the physics that an export would write: extensions, node tree, cost and issues"
    )
    bl_options: Any = {"REGISTER"}  # noqa: RUF012 - Blender reads it from the class.

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a window to show it in, or nobody who looks, and it can be exported."""
        return (bpy.app.background or context.window is not None) and super().poll(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Export whatever is wrong, look at it, and throw it away."""
        try:
            with exported() as path:
                return show(self, context, path, is_kept=False)
        except RuntimeError as problem:
            return failed(self, problem)


@contextlib.contextmanager
def exported() -> Generator[Path]:
    """What an export of the scene would write, whatever is wrong with it; gone afterwards.

    Raises:
        RuntimeError: the export failed.
    """
    from ..scripting import export_gltf

    name = Path(bpy.data.filepath).stem or "untitled"
    with tempfile.TemporaryDirectory(dir=bpy.app.tempdir) as folder:
        path = Path(folder) / f"{name}.glb"
        export_gltf(path, allow_errors=True)
        yield path


def show(
    operator: bpy.types.Operator, context: bpy.types.Context, path: Path, *, is_kept: bool = True
) -> set[Any]:
    """Write the page, and show it and the first lines.

    Args:
        is_kept: whether the file is still there when its popup is seen.
    """
    from ...files import source

    try:
        found, page = inspect(path)
    except (source.SourceError, OSError) as problem:
        return failed(operator, problem)
    if not bpy.app.background:
        manager: Any = context.window_manager

        def draw_popup(popup: Any, _context: Any) -> None:
            button = popup.layout.operator("scene.omi_physics_play_in_browser", icon="PLAY")
            button.filepath = str(path) if is_kept else ""
            draw(popup.layout, found, page)

        manager.popup_menu(draw_popup, title=found.name, icon="PHYSICS")
    return done(
        operator,
        "{name}: {bodies} bodies, {shapes} shapes, {issues} issues",
        name=found.name,
        bodies=found.cost.bodies,
        shapes=found.cost.shapes,
        issues=len(found.issues),
    )


def inspect(path: Path) -> tuple[Inspection, Path]:
    """What a file says about physics, and the page that shows it.

    Raises:
        SourceError: it is no glTF.
        OSError: the page cannot be written.
    """
    from ...files import drawing, inspecting, pages, source

    given = source.read(path)
    found, checked = inspecting.inspect(given)
    page = preferences.page_path(f"{path.name}.html", "omi_physics_inspection.html")
    text = pages.inspection_page(found, drawing.draw(checked, given))
    page.write_text(text, encoding="utf-8")
    return found, page


def draw(layout: Any, found: Inspection, page: Path) -> None:
    """Show the first lines, and a button for the page with all and a drawing."""
    from ...files import inspecting

    button = layout.operator("wm.url_open", text="Open as Page", icon="URL")
    button.url = page.as_uri()
    layout.separator()
    lines = found.lines()[1:]
    for line in lines[:_MOST_LINES]:
        layout.label(text=inspecting.shortened(line, _LONGEST), translate=False)
    if len(lines) > _MOST_LINES:
        layout.label(text=f"… and {len(lines) - _MOST_LINES} more lines on the page")
