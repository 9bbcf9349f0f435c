"""Results have what came of each assertion."""

from __future__ import annotations

import sqlalchemy as sa

from grice.store.migrations.changes import add_missing

revision = "011_add_details_to_test_results"
down_revision = "010_add_assertions_to_test_cases"


def upgrade() -> None:
    """Add the column."""
    add_missing("test_results", sa.Column("details", sa.Text))
