"""Whether a reply takes up what the user has newly told: an opposite answer then takes nothing back."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from grice.checks.contradiction.positions.advice_walk import keys_of
from grice.text.packs.pack import LanguagePack
from grice.text.words import words

__all__ = ["takes_up", "tells_facts"]

_WITHIN = 9
_SHARED = 6
_FEELS = re.compile(
    r"\b(?:(?:that|it|this) (?:feels?|sounds?|seems?|looks?)|feels? like|i (?:feel|think|thought"
    r"|prefer|do prefer|believe|like|love|hate|find|doubt"
    r"|disagree|guess)"
    r"|(?:(?<!to )says?|said|thinks?|told me|swears?|argues?|claims?|disagrees?|insists?|reckons?"
    r"|keeps? saying|wants? me"
    r"|(?:my|a|our) (?:\w+ )?(?:friend|buddy|colleague|neighbou?r|cousin|boss)|frowned|reads? that"
    r"|i read|i heard|people|everyone|everybody|(?:lots of|most|many) \w+ (?:do|say|think|use|have))\b)"
)
_WORDS = re.compile(r"\w+\W+\w+\W+\w+")
_TAKES = re.compile(
    r"\b(?<!go )(?<!opt )(?<!pick )(?<!choose )(?:with|given|since|now that|because|as|for|if|at"
    r"|considering|knowing|once|without|even|after|under)\b"
)
_THEN = re.compile(
    r"\b(?:in (?:that|this|which) case|that changes|this changes|changes (?:things|the picture|everything|my)"
    r"|then (?:yes|no|i'd|i would|don't|skip|(?:you )?(?:should|choose|pick|take|buy|go))|now that"
    r"|given that|in light of"
    r"|knowing that|if that's|with that in mind|that's different|different (?:story"
    r"|matter|situation|case))\b"
)


def tells_facts(user: str) -> bool:
    """Whether a message tells something of the user's case, and not only what somebody thinks."""
    for sentence in re.findall(r"[^.!?\n;]+[.!?]?", user.lower().replace("\u2019", "'")):
        if _WORDS.search(sentence) and not sentence.endswith("?") and not _FEELS.search(sentence):
            return True
    return False


def takes_up(reply: str, brought: AbstractSet[str], pack: LanguagePack) -> bool:
    """Whether a reply says that what the user newly told makes the difference."""
    lowered = reply.lower()
    if _THEN.search(lowered[:600]):
        return True
    begins = {key[:_SHARED] for key in brought if len(key) >= _SHARED}  # pregnant, pregnancy
    for found in _TAKES.finditer(lowered):
        behind = words(lowered[found.end() : found.end() + 90])[:_WITHIN]
        if any(
            key in brought or key[:_SHARED] in begins for word in behind for key in keys_of(word.text, pack)
        ):
            return True
    return False
