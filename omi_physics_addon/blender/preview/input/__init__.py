"""What a preview reads of the artist's scene: physics, bones, animation."""
