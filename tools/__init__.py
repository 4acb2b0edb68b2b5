"""Scripts for developers: set up, test, build, measure, picture."""
