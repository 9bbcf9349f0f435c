"""Threads and event loops: the background loop, and calls that end in time."""
