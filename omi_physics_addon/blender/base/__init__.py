"""What every other part of the Blender layer may use: groups, arrays, reports, versions."""
