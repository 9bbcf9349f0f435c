"""What several revisions do."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op


def add_missing(table: str, *columns: sa.Column[Any]) -> None:
    """Add the columns that the table has not: a server that was kept up to date by Knex has some already."""
    known = {one["name"] for one in sa.inspect(op.get_bind()).get_columns(table)}
    for column in columns:
        if column.name not in known:
            op.add_column(table, column)
