"""How a world begins: what overlaps, what snaps, and what is said of that."""
