"""Copies of what the artist sees, which follow the bodies of a preview."""
