"""The lines that show shapes, joints, gravity, motion, vehicles and seats, in glTF's axes."""
