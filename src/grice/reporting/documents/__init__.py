"""A document for each kind of report: what it says, and in which order."""
