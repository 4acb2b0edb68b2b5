"""What the artist does to a preview while it runs: drives, pulls, changes settings."""
