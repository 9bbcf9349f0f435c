"""Which checkout wrote a suite, and of which project a token and a change are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "060_checkouts"
down_revision = "050_pages"


def upgrade() -> None:
    """Add the columns. A token stays one of each project that it was let into."""
    moment = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.DateTime(timezone=True)
    op.add_column("test_suites", sa.Column("written_from", sa.Text))
    op.add_column("test_suites", sa.Column("written_at", moment))
    op.create_table(
        "project_tokens",
        sa.Column("project_id", sa.String(255), primary_key=True),
        sa.Column("name", sa.String(255), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("made_at", moment, nullable=False),
    )
    op.execute(
        "INSERT INTO project_tokens SELECT projects.id, tokens.name, hash, role, made_at"
        " FROM tokens CROSS JOIN projects WHERE projects.user_id = 'grice'"
    )
    op.drop_table("tokens")
    op.rename_table("project_tokens", "tokens")
    op.add_column("changes", sa.Column("project_id", sa.String(255)))
    op.execute(
        "UPDATE changes SET project_id = (SELECT MIN(id) FROM projects WHERE user_id = 'grice')"
        " WHERE (SELECT COUNT(*) FROM projects WHERE user_id = 'grice') = 1"
    )
    op.create_index("changes_of_project", "changes", ["project_id", "number"])
    op.drop_column("labels", "turn")
