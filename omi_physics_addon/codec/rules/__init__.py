"""Checks over a whole document or file, which no single field can fail."""
