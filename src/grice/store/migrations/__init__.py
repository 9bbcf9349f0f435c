"""Revisions of the schema, which Alembic runs in their order."""

HEAD = "070_labels"
"""The last revision. It stands here so that nobody imports Alembic to see that nothing is to be done."""
