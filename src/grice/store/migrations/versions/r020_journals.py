"""What journals hold: runs with their state, conversations, verdicts, visits to topics, findings, labels."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from grice.store.migrations.changes import add_missing

revision = "020_journals"
down_revision = "014_add_should_trim_whitespace"


def upgrade() -> None:
    """Add the columns and make the tables."""
    moment = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.DateTime(timezone=True)
    add_missing("test_cases", sa.Column("name", sa.Text), sa.Column("source_file", sa.Text))
    add_missing(
        "test_suite_runs",
        sa.Column("project_id", sa.String(255)),
        *_texts("name", "error", "summary", "agent", "git_branch", "git_commit"),
        *(sa.Column(name, sa.String(20)) for name in ("state", "outcome")),
        *(sa.Column(name, sa.BigInteger) for name in ("planned", "done", "tokens")),
        *(sa.Column(name, sa.Float) for name in ("seconds_p50", "seconds_p95")),
        sa.Column("selected", sa.Boolean),
        *(sa.Column(name, moment) for name in ("heard_at", "pruned_at")),
    )
    add_missing(
        "test_results",
        sa.Column("outcome", sa.String(20)),
        sa.Column("counts", sa.Boolean),
        sa.Column("why", sa.Text),
    )
    _make_journal_tables()
    _make_conversation_tables(moment)
    for name, table, columns in _INDEXES:
        op.create_index(name, table, columns)
    op.create_index("conversation_in_run", "conversations", ["run_id", "stable_id", "repeat"], unique=True)


def _make_journal_tables() -> None:
    op.create_table(
        "run_heads",
        _part_of("run_id", "test_suite_runs"),
        sa.Column("journal", sa.String(255), primary_key=True),
        sa.Column("line", sa.BigInteger, primary_key=True),
        sa.Column("head", sa.Text, nullable=False),
    )
    op.create_table(
        "run_tags", _part_of("run_id", "test_suite_runs"), sa.Column("tag", sa.Text, primary_key=True)
    )
    op.create_table(
        "journal_files",
        _part_of("run_id", "test_suite_runs"),
        sa.Column("journal", sa.String(255), primary_key=True),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in ("bytes", "lines", "damaged", "results")
        ),
        sa.Column("session", sa.Text, nullable=False),
    )


def _make_conversation_tables(moment: sa.types.TypeEngine[Any]) -> None:
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(255), primary_key=True),
        sa.Column("run_id", sa.String(255), _reference("test_suite_runs.id"), nullable=False),
        sa.Column("journal", sa.String(255), nullable=False),
        sa.Column("line", sa.BigInteger, nullable=False),
        *_texts("stable_id", null=False),
        sa.Column("repeat", sa.BigInteger, nullable=False),
        *_texts("key", "name", "set_name", "fingerprint", null=False),
        sa.Column("outcome", sa.String(20), nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("failure", sa.String(20), nullable=False),
        sa.Column("termination", sa.String(20)),
        sa.Column("turns", sa.BigInteger, nullable=False),
        sa.Column("tokens", sa.BigInteger),
        sa.Column("slowest_seconds", sa.Float),
        *_texts("attempt", "record", null=False),
    )
    op.create_table(
        "verdicts",
        _part_of("conversation_id", "conversations"),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("run_id", sa.String(255), nullable=False),
        *_texts("criterion", "matcher", null=False),
        *(sa.Column(name, sa.String(20), nullable=False) for name in ("mode", "outcome")),
        sa.Column("score", sa.Float),
        sa.Column("turn", sa.BigInteger),
        sa.Column("counted", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "topic_visits",
        _part_of("conversation_id", "conversations"),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("topic", sa.Text, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("first", "last")),
        sa.Column("legal", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "findings",
        _part_of("conversation_id", "conversations"),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("turn", sa.BigInteger),
        *_texts("reason", "quote", null=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "labels",
        sa.Column("id", sa.String(255), primary_key=True),
        sa.Column("conversation_id", sa.String(255), nullable=False),
        sa.Column("turn", sa.BigInteger),
        *_texts("criterion", "label", "note", "labelled_by"),
        sa.Column("labelled_at", moment),
    )


def _texts(*names: str, null: bool = True) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=null) for name in names]


def _reference(target: str) -> sa.ForeignKey:
    return sa.ForeignKey(target, ondelete="CASCADE")


def _part_of(name: str, table: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(255), _reference(f"{table}.id"), primary_key=True)


_NUMBERS = ("bytes", "lines", "damaged", "results")
_INDEXES = (
    ("runs_of_project", "test_suite_runs", ["project_id", "run_at"]),
    ("runs_of_branch", "test_suite_runs", ["project_id", "git_branch", "run_at"]),
    ("runs_of_name", "test_suite_runs", ["project_id", "name", "run_at"]),
    ("runs_of_state", "test_suite_runs", ["state", "run_at"]),
    ("runs_of_tag", "run_tags", ["tag", "run_id"]),
    ("results_of_run", "test_results", ["test_suite_run_id", "test_case_id", "outcome"]),
    ("results_of_case", "test_results", ["test_case_id", "test_suite_run_id", "outcome"]),
    ("conversations_of_run", "conversations", ["run_id", "journal", "line"]),
    ("slowest_of_run", "conversations", ["run_id", "slowest_seconds"]),
    ("verdicts_of_criterion", "verdicts", ["criterion", "run_id", "counted", "outcome"]),
    ("labels_of_conversation", "labels", ["conversation_id"]),
)
