"""Scenarios run from the YAML of their fields, and the agents that play in them."""

import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grice.files.suite_files import load_suite
from grice.records import Outcome, Result
from grice.running.suite import run_scenario

Run = Callable[..., Result]


class Assistant:
    """Asks its model once a message or tool result, leaves tools to its client, has data for a menu."""

    def __init__(self, context: Any) -> None:
        self.ask_model = context.model.transport

    def chat(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        request = {
            "model": "m",
            "system": "You are a shop's assistant.",
            "messages": list(map(sent, messages)),
        }
        blocks = self.ask_model(request)["content"]
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        calls = [block for block in blocks if block["type"] == "tool_use"]
        data = {"items": [{"status": "READY"}, {"status": "PENDING"}]} if "menu" in text else None
        return {"text": text, "tool_calls": calls, "data": data}


def sent(message: dict[str, Any]) -> dict[str, Any]:
    if message["role"] == "tool":
        block = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}
        return {"role": "user", "content": [block]}
    if message.get("tool_calls"):
        uses = [
            {"type": "tool_use", "id": call["id"], "name": call["function"]["name"],
             "input": json.loads(call["function"]["arguments"])}
            for call in message["tool_calls"]
        ]  # fmt: skip
        return {"role": "assistant", "content": uses}
    return {"role": message["role"], "content": message["content"]}


def echo(text: str) -> str:
    return f"you said {text}"


def run_in(folder: Path) -> Run:
    """Runs the one scenario that the YAML of its fields describes, in the suite `shop`."""

    def run(fields: str, target: object = Assistant, **options: Any) -> Result:
        path = folder / "shop.grice.yaml"
        lines = textwrap.indent(textwrap.dedent(fields).strip(), "    ").lstrip()
        path.write_text(f"scenarios:\n  - {lines}\n", "utf-8")
        (scenario,) = load_suite(path)
        return run_scenario(scenario, target, **options)

    return run


def told(result: Result) -> list[str]:
    """Each verdict on one line, with its reason when it did not pass."""
    return [
        f"{one.outcome}: {one.claim}" + (f": {one.reason}" if one.outcome is not Outcome.PASS else "")
        for one in result.verdicts
    ]


UPDATE = """
id: update
say: Update the search
model:
  - {tool: update_plugin, arguments: {plugin: search}}
  - "Here is the menu: updated to 4.13.5."
tools: {update_plugin: {message: updated to 4.13.5}}
"""
