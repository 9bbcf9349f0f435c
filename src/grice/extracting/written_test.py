"""The text of a test: a scenario of a suite, a golden, or a pytest function, from a fault."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pprint import pformat
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET

from grice.checks.log_facts import keep_the_prompt
from grice.extracting.fault import Fault
from grice.files.suite_records import SuiteCheck
from grice.files.suite_writing import suite_text
from grice.files.yaml_writing import NotYaml, block_text
from grice.formats.pairing import with_ids
from grice.matching.assertions.data_arguments import camel
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.matcher import ArgumentError, Matcher
from grice.records import Exchange, JsonValue, Message, ToolCall, Turn
from grice.text import is_blank, shorten, visible

Form = Literal["suite", "golden", "pytest"]
FORMS: tuple[Form, ...] = ("suite", "golden", "pytest")
_SUFFIXES = {"suite": "{}.grice.yaml", "golden": "{}.golden.yaml", "pytest": "test_{}.py"}
_NOT_ID = re.compile(r"[^A-Za-z0-9]+")
_WIDTH = 100
_OF_GOLDENS = frozenset({"toBeValidResponse", "toBeFreeOf", "toPassLint"})


class NotWritable(ValueError):
    """The fault cannot be written in this form; the text says why, and what can."""


class Draft(NamedTuple):
    """A test as it will be written: its name, and its text without the lines that say how it came to be."""

    name: str
    form: Form
    body: str

    @property
    def file(self) -> str:
        """The name of its file."""
        name = self.name.replace("-", "_") if self.form == "pytest" else self.name
        return _SUFFIXES[self.form].format(name)


def usual_forms(fault: Fault) -> tuple[Form, ...]:
    """What to write where nobody says: a golden where it can say the check and has the model's replies."""
    is_golden = fault.conversation.turns[-1].exchanges and fault.check.matcher.factory.name in _OF_GOLDENS
    return ("golden", "suite") if is_golden else ("suite",)


def draft_test(fault: Fault, form: Form, agent: str = "") -> Draft:
    """The test of a fault, whose conversation is shrunk and safe to commit. Raises NotWritable."""
    name = test_name(fault)
    last = fault.conversation.turns[-1]
    if is_blank(last.user):
        raise NotWritable(f"the user says nothing in turn {fault.turn}: there is nothing to play")
    try:
        if form == "pytest":
            return Draft(name, form, _pytest_text(fault, name))
        written = _golden_text(fault, name, agent) if form == "golden" else _suite_text(fault, name, agent)
        return Draft(name, form, written)
    except NotYaml as error:
        raise NotWritable(str(error)) from error


def test_name(fault: Fault) -> str:
    """Label and a hash of what was said: the same for the same fault."""
    said = "\0".join(f"{one.role}:{one.content}" for one in fault.conversation.messages)
    digest = sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{_NOT_ID.sub('-', fault.label).strip('-').lower()}-{digest}"


# -- a suite


def _suite_text(fault: Fault, name: str, agent: str) -> str:
    scenario: dict[str, JsonValue] = {
        "id": name,
        "description": shorten(visible(fault.verdict.reason, newlines=False), _WIDTH),
        "expect": [check_fields(fault.check)],
    }
    turns = fault.conversation.turns
    if fault.check.target.kind == "conversation":
        scenario["turns"] = [_played(one) for one in turns]
    else:
        history = history_of(turns[:-1])
        scenario |= {**({"history": history} if history else {}), **_played(turns[-1])}
    return suite_text({**({"agent": agent} if agent else {}), "scenarios": [scenario]})


def _played(turn: Turn) -> dict[str, JsonValue]:
    """A turn that the agent plays anew: what the user says, what tools answer, what the model answers."""
    tools = tool_results(turn)
    model = [_model_reply(one) for one in turn.exchanges if one.reply is not None]
    return {
        "say": turn.user,
        **({"model": model} if model else {}),
        **({"tools": tools} if tools else {}),
    }


def tool_results(turn: Turn) -> dict[str, JsonValue]:
    """What the tools of the turn answered, by name: the last result of each."""
    return {one.name: result_of(one) for one in turn.tool_calls if one.answered}


def result_of(call: ToolCall) -> JsonValue:
    """What the tool answered, its error as that of a field."""
    if call.error is not None:
        return {"error": call.error}
    return None if call.result is UNSET else msgspec.to_builtins(call.result)


def history_of(turns: Sequence[Turn]) -> list[JsonValue]:
    """The messages of turns as people read them: arguments are objects, results stand as they came."""
    return [_message(one) for one in with_ids([each for turn in turns for each in turn.messages])]


def _message(message: Message) -> dict[str, JsonValue]:
    calls = [
        {"id": one.id, "name": one.name, "arguments": one.arguments}
        if one.raw_arguments is None
        else {
            "id": one.id,
            "type": "function",
            "function": {"name": one.name, "arguments": one.raw_arguments},
        }
        for one in message.tool_calls
    ]
    return {
        "role": message.role,
        **({"tool_call_id": message.tool_call_id} if message.tool_call_id else {}),
        **({"name": message.name} if message.name and message.role == "tool" else {}),
        "content": message.content,
        **({"tool_calls": calls} if calls else {}),
        **({"is_error": True} if message.is_error else {}),
    }


def _model_reply(exchange: Exchange) -> JsonValue:
    """The reply of the model as a script has it: a text, a call, or a list of both."""
    parts = reply_parts(exchange)
    written = [
        one if isinstance(one, str) else {"tool": one["name"], "arguments": one["input"]} for one in parts
    ]
    return written[0] if len(written) == 1 else written or ""


def reply_parts(exchange: Exchange) -> list[Any]:
    """The texts and calls (`id`, `name`, `input`) of the model's reply, in order."""
    reply: Any = exchange.reply or {}
    parts: list[Any] = []
    if "choices" in reply:
        message = reply["choices"][0]["message"]
        if message.get("content"):
            parts.append(message["content"])
        for one in message.get("tool_calls") or []:
            try:
                read = msgspec.json.decode(one["function"]["arguments"] or "{}")
            except msgspec.DecodeError:
                raise NotWritable(
                    "the model gave arguments that are no JSON, which no script plays"
                ) from None
            parts.append({"id": one.get("id", ""), "name": one["function"]["name"], "input": read})
        return parts
    content = reply.get("content", [])
    for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        if block.get("type") == "text":
            parts.append(block["text"])
        elif block.get("type") == "tool_use":
            parts.append({"id": block.get("id", ""), "name": block["name"], "input": block.get("input", {})})
    return parts


def check_fields(check: SuiteCheck) -> dict[str, JsonValue]:
    """The check as a suite says it. Raises NotWritable for one that only Python can say."""
    matcher = check.matcher
    name = matcher.factory.name
    on = "reply.data" if check.target.kind == "data" else check.target.kind
    fields: dict[str, Any] = {"on": f"exchange {check.target.number}" if on == "exchange" else on}
    if check.at.path != "$":
        fields["path"] = check.at.path
        if check.at.match != "ANY":
            fields["pathMatch"] = check.at.match
    fields["matcher"] = name
    if matcher.args:
        fields["expected"] = matcher.args[0] if len(matcher.args) == 1 else list(matcher.args)
    options = given_options(matcher)
    if options:
        fields["options"] = {camel(key): value for key, value in options.items()}
    if matcher.negated:
        fields["not"] = True
    for tried in (fields, {**fields, "expected": list(matcher.args)}):
        try:
            again = matcher_from_data(tried)
        except ArgumentError:
            continue
        if again.words == matcher.words:
            return tried
    raise NotWritable(f"{name} has arguments that no file can say: write it with --as pytest")


def given_options(matcher: Matcher[Any]) -> dict[str, Any]:
    """The arguments by name that are not what they would be anyway."""
    parameters = matcher.factory.parameters
    return {
        name: value
        for name, value in matcher.kwargs.items()
        if name not in parameters or parameters[name].default != value
    }


# -- a golden


def _golden_text(fault: Fault, name: str, agent: str) -> str:
    last = fault.conversation.turns[-1]
    matcher = fault.check.matcher.factory.name
    if not last.exchanges:
        raise NotWritable("the model's replies are not known, which a golden plays: write it with --as suite")
    if matcher not in _OF_GOLDENS:
        raise NotWritable(f"a golden cannot say {matcher}: write it with --as suite")
    if matcher == "toPassLint":  # each request of a golden is linted
        assertions: dict[str, JsonValue] = {"finalText": {"equals": last.text}}
    else:
        assertions = {"validator": {"expectValid": True}}
    replies, results = _scripted_rounds(last)
    history = history_of(fault.conversation.turns[:-1])
    golden: dict[str, Any] = {
        "id": name,
        "description": shorten(visible(fault.verdict.reason, newlines=False), _WIDTH),
        **({"agent": agent} if agent else {}),
        **({"conversationHistory": history} if history else {}),
        "userMessage": last.user,
        "mockLlmResponses": replies,
        **({"toolExecResult": results} if results else {}),
        "assertions": assertions,
    }
    return block_text(golden)


def _scripted_rounds(turn: Turn) -> tuple[list[JsonValue], list[JsonValue]]:
    """The model's replies as it gave them, and the results of the calls of each that has some."""
    calls = {one.id: one for one in turn.tool_calls}
    replies: list[JsonValue] = []
    results: list[JsonValue] = []
    for parts in filter(None, map(reply_parts, turn.exchanges)):
        content: list[JsonValue] = [
            {"type": "text", "text": one} if isinstance(one, str) else {"type": "tool_use", **one}
            for one in parts
        ]
        replies.append({"step": "tool-result" if replies else "chat", "content": content})
        made = [one for one in parts if isinstance(one, dict)]
        if any(one["id"] not in calls for one in made):
            raise NotWritable("a call that the model asked for is not on record: write it with --as suite")
        if made:
            results.append({one["id"]: _golden_result(calls[one["id"]]) for one in made})
    return replies, results


def _golden_result(call: ToolCall) -> dict[str, JsonValue]:
    if call.error is not None:
        return {"success": False, "error": call.error}
    return {"success": True, "result": result_of(call)}


# -- a pytest function


def _pytest_text(fault: Fault, name: str) -> str:
    check = fault.check
    if check.at.path != "$" or check.target.kind not in ("reply", "tool_calls", "conversation", "exchange"):
        raise NotWritable(f"pytest cannot say a check on {check.target.kind} at a path: use --as suite")
    if check.matcher.factory is keep_the_prompt:
        raise NotWritable("pytest cannot say the system prompt of a log: use --as suite")
    subject = {
        "conversation": "conversation",
        "exchange": f"reply.exchanges[{_index(check.target.number)}]",
    }.get(check.target.kind, "reply")
    turns = fault.conversation.turns
    replies = [one for turn in turns for one in turn.exchanges if one.reply is not None]
    imported, fixtures = ("expect", "conversation")
    if replies:
        imported, fixtures = ("expect, tool_use", "conversation, scripted_model")
    lines = [f"from grice import {imported}", "", "", f"def test_{name.replace('-', '_')}({fixtures}):"]
    if replies:
        lines += ["    scripted_model.script(", *(f"        {_scripted(one)}," for one in replies), "    )"]
    for number, turn in enumerate(turns, 1):
        if is_blank(turn.user):
            continue
        tools = tool_results(turn)
        said = _literal(turn.user, 8)
        more = f",\n        tools={_literal(tools, 14)}" if tools else ""
        target = "reply = " if number == len(turns) else ""
        lines.append(f"    {target}conversation.say(\n        {said}{more},\n    )")
    lines += ["", f"    expect({subject}).{method_call(check)}"]
    return "\n".join(lines) + "\n"


def method_call(check: SuiteCheck) -> str:
    """The check as a method of `expect(...)`, called."""
    matcher = check.matcher
    given = [repr(one) for one in matcher.args]
    given += [f"{key}={value!r}" for key, value in given_options(matcher).items()]
    return f"{'not_' if matcher.negated else ''}to_{matcher.factory.python_name}({', '.join(given)})"


def _scripted(exchange: Exchange) -> str:
    """A reply of the model as `script` takes it: a text, or a list with calls."""
    parts = [
        repr(one) if isinstance(one, str) else f"tool_use({one['name']!r}, **{one['input']!r})"
        for one in reply_parts(exchange)
    ]
    return parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]"


def _index(number: int) -> int:
    """The place in a list of what is counted from 1; -1 is the last."""
    return number - 1 if number > 0 else number


def _literal(value: object, indent: int) -> str:
    return pformat(value, width=_WIDTH - indent, sort_dicts=False).replace("\n", "\n" + " " * indent)


def commented(lines: Sequence[str]) -> str:
    """The lines as a comment, which YAML and Python write alike."""
    return "".join(f"# {visible(one, newlines=False)}".rstrip() + "\n" for one in lines)


def counted(dropped: Mapping[str, int]) -> str:
    """What was dropped, in words: `4 turns, 12 calls`."""
    return ", ".join(f"{number} {kind[:-1] if number == 1 else kind}" for kind, number in dropped.items())
