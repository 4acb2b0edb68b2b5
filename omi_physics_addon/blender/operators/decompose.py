"""Cuts what the selected objects show into convex hulls, while Blender goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import bpy

from ..base import mesh_arrays
from ..preview import player
from ..properties import fits
from .chosen_objects import (
    NOTHING_SELECTED,
    OnScene,
    can_change,
    counted,
    finished,
    has_targets,
    leave_edit_mode_data,
    pgettext_rpt,
    refuse,
    split,
    targets,
    unavailable,
)
from .fit import error_text, kept_text

if TYPE_CHECKING:
    from ..authoring.decomposition.cutting import Cutting
    from ..authoring.fit_sources import Cuts, Piece

_OFTEN: Final = 0.1  # s between two looks at what is done.
_NOTHING: Final = "Nothing to decompose: select objects with faces"
_STATUS: Final = "Convex Decomposition: {share:.0f} %    Esc: Cancel"
_WAITS: Final = "Convex Decomposition is done; switch to Object Mode to create the hulls"
_GONE: Final = "The decomposed objects no longer exist"


class OMIPHYSICS_OT_decompose(fits.DecompositionOptions, OnScene, bpy.types.Operator):
    """Gives the selected objects convex hulls that together fill what they show."""

    bl_idname = "object.omi_physics_decompose"
    bl_label = "Convex Decomposition"
    bl_description = (
        "Decompose the meshes of the selected objects into convex hulls, on new child "
        "objects. Runs in the background for some seconds per mesh; Esc cancels"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether something is selected, and the library is here."""
        from ..authoring.decomposition import cutting

        if not cutting.is_here():
            return unavailable(cls, cutting.missing())
        if not has_targets(context):
            return unavailable(cls, NOTHING_SELECTED)
        return super().poll(context)

    def draw(self, context: bpy.types.Context) -> None:
        """Whose shape, and how finely."""
        layout = split(self.layout)
        layout.prop(self, "part")
        layout.prop(self, "source")
        draw_options(layout, self)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Begin, and look now and then how far it is."""
        if not self._begin(context):
            return {"CANCELLED"}
        manager: Any = context.window_manager
        self._timer = manager.event_timer_add(_OFTEN, window=context.window)
        manager.modal_handler_add(self)
        manager.progress_begin(0.0, 1.0)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Let everything else go its way."""
        from ..authoring.decomposition.cutting import CutError

        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        try:
            is_done = self._cutting.step()
        except CutError as problem:
            self.cancel(context)
            return refuse(self, "{why}", why=problem)
        if is_done and context.mode == "OBJECT":
            self._leave(context)
            return self._put()
        share = 100.0 * self._cutting.progress
        text = _WAITS if is_done else pgettext_rpt(_STATUS).format(share=share)
        cast(Any, context.workspace).status_text_set(text)
        cast(Any, context.window_manager).progress_update(share / 100.0)
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """End it without a trace, also where the window or the file goes."""
        self._cutting.cancel()
        self._leave(context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Wait for it: in scripts, and where options are changed afterwards."""
        from ..authoring.decomposition.cutting import CutError

        if not self._begin(context):
            return {"CANCELLED"}
        try:
            self._cutting.wait()
        except CutError as problem:
            return refuse(self, "{why}", why=problem)
        return self._put()

    def _begin(self, context: bpy.types.Context) -> bool:
        """Take the meshes as they are now."""
        from ..authoring.decomposition.cutting import CutError, Cutting
        from ..authoring.fit_sources import Sources

        chosen: Any = self
        objects = targets(context)
        leave_edit_mode_data(objects)
        sources = Sources(context.evaluated_depsgraph_get(), mesh_arrays.children_of_all())
        found = {obj: solid_pieces(sources.pieces(obj, chosen.source)) for obj in objects}
        self._wanted: list[tuple[str, int, Sequence[Piece]]] = [
            (obj.name, obj.session_uid, pieces) for obj, pieces in found.items() if pieces
        ]
        self._pieces = list(dict.fromkeys(p for pieces in found.values() for p in pieces))
        if not self._pieces:
            refuse(self, _NOTHING)
            return False
        try:
            self._cutting: Cutting = Cutting(self._pieces, cuts_of(chosen))
        except CutError as problem:
            refuse(self, "{why}", why=problem)
            return False
        return True

    def _put(self) -> set[Any]:
        from ..authoring.decomposition import hulls

        player.hold()
        chosen: Any = self
        data: Any = bpy.data
        parts: Mapping[Piece, Sequence[Piece]] = dict(
            zip(self._pieces, self._cutting.parts, strict=True)
        )
        wanted: list[tuple[Any, Sequence[Piece]]] = []
        for name, uid, pieces in self._wanted:
            obj = data.objects.get(name)
            if obj is not None and obj.session_uid == uid and can_change(obj):
                wanted.append((obj, pieces))
        made = hulls.put(wanted, parts, chosen.part, cuts_of(chosen))
        if not made.objects:
            return refuse(self, _GONE)
        one, many = "{hulls} convex hulls for {name}", "{hulls} convex hulls for {count} objects"
        name = made.objects[0].name
        text = counted(one, many, len(made.objects), hulls=made.hulls, name=name)
        text += error_text(made.errors) + kept_text(made.kept)
        return finished(self, text)

    def _leave(self, context: bpy.types.Context) -> None:
        manager: Any = context.window_manager
        manager.event_timer_remove(self._timer)
        manager.progress_end()
        cast(Any, context.workspace).status_text_set(None)


def cuts_of(options: Any) -> Cuts:
    """How finely to cut, as options say."""
    from ..authoring.fit_sources import Cuts

    return Cuts(options.concavity / 100.0, options.hulls, options.hull_vertices, options.seed)


def solid_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """Those that have faces; what is flat cannot be cut, and is a hull as it is."""
    return [piece for piece in pieces if len(piece.triangles)]


def draw_options(layout: Any, options: Any) -> None:
    """Draw what belongs to convex decomposition."""
    for name in fits.DECOMPOSITION:
        if name == "hulls":
            row = layout.row(heading="Limit Hulls")
            row.prop(options, "use_hulls", text="")
            if options.use_hulls:
                row.prop(options, name, text="")
        else:
            layout.prop(options, name)
