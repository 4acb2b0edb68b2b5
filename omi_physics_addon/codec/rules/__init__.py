"""What no single field can say: checks over a whole document or file."""
