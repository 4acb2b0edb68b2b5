"""Runs the command line: `python -m omi_physics_addon.cli check scene.glb`."""

import sys

from .main import main

if __name__ == "__main__":
    sys.exit(main())
