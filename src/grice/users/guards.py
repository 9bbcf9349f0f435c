"""What a message of a played user must not be: empty, endless, said before, or an assistant's.

Real users write much that looks odd, so that only what no user would write counts as an assistant's.
"""

from __future__ import annotations

import re
from functools import lru_cache

from grice.records import Conversation
from grice.text import fold, value_text
from grice.users.protocol import UserMove

__all__ = ["cleaned", "fault_of"]

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
    """What is wrong with the move, as it is told to whoever made it; "" when nothing is."""
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
    """Whether the agent said nothing, or what it had said before: who repeats it then is not to blame."""
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
