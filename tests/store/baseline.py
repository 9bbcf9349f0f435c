"""A database of PromptKitchen as it was before assertions, with rows: what its Knex migrations left."""

from __future__ import annotations

from sqlalchemy import Engine, text

_TABLES = """
CREATE TABLE knex_migrations (id {serial}, name varchar(255), batch integer, migration_time {moment});
CREATE TABLE users (id varchar(255) primary key, email varchar(255) not null unique, name varchar(255),
  avatar_url varchar(255), oauth_provider varchar(255), created_at {moment}, updated_at {moment});
CREATE TABLE projects (id varchar(255) primary key, user_id varchar(255) not null references users(id)
  on delete cascade, name varchar(255) not null, description text);
CREATE TABLE models (id varchar(255) primary key, name varchar(255) not null unique, is_active boolean);
CREATE TABLE prompts (id varchar(255) primary key, project_id varchar(255) not null references projects(id)
  on delete cascade, name varchar(255) not null, prompt text not null, version integer not null default 1,
  model_id varchar(255) references models(id) on delete set null);
CREATE TABLE prompt_history (id varchar(255) primary key, prompt_id varchar(255) not null
  references prompts(id) on delete cascade, prompt text not null, version integer not null);
CREATE TABLE test_suites (id varchar(255) primary key, prompt_id varchar(255) not null references prompts(id)
  on delete cascade, name varchar(255) not null);
CREATE TABLE test_cases (id varchar(255) primary key, test_suite_id varchar(255) not null
  references test_suites(id) on delete cascade, inputs {json} not null, expected_output text not null,
  output_type varchar(255) not null default 'string', run_mode varchar(255) not null default 'DEFAULT');
CREATE TABLE test_suite_runs (id varchar(255) primary key, test_suite_id varchar(255) not null
  references test_suites(id) on delete cascade, prompt_history_id varchar(255) not null
  references prompt_history(id) on delete cascade, run_at {moment} not null, status varchar(255) not null
  check (status in ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED')), pass_percentage real);
CREATE TABLE test_results (id varchar(255) primary key, test_suite_run_id varchar(255) not null
  references test_suite_runs(id) on delete cascade, test_case_id varchar(255) not null
  references test_cases(id) on delete cascade, actual_output text, status varchar(255) not null
  check (status in ('PASS', 'FAIL')));
"""

_ROWS = """
INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('009_add_models.js', 1, {ran});
INSERT INTO users (id, email, name) VALUES ('u1', 'ada@example.com', 'Ada');
INSERT INTO projects VALUES ('p1', 'u1', 'Kitchen', NULL);
INSERT INTO prompts VALUES ('pr1', 'p1', 'Greeter', 'Greet {{{{name}}}}', 2, NULL);
INSERT INTO prompt_history VALUES ('h1', 'pr1', 'Greet {{{{name}}}}', 2);
INSERT INTO test_suites VALUES ('s1', 'pr1', 'Greetings');
INSERT INTO test_cases VALUES ('text', 's1', '{{"name": "Ada"}}', 'Hello, Ada', 'string', 'DEFAULT');
INSERT INTO test_cases VALUES ('json', 's1', '{{"name": "Bob"}}', '{{"a": 1, "b": [true]}}', 'json', 'ONLY');
INSERT INTO test_suite_runs VALUES ('r1', 's1', 'h1', {ran}, 'COMPLETED', 50);
INSERT INTO test_results VALUES ('t1', 'r1', 'text', 'Hello, Ada', 'PASS');
INSERT INTO test_results VALUES ('t2', 'r1', 'json', '{{"b": [true]}}', 'FAIL');
"""

NAMES = (
    *("knex_migrations", "users", "projects", "prompts", "prompt_history", "test_suites", "test_cases"),
    *("test_suite_runs", "test_results", "models"),
)


def make_baseline(engine: Engine) -> None:
    """Make the tables and their rows."""
    sqlite = engine.dialect.name == "sqlite"
    words = {
        "serial": "integer primary key autoincrement" if sqlite else "serial primary key",
        "moment": "datetime" if sqlite else "timestamptz",
        "json": "json",
        "ran": "1754611200000" if sqlite else "'2025-08-08T00:00:00Z'",  # Knex writes milliseconds to SQLite
    }
    with engine.begin() as connection:
        for statement in (_TABLES + _ROWS).format(**words).split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement.replace("%", "%%"))


def baseline_rows(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    """What stands in the columns that the baseline has."""
    found: dict[str, list[tuple[object, ...]]] = {}
    with engine.connect() as connection:
        for name in NAMES:
            width = _WIDTHS.get(name)
            rows = connection.execute(text(f"SELECT * FROM {name} ORDER BY 1"))
            found[name] = [tuple(row)[:width] for row in rows]
    return found


_WIDTHS = {
    "prompts": 6,
    "prompt_history": 4,
    "test_suites": 3,
    "test_cases": 6,
    "test_suite_runs": 6,
    "test_results": 5,
}
