"""Physics that the names of objects ask for, by the conventions of engines."""
