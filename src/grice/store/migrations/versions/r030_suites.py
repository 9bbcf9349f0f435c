"""Suites and cases as files say them: whose they are, where they stand, their content."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from grice.store.migrations.changes import add_missing

revision = "030_suites"
down_revision = "020_journals"


def upgrade() -> None:
    """Add the columns. Suites that runs made so far are marked as such; those of PromptKitchen stay."""
    texts = ("source_file", "fingerprint", "content")
    add_missing(
        "test_suites", sa.Column("project_id", sa.String(255)), *(sa.Column(name, sa.Text) for name in texts)
    )
    add_missing(
        "test_cases",
        *(sa.Column(name, sa.Integer) for name in ("source_line", "position")),
        *(sa.Column(name, sa.Text) for name in ("fingerprint", "content")),
    )
    op.execute(
        "UPDATE test_suites SET project_id ="
        " (SELECT project_id FROM prompts WHERE prompts.id = test_suites.prompt_id)"
    )
    op.execute(
        "UPDATE test_suites SET source_file = COALESCE("
        "(SELECT MIN(source_file) FROM test_cases WHERE test_cases.test_suite_id = test_suites.id), '')"
        " WHERE project_id IN (SELECT id FROM projects WHERE user_id = 'grice')"
    )
    op.create_index("suites_of_project", "test_suites", ["project_id", "source_file"])
    op.create_index("cases_of_suite", "test_cases", ["test_suite_id", "position"])
