"""The journal of a run: its files, what identifies it, and reading it again."""
