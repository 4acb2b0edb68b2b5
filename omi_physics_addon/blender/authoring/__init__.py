"""What operators do to objects: fits, joints, vehicles, gravity, filters, fixes."""
