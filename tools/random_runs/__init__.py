"""Scripts that play and edit at random, and look for faults."""
