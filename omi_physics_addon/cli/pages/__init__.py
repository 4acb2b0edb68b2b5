"""Commands that write pages, and the option of those that may."""
