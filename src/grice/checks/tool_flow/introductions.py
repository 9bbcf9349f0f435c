"""Where the assistant introduces itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grice.checks.tone.greetings import asks_who, greetings
from grice.checks.tool_flow.facts import Facts
from grice.checks.tool_flow.reply_sentences import ReplySentence
from grice.checks.tool_flow.vocabulary import english, word_list
from grice.text.packs import remembered

_NAME = r"(?P<name>[A-Z][\w'&.-]*(?: [A-Z][\w'&.-]*| \d+){0,3})"
_KIND = (
    r"(?P<kind>(?i:assistant|chat ?bot|bot|agent|helper|concierge|companion|advis[eo]r|representative|guide"
    r"|copilot|a\.?i\.?|ai model|language model|llm|robot|specialist|butler|buddy))\b(?![-/]|'s|\s*-\w)"
)
_MODS = r"(?:[\w'+.&-]+ ){0,5}?"
_I_AM_KIND = re.compile(
    rf"\b(?i:i'm|i am) (?i:(?:only|just|also) )?(?i:an?|your|the|our|[\w.&-]+'s) {_MODS}{_KIND}"
)
_I_AM_NAME = re.compile(
    rf"\b(?i:i'm|i am) {_NAME}(?=\s*(?:$|[^\w\s'&/]|(?:and|from|with|your|here|at|the)\b))"
)
_MY_NAME = re.compile(
    r"\b(?i:my name(?:'s| is)|(?:you can |please |just )?call me|i go by)\s+(?P<given>[A-Z]\w*)"
)
_THIS_IS = re.compile(
    rf"(?i:\b(?:this is|it's|meet)|you(?:'re| are) (?:chatting|talking|speaking) (?:with|to)) {_NAME}"
    rf"(?:,? (?i:your|the|an?|our) {_MODS}{_KIND}| (?:from|at|here|with)\b)"
)
_HERE = re.compile(
    rf"^\W*(?i:(?:hi|hello|hey)(?: there)?[,! ]+)?{_NAME} here\s*(?:[,.!:;-]|$|(?:and|from|with|your)\b)"
)
_AS = re.compile(
    rf"(?:^|[.!?,;] ?)\W*(?i:(?:speaking )?as) (?:(?i:your|the|an?|our) {_MODS}{_KIND}"
    r"|(?P<self>(?:[A-Z]\w* )?(?:AI|[A-Z]\w*[Bb]ot|Assistant))),? (?i:i|we|my|i'm|i've)\b"
)
_SHAPES = (_I_AM_KIND, _I_AM_NAME, _MY_NAME, _THIS_IS, _HERE, _AS)
_LIMIT = re.compile(
    r"\b(?:can't|cannot|can not|(?:do|does|is|could|have|wo)n't|do not|unable|not|without|lack|never"
    r"|no (?:way|access|ability|feelings|opinions?))\b"
)
_BECAUSE = re.compile(
    r"\b(?:since|because|as|although|though|while|given|remember|note|that|if|whether|says?|said|like)\W*$"
)


@remembered
def _no_names() -> frozenset[str]:
    known = english()
    return frozenset().union(
        known.opinion_words, known.stop_words, known.contracted, known.pronouns, known.weekdays
    )


@remembered
def _only_greets() -> re.Pattern[str]:
    more = "yo|there|again|everyone|anyone|anybody|is|you|around|help"
    return re.compile(rf"(?i)\W*(?:(?:{greetings()}|{more})\b\W*){{1,5}}")


@remembered
def _own_phrases() -> re.Pattern[str]:
    """What the vocabulary says that an assistant calls itself: "I'm wp ai"."""
    named = "|".join(map(re.escape, sorted(word_list("introduces_itself"))))
    return re.compile(rf"\b(?i:i'm|i am) (?P<kind>(?i:{named}))(?![\w/-]|'s)")


def may_introduce(facts: Facts) -> bool:
    """Whether an introduction answers the user: who it is was asked, or the user only says hello at first."""
    greeted = facts.opening and _only_greets().fullmatch(facts.user[:200]) is not None
    return greeted or asks_who(facts.user)


def introductions(lines: Sequence[ReplySentence]) -> Iterator[tuple[int, int]]:
    """Where the assistant says who it is."""
    for line in lines:
        following = lines[line.number + 1].text if line.number + 1 < len(lines) else ""
        found = (one for shape in (*_SHAPES, _own_phrases()) for one in shape.finditer(line.cased))
        said = next((one for one in found if _introduces(one, line, following)), None)
        if said is not None:
            end = said.end("name") if said.groupdict().get("name") else said.end()
            yield line.start + said.start(), line.start + end


def _introduces(found: re.Match[str], line: ReplySentence, following: str) -> bool:
    """Whether a match names the speaker, and not to explain a limit: "I'm an AI, so I can't"."""
    parts = {key: text for key, text in found.groupdict().items() if text}
    name = next((parts[key] for key in ("name", "given", "self") if key in parts), "")
    if _BECAUSE.search(line.text[: found.start()]) or line.denies(found.end() - 1):
        return False
    if name:
        return "given" in parts or _is_name(name)
    explains = re.match(r"\W*(?:so|that means|therefore|i (?:don't|can't|cannot))\b", following)
    limits = _LIMIT.search(line.text, found.end()) or (explains and _LIMIT.search(following[:120]))
    return not limits


def _is_name(name: str) -> bool:
    """Whether it is the name of somebody: not Sorry, Looking or Excited, but Ted."""
    first = name.split()[0].strip(".,'").lower()
    plain = len(first) > 4 and first.endswith(("ing", "ed", "ful"))
    return first not in _no_names() and not plain and len(first) > 1
