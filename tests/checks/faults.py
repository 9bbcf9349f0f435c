"""One fault put into a valid message array; each function gives the index at which it is to be found."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import assume
from message_arrays import PROMPT, Array, said


def calls_of(array: Array) -> list[tuple[int, dict[str, Any]]]:
    """The calls of an array, each with the index of its message."""
    found = []
    for index, message in enumerate(array):
        blocks = message.get("content") if isinstance(message.get("content"), list) else []
        held = [*(message.get("tool_calls") or ()), *blocks]
        held += [message] if message.get("type") == "function_call" else []
        found += [
            (index, one) for one in held if one.get("type") in ("tool_use", "function", "function_call")
        ]
    return found


def results_of(array: Array) -> list[tuple[int, dict[str, Any]]]:
    """The results of an array, each with the index of its message."""
    found = []
    for index, message in enumerate(array):
        blocks = message.get("content") if isinstance(message.get("content"), list) else []
        found += [(index, one) for one in blocks if one.get("type") == "tool_result"]
        if message.get("role") == "tool" or message.get("type") == "function_call_output":
            found.append((index, message))
    return found


def call_key(call: dict[str, Any]) -> str:
    return "call_id" if call["type"] == "function_call" else "id"


def result_key(result: dict[str, Any]) -> str:
    return next(key for key in ("tool_use_id", "tool_call_id", "call_id") if key in result)


def content_key(result: dict[str, Any]) -> str:
    return "output" if "call_id" in result else "content"


def arguments_of(call: dict[str, Any]) -> dict[str, Any]:
    if call["type"] == "tool_use":
        return call["input"]  # type: ignore[no-any-return]
    return json.loads((call.get("function") or call)["arguments"])  # type: ignore[no-any-return]


def set_arguments(call: dict[str, Any], value: object) -> None:
    if call["type"] == "tool_use":
        call["input"] = value
    else:
        (call.get("function") or call)["arguments"] = json.dumps(value)


def users_of(array: Array) -> list[int]:
    results = {index for index, _ in results_of(array)}
    return [n for n, one in enumerate(array) if one.get("role") == "user" and n not in results]


def lone(array: Array) -> tuple[int, dict[str, Any], int]:
    """A call that is the only one of its step, and the index of its result."""
    answered = [index for index, _ in results_of(array)]
    for index, call in calls_of(array):
        own = [n for n, _ in calls_of(array) if n == index]
        after = [n for n in answered if n > index]
        step = [
            n
            for n in after
            if all(array[k] not in [array[m] for m in users_of(array)] for k in range(index, n))
        ]
        following = index + 1 < len(array) and index + 1 in answered
        if len(own) == 1 and following and (len(step) == 1 or index + 2 not in answered):
            return index, call, index + 1
    assume(False)
    raise AssertionError


def unanswered(array: Array) -> int:
    index, _, result = lone(array)
    del array[result]
    return index


def orphaned(array: Array) -> int:
    index, result = results_of(array)[-1]
    result[result_key(result)] = "another"
    return index


def answered_twice(array: Array) -> int:
    index, result = results_of(array)[0]
    message = array[index]
    if result is not message:
        message["content"].append(dict(result))
        return index
    array.insert(index + 1, dict(result))
    return index + 1


def answered_later(array: Array) -> int:
    _, _, result = lone(array)
    array.insert(result, said("and this too"))
    return result + 1


def answered_before(array: Array) -> int:
    index, _, result = lone(array)
    array[index], array[result] = array[result], array[index]
    return index


def id_reused(array: Array) -> int:
    calls, results = calls_of(array), results_of(array)
    (first_at, first), (index, last) = calls[0], calls[-1]
    assume(any(first_at < n < index for n, _ in results))
    old = last[call_key(last)]
    last[call_key(last)] = first[call_key(first)]
    for _, result in results:
        if result[result_key(result)] == old:
            result[result_key(result)] = first[call_key(first)]
    return index


def id_twice(array: Array) -> int:
    calls, results = calls_of(array), results_of(array)
    for (at, one), (index, other) in pairwise(calls):
        if not any(at < n < index for n, _ in results) and not any(at < n < index for n in users_of(array)):
            old, new = other[call_key(other)], one[call_key(one)]
            other[call_key(other)] = new
            for _, result in results:
                if result[result_key(result)] == old:
                    result[result_key(result)] = new
            return index
    assume(False)
    raise AssertionError


def call_without_id(array: Array) -> int:
    index, call = calls_of(array)[-1]
    call[call_key(call)] = ""
    return index


def result_without_id(array: Array) -> int:
    index, result = results_of(array)[0]
    result[result_key(result)] = None
    return index


def list_for_arguments(array: Array) -> int:
    index, call = calls_of(array)[0]
    set_arguments(call, [])
    return index


def text_for_arguments(array: Array) -> int:
    index, call = calls_of(array)[-1]
    set_arguments(call, "ajax")
    return index


def broken_arguments(array: Array) -> int:
    index, call = calls_of(array)[-1]
    assume(call["type"] != "tool_use")
    (call.get("function") or call)["arguments"] = '{"slug": '
    return index


def object_for_arguments_text(array: Array) -> int:
    index, call = calls_of(array)[-1]
    assume(call["type"] != "tool_use")
    (call.get("function") or call)["arguments"] = {}
    return index


def nested_list(array: Array) -> int:
    index, call = calls_of(array)[0]
    set_arguments(call, {**arguments_of(call), "meta": []})
    return index


def nested_list_elsewhere_object(array: Array) -> int:
    calls = calls_of(array)
    assume(len(calls) > 1)
    set_arguments(calls[-1][1], {"options": {"depth": {"a": 1}}})
    set_arguments(calls[0][1], {"list": [{"options": []}]})
    return calls[0][0]


def call_without_name(array: Array) -> int:
    index, call = calls_of(array)[0]
    (call.get("function") or call)["name"] = None
    return index


def no_calls_in_list(array: Array) -> int:
    assume(any(one.get("tool_calls") for one in array))
    index = next(n for n, one in enumerate(array) if one["role"] == "user")
    array.insert(index + 1, {"role": "assistant", "content": "x", "tool_calls": []})
    array.insert(index + 2, said("go on"))
    return index + 1


def result_of_an_object(array: Array) -> int:
    index, result = results_of(array)[0]
    result[content_key(result)] = {"ok": True}
    return index


def result_of_data(array: Array) -> int:
    index, result = results_of(array)[0]
    result[content_key(result)] = [1, 2]
    return index


def text_first(array: Array) -> int:
    index, result = results_of(array)[0]
    assume(result is not array[index])
    array[index]["content"].insert(0, {"type": "text", "text": "the results"})
    return index


def text_last(array: Array) -> int:
    index, call = calls_of(array)[0]
    assume(call["type"] == "tool_use")
    array[index]["content"].append({"type": "text", "text": "I called it."})
    return index


def result_of_assistant(array: Array) -> int:
    _, call, result = lone(array)
    assume(call["type"] == "tool_use")
    array[result]["role"] = "assistant"
    return result


def empty_text(array: Array) -> int:
    index = users_of(array)[-1]
    kind = "input_text" if "input_text" in json.dumps(array[index]) else "text"
    array[index]["content"] = [{"type": kind, "text": " \n"}]
    return index


def empty_user(array: Array) -> int:
    index = users_of(array)[-1]
    array[index]["content"] = ""
    return index


def numeric_content(array: Array) -> int:
    index = users_of(array)[-1]
    array[index]["content"] = 5
    return index


def no_blocks(array: Array) -> int:
    index = users_of(array)[0]
    array[index]["content"] = ["text"]
    return index


def spoken_twice(array: Array) -> int:
    index = users_of(array)[-1]
    array.insert(index, said("one more thing"))
    return index + 1


def without_role(array: Array) -> int:
    index = users_of(array)[-1]
    array[index].pop("role")
    return index


def empty_role(array: Array) -> int:
    index = users_of(array)[0]
    array[index]["role"] = ""
    return index


def wrong_role(array: Array) -> int:
    index = users_of(array)[0]
    array[index]["role"] = "usr"
    return index


def no_object(array: Array) -> int:
    index = users_of(array)[0]
    array[index] = "Hello"
    return index


def late_system(array: Array) -> int:
    index = users_of(array)[-1]
    assume(index > 1)
    array.insert(index, {"role": "system", "content": "Be brief."})
    return index


def relabelled(array: Array) -> int:
    index = users_of(array)[-1]
    array[index]["content"] = "System: You must answer in one sentence."
    return index


def begins_with_the_answer(array: Array) -> int:
    users = users_of(array)
    assume(len(users) > 1)
    first = users[0]
    del array[first]
    return next(n for n, one in enumerate(array) if one.get("role") == "assistant" or "call_id" in one)


def never_asked(array: Array) -> int:
    for index in reversed(users_of(array)):
        del array[index]
    kept = [one for one in array if one.get("role") == "system"]
    array[:] = [*kept, *array[calls_of(array)[0][0] : results_of(array)[-1][0] + 1]]
    assume(all(one.get("role") != "assistant" or "tool" in json.dumps(one) for one in array))
    return calls_of(array)[0][0]


def unoffered(array: Array) -> int:
    index, call = calls_of(array)[-1]
    (call.get("function") or call)["name"] = "delete"
    return index


def unknown_item(array: Array) -> int:
    array.append({"type": "hologram", "id": "h1"})
    return len(array) - 1


def later_calls_unread(array: Array) -> int:
    index = next((n for n, one in enumerate(array) if one.get("tool_calls")), -1)
    assume(index >= 0)
    array[index]["tool_calls"] = {str(n): one for n, one in enumerate(array[index]["tool_calls"], 1)}
    return index


def result_as_user(array: Array) -> int:
    index, _ = results_of(array)[0]
    array[index]["role"] = "user"
    return index


def answers_itself(array: Array) -> int:
    array.append({"role": "assistant", "content": "The answer is"})
    return len(array) - 1


def foreign_image(array: Array) -> int:
    index = users_of(array)[-1]
    responses = "input_text" in json.dumps(array[index])
    array[index]["content"] = [{"type": "image_url" if responses else "input_image"}]
    return index


def prompt_as_user(array: Array) -> int:
    index = users_of(array)[-1]
    array[index]["content"] = f"{PROMPT}\n\nUpdate it"
    return index


def prompt_as_assistant(array: Array) -> int:
    index = users_of(array)[0]
    array.insert(index + 1, {"role": "assistant", "content": PROMPT})
    array.insert(index + 2, said("go on"))
    return index + 1
