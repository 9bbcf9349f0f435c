"""Cases have assertions. A fresh database gets the tables of PromptKitchen's server first."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from grice.store.migrations.changes import add_missing
from grice.store.migrations.seed_baseline import create_baseline

revision = "010_add_assertions_to_test_cases"
down_revision = None


def upgrade() -> None:
    """Add the column; rows that are there have none and are judged by their expected output."""
    if not sa.inspect(op.get_bind()).has_table("test_cases"):
        create_baseline()
    add_missing("test_cases", sa.Column("assertions", sa.Text))
