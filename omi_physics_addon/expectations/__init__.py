"""What assets promise to do when they are played, and whether they keep it."""
