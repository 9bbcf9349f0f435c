"""The client's side of a turn: run the pending calls on the site and post their results, until it is done.

`python -m wordpress_assistant.talk` is a conversation with a demo site on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any

from .app import build_assistant
from .assistant import Assistant, History, Step, ToolCall
from .messages import JsonDict, assistant_content, joined
from .model import AnthropicModel, ModelError
from .site import REJECTED, Site, demo_site

MAX_ROUNDS = 8


def run_turn(
    assistant: Assistant, site: Site, history: History, user_message: str
) -> tuple[str, list[JsonDict]]:
    """What the user sees after this message, and the history with the whole turn.

    Raises RuntimeError when the model still calls tools after `MAX_ROUNDS` rounds.
    """
    step = assistant.chat_step(history, user_message)
    return _finish(assistant, site, [*map(dict, history), {"role": "user", "content": user_message}], step)


def awaits_confirmation(history: History) -> bool:
    """Whether a call of the last turn waits for the user's decision."""
    return _waiting_round(history) is not None


def settle(
    assistant: Assistant, site: Site, history: History, *, approved: bool
) -> tuple[str, list[JsonDict]]:
    """The turn after the user's decision on its waiting calls.

    The same calls are answered again, this time with their final results. So the waiting results, and what
    was said about them, are no longer in the history, and each call has one answer.
    """
    position = _waiting_round(history)
    if position is None:
        raise ValueError("no call in the last turn waits for confirmation")
    earlier = {entry["tool_call_id"]: entry["content"] for entry in _results_after(history, position)}

    def decide(call: ToolCall) -> JsonDict:
        if not _is_waiting(earlier[call["id"]]):
            return dict(earlier[call["id"]])
        return site.execute(call["name"], call["input"], confirmed=True) if approved else REJECTED

    before = [dict(entry) for entry in history[:position]]
    step, history_now = _post_results(assistant, before, _step_behind(history[position]), decide)
    return _finish(assistant, site, history_now, step)


def _finish(
    assistant: Assistant, site: Site, history: list[JsonDict], step: Step
) -> tuple[str, list[JsonDict]]:
    rounds = 0
    while step["tool_calls"]:
        rounds += 1
        if rounds > MAX_ROUNDS:
            raise RuntimeError(f"the model still calls tools after {MAX_ROUNDS} rounds")
        step, history = _post_results(
            assistant, history, step, lambda call: site.execute(call["name"], call["input"])
        )
    return step["text"], [*history, {"role": "assistant", "content": step["text"]}]


def _post_results(
    assistant: Assistant, history: list[JsonDict], asked: Step, run: Callable[[ToolCall], JsonDict]
) -> tuple[Step, list[JsonDict]]:
    """The step after `asked`, whose calls are run, and the history up to it."""
    calls, text = asked["tool_calls"], asked["text"]
    outcomes = [(call["id"], run(call)) for call in calls]
    results = [
        {"tool_call_id": call_id, "result": outcome, "is_error": "error" in outcome}
        for call_id, outcome in outcomes
    ]
    step = assistant.tool_result_step(history, calls, results, text)
    answers = [
        {"role": "tool_result", "content": result["result"]}
        | {key: result[key] for key in ("tool_call_id", "is_error")}
        for result in results
    ]
    return step, [*history, {"role": "assistant", "content": assistant_content(text, calls)}, *answers]


def _waiting_round(history: History) -> int | None:
    """Where the last turn has the first assistant message with a call that waits."""
    turn = max((i for i, entry in enumerate(history) if entry["role"] == "user"), default=len(history))
    for position in range(turn, len(history)):
        if any(_is_waiting(entry["content"]) for entry in _results_after(history, position)):
            return position
    return None


def _results_after(history: History, position: int) -> list[Mapping[str, Any]]:
    return list(takewhile(lambda entry: entry["role"] == "tool_result", history[position + 1 :]))


def _step_behind(entry: Mapping[str, Any]) -> Step:
    """The step that left the calls of this assistant entry pending."""
    blocks = entry["content"] if isinstance(entry["content"], list) else []
    calls: list[ToolCall] = [
        {"id": block["id"], "name": block["name"], "input": block["input"]}
        for block in blocks
        if block["type"] == "tool_use"
    ]
    text = joined(*(block["text"] for block in blocks if block["type"] == "text"))
    return {"text": text, "tool_calls": calls, "stop_reason": "tool_use"}


def _is_waiting(outcome: Mapping[str, Any]) -> bool:
    return bool(outcome.get("result", {}).get("status") == "pending_confirmation")


def main() -> None:
    assistant = build_assistant(AnthropicModel.from_env())
    site = demo_site(requires_confirmation=True)
    history: list[JsonDict] = []
    print("Ask about the demo site; an empty line ends the conversation.")
    while message := _ask_user("you> "):
        try:
            text, history = run_turn(assistant, site, history, message)
            print(text)
            if awaits_confirmation(history):
                approved = _ask_user("[c]onfirm or [r]eject> ").lower().startswith("c")
                text, history = settle(assistant, site, history, approved=approved)
                print(text)
        except (ModelError, RuntimeError) as error:
            print(f"error: {error}")


def _ask_user(prompt: str) -> str:
    try:
        return input(prompt).strip()
    except EOFError:
        return ""


if __name__ == "__main__":
    main()
