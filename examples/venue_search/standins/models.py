"""One endpoint for the three stand-ins: who is asked, the request itself tells."""

from __future__ import annotations

from typing import Any

from grice import Exchange, structured

from . import assistant_model, judge, user


def answer(exchange: Exchange) -> Any:
    """What the stand-in says, for `ScriptedModel(otherwise=answer)`. Raises LookupError without a rule."""
    request = exchange.request
    form = request.get("response_format")
    if form is None:
        return assistant_model.next_message(request["messages"])
    name, prompt = form["json_schema"]["name"], request["messages"][-1]["content"]
    return structured(user.answer(prompt) if name == "user" else judge.answer(name, prompt))
