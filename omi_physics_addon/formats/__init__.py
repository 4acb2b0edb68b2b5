"""Physics in files of other programs: URDF, MJCF and USD, read as glTF and written from it."""
