"""The commands of `grice`, by name. Only the module of the command that is invoked is imported."""

from __future__ import annotations

import click

from grice._runner import begin_session
from grice._version import __version__
from grice.cli.commands import Commands, Listed

__all__ = ["app"]

_COMMANDS = {
    "run": Listed("Run suites, goldens, tests and scenario sets.", "run_command"),
    "demo": Listed("Replay the bundled example, then catch a bug in it.", "demo"),
    "scan": Listed("Find bad replies in chat logs: no key, no set-up.", "scan"),
    "rubric": Listed(
        "Say of each conversation whether the assistant contradicts itself: one line, true or false, and "
        "why.",
        "rubric",
    ),
    "lint": Listed(
        "Find what is wrong with message arrays: what a provider rejects, what misleads a model.", "lint"
    ),
    "stub": Listed("Play the model for an agent in any language, and show what it sends.", "stub"),
    "suite": Listed(
        "Work with suite files, *.grice.yaml and *.grice.json.",
        commands={
            "convert": Listed(
                "Write each expected_output as a toEqual in expect, and leave the rest of the file as it is.",
                "suite_convert",
            )
        },
    ),
    "compare": Listed("Compare two experiments: did it get better, and how sure is that?", "compare"),
    "gate": Listed("Hold a run to the thresholds of [tool.grice.gates]: one line a gate.", "gate"),
    "baseline": Listed(
        "Keep a run as a named baseline, in baselines/NAME.baseline.json; without a name list them.",
        "baseline",
    ),
    "label": Listed("Label replies with single keys: what a judge is measured against.", "label"),
    "report": Listed("Show what a run came to, from its journal.", "report"),
    "validate": Listed(
        "Measure how often checks are right, on labelled examples.",
        commands={
            "checks": Listed(
                "Measure rules on labelled examples: precision, recall, and each outcome that is not as "
                "documented.",
                "validate_checks",
            ),
            "rules": Listed(
                "Try rules on wording that you wrote as data on their own good and bad examples.",
                "validate_rules",
            ),
            "criteria": Listed(
                "Try criteria on their own good, bad and edge examples, which are their unit tests.",
                "validate_criteria",
            ),
            "judge": Listed("Measure how far a judge agrees with people's labels.", "validate_judge"),
            "drift": Listed(
                "Judge a frozen set of anchors anew, and compare with what was accepted.", "validate_drift"
            ),
        },
    ),
    "matchers": Listed(
        "List the matchers that files may name: built-in ones, the project's, and those of packages.",
        "matchers",
    ),
    "schema": Listed(
        "Print the JSON Schemas of files, for editors.",
        commands={
            "suite": Listed(
                "Print the JSON Schema of suite files, with your own matchers where [tool.grice] matchers "
                "names them.",
                "schema_suite",
            )
        },
    ),
    "completion": Listed("Print what makes a shell complete commands, options and files.", "completion"),
    "help": Listed("Show the help of a command.", "help"),
}

app = Commands("grice", "Test conversations with chatbots and LLM agents.", _COMMANDS, callback=begin_session)
"""The whole command line."""
click.version_option(__version__, message="grice %(version)s", help="Show the version.")(app)
