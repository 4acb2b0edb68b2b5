"""How far from where it should be a body may be before anybody is told.

The same for the preview and for engines: within `SECONDS`, `NEAR` and `SHARE` of the way together.
"""

from __future__ import annotations

from typing import Final

SECONDS: Final = 3.0
NEAR: Final = 0.05  # m.
SHARE: Final = 0.02  # Of the way that a body has gone.
