"""What engines move elsewhere by more than can be allowed, found by computing the motion."""
