"""The files of a new project, as texts: pure functions of what was answered."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from grice.files.settings_files import OWN, settings_file_in

Kind = Literal["python", "http", "server", "none", "kept"]

KEPT = ""
"""The agent that the settings of the folder have already said."""
NOTHING_YET = "my_assistant"
_WORKFLOW = ".github/workflows/grice.yml"
_NODE = ("node", "npm", "npx", "pnpm", "yarn")
_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


class Answers(NamedTuple):
    """What a project was said to be. `agent` is a name, an address or a command, by its kind.

    `path` is where the server is asked, `ready` what answers once it is up, "" where nothing does.
    """

    agent: str
    tests: PurePosixPath
    form: str
    ci: str
    path: str
    ready: str
    source: str = ""
    """What pip installs Grice from in CI; "" where CI cannot have what this environment has."""

    @property
    def kind(self) -> Kind:
        """What the agent is."""
        return kind_of(self.agent)


class NewFile(NamedTuple):
    """A file to write, with what it is for."""

    name: str
    what: str
    text: str


def kind_of(agent: str) -> Kind:
    """What an answer says the agent is: `none`, `module:name`, an address, else a command."""
    if agent in ("none", KEPT):
        return "none" if agent else "kept"
    if _NAME.fullmatch(agent):
        return "python"
    return "http" if re.match(r"\w+://|[\w.-]+:\d+(/|$)", agent) and " " not in agent else "server"


def files_for(answers: Answers, folder: Path) -> list[NewFile]:
    """What the project needs, in the order in which a reader wants it; settings that are there stay."""
    files: list[NewFile] = []
    if not settings_name(folder):
        files.append(NewFile(OWN, "the settings: which agent is tested", _settings(answers)))
    if answers.kind == "none":
        files.append(NewFile(f"{NOTHING_YET}.py", "stands in for your agent", _ASSISTANT))
    if answers.form == "pytest":
        files.append(NewFile(f"{answers.tests}/test_first.py", "the first test", _TEST))
    else:
        suite = _SUITE.replace("FOLDER", str(answers.tests))
        files.append(NewFile(f"{answers.tests}/first.grice.yaml", "the first suite", suite))
    if answers.ci != "none":
        name, text = (".gitlab-ci.yml", _gitlab) if answers.ci == "gitlab" else (_WORKFLOW, _github)
        what = f"installs {answers.source}" if answers.source else "write there where it installs Grice from"
        files.append(NewFile(name, f"runs it for every push; {what}", text(answers, folder)))
    return files


def settings_name(folder: Path) -> str:
    """The name of the file with the folder's settings, "" without any. Raises SettingsError."""
    if (folder / OWN).exists():
        return OWN
    found = settings_file_in(folder)
    return "" if found is None else found.path.name


def _settings(answers: Answers) -> str:
    if answers.kind == "server":
        ready = f"ready = {_quoted(answers.ready)}\n" if answers.ready else ""
        return (
            f"{_HEAD}\n# Started for each run, with a free port in PORT, and ended with it.\n[server]\n"
            f"command = {_quoted(answers.agent)}\n{ready}\n"
            '# It is sent {"message": ..., "messages": [...]} and answers with JSON such as {"reply": ...}.\n'
            f'[agent]\ntype = "http"\nurl = {_quoted("${server_url}" + answers.path)}\n{_REQUEST}'
        )
    agent = f"{NOTHING_YET}:chat" if answers.kind == "none" else answers.agent
    return f"{_HEAD}\nagent = {_quoted(agent)}\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # TOML has the escapes of JSON


_HEAD = "# What Grice tests here.\n"
_REQUEST = """# Another body: ${user} is what the user says, ${messages} all messages so far,
# ${conversation_id} an id that stays the same in one conversation.
# request = {message = "${user}", session = "${conversation_id}"}
"""

_ASSISTANT = '''"""Stands in for your agent: put yours in its place, or name it as agent in grice.toml."""


def chat(messages):
    """Say what the user said last."""
    return f"You said: {messages[-1]['content']}"
'''

_SUITE = r"""# What the user says, and what has to hold of the reply. Run it with: grice run FOLDER
scenarios:
  - id: answers
    say: Hello
    expect:
      - {matcher: toMatch, expected: '\w'} # it says something
      # - {matcher: toContain, expected: How can I help}
"""

_TEST = r'''"""The first test of the agent. Run it with: pytest"""

from grice import expect


def test_answers(conversation):
    reply = conversation.say("Hello")
    expect(reply).to_match(r"\w")  # it says something
'''


# -- CI


def _steps(answers: Answers, folder: Path) -> list[str]:
    """The commands that install what is tested, and test it."""
    steps = [f"pip install {shlex.quote(answers.source)}"] if answers.source else []
    if (folder / "requirements.txt").exists():
        steps.append("pip install -r requirements.txt")
    if (folder / "package.json").exists():
        steps.append("npm ci" if (folder / "package-lock.json").exists() else "npm install")
    return [*steps, f"grice run {shlex.quote(str(answers.tests))}"]


def _no_source(answers: Answers, indent: str, step: str) -> str:
    """The commented step for Grice where CI cannot have what is installed here."""
    if answers.source:
        return ""
    return (
        f"{indent}# Grice is installed here from a place that CI may not reach: write one that it can.\n"
        f"{indent}# {step}pip install 'grice[pytest] @ git+https://ADDRESS'\n"
    )


def _github(answers: Answers, folder: Path) -> str:
    steps = _no_source(answers, "      ", "- run: ") + "".join(
        f"      - run: {one}\n" for one in _steps(answers, folder)
    )
    return f"""name: grice
on: [push, pull_request]
jobs:
  grice:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: '3.12'
{steps}"""


def _gitlab(answers: Answers, folder: Path) -> str:
    node = answers.kind == "server" and answers.agent.split()[0] in _NODE
    first = ["apt-get update -q && apt-get install -qy nodejs npm"] if node else []
    steps = _no_source(answers, "    ", "- ") + "".join(
        f"    - {one}\n" for one in [*first, *_steps(answers, folder)]
    )
    return f"grice:\n  image: python:3.12\n  script:\n{steps}"
