"""What artists do to bring physics over from somewhere else, or to the other side."""
