"""200 turns with the WordPress assistant: in process, with its model over HTTP, and as a server of its own.

Three ways in turn, several rounds, in one process: milliseconds a turn, and the ratios to in process.
"""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from grice import AgentContext, HttpAgent, LiveConversation, ScriptedModel
from grice.loops.background_loop import close_portal
from grice.wire.fixed_model_address import fixed_address
from grice.wire.shared_stub import close_stub

EXAMPLE = Path(__file__).parent.parent / "examples" / "wordpress_assistant"
CONVERSATIONS, TURNS, ROUNDS = 40, 5, 5
BAR = 10.0
"""Milliseconds a turn through two HTTP servers: 200 turns then take two seconds."""

KEY = "benchmark"
HISTORY = {
    "$each": "${history}",
    "$as": {
        "user": {"role": "user", "content": "${item.content}"},
        "assistant": {"role": "assistant", "content": "${item.content}"},
    },
}


def script() -> list[str]:
    """What the model says in one conversation."""
    return [f"This is answer number {number} of the assistant." for number in range(TURNS)]


def converse(agent: object, model: ScriptedModel) -> None:
    """One conversation; it fails when anything is not as scripted."""
    with LiveConversation(agent, model=model) as live:
        for number, answer in enumerate(script()):
            assert live.say(f"Question {number}, please").text == answer
    assert len(live.exchanges) == TURNS


def in_process() -> None:
    """The assistant's own object, its model a function call."""
    from wordpress_assistant.app import build_assistant

    for _ in range(CONVERSATIONS):
        model = ScriptedModel(*script())
        converse(build_assistant(model.transport), model)


def model_over_http() -> None:
    """The assistant's own object, its model behind the stub."""
    from wordpress_assistant.app import build_assistant
    from wordpress_assistant.model import AnthropicModel

    for _ in range(CONVERSATIONS):
        model = ScriptedModel(*script())
        context = AgentContext(model=model)
        assistant = build_assistant(AnthropicModel(context.model_key, context.model_url))
        converse(assistant, model)


def served(url: str, port: int) -> None:
    """The assistant's server, which asks its model at the fixed address."""
    agent = HttpAgent(
        url,
        request={"message": "${user}", "conversationHistory": HISTORY},
        response={"text": "$.text", "tool_calls": "$.tool_calls[*]"},
    )
    for _ in range(CONVERSATIONS):
        model = ScriptedModel(*script())
        with fixed_address(model, port, key=KEY):
            converse(agent, model)


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """The assistant's server: its address, and the port of its model."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = int(held.getsockname()[1])
    env = os.environ | {"ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}", "ANTHROPIC_API_KEY": KEY}
    command = [sys.executable, "-m", "wordpress_assistant.server", "--port", "0"]
    with subprocess.Popen(command, cwd=EXAMPLE, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"{process.stdout.readline().strip()}/chat", port
        process.kill()


def timed(run: Callable[[], None]) -> float:
    """Milliseconds of wall time a turn."""
    started = time.perf_counter()
    run()
    return 1_000 * (time.perf_counter() - started) / (CONVERSATIONS * TURNS)


def main() -> int:
    """Print the three; the exit code says whether the bar holds."""
    sys.path.insert(0, str(EXAMPLE))
    with server() as (url, port):
        runs = (in_process, model_over_http, lambda: served(url, port))
        for run in runs:
            run()  # the first requests start the stub, connections and threads
        rounds = [[timed(run) for run in runs] for _ in range(ROUNDS)]
    close_portal()
    close_stub()
    here, model, both = (statistics.median(column) for column in zip(*rounds, strict=True))
    ratios = [statistics.median(row[place] / row[0] for row in rounds) for place in (1, 2)]
    print(f"{CONVERSATIONS * TURNS} turns in process: {here:.2f} ms a turn")
    print(f"  its model over HTTP: {model:.2f} ms a turn, {ratios[0]:.1f} times")
    print(f"  as a server, its model over HTTP: {both:.2f} ms a turn (bar {BAR:g}), {ratios[1]:.1f} times")
    return 0 if both <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
