"""A comparison as text for people, JSON and Markdown."""
