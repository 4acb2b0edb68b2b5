"""Why the preview differs from engines of others, file by file; `compare_engines` writes it down.

Each reason was found by measuring, and says what was measured.
"""

from __future__ import annotations

from typing import Final

REASONS: Final[dict[str, str]] = {}

# Of a file, and an engine's key, the reasons.
WHY: Final[dict[tuple[str, str], tuple[str, ...]]] = {}
