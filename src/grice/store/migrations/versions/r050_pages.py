"""What the lists of pages are filtered by: who was played, and indexes for each filter."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "050_pages"
down_revision = "040_tokens"


def upgrade() -> None:
    """Add the column and the indexes."""
    op.add_column("conversations", sa.Column("persona", sa.Text(), nullable=True))
    op.create_index("conversations_of_outcome", "conversations", ["run_id", "outcome", "id"])
    op.create_index("conversations_of_failure", "conversations", ["run_id", "failure", "outcome", "id"])
    op.create_index("conversations_of_persona", "conversations", ["run_id", "persona", "outcome", "id"])
    op.create_index("verdicts_of_matcher", "verdicts", ["matcher", "run_id", "outcome", "conversation_id"])
    op.create_index("visits_of_topic", "topic_visits", ["topic", "conversation_id"])
