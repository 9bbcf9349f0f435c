"""What one pass over a message array remembers: the findings, the open tool calls, who spoke when."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from grice.checks.message_lint.finding import Dialect, LintFinding
from grice.checks.message_lint.rules import RULES
from grice.checks.message_lint.texts import MAY_BE_LABEL, is_label, joined_words, repeats
from grice.records import JsonValue, Turn, offered_names
from grice.text import value_text

_JSON_TYPES = (str, int, float, list, tuple, dict, type(None))
_CALLS_IN: dict[Dialect, str] = {"anthropic": "content", "openai_chat": "tool_calls", "openai_responses": ""}


class ForeignObject(Exception):
    """Something in the array is no JSON value, such as an object of an SDK."""


def kind_of(value: object) -> str:
    """What a JSON value is, in words, with its beginning when that tells something."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case [] | ():
            return "an empty list"
        case {} if not value:
            return "an empty object"
        case dict():
            return f"the object {value_text(value)}"
        case list() | tuple():
            return f"the list {value_text(value)}"
        case str():
            return f"the text {value_text(value)}" if value else "an empty text"
        case _:
            return f"the number {value_text(value)}"


class Scan:
    """The state of one pass.

    `marks` has one letter a message: s(ystem), u(ser), a(ssistant), c(alls), r(esults), x for an item that
    says nothing, ? for one that cannot be read. `spoken` are the user's texts, kept only when `user` asks
    for one. Calls and results are (index, place in the message, id); place -1 is the message itself.
    `explained` are messages that stand where they should not for a reason that was found, `unread_calls`
    those whose calls cannot be read, `borrowed` the ids of calls in the form of another API. `begins` says
    that nothing is stored before the array, `told` that only its content names the dialect; `earlier` are the
    turns before this one.
    """

    __slots__ = (
        "answered", "base", "begins", "borrowed", "called", "calls", "dialect", "earlier", "explained",
        "findings", "inputs", "loose_calls", "loose_results", "marks", "nested", "offered", "open", "prompts",
        "repeats", "request", "spoken", "system", "told", "unread_calls", "user",
    )  # fmt: skip

    def __init__(
        self,
        dialect: Dialect,
        base: str,
        request: Mapping[str, JsonValue],
        user: str | None,
        calls: Collection[str] | None,
        earlier: Sequence[Turn] = (),
    ) -> None:
        self.dialect: Dialect = dialect
        self.base = base
        self.request = request
        self.user = user
        self.calls = calls
        self.earlier = earlier
        self.begins = True
        self.told = True
        self.borrowed: set[str] = set()
        self.unread_calls: set[int] = set()
        self.findings: list[LintFinding] = []
        self.explained: set[int] = set()
        self.marks: list[str] = []
        self.spoken: list[tuple[int, str]] = []
        self.system: list[str] = []
        self.prompts: list[str] = []
        self.open: dict[str, tuple[int, int]] = {}
        self.answered: set[str] = set()
        self.repeats: dict[str, int] = {}
        self.called: list[tuple[int, str]] = []
        self.loose_calls: list[tuple[int, int, str]] = []
        self.loose_results: list[tuple[int, int, str]] = []
        self.inputs: list[dict[str, Any]] = []
        self.nested: list[tuple[int, int, str, str, dict[str, Any]]] = []
        self.offered: set[str] | None = None

    def found(
        self, rule: str, index: int | None, path: str, found: str, *, value: object = None, fix: str = ""
    ) -> None:
        """Keep a finding; `value` is what stands there where PHP may have made it, `fix` a nearer remedy."""
        known = RULES[rule]
        severity, why = known.severity_for(self.dialect), known.why_for(self.dialect)
        fix = fix or known.fix
        if (
            isinstance(value, dict)
            and value
            and all(isinstance(key, str) and key.isdecimal() for key in value)
        ):
            fix += (
                "; PHP writes a list whose keys have gaps as an object: array_values() makes it a list again"
            )
        self.findings.append(LintFinding(rule, severity, index, path, found, why, fix))

    def unread(self, rule: str, index: int, path: str, value: object) -> str:
        """Keep the finding that a message cannot be read, and give its mark."""
        self.foreign(value)
        self.found(rule, index, path, kind_of(value), value=value)
        return "?"

    def foreign_block(self, index: int, path: str, what: str, form: str) -> None:
        """Keep the finding that something has the form of another API, once a message and form."""
        found = f"{what}; here {form}"
        if not any(one.index == index and one.found == found for one in self.findings):
            self.found("foreign-block", index, path, found)

    def foreign_call(self, id_: object, index: int, place: int) -> None:
        """A tool call in the form of another API: its results are told by it, and nothing else is asked."""
        if isinstance(id_, str) and id_ and id_ not in self.open and id_ not in self.answered:
            self.open[id_] = (index, place)
            self.borrowed.add(id_)
        elif not isinstance(id_, str) or not id_:
            self.loose_calls.append((index, place, ""))
        if self.calls is not None:
            self.called.append((index, id_ if isinstance(id_, str) else ""))

    def foreign(self, value: object) -> None:
        """Raise ForeignObject for what is no JSON value: it has to be made one first."""
        if not isinstance(value, _JSON_TYPES):
            raise ForeignObject

    def path(self, index: int, place: int = -1) -> str:
        """Where a message is, or a call or result in it."""
        if place < 0:
            return f"{self.base}[{index}]"
        return f"{self.base}[{index}].{_CALLS_IN[self.dialect]}[{place}]"

    def call(self, id_: object, name: object, index: int, place: int) -> None:
        """A tool call."""
        if not isinstance(id_, str) or not id_ or id_ in self.open or id_ in self.answered:
            self._odd_call(id_, index, place)
        else:
            self.open[id_] = (index, place)
        if self.calls is not None:
            self.called.append((index, id_ if isinstance(id_, str) else ""))
        if "tools" in self.request:
            self.called_name(self.request["tools"], name, index, self.path(index, place))

    def called_name(self, tools: JsonValue, name: object, index: int, path: str) -> None:
        """Look for the tool of a call among those offered."""
        if tools and isinstance(name, str) and name not in (self.offered or self.offer(tools)):
            self.found("tool-not-offered", index, path, f"a call of {value_text(name)}")

    def _odd_call(self, id_: object, index: int, place: int) -> None:
        path = self.path(index, place)
        if not isinstance(id_, str) or not id_:
            self.foreign(id_)
            self.found("missing-tool-call-id", index, path, f"{kind_of(id_)} as id")
            self.loose_calls.append((index, place, ""))
        elif id_ in self.open:
            earlier = self.path(*self.open[id_])
            self.found("duplicate-tool-call-id", index, path, f"id {value_text(id_)}, as at {earlier}")
            self.repeats[id_] = self.repeats.get(id_, 0) + 1
        else:
            if id_ in self.answered:
                self.found("tool-call-id-reused", index, path, f"id {value_text(id_)}, answered before")
                self.answered.discard(id_)
            self.open[id_] = (index, place)

    def offer(self, tools: JsonValue) -> set[str]:
        """Take tools for offered, beside those of the request; the names of all."""
        if self.offered is None:
            self.offered = {"", *offered_names(self.request.get("tools"))}
        self.offered.update(offered_names(tools))
        return self.offered

    def result(self, id_: object, index: int, place: int, group: int) -> None:
        """A tool result; it has to answer a call of the message `group`, or any earlier one when -1."""
        if not isinstance(id_, str) or id_ not in self.open:
            self._odd_result(id_, index, place)
            return
        at = self.open.pop(id_)
        self.answered.add(id_)
        if at[0] != group and self.dialect != "openai_responses":
            self.explained.add(at[0])
            text = f"the result of the call at {self.path(*at)}"
            self.found("tool-result-misplaced", index, self.path(index, place), text)

    def answer(self, id_: object) -> None:
        """Take a call for answered whose result was judged already."""
        if isinstance(id_, str) and id_ in self.open:
            del self.open[id_]
            self.answered.add(id_)

    def _odd_result(self, id_: object, index: int, place: int) -> None:
        path = self.path(index, place)
        if not isinstance(id_, str) or not id_:
            self.foreign(id_)
            self.found("missing-tool-result-id", index, path, f"{kind_of(id_)} as id")
            self.loose_results.append((index, place, ""))
        elif self.repeats.get(id_):
            self.repeats[id_] -= 1
        elif id_ in self.answered:
            self.found("duplicate-tool-result", index, path, f"a second result of id {value_text(id_)}")
        else:
            self.loose_results.append((index, place, id_))

    def user_text(self, index: int, text: str, place: int) -> None:
        """A text of the user that says something; place -1 is the whole content."""
        if text[0] in MAY_BE_LABEL and is_label(text):
            self.found("system-text-relabelled", index, self.content_path(index, place), kind_of(text))
        elif self.prompts:
            self._repeated(index, text, place)
        if self.user is not None:
            self.spoken.append((index, text))

    def assistant_text(self, index: int, text: str, place: int) -> None:
        """A text of the assistant that says something."""
        if text[0] in MAY_BE_LABEL and is_label(text, of_assistant=True):
            self.found("system-text-relabelled", index, self.content_path(index, place), kind_of(text))
        elif self.prompts:
            self._repeated(index, text, place)

    def _repeated(self, index: int, text: str, place: int) -> None:
        """Look for the system prompt in a text of the user or the assistant."""
        for prompt in self.prompts:
            if repeats(prompt, text):
                found = f"the system prompt, in {kind_of(text)}"
                self.found("system-text-relabelled", index, self.content_path(index, place), found)
                return

    def content_path(self, index: int, place: int) -> str:
        """Where a text is."""
        path = f"{self.base}[{index}].content"
        return path if place < 0 else f"{path}[{place}]"

    def prompt_in(self, content: JsonValue) -> None:
        """Remember the system texts in a text or a list of blocks, to find them under another role."""
        blocks = content if isinstance(content, list | tuple) else [content]
        for block in blocks:
            text = block.get("text") if isinstance(block, dict) else block
            if isinstance(text, str):
                self.system.append(text)
                words = joined_words(text)
                if words:
                    self.prompts.append(words)
