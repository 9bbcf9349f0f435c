"""How PostgreSQL finds the labels of a scan."""

from __future__ import annotations

from alembic import op

revision = "070_labels"
down_revision = "060_checkouts"


def upgrade() -> None:
    """Order the index by characters, in whatever order the database sorts texts: SQLite has it so already."""
    if op.get_bind().dialect.name != "postgresql":
        return
    op.drop_index("labels_of_conversation", "labels")
    op.create_index(
        "labels_of_conversation",
        "labels",
        ["conversation_id"],
        postgresql_ops={"conversation_id": "varchar_pattern_ops"},
    )
