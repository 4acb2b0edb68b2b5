"""A preview in the artist's own scene: its poses, on the evaluated copies of the objects there."""
