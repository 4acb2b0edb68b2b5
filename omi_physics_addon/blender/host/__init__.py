"""Our hooks in Blender's glTF exporter and importer."""
