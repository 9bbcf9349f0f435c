"""How many scenarios may differ by chance."""

__all__ = ["OTHER_NUMBERS"]

OTHER_NUMBERS = 0.1
"""What differs in more of the scenarios than this is flagged, or weakens; in fewer it may be chance."""
