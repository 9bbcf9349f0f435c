"""The tables: those of PromptKitchen's server, and what Grice adds.

Rows of a run are made from its journal, and ids follow from it, so that a table made anew has the same rows.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)

from grice.store.columns import JsonText, Moment, Stored

METADATA = MetaData()


def _id() -> Column[str]:
    return Column("id", Stored(255), primary_key=True)


def _of(name: str, target: str, *, key: bool = False, null: bool = False) -> Column[str]:
    """A reference to what the row belongs to, and goes with."""
    ends = "SET NULL" if null else "CASCADE"
    foreign = ForeignKey(f"{target}.id", ondelete=ends)
    return Column(name, Stored(255), foreign, primary_key=key, nullable=null)


users = Table("users", METADATA, _id(), Column("email", Stored(255)), Column("name", Stored(255)))
projects = Table(
    "projects",
    METADATA,
    _id(),
    _of("user_id", "users"),
    Column("name", Stored(255)),
    Column("description", Stored()),
)
models = Table("models", METADATA, _id(), Column("name", Stored(255)), Column("is_active", Boolean))
prompts = Table(
    "prompts",
    METADATA,
    _id(),
    _of("project_id", "projects"),
    Column("name", Stored(255)),
    Column("prompt", Stored()),
    Column("version", Integer),
    _of("model_id", "models", null=True),
    Column("source_file", Stored()),
)
prompt_history = Table(
    "prompt_history",
    METADATA,
    _id(),
    _of("prompt_id", "prompts"),
    Column("prompt", Stored()),
    Column("version", Integer),
    Column("kept_at", Moment),
)
test_suites = Table(
    "test_suites",
    METADATA,
    _id(),
    _of("prompt_id", "prompts"),
    Column("name", Stored(255)),
    Column("project_id", Stored(255)),
    Column("source_file", Stored()),
    Column("fingerprint", Stored()),
    Column("content", Text),
    Column("written_from", Stored()),
    Column("written_at", Moment),
)
"""Suites. `source_file` is null where a suite stands in no file; one that has a file and no `fingerprint` is
known from journals only. `content` is what a suite says beside its name and scenarios,
`written_from` the checkout whose file says it, and `written_at` when that file was last changed."""
test_cases = Table(
    "test_cases",
    METADATA,
    _id(),
    _of("test_suite_id", "test_suites"),
    Column("inputs", JsonText()),
    Column("expected_output", Stored()),
    Column("output_type", Stored(255)),
    Column("run_mode", Stored(255)),
    Column("assertions", Text),
    Column("should_trim_whitespace", Boolean),
    Column("name", Stored()),
    Column("source_file", Stored()),
    Column("source_line", Integer),
    Column("fingerprint", Stored()),
    Column("position", Integer),
    Column("content", Text),
)
"""Cases. `content` is the scenario as a suite file says it, exactly; PromptKitchen's columns say the same as
far as they can. One without `content` is PromptKitchen's where `source_file` is null, else it is known from
journals only."""
test_suite_runs = Table(
    "test_suite_runs",
    METADATA,
    _id(),
    _of("test_suite_id", "test_suites"),
    _of("prompt_history_id", "prompt_history"),
    Column("run_at", Moment),
    Column("status", Stored(255)),
    Column("pass_percentage", Float),
    Column("project_id", Stored(255)),
    Column("name", Stored()),
    Column("state", Stored(20)),
    Column("outcome", Stored(20)),
    Column("error", Stored()),
    Column("summary", Text),
    Column("agent", Stored()),
    Column("git_branch", Stored()),
    Column("git_commit", Stored()),
    Column("planned", BigInteger),
    Column("done", BigInteger),
    Column("tokens", BigInteger),
    Column("seconds_p50", Float),
    Column("seconds_p95", Float),
    Column("selected", Boolean),
    Column("heard_at", Moment),
    Column("pruned_at", Moment),
)
test_results = Table(
    "test_results",
    METADATA,
    _id(),
    _of("test_suite_run_id", "test_suite_runs"),
    _of("test_case_id", "test_cases"),
    Column("actual_output", Stored()),
    Column("status", Stored(255)),
    Column("details", Text),
    Column("outcome", Stored(20)),
    Column("counts", Boolean),
    Column("why", Stored()),
)
run_heads = Table(
    "run_heads",
    METADATA,
    _of("run_id", "test_suite_runs", key=True),
    Column("journal", Stored(255), primary_key=True),
    Column("line", BigInteger, primary_key=True),
    Column("head", Text),
)
run_tags = Table(
    "run_tags",
    METADATA,
    _of("run_id", "test_suite_runs", key=True),
    Column("tag", Stored(), primary_key=True),
)
journal_files = Table(
    "journal_files",
    METADATA,
    _of("run_id", "test_suite_runs", key=True),
    Column("journal", Stored(255), primary_key=True),
    Column("bytes", BigInteger),
    Column("lines", BigInteger),
    Column("damaged", BigInteger),
    Column("session", Stored()),
    Column("results", BigInteger),
)
conversations = Table(
    "conversations",
    METADATA,
    _id(),
    _of("run_id", "test_suite_runs"),
    Column("journal", Stored(255)),
    Column("line", BigInteger),
    Column("stable_id", Stored()),
    Column("repeat", BigInteger),
    Column("key", Stored()),
    Column("name", Stored()),
    Column("set_name", Stored()),
    Column("fingerprint", Stored()),
    Column("outcome", Stored(20)),
    Column("counts", Boolean),
    Column("failure", Stored(20)),
    Column("termination", Stored(20)),
    Column("turns", BigInteger),
    Column("tokens", BigInteger),
    Column("slowest_seconds", Float),
    Column("persona", Stored()),
    Column("attempt", Text),
    Column("record", Text),
)
verdicts = Table(
    "verdicts",
    METADATA,
    _of("conversation_id", "conversations", key=True),
    Column("number", Integer, primary_key=True),
    Column("run_id", Stored(255)),
    Column("criterion", Stored()),
    Column("matcher", Stored()),
    Column("mode", Stored(20)),
    Column("outcome", Stored(20)),
    Column("score", Float),
    Column("turn", BigInteger),
    Column("counted", Boolean),
    sqlite_with_rowid=False,
)
topic_visits = Table(
    "topic_visits",
    METADATA,
    _of("conversation_id", "conversations", key=True),
    Column("number", Integer, primary_key=True),
    Column("topic", Stored()),
    Column("first", BigInteger),
    Column("last", BigInteger),
    Column("legal", Boolean),
    sqlite_with_rowid=False,
)
findings = Table(
    "findings",
    METADATA,
    _of("conversation_id", "conversations", key=True),
    Column("number", Integer, primary_key=True),
    Column("label", Stored()),
    Column("turn", BigInteger),
    Column("reason", Stored()),
    Column("quote", Stored()),
    sqlite_with_rowid=False,
)
labels = Table(
    "labels",
    METADATA,
    _id(),
    Column("conversation_id", Stored(255)),  # no reference: what people said outlives what is made anew
    Column("criterion", Stored()),
    Column("label", Stored()),
    Column("note", Stored()),
    Column("labelled_by", Stored()),
    Column("labelled_at", Moment),
)
tokens = Table(
    "tokens",
    METADATA,
    Column("project_id", Stored(255), primary_key=True),
    Column("name", Stored(255), primary_key=True),
    Column("hash", Stored(64)),
    Column("role", Stored(20)),
    Column("made_at", Moment),
)
changes = Table(
    "changes",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("who", Stored(255)),
    Column("changed_at", Moment),
    Column("what", Stored()),
    Column("project_id", Stored(255)),
)

_runs, _results, _held = test_suite_runs.c, test_results.c, conversations.c
INDEXES = (
    Index("runs_of_project", _runs.project_id, _runs.run_at),
    Index("runs_of_branch", _runs.project_id, _runs.git_branch, _runs.run_at),
    Index("runs_of_name", _runs.project_id, _runs.name, _runs.run_at),
    Index("runs_of_state", _runs.state, _runs.run_at),
    Index("runs_of_tag", run_tags.c.tag, run_tags.c.run_id),
    Index("results_of_run", _results.test_suite_run_id, _results.test_case_id, _results.outcome),
    Index("results_of_case", _results.test_case_id, _results.test_suite_run_id, _results.outcome),
    Index("conversations_of_run", _held.run_id, _held.journal, _held.line),
    Index("conversation_in_run", _held.run_id, _held.stable_id, _held.repeat, unique=True),
    Index("slowest_of_run", _held.run_id, _held.slowest_seconds),
    Index(
        "verdicts_of_criterion",
        verdicts.c.criterion,
        verdicts.c.run_id,
        verdicts.c.counted,
        verdicts.c.outcome,
    ),
    Index("conversations_of_outcome", _held.run_id, _held.outcome, _held.id),
    Index("conversations_of_failure", _held.run_id, _held.failure, _held.outcome, _held.id),
    Index("conversations_of_persona", _held.run_id, _held.persona, _held.outcome, _held.id),
    Index(
        "verdicts_of_matcher",
        verdicts.c.matcher,
        verdicts.c.run_id,
        verdicts.c.outcome,
        verdicts.c.conversation_id,
    ),
    Index("visits_of_topic", topic_visits.c.topic, topic_visits.c.conversation_id),
    Index("changes_of_project", changes.c.project_id, changes.c.number),
    Index(
        "labels_of_conversation",
        labels.c.conversation_id,
        postgresql_ops={"conversation_id": "varchar_pattern_ops"},
    ),
    Index("suites_of_project", test_suites.c.project_id, test_suites.c.source_file),
    Index("cases_of_suite", test_cases.c.test_suite_id, test_cases.c.position),
)
"""An index for each query of `queries.py` and `result_list.py`."""
