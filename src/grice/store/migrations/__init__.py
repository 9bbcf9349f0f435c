"""Revisions of the schema, which Alembic runs in their order."""

HEAD = "060_checkouts"
"""The last revision. It stands here so that nobody imports Alembic to see that nothing is to be done."""
