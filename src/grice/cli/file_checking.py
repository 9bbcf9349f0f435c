"""What a file of a project is, and everything that is wrong with it, without running anything in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from grice.checks.rule_names import UnknownCheck
from grice.files.document import FileError, FileErrors, WholeFileError, file_text, load_file
from grice.files.each_row import unused_columns
from grice.files.goldens import is_golden_file, load_goldens
from grice.files.log_mapping_files import is_log_mapping_file, load_log_mapping
from grice.files.matcher_modules import MatcherModules
from grice.files.settings import load_settings
from grice.files.settings_files import SettingsError
from grice.files.suite_files import is_suite_file, load_suite
from grice.files.toml_places import places_in
from grice.files.vocabulary_files import language_codes, load_vocabulary
from grice.formats.lines import Unreadable
from grice.judging.criterion import Criterion
from grice.records import JsonValue
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects
from grice.running.vocabularies import added_vocabulary
from grice.text.suggest import did_you_mean, nearest

SETTINGS = ("pyproject.toml", "grice.toml")
_MOST_TOLD = 100
_LISTED = (".json", ".jsonl", ".yaml", ".yml", ".csv", ".toml")


class CheckedFile(NamedTuple):
    """A file that was looked at: what it is, how many things are in it, and what is wrong.

    `notes` say what may be a mistake.
    """

    path: Path
    kind: str
    size: int = 0
    errors: tuple[FileError | str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def content(self) -> str:
        """What it is, in words: `suite, 3 scenarios`."""
        noun = _NOUNS.get(self.kind, "")
        plural = noun if noun.endswith("s") else f"{noun}s"
        return f"{self.kind}, {self.size} {noun if self.size == 1 else plural}" if noun else self.kind


_NOUNS = {
    "suite": "scenario",
    "goldens": "golden",
    "scenario set": "scenario",
    "topic graph": "topic",
    "personas": "persona",
    "rules on wording": "rule",
    "stub script": "script",
    "vocabulary": "language",
    "log mapping": "role",
    "checks of logs": "check",
    "labels": "label",
    "examples": "example",
    "anchors": "anchor",
    "log": "conversation",
}


def is_known_file(path: Path) -> bool:
    """Whether the name alone says that the file is Grice's: goldens, suites, mappings, settings."""
    name = path.name
    return is_golden_file(name) or is_suite_file(name) or is_log_mapping_file(name) or name in SETTINGS


def check_file(path: Path, projects: Projects, llms: ProjectLLMs) -> CheckedFile:
    """Read the file as what its name or content says it is. Modules with matchers are imported for it."""
    if path.name in SETTINGS:
        return _settings(path)
    kind, project = "file", _Project(projects, llms)
    try:
        kind = _kind_of(path)
        size = _READERS[kind](path, project)
    except FileErrors as error:
        return CheckedFile(path, kind, errors=(*project.problems, *error.errors))
    except FileError as error:
        return CheckedFile(path, kind, errors=(*project.problems, error))
    except (Unreadable, UnknownCheck) as error:
        return CheckedFile(path, kind, errors=(*project.problems, WholeFileError(path, str(error))))
    return CheckedFile(path, kind, size, tuple(project.problems), tuple(project.notes))


class _Project:
    """What a file's project adds to it. `problems` is why it cannot, which hides nothing of the file."""

    def __init__(self, projects: Projects, llms: ProjectLLMs) -> None:
        self._projects = projects
        self._llms = llms
        self.problems: list[str] = []
        self.notes: list[str] = []

    def import_matchers(self, path: Path) -> None:
        """Import the modules with matchers that the settings name."""
        try:
            self._projects.import_matchers(path)
        except SettingsError as error:
            self.problems += told_lines(error)

    def of_suite(self, path: Path) -> tuple[Mapping[str, Criterion] | None, MatcherModules | None]:
        """The criteria that its checks may name, and where its matchers come from."""
        try:
            return self._llms.criteria(path), self._projects.matcher_modules(path)
        except SettingsError as error:
            self.problems += told_lines(error)
            return None, None


def told_lines(error: ValueError) -> list[str]:
    """What is wrong with settings, a line for each mistake, by their path from the current folder."""
    return [line.removeprefix(f"{Path.cwd()}/") for line in str(error).split("\n")]


def _settings(path: Path) -> CheckedFile:
    try:
        found = load_settings(path.parent)
        if found is not None:
            added_vocabulary(found)
    except SettingsError as error:
        return CheckedFile(path, "settings", errors=tuple(told_lines(error)))
    wrong = tuple(_misspelt_table(path)) if path.name == "pyproject.toml" else ()
    return CheckedFile(path, "no settings of Grice" if found is None else "settings", errors=wrong)


def _misspelt_table(path: Path) -> Iterator[str]:
    """A table of pyproject.toml that was to be [tool.grice]."""
    text = file_text(path).removeprefix("\ufeff")
    for place, offset in places_in(text).items():
        name, above = str(place[-1]), place[:-1]
        if above not in ((), ("tool",)) or place == ("tool", "grice"):
            continue
        if name == "grice" or nearest(name, ("grice",)):
            line, table = text.count("\n", 0, offset) + 1, ".".join(map(str, place))
            yield f"{path}:{line}:1: [{table}] is no table of Grice: write [tool.grice]"


def _kind_of(path: Path) -> str:
    """What the file is. Raises FileError for one that cannot be read or that no part of Grice reads."""
    if is_golden_file(path.name):
        return "goldens"
    if is_suite_file(path.name):
        return "suite"
    if is_log_mapping_file(path.name):
        return "log mapping"
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".csv"):
        return _kind_of_rows(path) or "scenario set"
    if suffix == ".toml":
        return "rules on wording"
    if suffix not in _LISTED:
        raise WholeFileError(path, f"expected one of {', '.join(_LISTED)}")
    value = load_file(path).value
    kind = _kind_of_value(value) or (_kind_of_rows(path) if suffix == ".json" else "")
    if not kind:
        told = ", ".join(f"{name} ({kind})" for name, kind in _TOP.items())
        names = value if isinstance(value, dict) else ()
        hint = next(filter(None, (did_you_mean(one, _TOP) for one in names)), "")
        raise WholeFileError(
            path, f"nothing that Grice reads: expected a list, or an object with {told}{hint}"
        )
    return kind


_TOP = {
    "scenarios": "suite",
    "topics": "topic graph",
    "personas": "personas",
    "rules": "rules on wording",
    "replies": "stub script",
    "userMessage": "goldens",
    "turns": "goldens",
    "checks": "checks of logs",
}
"""What a file is that is an object with such a field."""


def _kind_of_rows(path: Path) -> str:
    """What the rows of a table, of lines or of a list are that are no scenarios; "" where nothing tells."""
    from grice.formats.logs import HOLDING
    from grice.validation.rows import read_rows

    fields = {name for row in islice(read_rows(path, []), 20) for name in row.fields}
    if fields & _IN_LISTS["scenario set"] - {"id"}:
        return ""
    judged = fields & {"text", "earlier", "tool_calls", "conversation", *HOLDING}
    if "expectedResult" in fields or (judged and fields & {"expected", "right", "robust"}):
        return "examples"
    if judged and "judge" in fields:
        return "anchors"
    if fields & {"label", "labels", "retracts"} or any(name.startswith("label:") for name in fields):
        return "labels"
    return "log" if fields & {*HOLDING} else ""


def _kind_of_value(value: JsonValue) -> str:
    if isinstance(value, dict):
        rules = value.get("rules")
        if isinstance(rules, list) and any(isinstance(one, dict) and "reply" in one for one in rules):
            return "stub script"
        if _kind_of_value(value.get("scenarios")) == "scenario set":
            return "scenario set"  # which is a list, as its reader says
        if set(value) & language_codes().keys():
            return "vocabulary"
        return next((kind for name, kind in _TOP.items() if name in value), "")
    if not isinstance(value, list):
        return ""
    fields = {name for one in value[:20] if isinstance(one, dict) for name in one}
    return next((kind for kind, names in _IN_LISTS.items() if fields & names), "")


_IN_LISTS = {
    "goldens": {"userMessage", "mockLlmResponses", "toolExecResult", "assertions"},
    "personas": {"behaviours"},
    "rules on wording": {"any_of", "all_of", "none_of"},
    "checks of logs": {"matcher"},
    "suite": {"say", "turns", "expect", "evaluate", "expected_output"},
    "scenario set": {"goal", "persona", "personality", "role", "verification", "id"},
}
"""What a list is whose records have such fields."""


def _suite(path: Path, project: _Project) -> int:
    scenarios = load_suite(path, *project.of_suite(path))
    value = load_file(path).value
    raws = value.get("scenarios") if isinstance(value, dict) else value
    project.notes += unused_columns(raws if isinstance(raws, list) else [], str(path))
    return len(scenarios)


def _goldens(path: Path, project: _Project) -> int:  # noqa: ARG001 - as the others
    return len(load_goldens(path))


def _set(path: Path, project: _Project) -> int:
    from grice.files.scenario_schema import KNOWN
    from grice.files.scenario_sets import read_scenarios

    found = read_scenarios(path, name="", folder=Path.cwd())
    project.notes += found.notes
    if not any(name in KNOWN for one in found for name in one.data):
        project.notes.append(f"no field has a meaning of its own ({', '.join(KNOWN)}): is it a scenario set?")
    return len(found)


def _graph(path: Path, project: _Project) -> int:
    from grice.files.graph_files import load_graph

    project.of_suite(path)
    return len(load_graph(path).topics)


def _personas(path: Path, project: _Project) -> int:  # noqa: ARG001 - as the others
    from grice.files.persona_files import load_personas

    return len(load_personas(path))


def _rules(path: Path, project: _Project) -> int:  # noqa: ARG001 - as the others
    from grice.files.phrase_rule_files import load_rules

    return len(load_rules(path))


def _vocabulary(path: Path, project: _Project) -> int:  # noqa: ARG001 - as the others
    return len(load_vocabulary(path))


def _log_mapping(path: Path, project: _Project) -> int:  # noqa: ARG001 - as the others
    mapping = load_log_mapping(path)
    return len(mapping.roles or mapping.said)


def _script(path: Path, project: _Project) -> int:  # noqa: ARG001 - as the others
    from grice.files.stub_scripts import load_scripts

    return len(load_scripts([path]))


def _checks(path: Path, project: _Project) -> int:
    from grice.scanning.check_choice import choose_checks

    project.import_matchers(path)
    return len(choose_checks(str(path)).checks)


def _labels(path: Path, project: _Project) -> int:  # noqa: ARG001 - as the others
    from grice.validation.judges.labels import read_labels

    return len(read_labels([path]))


def _examples(path: Path, project: _Project) -> int:
    from grice.validation.example_reading import read_examples

    project.import_matchers(path)
    return len(read_examples([path]))


def _anchors(path: Path, project: _Project) -> int:
    from grice.validation.drifting.anchors import read_anchors

    return len(read_anchors(path, project.of_suite(path)[0] or {}).anchors)


def _log(path: Path, project: _Project) -> int:  # noqa: ARG001 - as the others
    from grice.formats import FormatError, read_conversation
    from grice.formats.logs import read_log

    number, errors = 0, list[FileError]()
    for entry in read_log(path):
        problem = entry.problem if entry.kind == "malformed" else ""
        try:
            read_conversation([*entry.messages, *entry.reply])
        except FormatError as error:
            problem = problem or str(error)
        number += entry.kind in ("conversation", "record")
        if problem and len(errors) < _MOST_TOLD:
            errors.append(FileError(str(path), entry.line or 1, 1, problem))
    if errors:
        raise FileErrors(errors)
    return number


_READERS: dict[str, Callable[[Path, _Project], int]] = {
    "suite": _suite,
    "goldens": _goldens,
    "scenario set": _set,
    "topic graph": _graph,
    "personas": _personas,
    "rules on wording": _rules,
    "stub script": _script,
    "vocabulary": _vocabulary,
    "log mapping": _log_mapping,
    "checks of logs": _checks,
    "labels": _labels,
    "examples": _examples,
    "anchors": _anchors,
    "log": _log,
}
