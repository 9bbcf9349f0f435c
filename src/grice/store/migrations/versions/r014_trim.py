"""Cases that are judged by their expected output may leave out white space around it."""

from __future__ import annotations

import sqlalchemy as sa

from grice.store.migrations.changes import add_missing

revision = "014_add_should_trim_whitespace"
down_revision = "011_add_details_to_test_results"


def upgrade() -> None:
    """Add the column."""
    add_missing("test_cases", sa.Column("should_trim_whitespace", sa.Boolean))
