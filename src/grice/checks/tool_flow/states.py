"""Claims of a state that only an action brings about: the redirect is now in place, seat 4C is yours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from grice.checks.tool_flow.english_actions import lemma
from grice.checks.tool_flow.speech_acts import Sentence
from grice.text.packs.tables import listed

__all__ = ["StateClaim", "state_claims"]

_MADE = "create add set build register open install upload generate update change put"
_STATES: dict[str, str] = {
    "active": "activate enable install create update set renew",
    "live": "publish release deploy post update create",
    "online": "publish deploy activate start restart create restore",
    "offline": "deactivate disable stop unpublish pause",
    "in place": f"{_MADE} activate enable redirect configure",
    "in effect": f"{_MADE} activate enable apply",
    "on": "activate enable turn-on switch-on start set update change",
    "off": "deactivate disable turn-off switch-off stop set update change remove",
    "gone": "delete remove erase cancel purge clear uninstall",
    "empty": "delete clear purge erase remove",
    "private": "hide unpublish update change set",
    "public": "publish update change set",
    "visible": "publish update change set activate",
    "out": "send publish release email post ship",
    "yours": "book reserve assign order buy add create update change upgrade allocate",
    "up and running": "start restart install deploy create activate restore update set",
    "back to normal": "restore reset update restart",
    "back online": "restart restore start activate",
    "on its way": "send ship dispatch refund order submit transfer pay",
    "on their way": "send ship dispatch refund order submit transfer pay",
    "in your inbox": "send email forward mail message",
    "in your basket": "add update create",
    "in your cart": "add update create",
    "in the cart": "add update create",
    "on the list": f"{_MADE} subscribe",
    "on your calendar": f"{_MADE} book schedule send",
    "in the calendar": f"{_MADE} book schedule send",
    "in your calendar": f"{_MADE} book schedule send",
    "on hold": "pause suspend freeze update set change",
    "final": "submit update publish",
    "up to date": "update upgrade",
    "in": "book reserve register",
    "on file": f"{_MADE} save store record submit",
    "on record": f"{_MADE} save store record submit",
}
_NAMED = "|".join(sorted((one.replace(" ", r"\s") for one in _STATES), key=len, reverse=True))
_STATE = re.compile(
    rf"(?P<be>\b(?:is|are|am)|'s|'re|'m) (?P<how>(?:(?:now|already|officially|all|fully|live|currently"
    rf"|safely) )*)"
    rf"(?P<state>{_NAMED})(?=\s*(?:$|[.,!:;)\u00a4]|- |now\b|and\b|for\b|on\b|at\b|as\b|with\b|from\b"
    rf"|to\b|in\b|until\b"
    r"|again\b|so\b|under\b|the\b|by\b|straight\b|starting\b))"
)
_READS_NOW = re.compile(
    r"\b(?:(?:now|already) (?:reads|says|shows|displays|points|redirects|forwards|uses|includes|lists"
    r"|lives|sits"
    r"|starts|begins|ends|runs|repeats|costs)|(?:reads|says|shows|displays|points|redirects|forwards"
    r"|uses|includes"
    r"|lists|sits|starts|begins|ends|runs|repeats)\b[^.!?;]{0,60}\bnow(?=\s*(?:$|[.!,;])))\b"
)
_HELD = re.compile(
    r"\byou(?:'re| are) (?:all |now |officially |fully )*(?:booked|registered|enrolled|subscribed"
    r"|checked|signed|set"
    r"|confirmed|good to go|in|covered|rebooked|upgraded)\b|\byou(?:'ve| have)? (?:now )?got (?:a "
    r"|the |your )?"
    r"(?:seat|room|table|booking|reservation|spot|place|slot|ticket)\b|\b(?:see you|enjoy your"
    r"|enjoy the|there you go)\b"
    r"|\byou(?:'ll| will| should)(?: now| soon| shortly| also)* (?:receive|get) (?:a|an|the|your)"
    r" (?:\w+ )?(?:confirmation|e-?mail|receipt|notification)\b|\b(?:sorted|booked in)\s*[.!]"
)
_TRULY_HELD = re.compile(
    r"\b(?:booked|registered|enrolled|subscribed|checked|signed|confirmed|rebooked|upgraded)$"
)
_NOT_SO = re.compile(
    r"\b(?:if|unless|until|whether|once|before|when(?:ever)?|as soon as|after|still|should|could|would"
    r"|might|may"
    r"|can|currently|remains?|already|yet)\b"
)
_UPDATES = "update change set edit modify replace add redirect"


class StateClaim(msgspec.Struct, frozen=True, gc=False):
    """A state that a reply says holds: its place in the prose, the lemmas of the actions that bring it about.

    `fresh` says that it holds now and did not before. Without `verbs` it only goes with success. `first` is
    the action that it is the state of: published, for what is live.
    """

    start: int
    end: int
    word: str
    verbs: frozenset[str] = frozenset()
    first: str = ""
    fresh: bool = False


def state_claims(sentences: Sequence[Sentence]) -> Iterator[StateClaim]:
    """The states that are said to hold, un-negated, asked or supposed nowhere."""
    for sentence in sentences:
        if sentence.asks:
            continue
        for found in _STATE.finditer(sentence.text):
            now = re.search(r"\bnow\b", _clause(sentence.text, found)) is not None
            fresh = now or found["state"] == "yours"
            yield from _claim(sentence, found, found["state"], _STATES[found["state"]], fresh=fresh)
        for found in _READS_NOW.finditer(sentence.text):
            yield from _claim(sentence, found, "now", _UPDATES, fresh=True)
        for found in _HELD.finditer(sentence.text):
            held = _TRULY_HELD.search(found[0])
            yield from _claim(sentence, found, held[0] if held else "", held[0] if held else "", fresh=True)


def _words_of(found: re.Match[str]) -> list[int]:
    """Where the words of a state begin."""
    return [found.start() + word.start() for word in re.finditer(r"\b[a-z]", found[0])]


def _clause(text: str, found: re.Match[str]) -> str:
    """What surrounds a state in its clause."""
    start = max(text.rfind(mark, 0, found.start()) for mark in ",;:\u00a4")
    stop = re.search(r"[,;:.!?]|\band\b|\bbut\b", text[found.end() :])
    return text[start + 1 : found.end() + (stop.start() if stop else len(text))]


def _claim(
    sentence: Sentence, found: re.Match[str], word: str, verbs: str, *, fresh: bool
) -> Iterator[StateClaim]:
    before = sentence.text[max(0, found.start() - 80) : found.start()].rpartition(":")[2]
    inside = found["how"] if "how" in found.re.groupindex else ""
    if any(sentence.denies(place) for place in _words_of(found)) or _NOT_SO.search(f"{before} {inside}"):
        return
    start = sentence.start + found.start()
    made = frozenset(map(lemma, listed(verbs))) if verbs else frozenset[str]()
    first = lemma(verbs.split()[0]) if verbs else ""
    yield StateClaim(start, sentence.start + found.end(), word, made, first, fresh)
