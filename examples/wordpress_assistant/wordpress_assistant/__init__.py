"""A small assistant for WordPress administrators, the application that Grice's own examples test."""
