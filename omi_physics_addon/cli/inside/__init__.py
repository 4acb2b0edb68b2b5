"""What the command line does inside Blender: a module for each kind of job."""
