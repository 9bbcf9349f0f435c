"""What the checks of a suite look at, and the verdicts on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from grice.files.suite_records import SuiteCheck, Target
from grice.files.suite_subjects import is_root, judges_replies
from grice.matching.context import Context, ResolvedSubject
from grice.matching.json_parsing import MAX_DIGITS, NotJson, parse_json
from grice.matching.judge import judge
from grice.matching.matcher import Matcher, Prefilter
from grice.matching.paths import plain_names
from grice.matching.selected import judge_selected
from grice.matching.selector import Parse
from grice.matching.values import MISSING, NoData, Source
from grice.matching.verdicts import complete
from grice.records import Exchange, JsonValue, Reply, StateChange, ToolCall, Verdict, errored
from grice.wire.dialects import EMBEDDINGS

_OWN_RULE = frozenset({"toHaveInSystemPrompt"})
"""Matchers that say themselves what a prompt without text means."""
_MOST_NESTED = 100
"""How deep JSON is that is read wherever it is read: later the depth of the program counts too."""


def judge_checks(
    checks: Sequence[SuiteCheck],
    reply: Reply,
    *,
    judge: object = None,
    whole: bool = False,
    before: int = 0,
    state: StateChange | None = None,
    selects: bool = True,
) -> Iterator[Verdict]:
    """The verdict on every check, in order.

    They look at the turn of the reply; with `whole` at the whole conversation, whose last reply it is.
    `judge` is for checks that want one, or the exception that says why there is none. `before` is how many
    turns its history has: what was said there is no deed of this agent. `state` is that of the scenario,
    before and after. With `selects` a verdict has a `Selection` also where no path chose what was judged.
    """
    if not checks:
        return
    scope = _Scope(reply, judge, whole=whole, before=before, state=state, selects=selects)
    for check in checks:
        verdict = scope.verdict(check)
        if check.description:
            claim = f"[{check.description}] {verdict.claim}"
            verdict = replace(verdict, claim=claim)
        yield verdict


def prefilter_of(check: SuiteCheck) -> Prefilter | None:
    """What tells of the text of a reply whether the check passes; None where that takes judging."""
    at = check.at
    if check.target.kind != "reply":
        return None
    try:
        if is_root(at):
            return check.matcher.prefilter if at.parse in ("auto", "text") else None
        if check.matcher.factory.name == "toEqual" and at.parse in ("auto", "json"):
            return _at_path(at.path, check.matcher)
    except Exception:  # somebody's code: judging says what is wrong
        return None
    return None


def _at_path(path: str, matcher: Matcher[Any]) -> AtPath | None:
    names, holds = plain_names(path), matcher.prefilter
    return AtPath(names, holds, negated=matcher.negated) if names and holds is not None else None


class AtPath:
    """What tells of a reply whether the text at a path of names passes; False where nobody knows.

    Only that text is read of a JSON object. MISSING, of a reply that is no JSON, equals no text: a negated
    check passes then, and so it does `on_words`, which begin with a letter or digit and hold no fence.
    """

    def __init__(self, names: Sequence[str], holds: Prefilter, *, negated: bool) -> None:
        self.on_words = negated
        self._holds = holds
        self._names = names
        self._found = attrgetter(".".join(["found"] * len(names)))
        shape: Any = str
        for name in reversed(names):
            fields = [("found", shape | msgspec.UnsetType, msgspec.field(default=msgspec.UNSET, name=name))]
            shape = msgspec.defstruct("At", fields, gc=False)
        self._decode = msgspec.json.Decoder(shape).decode

    def __call__(self, text: str) -> bool:
        """Whether it passes on a text that is not blank."""
        if text[0] != "{":
            start = text.lstrip()[0]
            if start not in "{[":
                return self.on_words and "```" not in text and "~~~" not in text
            if start == "[":
                return False
        try:
            found = self._found(self._decode(text))
            return self._holds(found) and (self.on_words or _is_read_alike(text, found))
        except AttributeError:  # it is not there
            return self.on_words
        except (ValueError, RecursionError):
            return False

    def fails(self, text: str) -> bool:
        """Whether it is certain to fail: there is a text at the path, as judging reads it."""
        try:
            value: Any = parse_json(text)
            for name in self._names:
                value = value[name]
        except (NotJson, LookupError, TypeError):
            return False
        return type(value) is str and _is_read_alike(text, value) and not self._holds(value)


def _is_read_alike(text: str, found: str) -> bool:
    """Whether all who read the JSON find this text in it: it has no long number, and no deep nesting.

    A text that is JSON itself may be judged as what it holds.
    """
    is_plain = len(text) <= MAX_DIGITS and text.count("{") + text.count("[") <= _MOST_NESTED
    return is_plain and not found.lstrip().startswith(("{", "["))


class _NotThere(Exception):
    """What a check is about is not there. `noun` names it."""

    def __init__(self, noun: str, reason: str) -> None:
        super().__init__(reason)
        self.noun = noun


class _Scope:
    """One turn or one conversation as its checks see it: each subject is made once, and read as JSON once."""

    def __init__(
        self,
        reply: Reply,
        judge: object,
        *,
        whole: bool,
        before: int,
        state: StateChange | None,
        selects: bool,
    ) -> None:
        self._selects = selects
        self._state = state
        self._judge = judge
        self._whole = whole
        self._before = before
        self._record = reply.conversation.record
        self._reply = Reply(self._record, reply.number)  # a live conversation makes its record when asked
        self._turn = self._reply.turn
        self._context = Context(self._record, self._turn, judge=judge)
        self._seen: dict[tuple[Target, bool], ResolvedSubject] = {}
        self._sources: dict[tuple[Target, bool, Parse], Source] = {}

    def verdict(self, check: SuiteCheck) -> Verdict:
        """The verdict on one check. Never raises."""
        matcher, at, target = check.matcher, check.at, check.target
        as_reply = target.kind == "tool_calls" and is_root(at) and judges_replies(matcher)
        if target.kind == "state" and not is_root(at):
            target = replace(target, number=0)  # its value, in which a path is looked for
        key = target, as_reply
        try:
            if matcher.judged and isinstance(self._judge, Exception):
                raise _NotThere(f"the {target.kind}", f"there is no judge: {self._judge}")
            if key not in self._seen:
                self._seen[key] = self._resolved(target, as_reply=as_reply)
            seen = self._seen[key]
            if target.kind == "prompt" and matcher.factory.name not in _OWN_RULE:
                self._refuse_blank(seen)
        except _NotThere as problem:
            context = replace(self._context, mode=check.mode, noun=problem.noun)
            return complete(matcher, errored(str(problem)), context)
        context = seen.context if check.mode == "hard" else replace(seen.context, mode=check.mode)
        if target.kind == "data" and seen.subject is None:
            return judge_selected(at, matcher, NoData(MISSING if is_root(at) else None), context)
        if not self._selects and is_root(at) and at.parse in ("auto", "text"):
            return judge(matcher, seen.subject, context)
        source = self._sources.get((*key, at.parse))
        if source is None:
            source = self._sources[*key, at.parse] = Source(seen.subject, at.parse)
        return judge_selected(at, matcher, source, context)

    def _resolved(self, target: Target, *, as_reply: bool) -> ResolvedSubject:
        """What the target is. Raises _NotThere."""
        last = "last " if self._whole and self._turn.number > 1 else ""
        if target.kind == "reply" or as_reply:
            return ResolvedSubject(self._reply, self._named(f"the {last}reply"))
        if target.kind == "trimmed":
            noun = f"the {last}reply without white space around it"
            return ResolvedSubject(self._reply.text.strip(), self._named(noun))
        if target.kind == "data":
            return ResolvedSubject(self._turn.data, self._named(f"the data of the {last}reply"))
        if target.kind == "tool_calls":
            calls = [_plain(call) for call in self._turn.tool_calls]
            noun = f"the tool calls{' of the last turn' if last else ''}"
            return ResolvedSubject(calls, self._named(noun))
        if target.kind == "conversation":
            turns = self._record.turns[self._before :]
            record = replace(self._record, turns=turns) if self._before else self._record
            return ResolvedSubject(record, Context(record, judge=self._judge, noun="the conversation"))
        if target.kind == "state":
            return self._changed(as_value=target.number == 0)
        if target.kind == "prompt":
            exchange, _, context = self._exchange(-1, "the system prompt")
            return ResolvedSubject(exchange.system, replace(context, noun="the system prompt"))
        noun = f"request {target.number} to the model" if target.number > 0 else "the request to the model"
        exchange, number, context = self._exchange(target.number, noun)
        return ResolvedSubject(exchange, replace(context, noun=f"request {number} to the model"))

    def _changed(self, *, as_value: bool) -> ResolvedSubject:
        """The state before and after; as a value when a path goes into it. Raises _NotThere."""
        state = self._state
        if state is None:
            raise _NotThere("the state", "no state was read here")
        if not as_value:
            return ResolvedSubject(state, self._named("the state"))
        problem = state.before.problem or state.after.problem
        if problem:
            raise _NotThere("the state", f"the state could not be read: {problem}")
        value = {"before": state.before.value, "after": state.after.value}
        return ResolvedSubject(value, self._named("the state"))

    def _named(self, noun: str) -> Context:
        return replace(self._context, noun=noun)

    def _refuse_blank(self, prompt: ResolvedSubject) -> None:
        """Raise _NotThere for a system prompt without any text."""
        if isinstance(prompt.subject, str) and not prompt.subject.strip():
            noun = prompt.context.noun
            _, number, _ = self._exchange(-1, noun)
            raise _NotThere(noun, f"request {number} has no system prompt")

    def _exchange(self, number: int, noun: str) -> tuple[Exchange, int, Context]:
        """The request of that number (-1 is the last), its number from 1, and where it belongs.

        Raises _NotThere.
        """
        turns = self._record.turns if self._whole else (self._turn,)
        asked = [
            (one, Context(self._record, turn))
            for turn in turns
            for one in turn.exchanges
            if one.dialect != EMBEDDINGS
        ]
        place = number - 1 if number > 0 else len(asked) + number
        if number == 0 or not 0 <= place < len(asked):
            sent = {0: "no request", 1: "one request"}.get(len(asked), f"{len(asked)} requests")
            scope = "the whole conversation" if self._whole else "this turn"
            missing = f"; there is no request {number}" if asked else ""
            raise _NotThere(noun, f"the agent sent its model {sent} in {scope}{missing}")
        return asked[place][0], place + 1, asked[place][1]


def _plain(call: ToolCall) -> dict[str, JsonValue]:
    """A call as JSON: name, arguments and id always, what else there is to say of it where there is."""
    return {"name": call.name, "arguments": call.arguments, "id": call.id, **msgspec.to_builtins(call)}
