"""Revisions of the schema, which Alembic runs in their order."""
