"""Prompts stand in files, and each version of one says when it was kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from grice.store.migrations.changes import add_missing

revision = "035_prompts"
down_revision = "030_suites"


def upgrade() -> None:
    """Add the columns."""
    moment = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.DateTime(timezone=True)
    add_missing("prompts", sa.Column("source_file", sa.Text))
    add_missing("prompt_history", sa.Column("kept_at", moment))
