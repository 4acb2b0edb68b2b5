"""Numbers and lines for physics shapes, computed with numpy in the shapes' own glTF axes."""
