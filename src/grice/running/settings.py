"""The settings of projects: `[tool.grice]` in the nearest pyproject.toml, and the agent that they name.

It imports no other library: every pytest session with a data file in it asks here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from math import inf
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from grice.user_files import NoFile, TomlError, open_file, read_toml, real_path

if TYPE_CHECKING:
    from grice.files.matcher_modules import MatcherModules

__all__ = ["Projects", "Settings", "SettingsError", "UnmatchedPattern", "find_settings", "load_settings"]


class SettingsError(ValueError):
    """Something in `[tool.grice]` is wrong; the message begins with file, line and column."""


class UnmatchedPattern(SettingsError):
    """A pattern of `goldens` names no file."""


@dataclass(frozen=True, eq=False)
class Settings:
    """What a project configures. `root` is the folder of its pyproject.toml; time-outs are seconds.

    `agent` is the name of the agent, or the agent that a table describes. `model_port` is the port of the
    model's fixed address, `model_key` an API key that is taken there. `judge_llm` and `user_llm` are the LLMs
    that judge and that play the user, as `llm_named` takes them; `judge_samples` is how often a judge is
    asked, `judge_prompts` the versions of prompts that are not to be the latest. `criteria` names an
    attribute that holds criteria for every test, `matchers` the modules with matchers of the project's own.
    `cassettes` is the folder for cassettes, beside the file of
    a test; `record` the mode, `record_kinds` the traffic that they hold, `scrub` what is left out of it.
    `concurrency` is how many conversations are held at once, `conduct` how a played user is checked: by rules
    in code, by the judge too, or not at all (off). `embedder` is what compares texts for their meaning, as
    `embedder_of` takes it, `entailment` what tells contradictions where rules cannot: the folder of a model,
    or `judge`. `cards` is the folder of calibration cards, `require_card` whether a judge decides
    only with one (true, or the kappa that it has to show), `advisory` the judges whose verdicts are soft
    (true, or names of criteria and prompts). `store` is the folder for the runs of pytest, true for
    `.grice/runs`; without it pytest keeps none. `results` is the folder for the report of each kept run as
    JSON, true for `results`. `baselines` is the folder of named baselines, `gates` the thresholds that
    `grice gate` holds experiments to. `strict` fails hard checks that are trivially true, and tests with an
    `expect` that checks nothing.
    """

    root: Path
    agent: object = None
    goldens: tuple[str, ...] = ()
    turn_timeout: float = 60.0
    timeout: float = 600.0
    model_port: int | None = None
    model_key: str = ""
    judge_llm: object = None
    user_llm: object = None
    judge_samples: int = 1
    judge_prompts: Mapping[str, int] = field(default_factory=dict)
    criteria: str = ""
    matchers: tuple[str, ...] = ()
    cassettes: str = "cassettes"
    record: str = "auto"
    record_kinds: tuple[str, ...] = ("judge", "user")
    scrub: tuple[object, ...] = ()
    concurrency: int = 20
    conduct: str = "rules"
    store: object = None
    results: object = None
    baselines: str = "baselines"
    gates: Mapping[str, object] = field(default_factory=dict)
    embedder: str = ""
    entailment: str = ""
    cards: str = "cards"
    require_card: bool | float = False
    advisory: bool | tuple[str, ...] = False
    strict: bool = False

    @property
    def records_agents(self) -> bool:
        """Whether what agents or their client's tools say goes through cassettes."""
        return not {"agent", "tools"}.isdisjoint(self.record_kinds)

    def problem_with(self, name: str, problem: str, key: str = "") -> SettingsError:
        """The error that says what is wrong with a setting, or with a key of its table, and where."""
        path = self.root / "pyproject.toml"
        text = path.read_text("utf-8")
        line = _line_of(key, text, name) if key else _line_of(name, text)
        return SettingsError(f"{path}:{line}:1: [tool.grice] {name}: {problem}")

    def names_golden(self, path: Path) -> bool:
        """Whether a pattern of `goldens` names the file; `**` stands for any number of folders."""
        if not self.goldens or not path.is_relative_to(self.root):
            return False
        parts = path.relative_to(self.root).parts
        return any(_matches(parts, tuple(pattern.split("/"))) for pattern in self.goldens)

    def refuse_unmatched(self, files: Iterable[Path]) -> None:
        """Raise UnmatchedPattern for a pattern of `goldens` that names none of these files."""
        own = [file.relative_to(self.root).parts for file in files if file.is_relative_to(self.root)]
        for pattern in self.goldens:
            split = tuple(pattern.split("/"))
            if not any(_matches(parts, split) for parts in own):
                path = self.root / "pyproject.toml"
                line = _line_of("goldens", path.read_text("utf-8"))
                raise UnmatchedPattern(
                    f"{path}:{line}:1: [tool.grice] goldens: no .json, .yaml or .yml file matches "
                    f"{pattern!r}{_right_folder(self.root, split)}"
                )


def _matches(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    if not pattern or not parts:
        return not pattern and not parts
    if pattern[0] == "**":
        return _matches(parts, pattern[1:]) or _matches(parts[1:], pattern)
    return fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


def _right_folder(root: Path, pattern: tuple[str, ...]) -> str:
    """The hint for the first folder of the pattern that is not there."""
    from grice.text import did_you_mean

    for part in pattern[:-1]:
        if any(sign in part for sign in "*?["):
            break
        if not (root / part).is_dir():
            folders = [each.name for each in root.iterdir() if each.is_dir()] if root.is_dir() else []
            return f"; there is no folder {part!r} in {root}{did_you_mean(part, folders)}"
        root /= part
    return ""


class Projects:
    """The settings of every file, and the agents that command line, file or settings name.

    A file without a project of its own belongs to the one around `start`. `agent` is the command line's,
    where it is called `option`; `advice` is a better way to name one, which is told first. `strict` and
    `concurrency` are the command line's too, and hold for every project.
    """

    def __init__(
        self,
        start: Path,
        *,
        agent: str | None = None,
        option: str = "--agent",
        advice: str = "",
        strict: bool = False,
        concurrency: int | None = None,
    ) -> None:
        self._start = start.resolve()
        self._strict = strict
        self._concurrency = concurrency
        self._agent = agent
        self._option = option
        self._advice = f"{advice}, or " if advice else ""
        self._settings: dict[Path, Settings] = {}
        self._targets: dict[tuple[str, Path], object] = {}
        self._imported: set[Path] = set()
        self._matchers: set[Path] = set()

    def of(self, path: Path) -> Settings:
        """The settings for a file or folder. Raises SettingsError."""
        known = self._settings.get(path)
        if known is not None:
            return known
        folder = real_path(path)
        folder = folder if folder.is_dir() else folder.parent
        if folder not in self._settings:
            found = find_settings(folder) or find_settings(self._start) or Settings(self._start)
            self._settings[folder] = self._overruled(found)
        self._settings[path] = self._settings[folder]
        return self._settings[folder]

    def _overruled(self, found: Settings) -> Settings:
        """The settings with what the command line says."""
        concurrency = self._concurrency or found.concurrency
        if not self._strict and concurrency == found.concurrency:
            return found
        return replace(found, strict=found.strict or self._strict, concurrency=concurrency)

    def named_goldens(self, folder: Path) -> list[Path]:
        """The files below the folder that a `goldens` pattern of their project names.

        Hidden folders, environments and builds are left out. Raises SettingsError for a pattern of a project
        in the folder that names no file.
        """
        from grice.files.folders import files_below

        found = [file for file in files_below(folder) if file.suffix in (".json", ".yaml", ".yml")]
        places = [real_path(file) for file in found]
        whole = folder.resolve()
        for settings in dict.fromkeys([self.of(folder), *map(self.of, found)]):
            if settings.root.is_relative_to(whole):
                settings.refuse_unmatched(places)
        return [file for file, place in zip(found, places, strict=True) if self.of(file).names_golden(place)]

    def agent_for(self, path: Path, own: str | None = None) -> object:
        """The agent for a file: the command line's, else `own`, which the file names, else its settings'.

        It is imported from the folder of the settings, then from `start`. Raises AgentLoadError.
        """
        from grice.agents import AgentLoadError

        settings = self.of(path)
        name = self._agent or own or settings.agent
        if name is None:
            raise AgentLoadError(
                f"no agent is configured: {self._advice}name it with {self._option} module:attribute, "
                'or in pyproject.toml as [tool.grice] agent = "module:attribute"'
            )
        if not isinstance(name, str):
            return name
        key = name, settings.root
        if key not in self._targets:
            self._targets[key] = self.load(name, settings.root)
        return self._targets[key]

    @property
    def names_agent(self) -> bool:
        """Whether the command line names the agent."""
        return self._agent is not None

    def load(self, name: str, root: Path, what: str = "agent") -> object:
        """What `module:attribute` names, imported from the folder, then from `start`.

        Raises AgentLoadError, which calls it `what`.
        """
        from grice.agents import load_target

        self._find_modules()
        target = load_target(name, root=root, what=what)
        self._refuse_namesake(name, root, what)
        return target

    def _find_modules(self) -> None:
        """Have modules found from `start`, behind the folder of the settings."""
        if str(self._start) not in sys.path:
            sys.path.insert(0, str(self._start))

    def import_matchers(self, path: Path) -> None:
        """Import the modules with matchers that the settings name for a file. Raises SettingsError."""
        settings = self.of(path)
        if not settings.matchers or settings.root in self._matchers:
            return
        from grice.agents import AgentLoadError

        for module in settings.matchers:
            try:
                self._load_matchers(module, settings.root)
            except AgentLoadError as error:
                raise settings.problem_with("matchers", str(error)) from error
        self._matchers.add(settings.root)

    def _load_matchers(self, module: str, root: Path) -> None:
        from grice.files.matcher_modules import load_matchers

        self._find_modules()
        load_matchers(module, root=root)
        self._refuse_namesake(module, root, "module")

    def matcher_modules(self, path: Path) -> MatcherModules:
        """Where a file's matchers come from, those of the settings imported already. Raises SettingsError."""
        from grice.files.matcher_modules import MatcherModules

        self.import_matchers(path)
        settings = self.of(path)
        named = [one for one in (self._agent, settings.agent) if isinstance(one, str)]
        return MatcherModules(
            load_module=lambda name: self._load_matchers(name, settings.root),
            load_agent=lambda name: self.load(name, settings.root),
            agents=tuple(named),
        )

    def _refuse_namesake(self, name: str, root: Path, what: str) -> None:
        """Raise AgentLoadError when the module found under the name is another project's, imported before."""
        from grice.agents import AgentLoadError

        module = name.partition(":")[0]
        file = getattr(sys.modules.get(module), "__file__", None)
        top = root / module.partition(".")[0]
        is_there = top.with_suffix(".py").is_file() or (top / "__init__.py").is_file()
        path = Path(file).resolve() if file is not None else root
        self._imported.add(root)
        others = self._imported - {root}
        if is_there and not path.is_relative_to(root) and any(map(path.is_relative_to, others)):
            raise AgentLoadError(
                f"{what} {name!r}: {root} has a module of this name, but {file} was imported under it "
                "before; rename one of them, or run the two projects apart"
            )


def find_settings(start: Path) -> Settings | None:
    """The settings of the nearest folder from `start` upwards that has any. Raises SettingsError."""
    for folder in (start, *start.parents):
        settings = load_settings(folder)
        if settings is not None:
            return settings
    return None


def load_settings(folder: Path) -> Settings | None:
    """The settings in `folder`/pyproject.toml, None without `[tool.grice]`. Raises SettingsError."""
    path = folder / "pyproject.toml"
    text = _text_of(path)
    if "grice" not in text:
        return None
    try:
        tool = read_toml(text).get("tool", {})
    except TomlError as error:
        raise SettingsError(f"{path}:{error.line}:{error.column}: not valid TOML: {error}") from error
    if not isinstance(tool, dict) or "grice" not in tool:
        return None
    table = tool["grice"]
    if not isinstance(table, dict):
        from grice.text import value_text

        raise SettingsError(f"{path}:1:1: [tool.grice]: expected a table, found {value_text(table)}")
    for name, value in table.items():
        if problem := _problem(name, value):
            raise SettingsError(f"{path}:{_line_of(name, text)}:1: [tool.grice] {problem}")
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
    if isinstance(fields.get("agent"), dict):
        fields["agent"] = _described_agent(fields["agent"], path, text)
    return Settings(folder, **fields)


def _text_of(path: Path) -> str:
    """The text of the file, "" where none can be read. Raises SettingsError for what is no file.

    So it does for settings that are not UTF-8: without them a check could pass that they refuse.
    """
    try:
        with open_file(path) as stream:
            data = stream.read()
    except NoFile as error:
        raise SettingsError(f"{path}:1:1: cannot be read: {error.strerror}") from error
    except OSError:
        return ""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if b"grice" not in data:
            return ""
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise SettingsError(f"{path}:{line}:{column}: not UTF-8, which TOML is written in") from error


def _described_agent(table: dict[str, Any], path: Path, text: str) -> object:
    """The agent of the table `[tool.grice.agent]`. Raises SettingsError."""
    from grice.agents.configured import TableError, agent_from_table

    try:
        return agent_from_table(table, path.parent)
    except TableError as error:
        line = _line_of(error.key, text, "agent") if error.key else _line_of("agent", text)
        raise SettingsError(f"{path}:{line}:1: [tool.grice.agent] {error}") from None


MAX_PORT = 65_535

RECORD_MODES = ("auto", "none", "once", "new", "all", "off")
RECORD_KINDS = ("judge", "user", "agent", "tools")
CONDUCTS = ("rules", "judge", "off")
_TABLES = ("agent", "gates", "judge_llm", "user_llm")
_LLM = "a string such as 'openai:model' or 'module:attribute', or a table with a provider and a model"

_KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "agent": (str, "a string such as 'module:attribute', or a table with a type"),
    "goldens": (list, "a list of file patterns"),
    "turn_timeout": ((int, float), "a number of seconds above 0"),
    "timeout": ((int, float), "a number of seconds above 0"),
    "model_port": (int, "a port from 1 to 65535"),
    "model_key": (str, "an API key as a string"),
    "judge_llm": (str, _LLM),
    "user_llm": (str, _LLM),
    "judge_samples": (int, "a number from 1 up"),
    "judge_prompts": (dict, "a table of prompts and their versions, such as {criterion = 1}"),
    "criteria": (str, "a string such as 'module:attribute'"),
    "matchers": (list, "a list of modules, such as ['my_project.matchers']"),
    "cassettes": (str, "the name of a folder, which stands beside the file of a test"),
    "record": (str, f"one of {', '.join(RECORD_MODES)}"),
    "record_kinds": (list, f"a list of {', '.join(RECORD_KINDS)}"),
    "scrub": (list, "a list of names and of tables with a pattern and a replacement"),
    "concurrency": (int, "a number from 1 up"),
    "conduct": (str, f"one of {', '.join(CONDUCTS)}"),
    "store": (str, "true, false or the name of a folder"),
    "results": (str, "true, false or the name of a folder"),
    "baselines": (str, "the name of a folder below that of pyproject.toml"),
    "gates": (dict, "a table of gates, such as {completion = 0.8}"),
    "cards": (str, "the name of a folder below that of pyproject.toml"),
    "require_card": ((int, float), "true, false, or the kappa that a card has to show, such as 0.4"),
    "advisory": (list, "true, false, or a list of criteria and prompts"),
    "entailment": (str, "the folder of a model, or 'judge'"),
    "embedder": (str, "'lexical', 'minilm', 'openai:MODEL' or 'module:attribute'"),
    "strict": ((), "true or false"),
}

_MAY_BE_TRUE = ("store", "results", "require_card", "advisory", "strict")
_FOLDERS = ("cassettes", "cards", "baselines")
_LARGEST = {"model_port": MAX_PORT + 1, "require_card": 1}
_CHOICES = {"record": RECORD_MODES, "record_kinds": RECORD_KINDS, "conduct": CONDUCTS}


def _problem(name: str, value: Any) -> str | None:
    from grice.text import did_you_mean

    if name not in _KINDS:
        return f"unknown setting {name!r}{did_you_mean(name, _KINDS)}"
    if _holds_too_large(value):
        return f"{name}: a number is too large"
    return None if name in _TABLES and isinstance(value, dict) else _wrong_value(name, value)


def _wrong_value(name: str, value: Any) -> str | None:
    from grice.text import did_you_mean, value_text

    kind, words = _KINDS[name]
    right = isinstance(value, kind) and not isinstance(value, bool)
    if name in _MAY_BE_TRUE and isinstance(value, bool):
        return None
    if isinstance(value, list):
        right = right and (name == "scrub" or all(isinstance(each, str) for each in value))
    elif isinstance(value, dict) and name != "gates":
        right = right and all(type(each) is int and each > 0 for each in value.values())
    elif isinstance(value, int | float):
        right = right and 0 < value < _LARGEST.get(name, inf)
    if (
        not right
        or (name in _FOLDERS and not _is_below(str(value)))
        or (name in ("store", "results") and not value)
    ):
        return f"{name}: expected {words}, found {value_text(value)}"
    for each in (value if isinstance(value, list) else [value]) if name in _CHOICES else ():
        if each not in _CHOICES[name]:
            return f"{name}: expected {words}, found {each!r}{did_you_mean(str(each), _CHOICES[name])}"
    return None


def _holds_too_large(value: Any) -> bool:
    """Whether an integer in the value is larger than a double can be."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list):
            waiting += one.values() if isinstance(one, dict) else one
        elif isinstance(one, int) and abs(one) > sys.float_info.max:
            return True
    return False


def _is_below(folder: str) -> bool:
    """Whether the folder has a name and lies below the one that it is looked up in."""
    path = PurePath(folder)
    return bool(folder.strip()) and not path.is_absolute() and ".." not in path.parts


def _line_of(name: str, text: str, table: str = "") -> int:
    """The line on which `[tool.grice]`, or a table in it, sets the name.

    It is the line of the table when the name is set in another way.
    """
    keys = ["tool", "grice", *([table] if table else [])]
    header = r"\s*\.\s*".join(keys)
    begin = re.search(rf"^\s*\[\s*{header}\s*[.\]]", text, re.MULTILINE)
    if begin is None and table:
        return _line_of(table, text)
    start = begin.end() if begin else 0
    key = rf"^[ \t]*(?:\[\s*{header}\s*\.\s*)?(?P<name>[\"']?{re.escape(name)})(?![\w-])"
    found = re.compile(key, re.MULTILINE).search(text, begin.start() if begin else 0)
    return text.count("\n", 0, found.start("name") if found else start) + 1
