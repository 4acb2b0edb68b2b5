"""What can be set right in a file by itself, by the code of the issue."""

from __future__ import annotations

from typing import Final

from . import body_fixes, joint_fixes, part_fixes, shape_fixes
from .fix import Fix

FIXES: Final[dict[str, Fix]] = {
    **body_fixes.FIXES,
    **joint_fixes.FIXES,
    **part_fixes.FIXES,
    **shape_fixes.FIXES,
}
