"""The temporary scene of a preview, its windows and options, and what it puts back."""
