"""What the command line does for projects of engines that play scenes."""
