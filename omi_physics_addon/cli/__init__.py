"""The command line: exports, converts, checks and simulates physics in files."""
