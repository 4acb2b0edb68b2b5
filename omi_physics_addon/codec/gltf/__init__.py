"""glTF files as bytes and as JSON: containers, meshes, and physics written anew."""
