"""Which kinds of secret stand in clear in what Grice writes, by how they are carried.

Each kind of secret, drawn at random, is put into each carrier: a tool's argument, a traceback, the reason of
a verdict. Real commands then write every file that there is, and each file is searched for the secret. A text
that is no secret goes the same ways, which shows that they lead somewhere.

Run it to write `docs/_measured/secrets.md`; a test fails when that is stale.
"""

from __future__ import annotations

import base64
import json
import os
import random
import re
import shlex
import string
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from grice.wire.cassettes import Cassette

TARGET = Path(__file__).parent.parent / "docs" / "_measured" / "secrets.md"
HEADER = "<!-- Written by benchmarks/secret_carriers.py; do not edit. -->"
SEED = 4
"""What is drawn, and with it the table, is the same each time."""

LETTERS = string.ascii_letters + string.digits


class Secret(NamedTuple):
    """A secret: the field that it stands under, the field's value, and the part that must not show."""

    name: str
    value: str
    core: str


def letters(draw: random.Random, count: int, among: str = LETTERS) -> str:
    """So many characters, a digit and a small letter among the first ones, as in nearly every key."""
    return "7q" + "".join(draw.choices(among, k=count - 2))


def whole(name: str, value: str) -> Secret:
    """A secret of which the last sixteen characters tell."""
    return Secret(name, value, value[-16:])


def word(draw: random.Random) -> str:
    """What might be a word: small letters that can be said."""
    return "".join(draw.choice("bdfgklmnprstv") + draw.choice("aeiou") for _ in range(5))


def private_key(draw: random.Random) -> Secret:
    """A key in four lines."""
    lines = [letters(draw, 64) for _ in range(4)]
    text = "\n".join(("-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"))
    return Secret("private_key", text, lines[2])


def web_token(draw: random.Random) -> Secret:
    """A JSON web token."""
    parts = [base64.urlsafe_b64encode(json.dumps(one).encode()).decode().rstrip("=") for one in
             ({"alg": "HS256", "typ": "JWT"}, {"sub": letters(draw, 10)})]  # fmt: skip
    return whole("id_token", ".".join((*parts, letters(draw, 43))))


def basic(draw: random.Random) -> Secret:
    """A user and a password in Base64."""
    pair = base64.b64encode(f"admin:{letters(draw, 17)}".encode()).decode()
    return Secret("Authorization", f"Basic {pair}", pair[8:].rstrip("="))


def in_text(name: str, form: str, length: int, among: str = LETTERS) -> Callable[[random.Random], Secret]:
    """A secret within a longer value."""

    def made(draw: random.Random) -> Secret:
        core = letters(draw, length, among)
        return Secret(name, form.format(core), core)

    return made


def key(name: str, begin: str, length: int, among: str = LETTERS) -> Callable[[random.Random], Secret]:
    """A key with a beginning of its own."""
    return lambda draw: whole(name, begin + letters(draw, length, among))


HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
KINDS: dict[str, Callable[[random.Random], Secret]] = {
    "OpenAI key": key("openai_api_key", "sk-proj-", 48),
    "Anthropic key": key("anthropic_api_key", "sk-ant-api03-", 80),
    "AWS key id": lambda draw: whole("aws_access_key_id", "AKIA" + "".join(draw.choices(UPPER, k=16))),
    "AWS secret key": key("aws_secret_access_key", "", 40),
    "AWS signature": in_text(
        "url", "https://b.s3.amazonaws.com/k?X-Amz-Date=20260101T000000Z&X-Amz-Signature={}", 64, HEX
    ),
    "Google key": key("google_api_key", "AIza", 35),
    "GitHub token": key("github_token", "ghp_", 36),
    "GitLab token": key("gitlab_token", "glpat-", 20),
    "Slack token": key("slack_token", "xoxb-1234567890-1234567890-", 24),
    "Stripe key": key("stripe_secret_key", "sk_live_", 24),
    "Hugging Face token": key("hf_token", "hf_", 34),
    "JSON web token": web_token,
    "bearer token": in_text("Authorization", "Bearer {}", 32),
    "basic authorization": basic,
    "password": key("password", "", 12),
    "password that is a word": lambda draw: whole("password", word(draw)),
    "session cookie": in_text("Cookie", "session={}; theme=dark", 32),
    "password in a URL": in_text("url", "https://bob:{}@example.com/x", 16),
    "database URL": in_text("database_url", "postgres://shop:{}@db.example.com/shop", 16),
    "private key": private_key,
    "key of another service": key("x-api-key", "", 32),
    "curl -u": in_text("command", "curl -u admin:{} https://example.com", 16),
}
CONTROL = "no secret"
EVERYWHERE = "**no**"
LEAST_FILES = 3


@dataclass(frozen=True)
class Case:
    """What happens in one conversation."""

    say: str = "Go on"
    text: str = "Done."
    arguments: dict[str, Any] = field(default_factory=dict)
    result: Any = None
    metadata: dict[str, Any] = field(default_factory=dict)
    ask: dict[str, Any] | None = None
    error: str = ""
    expected: dict[str, Any] | None = None


def words(name: str) -> str:
    """The name of a field as one says it."""
    return re.sub(r"[_-]", " ", name)


def option(name: str) -> str:
    """The name of a field as an option."""
    return f"--{name.replace('_', '-').lower()}"


def in_lines(text: str, start: str) -> str:
    """The text with something before each of its lines."""
    return "\n".join(f"{start}{line}" for line in text.split("\n"))


def nested(name: str, value: str) -> str:
    """JSON in a text in JSON in a text in JSON."""
    return json.dumps({"body": json.dumps({"data": json.dumps({name: value})})})


CARRIERS: dict[str, Callable[[Secret], Case]] = {
    "an argument of a tool, `{name: X}`": lambda one: Case(arguments={"user": "bob", one.name: one.value}),
    "JSON that a tool returned as text": lambda one: Case(
        result=json.dumps({"ok": True, one.name: one.value})
    ),
    "JSON in a text in JSON in a text in JSON": lambda one: Case(result=nested(one.name, one.value)),
    "as Python prints it, `{'name': 'X'}`": lambda one: Case(
        text=f"I sent { ({'user': 'bob', one.name: one.value}) }"
    ),
    "headers as an object": lambda one: Case(arguments={"headers": {one.name: one.value}}),
    "headers as pairs, `[[name, X]]`": lambda one: Case(
        arguments={"headers": [["Accept", "*/*"], [one.name, one.value]]}
    ),
    "a line of YAML, `name: X`": lambda one: Case(result=f"user: bob\n{one.name}: {one.value}\n"),
    "a query, `?name=X`": lambda one: Case(
        arguments={"address": f"https://example.com/v1?a=1&{urllib.parse.urlencode({one.name: one.value})}"}
    ),
    "a command line, `--name X`": lambda one: Case(
        arguments={"run": f"shop {option(one.name)} {shlex.quote(one.value)} --quiet"}
    ),
    "the environment, `export NAME=X`": lambda one: Case(
        result=f"export {one.name.replace('-', '_').upper()}={shlex.quote(one.value)}\n"
    ),
    "the message of an exception, `log_in(name='X')`": lambda one: Case(
        error=f"refused: log_in({one.name.replace('-', '_')}={one.value!r})"
    ),
    "a traceback, pytest's `E` before each line": lambda one: Case(
        result=in_lines(f"RefusedError: login failed\n{one.name}: {one.value}\nsee the log", "E   ")
    ),
    "what the user says, `My name is X`": lambda one: Case(say=f"My {words(one.name)} is {one.value}"),
    "why a check failed": lambda one: Case(
        arguments={one.name: one.value, "n": 1}, expected={one.name: "another", "n": 1}
    ),
    "the reply after a call with it": lambda one: Case(
        arguments={one.name: one.value}, text=f"I went on with {one.value} as you said."
    ),
    "metadata of the reply": lambda one: Case(metadata={"sent": {one.name: one.value}}),
    "a request to the model": lambda one: Case(
        ask={
            "model": "any",
            "max_tokens": 9,
            "metadata": {one.name: one.value},
            "messages": [{"role": "user", "content": f"{one.name}={one.value}"}],
        }
    ),
    "the reply alone, no name near it": lambda one: Case(text=f"I went on with {one.value} as you said."),
}

AGENT = """
import json
from pathlib import Path

CASES = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))


def agent(context):
    return Agent(context, CASES[context.scenario["id"]])


class Agent:
    def __init__(self, context, case):
        self.context, self.case = context, case

    def chat(self, messages):
        case = self.case
        if case["ask"]:
            self.context.model.transport(case["ask"])
        if case["error"]:
            raise RuntimeError(case["error"])
        call = {"name": "act", "arguments": case["arguments"], "result": case["result"]}
        return {"text": case["text"], "tool_calls": [call], "metadata": case["metadata"]}
"""
TEST = """
import pytest
from bot import CASES, Agent
from grice import evaluate, expect


@pytest.fixture
def agent(request):
    return lambda context: Agent(context, CASES[request.node.callspec.params["name"]])


@pytest.mark.parametrize("name", CASES)
def test_it(conversation, scripted_model, name):
    case = CASES[name]
    if case["ask"]:
        scripted_model.script("ok")
    reply = conversation.say(case["say"])
    arguments = reply.tool_calls[0].arguments
    print(arguments, reply.text)
    evaluate(reply).to_contain("zzz")
    if case["expected"]:
        expect(arguments).to_equal(case["expected"])
    assert reply.text == "zzz"
"""

FILES = (
    "`grice run -v`",
    "`grice run --json`",
    "the journal",
    "`grice report -v`",
    "`grice report --json`",
    "`grice report --markdown`",
    "`grice report --junit`",
    "a baseline",
    "`pytest -l`",
    "`pytest --junitxml`",
    "the journal of pytest",
    "a cassette",
    "`grice stub --record`",
)


def drawn() -> dict[tuple[str, str], Secret]:
    """A secret for each kind and carrier, and something that is none for each carrier."""
    draw = random.Random(SEED)
    found = {(kind, carrier): make(draw) for kind, make in KINDS.items() for carrier in CARRIERS}
    for carrier in CARRIERS:
        value = f"control{letters(draw, 12)}"
        found[CONTROL, carrier] = Secret("note", value, value)
    return found


def measure(folder: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """The files in which each secret stands in clear, by its kind and carrier."""
    secrets = drawn()
    ids = {place: f"case-{number}" for number, place in enumerate(secrets)}
    files = written(folder, {ids[place]: CARRIERS[place[1]](one) for place, one in secrets.items()})
    for place, one in secrets.items():
        assert one.core.isalnum(), f"{place}: no escaping may hide {one.core}"
    return {
        place: tuple(name for name, text in files.items() if one.core in text)
        for place, one in secrets.items()
    }


def written(folder: Path, cases: Mapping[str, Case]) -> dict[str, str]:
    """The text of every file that is written when these conversations are held."""
    folder.joinpath("cases.json").write_text(json.dumps({id_: asdict(one) for id_, one in cases.items()}))
    folder.joinpath("bot.py").write_text(AGENT)
    folder.joinpath("test_bot.py").write_text(TEST)
    folder.joinpath("pyproject.toml").write_text("[tool.grice]\n")
    scenarios = [_scenario(id_, one) for id_, one in cases.items()]
    folder.joinpath("cases.grice.json").write_text(json.dumps({"agent": "bot:agent", "scenarios": scenarios}))

    console = command(folder, "run", "cases.grice.json", "-v", "--json", "out.json")
    (journal,) = folder.glob(".grice/runs/*/*.jsonl")
    run = journal.parent.name
    command(folder, "baseline", "secrets", run, "--accept")
    (baseline,) = folder.glob("**/baselines/*")
    options = ("-l", "--junitxml=junit.xml", "-o", "junit_logging=all", "--grice-store=kept")
    terminal = pytest(folder, "test_bot.py", *options)
    (kept,) = folder.glob("kept/*/*.jsonl")
    record_calls(folder / "calls.jsonl", cases)
    ask_stub(folder, cases)
    texts = (
        console,
        folder.joinpath("out.json").read_text(),
        journal.read_text(),
        *(
            command(folder, "report", run, *form)
            for form in (["-v"], ["--json", "-"], ["--markdown"], ["--junit"])
        ),
        baseline.read_text(),
        terminal,
        folder.joinpath("junit.xml").read_text(),
        kept.read_text(),
        folder.joinpath("calls.jsonl").read_text(),
        folder.joinpath("stub.jsonl").read_text(),
    )
    return dict(zip(FILES, texts, strict=True))


def _scenario(id_: str, case: Case) -> dict[str, Any]:
    checks: list[dict[str, Any]] = [{"matcher": "toContain", "expected": "zzz"}]
    if case.expected:
        at = {"on": "tool_calls", "path": "$[0].arguments"}
        checks.append({**at, "matcher": "toEqual", "expected": case.expected})
    scripted = {"model": ["ok"]} if case.ask else {}
    return {"id": id_, "say": case.say, "expect": checks, **scripted}


def command(folder: Path, *arguments: str) -> str:
    """What a command of Grice prints, in lines that are never broken."""
    return _ran(folder, "-m", "grice", *arguments)


def pytest(folder: Path, *arguments: str) -> str:
    """What pytest prints."""
    return _ran(folder, "-m", "pytest", "-p", "no:cacheprovider", *arguments)


def _ran(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=_environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        said = f"{done.stdout[-2000:]}{done.stderr[-2000:]}"
        raise RuntimeError(f"{arguments}: exit code {done.returncode}\n{said}")
    return done.stdout + done.stderr


def _environment(folder: Path) -> dict[str, str]:
    """The environment without what a session of pytest around this one has put into it."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GRICE"))}
    return {**ours, "COLUMNS": "100000", "PYTHONPATH": str(folder), "NO_COLOR": "1", "CI": ""}


def _messages(case: Case) -> list[dict[str, Any]]:
    called = {"name": "act", "arguments": json.dumps(case.arguments)}
    call = {"id": "1", "type": "function", "function": called}
    result = case.result if isinstance(case.result, str) else json.dumps(case.result)
    return [
        {"role": "user", "content": case.say},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": result},
        {"role": "assistant", "content": case.text},
        {"role": "user", "content": case.error or "Thanks"},
    ]


def record_calls(path: Path, cases: Mapping[str, Case]) -> None:
    """A cassette with a call of the agent for each conversation."""
    with Cassette.open(path, "all") as cassette:
        for id_, case in cases.items():
            call = {"name": "act", "arguments": case.arguments, "result": case.result}
            asked = {"id": id_, "messages": _messages(case), "asked": case.ask}
            answer = {"text": case.text, "tool_calls": [call], "metadata": case.metadata}
            cassette.begin("agent", asked).record(answer)


def ask_stub(folder: Path, cases: Mapping[str, Case]) -> None:
    """Send each conversation to `grice stub`, which records it."""
    arguments = ("-m", "grice", "stub", "--port", "0", "--key", "k", "--record", "stub.jsonl")
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env=_environment(folder),
        stdout=subprocess.PIPE,
        text=True,
    ) as stub:
        assert stub.stdout is not None
        address = ""
        while not address:
            found = re.search(r"http://127\.0\.0\.1:\d+", stub.stdout.readline())
            address = found[0] if found else ""
        for id_, case in cases.items():
            body = {"model": "any", "messages": _messages(case), **(case.ask or {})}
            request = urllib.request.Request(
                f"{address}/c/{id_}/v1/chat/completions",
                json.dumps(body).encode(),
                {"Content-Type": "application/json", "Authorization": "Bearer k"},
            )
            with urllib.request.urlopen(request) as reply:
                reply.read()
        stub.terminate()
        stub.stdout.read()


def generate(found: Mapping[tuple[str, str], tuple[str, ...]]) -> str:
    """The text of secrets.md. Raises ValueError when a carrier leads nowhere: it would say nothing."""
    reached = {carrier: found[CONTROL, carrier] for carrier in CARRIERS}
    if not all(len(files) >= LEAST_FILES for files in reached.values()):
        raise ValueError(f"a carrier reaches no files: {reached}")
    numbers = range(1, len(CARRIERS) + 1)
    legend = [
        f"{number}. {carrier} ({len(files)} files)"
        for number, (carrier, files) in zip(numbers, reached.items(), strict=True)
    ]
    cells = {kind: [_cell(found[kind, one], reached[one]) for one in CARRIERS] for kind in KINDS}
    rows = [["", *map(str, numbers)], ["---", *([":---:"] * len(CARRIERS))]]
    rows += [[kind, *row] for kind, row in cells.items()]
    table = [f"| {' | '.join(row)} |" for row in rows]
    kept = [
        f"- {kind}, {number}: {', '.join(found[kind, carrier])}"
        for kind in KINDS
        for number, carrier in zip(numbers, CARRIERS, strict=True)
        if found[kind, carrier] and _cell(found[kind, carrier], reached[carrier]) != EVERYWHERE
    ]
    parts = {"files": [", ".join(FILES)], "carriers": legend, "table": table, "kept": kept}
    lines = [HEADER]
    for name, part in parts.items():
        lines += ["", f"<!-- {name} -->", "", *part, "", f"<!-- /{name} -->"]
    return "\n".join(lines) + "\n"


def _cell(kept: tuple[str, ...], reached: tuple[str, ...]) -> str:
    """Whether it is hidden: in all files that are reached, in none, or in how many it is not."""
    if not kept:
        return "yes"
    return EVERYWHERE if set(reached) <= set(kept) else f"but {len(kept)}"


def main() -> None:
    """Measure, and write the file."""
    with TemporaryDirectory() as folder:
        TARGET.write_text(generate(measure(Path(folder))), "utf-8")


if __name__ == "__main__":
    main()
