"""Between a physics document and the `extensions` objects of a glTF file."""
