"""Author, preview, check, export and import physics in glTF.

Blender's glTF add-on looks up the names that start with glTF2 and draw in this module
(io_scene_gltf2/__init__.py); everything that needs Blender is imported when it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .blender.host.gltf_export import ExportHooks
    from .blender.host.gltf_import import ImportHooks


def register() -> None:
    """Make everything known to Blender."""
    from .blender import registration

    registration.register(run_command)


def unregister() -> None:
    """Undo `register`."""
    from .blender import registration

    registration.unregister()


def run_command(arguments: list[str]) -> int:
    """Run `blender --command omi_physics …`; returns the exit code."""
    from .cli import main

    return main.in_blender(arguments)


def glTF2ExportUserExtension() -> ExportHooks:
    """The hooks of one export; Blender's exporter calls this."""
    from .blender.host import gltf_export

    return gltf_export.ExportHooks()


def glTF2ImportUserExtension() -> ImportHooks:
    """The hooks of one import; Blender's importer calls this."""
    from .blender.host import gltf_import

    return gltf_import.ImportHooks()


def draw_export(context: Any, layout: Any) -> None:
    """Draw our panel in the export dialog."""
    from .blender.panels import exchange

    exchange.draw_export(context, layout)


def draw_import(context: Any, layout: Any) -> None:
    """Draw our panel in the import dialog."""
    from .blender.panels import exchange

    exchange.draw_import(context, layout)
