"""Starts a process that does files.

From the command line:

    python serve.py --
    blender --background --factory-startup --python serve.py --
"""

import sys
from pathlib import Path

# As a script it is in no package, and finds its own beside those of other extensions.
sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from omi_physics_addon.cli.batch import server

if __name__ == "__main__":
    server.main()
