"""Many files to many files: what is to be done, what is done, and the processes that do it."""
