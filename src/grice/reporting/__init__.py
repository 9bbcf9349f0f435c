"""Showing results: plain text, console, JSON."""
