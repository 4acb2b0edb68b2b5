"""What is done with whole glTF files, by the command line and by Blender alike."""
