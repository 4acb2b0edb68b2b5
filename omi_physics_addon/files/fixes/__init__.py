"""What can be set right in a file by itself, by the code of the issue."""

from __future__ import annotations

from typing import Final

from ...issue_codes import CATALOGUE
from . import body_fixes, joint_fixes, part_fixes, scene_words, shape_fixes
from .fix import Fix, Words

FIXES: Final[dict[str, Fix]] = {
    **body_fixes.FIXES,
    **joint_fixes.FIXES,
    **part_fixes.FIXES,
    **shape_fixes.FIXES,
}
# What they are called in Blender, with those that it has for itself; files have none of a document.
IN_SCENES: Final[dict[str, Words]] = {
    **{
        code: fix.in_scenes(CATALOGUE[code].text)
        for code, fix in FIXES.items()
        if fix.where not in ("document", "meshes")
    },
    **scene_words.WORDS,
}
