"""What moves bodies besides collisions: forces as pure functions of a state."""
