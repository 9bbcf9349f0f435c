"""Measuring judges: against the examples of their criteria, and against people's labels."""
