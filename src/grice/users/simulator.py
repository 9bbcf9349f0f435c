"""A user that an LLM plays: one structured question for each message, with guards on the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from grice.identity import redact_text
from grice.identity.code import name_of_code
from grice.judging.answer_parsing import CUT_OFF, Malformed, read_answer
from grice.judging.answer_schemas import schema_of
from grice.judging.delimiting import Piece, data_of, json_data, newest, tag_for, written
from grice.judging.prompt import Prompt, load_prompt, prompt_versions
from grice.matching.protocols import LLMError
from grice.matching.verdicts import error_text
from grice.records import Conversation, JsonValue, LLMRequest, LLMResponse, Turn, clean_text
from grice.text import fold, shorten, value_text
from grice.users.character import DEFAULT_MAX_LENGTH, Character, UserRule, fill_template, template_text
from grice.users.persona import Persona
from grice.users.protocol import Done, SimulatorError, UserMove, UserSupport
from grice.wire.cassettes import NotRecorded

SHORT = 3

"""Words of an answer that may be given again as it is ("Yes, please")."""

ECHO = 6

"""Words from which on a message that is the agent's own is an echo, and not a courtesy returned."""

_LABEL = re.compile(r"\s*(?:user|you|me|customer|client)\s*:(?:\s+(?=\S)|\s*$)", re.IGNORECASE)

_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»"}

_SPEAKER = re.compile(
    r"\s*(?:\*\*|\[)?(?:ai|agent|assistant|bot|chatbot|system)(?:\*\*|\])?\s*:", re.IGNORECASE
)

_START = r"(?:^|[.!?\n]\s*)"

_HELLO = (
    r"(?:(?:hi|hello|hey|welcome|sure|certainly|of course|hallo|bonjour|hola)\b[^.!?\n\"']{0,30}?[,!]?\s+)?"
)

_OFFERS = "|".join(
    (
        r"(?:how|what) (?:can|may|could) i (?:help|assist) you(?: with)?",
        r"how (?:can|may) i be of (?:help|assistance|service)(?: to you)?",
        r"is there anything else (?:that )?i can (?:help|assist) you with",
        r"what can i (?:do for|help) you(?: with)?",
        r"wie kann ich (?:ihnen|dir|euch) (?:weiter)?helfen",
        r"comment puis-je vous aider",
        r"(?:¿\s*)?en qué (?:puedo|te puedo|le puedo) ayudar(?:te|le)?",
    )
)

_OFFER = re.compile(
    rf"{_START}{_HELLO}(?:{_OFFERS})(?: today| heute| aujourd'hui| hoy| now)?\s*[?.!]*\s*$", re.IGNORECASE
)

_SORRY = r"(?:(?:i'm|i am)?\s*(?:very |so )?sorry,?\s*(?:but\s+)?|unfortunately,?\s*|well,?\s*)?"

_AI = r"(?:ai|artificial intelligence)(?: language)?(?: model| assistant| chatbot)?"

_MODEL = re.compile(
    rf"\s*{_SORRY}(?:as an? (?:{_AI}|(?:large )?language model|virtual assistant|chatbot),? (?:i|my)\b"
    r"|i(?:'m| am) (?:just |only )?an? (?:(?:ai|large) )?(?:language model|ai assistant|virtual assistant)\b"
    r"|i(?:'m| am) (?:just |only )?an ai,? (?:and|so|but) i\b)",
    re.IGNORECASE,
)

_WORDS = re.compile(r"\w+")


def cleaned(message: str) -> str:
    """The message without a label of the user before it, and without quotation marks around all of it."""
    text = message.strip()
    label = _LABEL.match(text)
    text = text[label.end() :].strip() if label else text
    closing = _QUOTES.get(text[:1])
    if closing is not None and len(text) > 1 and text.endswith(closing):
        inner = text[1:-1]
        if closing not in inner and text[0] not in inner:
            return inner.strip()
    return text


def fault_of(move: UserMove, conversation: Conversation, max_length: int) -> str:
    """Say what is wrong with the move, to the LLM that made it; "" when nothing is."""
    if move.done == "gave_up" and conversation.turns:
        return ""  # whoever is met with silence may leave
    if move.done != "no":
        answered = any(turn.full_text or turn.data is not None for turn in conversation.turns)
        return "" if answered else f"it is done ({move.done}) before anybody has answered"
    message = move.message
    if not message.strip():
        return "the message is empty"
    if len(message) > max_length:
        return f"the message has {len(message):,} characters, at most {max_length:,} are allowed"
    return _repeated(message, conversation) or _role_flipped(message, conversation)


def _repeated(message: str, conversation: Conversation) -> str:
    said = _normal(message)
    own = [_normal(user) for turn in conversation.turns if (user := turn.user)]
    times = own.count(said)
    if not times:
        return ""
    if len(said.split()) <= SHORT or _agent_stands_still(conversation):
        return ""
    if own[-1] == said:
        return f"the message repeats the one before: {value_text(message)}"
    return f"the message was said {times} times already: {value_text(message)}" if times > 1 else ""


def _agent_stands_still(conversation: Conversation) -> bool:
    """Whether the agent said nothing, or repeated itself: then a repeating user is not to blame."""
    heard = [_normal(turn.full_text) for turn in conversation.turns[-2:]]
    return not heard[-1] or (len(heard) == 2 and heard[0] == heard[1])


def _role_flipped(message: str, conversation: Conversation) -> str:
    text = fold(message)  # straight quotation marks and apostrophes
    if _SPEAKER.match(text):
        return f"the message is labelled as the assistant's: {value_text(message)}"
    if _OFFER.search(text) or _MODEL.match(text):
        return f"the message is one of an assistant, not of a user: {value_text(message)}"
    heard = conversation.turns[-1].full_text if conversation.turns else ""
    said = _normal(message)
    if len(said.split()) >= ECHO and said == _normal(heard):
        return f"the message is what the other side said: {value_text(message)}"
    return ""


@lru_cache(maxsize=512)
def _normal(text: str) -> str:
    """The words of a text, without regard to case and signs; the text itself where it has no words."""
    return " ".join(_WORDS.findall(fold(text))) or text.strip()


PROMPTS = Path(__file__).parent / "prompts"

MAX_TEXT = 8_000

MAX_TOTAL = 60_000

MAX_DATA = 4_000

MAX_FAULT = 400

MAX_QUOTED = 4_000

"""Characters that are shown: of one text, of the conversation, of data, of a fault, of a bad answer."""

NO_LLM = (
    'no LLM is configured that plays the user: set user_llm = "provider:model" in grice.toml or '
    "[tool.grice] of pyproject.toml, or write a fixture named user_llm"
)


class UserAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the LLM is asked for."""  # a part of the schema that is sent, and of recorded calls

    message: Annotated[str, Meta(description="What you write, one message; empty when you are done.")]
    done: Annotated[Done, Meta(description="Whether you are done, and how.")]
    reason: Annotated[str, Meta(description="Why you are done or go on, in one sentence.")]


class _Answer(msgspec.Struct, frozen=True):
    """The accepted form of an answer: models say true for a goal that they reached, and give no reason."""

    done: Literal["no", "goal_reached", "gave_up"] | bool
    message: str = ""
    reason: str = ""

    @property
    def move(self) -> UserMove:
        """The move in the answer; a user who is done says nothing."""
        done: Done = self.done if isinstance(self.done, str) else "goal_reached" if self.done else "no"
        message = clean_text(cleaned(self.message)) if done == "no" else ""
        return UserMove(message, done, clean_text(self.reason.strip()))


class Simulator:
    """Plays the user of one conversation with an LLM.

    `in_topics` is what the user is like in topics where that is different. `faults` are the answers that were
    bad and then mended, `asked` counts the questions to the LLM.
    """

    def __init__(self, user: Character, in_topics: Mapping[str, Character], support: UserSupport) -> None:
        self.faults: list[str] = []
        self.asked = 0
        self._user = user
        self._in_topics = in_topics
        self._support = support
        self._shown: dict[int, tuple[Turn, list[Piece]]] = {}
        self._templates: dict[str | Path, str] = {}
        for one in (user, *in_topics.values()):
            if one.template is not None:
                self._templates[one.template] = template_text(one.template)

    async def move(self, conversation: Conversation, topic: str) -> UserMove:
        """The next move. Raises SimulatorError for an answer that stays bad, LLMError for none."""
        user = self._in_topics.get(topic, self._user)
        rules = rule_texts(user, conversation)
        template = None if user.template is None else self._templates[user.template]
        name = "user" if template is None else "user_template"
        versions = prompt_versions(name, PROMPTS)
        for version in versions:
            prompt = load_prompt(name, version, PROMPTS)
            request = self._request(prompt, user, rules, template, conversation, topic)
            try:
                return await self._asked(request, user, conversation)
            except NotRecorded:  # an upgrade leaves recordings as they are
                if version == versions[-1]:
                    raise
        raise AssertionError("a prompt has at least one version")

    def _request(
        self,
        prompt: Prompt,
        user: Character,
        rules: Sequence[str],
        template: str | None,
        conversation: Conversation,
        topic: str,
    ) -> LLMRequest:
        length = str(user.max_length or DEFAULT_MAX_LENGTH)
        values = {"conversation": _conversation(conversation, self._pieces), "length": length}
        if template is None:
            values |= _portrayed(user, rules)
        else:
            values["instructions"] = _instructed(template, user, rules, conversation, topic)
        messages: tuple[dict[str, JsonValue], ...] = (
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.fill(values)},
        )
        schema, seed = schema_of(UserAnswer), self._support.seed
        return LLMRequest(messages, "user", user.persona_name, schema, prompt.name, seed=seed)

    async def _asked(self, request: LLMRequest, user: Character, conversation: Conversation) -> UserMove:
        """The answer, mended once where that is needed."""
        turn = len(conversation.turns) + 1
        response = await self._response(request)
        move, fault = _read(response, user, conversation)
        if not fault:
            return move
        again = await self._response(_repair(request, response, fault))
        move, second = _read(again, user, conversation)
        if second:
            raise SimulatorError(
                f"the simulated user's message for turn {turn} cannot be used, twice: {fault}; then: {second}"
            )
        self.faults.append(f"turn {turn}: {fault}")
        return move

    def _pieces(self, turn: Turn) -> list[Piece]:
        """How a turn is shown; made once for one that changes no more."""
        known = self._shown.get(turn.number)
        if known is None or known[0] is not turn:
            known = self._shown[turn.number] = turn, list(_turn_pieces(turn))
        return known[1]

    async def _response(self, request: LLMRequest) -> LLMResponse:
        llm = self._support.llm
        if llm is None:
            raise LLMError(NO_LLM)
        self.asked += 1
        try:
            return await llm.ask(request)
        except LLMError:
            raise
        except Exception as error:  # somebody's client: whatever it raises is no answer
            raise LLMError(redact_text(error_text(error))) from error


# -- what is asked
def rule_texts(user: Character, conversation: Conversation) -> list[str]:
    """The rules in words, those of functions as they are now. Raises SimulatorError for one that breaks."""
    found = []
    for rule in user.rules:
        if isinstance(rule, UserRule):
            words = "You should" if rule.kind == "should" else "You should not"
            found.append(f"{words}: {rule.text}")
        elif callable(rule):
            said = _said_by(rule, conversation)
            found += [clean_text(said.strip())] if said and said.strip() else []
    return found


def _said_by(rule: Any, conversation: Conversation) -> str | None:
    name = name_of_code(rule)
    try:
        said = rule(conversation)
    except Exception as error:  # somebody's code
        raise SimulatorError(f"the rule {name} of the simulated user raised {error_text(error)}") from error
    if isinstance(said, Coroutine):
        said.close()
        raise SimulatorError(f"the rule {name} is async: expected a plain function of the conversation")
    if said is not None and not isinstance(said, str):
        raise SimulatorError(f"the rule {name} returned {value_text(said)}, expected a text or None")
    return said


def _portrayed(user: Character, rules: Sequence[str]) -> dict[str, str]:
    """The user's description for the shipped prompts."""
    return {
        "character": _character(user),
        "persona": _persona(user),
        "goal": f"What you are here for:\n{user.goal}" if user.goal else "",
        "rules": f"What you keep to:\n{_bullet_list(rules)}" if rules else "",
    }


def _instructed(
    template: str, user: Character, rules: Sequence[str], conversation: Conversation, topic: str
) -> str:
    """A user's own template, filled with the same description."""
    persona = user.persona if isinstance(user.persona, Persona) else Persona("")
    instructions = {
        "goal": user.goal,
        "role": user.role,
        "personality": _in_words(user.personality),
        "context": _in_words(user.context),
        "persona": "\n".join(filter(None, [persona.description, *_instructions(persona)])),
        "rules": _bullet_list(rules),
        "topic": topic,
        "turn": str(len(conversation.turns) + 1),
    }
    return fill_template(template, instructions)


def _character(user: Character) -> str:
    parts = (
        ("Who you are", user.role),
        ("What you are like", _in_words(user.personality)),
        ("What there is to know about you and your situation", _in_words(user.context)),
    )
    return "\n\n".join(f"{title}:\n{text}" for title, text in parts if text)


def _persona(user: Character) -> str:
    if not isinstance(user.persona, Persona):
        return ""
    lines = [line for line in (user.persona.description,) if line]
    return "\n".join(["How you behave:", *lines, *(f"- {one}" for one in _instructions(user.persona))])


def _instructions(persona: Persona) -> list[str]:
    return [one.instruction for one in persona.behaviours]


def _in_words(notes: str | Sequence[str]) -> str:
    return notes if isinstance(notes, str) else _bullet_list(notes)


def _bullet_list(texts: Iterable[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)


def _conversation(conversation: Conversation, pieces_of: Callable[[Turn], list[Piece]]) -> str:
    """What was said so far from the user's side, as data: no tool calls, which users do not see."""
    shown = [pieces_of(turn) for turn in conversation.turns]
    pieces = newest(shown, MAX_TOTAL, "turn")
    if not pieces:
        return "Nothing has been said yet: you open the conversation."
    tag = tag_for(pieces)
    opening = f"What was said so far stands between <{tag}> and </{tag}>, oldest first."
    return clean_text(f"{opening}\n\n{written(pieces, tag)}\n\nThat is all so far.")


def _turn_pieces(turn: Turn) -> Iterable[Piece]:
    for message in turn.messages:
        if message.role == "user":
            text = "\n".join([message.content, *map(str, message.attachments)])
            yield from data_of(text, 'from="you"', MAX_TEXT)
    text = turn.full_text
    data = turn.data
    if isinstance(data, dict):
        data = {name: value for name, value in data.items() if name != "meta"} or None
    if text.strip():
        yield from data_of(text, 'from="chatbot"', MAX_TEXT)
    if data is not None:
        yield from json_data(data, 'from="chatbot" data="shown with it"', MAX_DATA)
    if not text.strip() and data is None:
        yield "(no answer)"


# -- what is answered
def _read(response: LLMResponse, user: Character, conversation: Conversation) -> tuple[UserMove, str]:
    """The move that an answer makes, and what is wrong with it."""
    if response.metadata.refusal:
        return UserMove(), shorten(f"it was refused: {clean_text(response.metadata.refusal)}", MAX_FAULT)
    try:
        quoted = (turn.full_text for turn in conversation.turns)
        _, answer = read_answer(response, _Answer, quoted=quoted)
    except Malformed as error:
        found = f"; it was {value_text(clean_text(response.text))}" if response.text.strip() else ""
        return UserMove(), shorten(f"the answer is malformed: {clean_text(str(error))}{found}", MAX_FAULT)
    move = answer.move
    fault = fault_of(move, conversation, user.max_length or DEFAULT_MAX_LENGTH)
    return move, shorten(fault, MAX_FAULT)


def _repair(request: LLMRequest, response: LLMResponse, fault: str) -> LLMRequest:
    """The request that sends a bad answer back with what is wrong with it."""
    shorter = " Be much briefer this time." if response.metadata.stop_reason in CUT_OFF else ""
    said = shorten(clean_text(response.text), MAX_QUOTED).strip() or "(nothing)"
    asked = (
        f"This cannot be used. What is wrong with it: {fault}.{shorter} You are the person described above, "
        "and no assistant. Answer again with exactly one JSON object that has the fields asked for, and with "
        "nothing before or after it."
    )
    messages = (*request.messages, {"role": "assistant", "content": said}, {"role": "user", "content": asked})
    return msgspec.structs.replace(request, messages=messages)
