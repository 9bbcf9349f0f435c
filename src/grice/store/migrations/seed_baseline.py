"""The tables that PromptKitchen's server had before assertions: what its migrations up to 009 left."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


def _id() -> sa.Column[str]:
    return sa.Column("id", sa.String(255), primary_key=True)


def _of(name: str, target: str, *, null: bool = False) -> sa.Column[str]:
    ends = "SET NULL" if null else "CASCADE"
    return sa.Column(
        name, sa.String(255), sa.ForeignKey(f"{target}.id", ondelete=ends), nullable=null, index=True
    )


def _name() -> sa.Column[str]:
    return sa.Column("name", sa.String(255), nullable=False)


def create_baseline() -> None:
    """Make the tables."""
    moment = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.DateTime(timezone=True)
    op.create_table(
        "users",
        _id(),
        sa.Column("email", sa.String(255), nullable=False, unique=True),
        sa.Column("name", sa.String(255)),
        sa.Column("avatar_url", sa.String(255)),
        sa.Column("oauth_provider", sa.String(255)),
        sa.Column("created_at", moment, server_default=sa.func.current_timestamp()),
        sa.Column("updated_at", moment, server_default=sa.func.current_timestamp()),
    )
    op.create_table("projects", _id(), _of("user_id", "users"), _name(), sa.Column("description", sa.Text))
    op.create_table(
        "models",
        _id(),
        sa.Column("name", sa.String(255), nullable=False, unique=True),
        sa.Column("is_active", sa.Boolean, server_default=sa.true()),
    )
    op.create_table(
        "prompts",
        _id(),
        _of("project_id", "projects"),
        _name(),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False, server_default="1"),
        _of("model_id", "models", null=True),
    )
    op.create_table(
        "prompt_history",
        _id(),
        _of("prompt_id", "prompts"),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
    )
    op.create_table("test_suites", _id(), _of("prompt_id", "prompts"), _name())
    op.create_table(
        "test_cases",
        _id(),
        _of("test_suite_id", "test_suites"),
        sa.Column("inputs", sa.Text, nullable=False),
        sa.Column("expected_output", sa.Text, nullable=False),
        sa.Column("output_type", sa.String(255), nullable=False, server_default="string"),
        sa.Column("run_mode", sa.String(255), nullable=False, server_default="DEFAULT"),
    )
    op.create_table(
        "test_suite_runs",
        _id(),
        _of("test_suite_id", "test_suites"),
        _of("prompt_history_id", "prompt_history"),
        sa.Column("run_at", moment, nullable=False),
        sa.Column("status", sa.String(255), nullable=False),
        sa.Column("pass_percentage", sa.Float),
    )
    op.create_table(
        "test_results",
        _id(),
        sa.Column(
            "test_suite_run_id",
            sa.String(255),
            sa.ForeignKey("test_suite_runs.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column(
            "test_case_id",
            sa.String(255),
            sa.ForeignKey("test_cases.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("actual_output", sa.Text),
        sa.Column("status", sa.String(255), nullable=False),
    )
