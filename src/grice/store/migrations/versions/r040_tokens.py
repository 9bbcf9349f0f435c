"""Who may ask the service, and who changed what."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "040_tokens"
down_revision = "035_prompts"


def upgrade() -> None:
    """Make the tables."""
    moment = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.DateTime(timezone=True)
    op.create_table(
        "tokens",
        sa.Column("name", sa.String(255), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("made_at", moment, nullable=False),
    )
    op.create_table(
        "changes",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("who", sa.String(255), nullable=False),
        sa.Column("changed_at", moment, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
    )
