"""The commands of `grice`, by name. Only the module of the command that is invoked is imported."""

from __future__ import annotations

import click

from grice._runner import begin_session
from grice._version import __version__
from grice.cli.commands import Commands

_SUITE = Commands(
    "suite",
    "Work with suite files, *.grice.yaml and *.grice.json.",
    {"convert": "suite_convert", "export": "suite:Export", "import": "suite:ImportFiles"},
)
_VALIDATE = Commands(
    "validate",
    "Measure how often checks are right, on labelled examples.",
    {
        "checks": "validate_checks",
        "rules": "validate_rules",
        "criteria": "validate_criteria",
        "judge": "validate_judge",
        "drift": "validate_drift",
    },
)

_DB = Commands(
    "db",
    "Keep runs in a database that a team shares, SQLite or PostgreSQL.",
    {
        "upgrade": "db:Upgrade",
        "sync": "db:Sync",
        "rebuild": "db:Rebuild",
        "status": "db:Status",
        "prune": "db:Prune",
        "push": "db:Push",
        "migrate-case": "db:MigrateCase",
    },
)
_TOKEN = Commands(
    "token",
    "Say who may ask `grice serve`: tokens with a name and a role.",
    {"add": "token:Add", "list": "token:ListAll", "revoke": "token:Revoke"},
)

_PROMPT = Commands(
    "prompt",
    "Versions of the prompts that suites test, in the database of `grice db`.",
    {
        "history": "prompt:History",
        "show": "prompt:Show",
        "diff": "prompt:Diff",
        "restore": "prompt:Restore",
    },
)

app = Commands(
    "grice",
    "Test conversations with chatbots and LLM agents.",
    {
        "init": "init",
        "run": "run",
        "check": "check",
        "demo": "demo",
        "scan": "scan",
        "extract": "extract",
        "rubric": "rubric",
        "lint": "lint",
        "stub": "stub",
        "suite": _SUITE,
        "compare": "compare",
        "gate": "gate",
        "baseline": "baseline",
        "label": "label",
        "report": "report",
        "db": _DB,
        "prompt": _PROMPT,
        "serve": "serve",
        "token": _TOKEN,
        "show": "show",
        "validate": _VALIDATE,
        "matchers": "matchers",
        "schema": "schema",
        "completion": "completion",
        "help": "help",
    },
    callback=begin_session,
)
"""The whole command line."""
click.version_option(__version__, message="grice %(version)s", help="Show the version.")(app)
