"""The lint of message arrays: what a provider rejects, and what misleads a model, in three dialects."""

from grice.checks.message_lint.entry import DIALECTS, lint_messages
from grice.checks.message_lint.finding import Dialect, LintFinding, LintRule, Severity
from grice.checks.message_lint.matcher import is_clean, pass_lint
from grice.checks.message_lint.rules import RULES

__all__ = [
    "DIALECTS",
    "RULES",
    "Dialect",
    "LintFinding",
    "LintRule",
    "Severity",
    "is_clean",
    "lint_messages",
    "pass_lint",
]
