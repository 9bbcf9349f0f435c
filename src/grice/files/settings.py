"""The settings of a project, as its grice.toml or the `[tool.grice]` of its pyproject.toml says them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time
from math import isfinite
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import msgspec

from grice.files.settings_files import SettingsError, SettingsFile, find_settings_file, settings_file_in
from grice.text.display import value_text
from grice.typed import Closed, Problem, problems_in, says, written

if TYPE_CHECKING:
    from grice.agents.server import Server
    from grice.files.locate import JsonPath, JsonValue


RecordMode = Literal["auto", "none", "once", "new", "all", "off"]
RecordKind = Literal["judge", "user", "agent", "tools", "model"]
Editor = Literal["vscode", "vscodium", "cursor", "windsurf", "zed", "pycharm", "idea", "none"]
RECORD_MODES: tuple[str, ...] = get_args(RecordMode)
RECORD_KINDS: tuple[str, ...] = get_args(RecordKind)


def _described(expected: str, right: Callable[[Any], bool]) -> msgspec.Meta:
    """Words for a type, and what else has to hold of its values."""

    def check(value: Any) -> str:
        return "" if right(value) else f"expected {expected}, found {value_text(value)}"

    return says(expected, check=check)


def _is_below(folder: str) -> bool:
    """Whether the folder has a name and lies below the one that it is looked up in."""
    path = PurePath(folder)
    return bool(folder.strip()) and not path.is_absolute() and ".." not in path.parts


def _wrong_agent(agent: JsonValue) -> Iterator[Problem]:
    """What is wrong with a table or an address; a name is looked up when the agent is needed."""
    from grice.wire.addresses import meant_as_address

    if agent is None or (isinstance(agent, str) and not meant_as_address(agent)):
        return
    from grice.agents.configured import AgentTableError, agent_at, agent_from_table

    try:
        agent_from_table(agent, Path()) if isinstance(agent, dict) else agent_at(agent)
    except AgentTableError as error:
        yield from (Problem(*fault) for fault in error.faults)
    except ValueError as error:
        yield Problem((), str(error).removeprefix("agent: "))


def _wrong_upstream(address: JsonValue) -> Iterator[Problem]:
    """What is wrong with the address of a real model."""
    if isinstance(address, str) and address:
        from grice.wire.upstream import Upstream

        try:
            Upstream(address)
        except ValueError as error:
            yield Problem((), str(error))


Some = Annotated[str, msgspec.Meta(min_length=1)]
Count = Annotated[int, says("a number from 1 up", ge=1)]
Seconds = Annotated[float, _described("a number of seconds above 0", lambda one: one > 0 and isfinite(one))]
Port = Annotated[int, msgspec.Meta(ge=1, le=65_535)]
Folder = Annotated[bool | Some | None, says("true, false or the name of a folder")]
ProjectFolder = Annotated[str, _described("the name of a folder below that of the settings", _is_below)]
Llm = Annotated[
    Some | dict[str, Any] | None,
    says("a string such as 'openai:model' or 'module:attribute', or a table with a provider and a model"),
]
Kappa = Annotated[float, msgspec.Meta(gt=0, lt=1)]


def _wrong_server(server: Mapping[str, Any]) -> Iterator[Problem]:
    from grice.agents.server import command_of

    try:
        command_of(server["command"])
    except ValueError as error:
        yield Problem(("command",), str(error))


class ServerTable(Closed, frozen=True, eq=False, kw_only=True):
    """The program behind the agent, which is started for a run and ended with it.

    `command` is started in the folder `cwd`, on a free port, which is `{port}` in it and PORT in its
    environment, or on `port`. It is ready when `ready`, a path, answers with a status below 400, or without
    one when its port takes connections, in `timeout` seconds. Its address is `${server_url}`.
    """

    command: Annotated[str | tuple[str, ...], says("a command such as 'node server.js', or a list of words")]
    ready: Annotated[str, says("a path such as '/health'", pattern="^(/|$)")] = ""
    port: Port | None = None
    cwd: Annotated[str, says("the name of a folder, from that of the settings")] = ""
    timeout: Seconds = 30.0


class SettingsTable(Closed, frozen=True, eq=False, kw_only=True):
    """What a file may say; time-outs are seconds.

    `agent` is the name of the agent or its address, or the agent that a table describes; `server` is the
    program behind it, where Grice is to start and end that. `model_port` is the
    port of the model's fixed address, `model_key` an API key that is taken there. `model_upstream` is the
    address of a real model that answers where a test scripts nothing, `upstream_key_env` the environment
    variable with its API key. `judge_llm`, `user_llm` and
    `prompt_llm` are the LLMs that judge, that play the user and that answer the prompts of suites, as
    `llm_named` takes them; `judge_samples` is how often a judge is asked, `judge_prompts` the versions of its
    prompts that are not to be the latest. `criteria` names an
    attribute that holds criteria for every test, `matchers` the modules with matchers of the project's own.
    `cassettes` is the folder for cassettes, beside the file of a test; `record` the mode, `record_kinds` the
    traffic that they hold, `scrub` what is left out of it. `concurrency` is how many conversations are held
    at once, `conduct` how a played user is checked: by rules in code, by the judge too, or not at all (off).
    `embedder` is what compares texts for their meaning, as `embedder_of` takes it, `entailment` what tells
    contradictions where rules cannot: the folder of a model, or `judge`. `cards` is the folder of calibration
    cards, `require_card` whether a judge decides only with one (true, or the kappa that it has to show),
    `advisory` the judges whose verdicts are soft (true, or names of criteria and prompts). `store` is the
    folder for the runs of pytest, true for `.grice/runs`; without it pytest keeps none. `results` is the
    folder for the report of each kept run as JSON, true for `results`. `database` is the URL of the one that
    `grice db` keeps runs in. `baselines` is the folder of named baselines, `gates` the thresholds that
    `grice gate` holds experiments to. `editor` is what pages open a test in. `strict` fails hard checks that
    are trivially true, and tests with an `expect` that checks nothing. `hints` says whether tests tell what
    the record of their conversation shows of why it may have gone wrong; `unoffered` whether a scripted call
    of a tool that the request does not offer is an error.
    """

    agent: Annotated[
        str | dict[str, Any] | None,
        says("a string such as 'module:attribute', an address, or a table with a type", check=_wrong_agent),
    ] = None
    server: Annotated[
        ServerTable | None,
        says("a table with a command, such as {command = 'node server.js'}", check=_wrong_server),
    ] = None
    goldens: Annotated[tuple[str, ...], says("a list of file patterns")] = ()
    turn_timeout: Seconds = 60.0
    timeout: Seconds = 600.0
    model_port: Annotated[Port | None, says("a port from 1 to 65535")] = None
    model_key: Annotated[str, says("an API key as a string")] = ""
    model_upstream: Annotated[
        str, says("an address such as 'http://127.0.0.1:8080'", check=_wrong_upstream)
    ] = ""
    upstream_key_env: Annotated[str, says("the name of an environment variable")] = ""
    judge_llm: Llm = None
    user_llm: Llm = None
    prompt_llm: Llm = None
    judge_samples: Count = 1
    judge_prompts: Annotated[
        dict[str, Count], says("a table of prompts and their versions, such as {criterion = 1}")
    ] = msgspec.field(default_factory=dict)
    criteria: Annotated[str, says("a string such as 'module:attribute'")] = ""
    matchers: Annotated[tuple[str, ...], says("a list of modules, such as ['my_project.matchers']")] = ()
    cassettes: Annotated[
        str, _described("the name of a folder, which stands beside the file of a test", _is_below)
    ] = "cassettes"
    record: RecordMode = "auto"
    record_kinds: Annotated[tuple[RecordKind, ...], says(f"a list of {', '.join(RECORD_KINDS)}")] = (
        "judge",
        "user",
        "model",
    )
    scrub: Annotated[
        tuple[Any, ...], says("a list of names and of tables with a pattern and a replacement")
    ] = ()
    concurrency: Count = 20
    conduct: Literal["rules", "judge", "off"] = "rules"
    store: Folder = None
    results: Folder = None
    database: Annotated[
        str, says("a URL such as 'sqlite:///.grice/grice.db' or 'postgresql://host/name'")
    ] = ""
    baselines: ProjectFolder = "baselines"
    gates: Annotated[dict[str, Any], says("a table of gates, such as {completion = 0.8}")] = msgspec.field(
        default_factory=dict
    )
    embedder: Annotated[str, says("'lexical', 'minilm', 'openai:MODEL' or 'module:attribute'")] = ""
    entailment: Annotated[str, says("the folder of a model, or 'judge'")] = ""
    cards: ProjectFolder = "cards"
    require_card: Annotated[
        bool | Kappa, says("true, false, or the kappa that a card has to show, such as 0.4")
    ] = False
    advisory: Annotated[bool | tuple[str, ...], says("true, false, or a list of criteria and prompts")] = (
        False
    )
    editor: Editor = "vscode"
    map: Annotated[str, says("the name of a mapping of logs, such as 'home.map.yaml'")] = ""
    vocabulary: Annotated[str, says("the name of a file, such as 'house.json'")] = ""
    strict: bool = False
    hints: Literal["on", "off"] = "on"
    unoffered: Literal["error", "allow"] = "error"


class Settings(SettingsTable, frozen=True, eq=False):
    """What a project configures. `root` is the folder of its settings, `file` where they were read."""

    root: Path
    file: SettingsFile | None = None

    def find_server(self) -> Server | None:
        """The server that stands behind the agent, None where the settings name none. It is not started."""
        if self.server is None:
            return None
        from grice.agents.server import server_in

        return server_in(self.root, msgspec.structs.asdict(self.server))

    @property
    def records_agents(self) -> bool:
        """Whether what agents or their client's tools say goes through cassettes."""
        return not {"agent", "tools"}.isdisjoint(self.record_kinds)

    def problem_with(self, name: str, problem: str, key: str = "") -> SettingsError:
        """The error that says what is wrong with a setting, or with a key of its table, and where."""
        message = f"{name}: {problem}"
        place = (name, key) if key else (name,)
        return SettingsError(message if self.file is None else self.file.told(place, message))


def find_settings(start: Path) -> Settings | None:
    """The settings of the nearest folder from `start` upwards that has any. Raises SettingsError."""
    found = find_settings_file(start)
    return None if found is None else settings_in(found)


def load_settings(folder: Path) -> Settings | None:
    """The settings that the folder has, None without any. Raises SettingsError."""
    found = settings_file_in(folder)
    return None if found is None else settings_in(found)


def settings_in(file: SettingsFile) -> Settings:
    """What the file says. Raises SettingsError with everything that is wrong in it."""
    unfit = [*_unfit(file.table, ())]
    rest = {name: one for name, one in file.table.items() if name not in {each.path[0] for each in unfit}}
    problems = [*unfit, *problems_in(rest, SettingsTable)]
    if problems:
        told = sorted((_placed(file, one) for one in problems), key=lambda one: one[0])
        raise SettingsError("\n".join(message for _, message in told))
    said = msgspec.convert(file.table, SettingsTable)
    given: dict[str, Any] = {name: getattr(said, name) for name in file.table}
    if "agent" in given:
        given["agent"] = _agent(given["agent"], file.path.parent)
    return Settings(file.path.parent, file, **given)


def _placed(file: SettingsFile, problem: Problem) -> tuple[tuple[int, int], str]:
    """A problem in words, behind its position."""
    place = (*problem.path, problem.key) if problem.key else problem.path
    where = f"{written(problem.path)}: " if problem.path else ""
    hint = ""
    if problem.key == "tool" and not (problem.path or file.above):
        hint = "; a grice.toml has its settings at the top, without [tool.grice]"
    return file.position(place), file.told(place, f"{where}{problem.message}{hint}")


def _unfit(value: object, place: JsonPath) -> Iterator[Problem]:
    """What TOML has and no setting: dates, and integers larger than a double can be."""
    waiting: list[tuple[object, JsonPath]] = [(value, place)]
    while waiting:
        one, place = waiting.pop()
        if isinstance(one, dict | list):
            inside = one.items() if isinstance(one, dict) else enumerate(one)
            waiting += [(each, (*place, step)) for step, each in inside]
        elif isinstance(one, date | time):
            yield Problem(place, f"expected no date, found {one}; a text stands in quotes")
        elif isinstance(one, int) and abs(one) > sys.float_info.max:
            yield Problem(place, "a number is too large")


def _agent(said: JsonValue, root: Path) -> object:
    """The agent that a table describes or an address names; a name stays one."""
    from grice.wire.addresses import meant_as_address

    if isinstance(said, str) and not meant_as_address(said):
        return said
    from grice.agents.configured import agent_at, agent_from_table

    return agent_from_table(said, root) if isinstance(said, dict) else agent_at(said)
