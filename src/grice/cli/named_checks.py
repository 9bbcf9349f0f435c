"""A user's own matchers on the command line: `module:attribute`, as other commands name agents."""

from __future__ import annotations

import sys
from pathlib import Path

from grice.checks.rule_names import UnknownCheck
from grice.matching.matcher import MatcherFactory
from grice.text import value_text


def import_matchers() -> None:
    """Import the modules with matchers that the settings of the current folder name. Raises UnknownCheck."""
    from grice.files.settings_files import SettingsError
    from grice.running.projects import Projects

    try:
        Projects(Path.cwd()).import_matchers(Path.cwd())
    except SettingsError as error:
        raise UnknownCheck(str(error)) from error


def registered(name: str) -> str:
    """The name under which the matcher is known after its module is imported; other names as they are.

    Modules are found from the current folder. Raises UnknownCheck.
    """
    if ":" not in name:
        return name
    from grice.agents import AgentLoadError, load_target

    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = load_target(name, root=Path.cwd(), what="check")
    except AgentLoadError as error:
        raise UnknownCheck(str(error)) from error
    if not isinstance(found, MatcherFactory):
        raise UnknownCheck(f"check {name!r}: expected a matcher, found {value_text(found)}")
    return found.name
