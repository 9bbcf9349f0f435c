"""Find secrets in a text by the name before them: `api_key=...`, `"password": "..."`, `token: ...`.

How the two are written says how much else has to speak for a secret. The time is linear in the text: what
stands between a name and its value is bounded, and no value is read twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from grice.identity.secret_looks import looks_secret
from grice.identity.secret_names import NAME, SCHEMA_WORDS, kind_of

Hide = Callable[[str, str], str]
"""What is to stand in the place of a secret of that kind."""


class _Value(NamedTuple):
    """A value without its secrets, and where it ends in the text."""

    shown: str
    end: int


class _SecretName(NamedTuple):
    """What kind of value is looked for, and how much has to speak for it.

    A `certain` one is hidden whatever it is, an `alone` one where nothing else stands up to the end of the
    line, every other one where it looks like a secret. So must a `spaced` one that is not quoted: source code
    has `token = value`, too. `close` is how the name was quoted.
    """

    kind: str
    hide: Hide
    close: str = ""
    certain: bool = False
    alone: bool = False
    spaced: bool = False


_BLANK = r"(?:\s|\\{1,64}[nrt])"
_NAMED = re.compile(
    rf"(?:{NAME})(?P<close>\\{{0,64}}[\"'`]|\]|\*\*)?"
    rf"(?P<sep>: ?[a-z][\w.]{{0,20}} = |{_BLANK}{{0,10}}(?:=>|[:=!]=|[:=,|])(?:\*\*)?{_BLANK}{{0,10}}"
    r"|[ \t]{1,10}(?:is|was|equal to)(?: now)?:?[ \t]{1,10})"
)
_OPTION = re.compile(rf"(?<![\w-])--?(?P<name>[\w-]{{0,40}}?(?:{NAME}))[ \t]{{1,10}}(?=[^\s-])")
_PAIR = re.compile(
    r"(?<!\\)(?P<close>\\{0,64}+[\"'])(?:name|key|header)(?P=close)\s{0,4}:\s{0,4}"
    r"(?P=close)(?P<name>[\w .-]{1,64})(?P=close)[^{}\[\]]{0,200}?(?P=close)value(?P=close)\s{0,4}:\s{0,4}"
)
_DIFFERENCE = re.compile(rf"(?P<name>{NAME})[\"']?\]?: (?:found|expected) ")
_CLAIM = re.compile(rf"(?P<name>{NAME})[\"']?\]? of the [\w ]{{1,40}} to [a-z ]{{1,40}} (?=[\"'\d])")
_OTHER_SIDE = re.compile(r"[\w.+-]*, (?:found|expected) ")

_LONGEST_NAME = 60
_BACKWARDS = re.compile(r"[\w.\[-]*")
_BACKWARDS_QUOTED = re.compile(r"[\w .-]*")
_MECHANICAL = re.compile(r"[_-]|[a-z][A-Z]")
_AFTER_QUOTED = (":", "=", "=>", "equal to")
_ASSIGNING = (":", "=", "=>", ":=")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.]*(?=[\s,)\]};:]|$)")
_BEGUN = re.compile(r"(?:\W|\b(?:[EV]|\d{1,5}|export|set)\b)*")
_QUOTES = ("'", '"', "\\")
_LOGPROB = re.compile(r"\s{0,4},\s{0,40}\\*[\"'](?:logprob|bytes)\\*[\"']")


def without_named_secrets(text: str, lowered: str, hide: Hide) -> str:
    """The text with what `hide` gives in the place of each value that stands behind a secret's name.

    `lowered` is the text in lower case, character by character: so names are found five times faster.
    """
    places = [(found.end(), _after_name, found) for found in _NAMED.finditer(lowered)]
    if "-" in text:
        places += [(found.end(), _after_option, found) for found in _OPTION.finditer(lowered)]
    if "value" in lowered:
        places += [(found.end(), _after_pair, found) for found in _PAIR.finditer(lowered)]
    if ", expected " in text or ", found " in text:
        places += [(found.end(), _after_difference, found) for found in _DIFFERENCE.finditer(lowered)]
    if " of the " in text:
        places += [(found.end(), _after_claim, found) for found in _CLAIM.finditer(lowered)]
    parts: list[str] = []
    copied = 0
    for start, value_after, found in sorted(places, key=lambda place: place[0]):
        if start >= copied and (value := value_after(text, found, hide)) is not None:
            parts += (text[copied:start], value.shown)
            copied = value.end
    return "".join((*parts, text[copied:]))


def _after_pair(text: str, found: re.Match[str], hide: Hide) -> _Value | None:
    """The value of `{"name": "Authorization", "value": "..."}`."""
    kind = kind_of(found["name"])
    if kind is None:
        return None
    return _value(text, found.end(), _SecretName(kind, hide, found["close"], certain=True))


def _after_option(text: str, found: re.Match[str], hide: Hide) -> _Value | None:
    """The value of `--api-key ...`, but no word of a help text."""
    kind = kind_of(found["name"])
    if kind is None:
        return None
    return _value(text, found.end(), _SecretName(kind, hide, alone=text[found.end()] in _QUOTES))


def _after_difference(text: str, found: re.Match[str], hide: Hide) -> _Value | None:
    """Both values of Grice's own `$.password: found 'a', expected 'b'`; it still says that they differ."""
    kind = kind_of(found["name"])
    if kind is None:
        return None
    at = found.end()
    first = _value(text, at, _SecretName(kind, hide, certain=True)) or _Value("", at)
    other = _OTHER_SIDE.match(text, first.end)
    if other is None:
        return first if first.shown else None
    same = not first.shown or text.startswith(text[at : first.end], other.end())
    wanted = _SecretName(kind if same else f"another {kind}", hide, certain=True)
    second = _value(text, other.end(), wanted) or _Value("", other.end())
    return _Value(f"{first.shown}{other[0]}{second.shown}", second.end)


def _after_claim(text: str, found: re.Match[str], hide: Hide) -> _Value | None:
    """The value of Grice's own "the value at $.password of the reply to equal 'a'"."""
    kind = kind_of(found["name"])
    return None if kind is None else _value(text, found.end(), _SecretName(kind, hide, certain=True))


def _after_name(text: str, found: re.Match[str], hide: Hide) -> _Value | None:
    """The value behind a name: certain where both stand as in data, else by its looks and what is around."""
    close = found["close"] or ""
    sep = found["sep"].strip("\\nrt* \t\r\n")
    quoted = close.endswith(("'", '"', "`"))
    start = _start_of_name(text, found.start(), _BACKWARDS_QUOTED if quoted else _BACKWARDS)
    name = text[start : found.start("close" if close else "sep")]
    kind = kind_of(name)
    if kind is None:
        return None
    if quoted and sep == ",":
        return _second(text, found.end(), start, _SecretName(kind, hide, close, certain=True))
    again = _IDENTIFIER.match(text, found.end())
    if again and (again[0] == name or ("." in again[0] and kind_of(again[0]))):
        return None  # source code: token=self.token
    if quoted:
        fits = sep in _AFTER_QUOTED and text.endswith(close, 0, start)
        return _after_quoted_name(text, found.end(), _SecretName(kind, hide, close)) if fits else None
    if sep == "," or (sep == "|" and not found["sep"][0] == found["sep"][-1] == " "):
        return None
    if found["sep"] == "=":
        return _value(text, found.end(), _SecretName(kind, hide, certain=True), _IN_QUERY)
    alone = sep in _ASSIGNING and (
        name.isupper() or _MECHANICAL.search(name) is not None or _begins(text, start)
    )
    return _value(text, found.end(), _SecretName(kind, hide, alone=alone, spaced=sep.endswith("=")))


def _after_quoted_name(text: str, at: int, wanted: _SecretName) -> _Value | None:
    """The value of a field of an object; a name in backquotes is one in prose."""
    value = _value(text, at, wanted._replace(certain=wanted.close != "`", alone=True))
    if value and wanted.kind == "token" and text[at] in _QUOTES and _LOGPROB.match(text, value.end):
        return None  # a token of a model's answer, with its probability
    return value


def _start_of_name(text: str, end: int, backwards: re.Pattern[str]) -> int:
    rest = backwards.match(text[max(0, end - _LONGEST_NAME) : end][::-1])
    return end - (rest.end() if rest else 0)


def _begins(text: str, place: int) -> bool:
    """Whether the place is at the beginning of a line, or of an entry of a list."""
    before = text[max(0, place - 20) : place]
    begun = max(before.rfind(sign) for sign in "\n{,;(")
    return (begun >= 0 or place <= 20) and _BEGUN.fullmatch(before, begun + 1) is not None


def _second(text: str, at: int, start: int, wanted: _SecretName) -> _Value | None:
    """The second of a pair such as `["x-api-key", "..."]` in a list of pairs, or in a call.

    The name begins at `start`.
    """
    before = text[max(0, start - _LONGEST_NAME) : start]
    if not before.endswith(wanted.close):
        return None
    opened = re.sub(r"[bBuU]\Z", "", before.removesuffix(wanted.close)).rstrip()
    outside = opened[:-1].rstrip()[-1:]
    if not opened.endswith(("[", "(")) or (opened.endswith("[") and outside not in ("[", ",")):
        return None
    if outside not in ("[", "(", ","):
        wanted = wanted._replace(certain=False)  # a call may have any second argument
    opening = _OPENING.match(text, at)
    value = opening and _quoted(text, opening, wanted)
    return value if value and _PAIR_END.match(text, value.end) else None


_IN_QUERY = re.compile(r"(?:[^\s\"'`&;,<>\[\]\\]|\\(?![nrt\\\"']))+")
_IN_LINE = re.compile(r"(?![({])(?:[^\s\"'`;,<>\[\]\\|]|\\(?![nrt\\\"']))+")
_TRAILING = ".)}:!?*"
_OPENING = re.compile(r"(?i)(?:[bfru]{1,2}(?=\\{0,64}[\"']))?(?P<run>\\{0,64}+)(?P<quote>\"\"\"|'''|[\"'`])")
_CLOSING = {quote: re.compile(rf"(?<!\\)\\*+{quote}") for quote in ('"""', "'''", '"', "'", "`")}
_DELIMITED = re.compile(r"\s*(?:[,}\])\n:;&|]|\\+n|$)")
_PAIR_END = re.compile(r"\s{0,10},?\s{0,10}[\])]")
_SCHEME = re.compile(r"(?i)(?:bearer|basic|token|digest|negotiate)[ \t]{1,4}")
_OPEN = ("[", "{", "(")
_STRUCTURE = re.compile(r"[\[{(]\s{0,20}(?:[bu]?\\{0,64}[\"'\[{(]|-?\d{1,20}\s{0,4}[,\]])")
_DIGITS = r"-?\d++(?:\.\d++)?+(?:[eE][+-]?\d++)?+(?![\w.-])"
_TOKEN = re.compile(
    r"(?P<quote>(?<!\\)\\*+[\"'])|(?P<open>[\[{(])|(?P<close>[\]})])"
    rf"|(?<![\w.])(?P<number>{_DIGITS})"
)
_LONGEST_SCHEMA = 1_000
_NAME_END = re.compile(r"\s{0,10}:")
_NUMBER = re.compile(_DIGITS)
_LITERAL = re.compile(r"(?:null|true|false|None|True|False|undefined)\b")
_LINE_END = re.compile(r"[\"'`]|[ \t]{0,10}(?:[;})\]\\]|,\s{0,10}[\w\"'-]{1,40}\s{0,4}[:=]|$)", re.MULTILINE)
_TYPE = re.compile(r"(?:[\w.]*\.)?_*[A-Z][a-z]+[A-Z]\w*\Z|[A-Za-z_][\w.]*\(")
_SAID = frozenset(
    [
        "any",
        "bool",
        "boolean",
        "bytes",
        "default",
        "empty",
        "example",
        "expired",
        "false",
        "hidden",
        "int",
        "integer",
        "invalid",
        "missing",
        "no",
        "none",
        "null",
        "object",
        "ok",
        "optional",
        "password",
        "redacted",
        "required",
        "secret",
        "str",
        "string",
        "text",
        "token",
        "true",
        "undefined",
        "unknown",
        "yes",
    ]
)
"""What stands behind `password:` at the end of a line and is none."""


def _value(text: str, at: int, wanted: _SecretName, word: re.Pattern[str] = _IN_LINE) -> _Value | None:
    """The value that begins there; None where nothing is to be hidden."""
    if wanted.kind == "authorization" and (scheme := _SCHEME.match(text, at)):
        secret = _value(text, scheme.end(), wanted._replace(kind="token"), word)
        return secret and _Value(scheme[0] + secret.shown, secret.end)
    if opening := _OPENING.match(text, at):
        return _quoted(text, opening, wanted)
    if (wanted.close and text[at : at + 1] in _OPEN) or _STRUCTURE.match(text, at):
        return _structure(text, at, wanted)
    if _LITERAL.match(text, at):
        return None
    if wanted.close and (number := _NUMBER.match(text, at)):
        return _Value(f"{wanted.close}{wanted.hide(number[0], wanted.kind)}{wanted.close}", number.end())
    return _bare(text, at, wanted, word)


def _bare(text: str, at: int, wanted: _SecretName, word: re.Pattern[str]) -> _Value | None:
    """A value that is not quoted."""
    found = word.match(text, at)
    secret = found[0].rstrip(_TRAILING) if found else ""
    if found is None or not secret:
        return None
    ends = _LINE_END.match(text, found.end()) is not None
    said = wanted.spaced or secret.lower() in _SAID or _TYPE.match(secret)
    only = ends and wanted.alone and not said
    certain = wanted.certain and not wanted.close
    counted = secret.isdecimal() and not ends  # as in: token: 100000 users
    if certain or only or (looks_secret(secret) and not counted):
        return _Value(wanted.hide(secret, wanted.kind), at + len(secret))
    return None


def _quoted(text: str, opening: re.Match[str], wanted: _SecretName) -> _Value | None:
    """A value in quotes; a certain one that nothing closes takes the rest of the text with it."""
    start = opening.end()
    end, after = _closing(text, start, opening["run"], opening["quote"])
    secret = text[start:end]
    if not wanted.certain or opening["quote"] == "`":
        if "\n" in secret or after == end or secret.lower() in _SAID:
            return None
        if not wanted.alone and (" " in secret or not looks_secret(secret)):
            return None
    return _Value(f"{opening[0]}{wanted.hide(secret, wanted.kind)}{text[end:after]}", after)


def _closing(text: str, start: int, run: str, quote: str) -> tuple[int, int]:
    """Where the text in quotes ends, and where what closes it does.

    A text in JSON in a text in JSON is closed by the run of backslashes that opened it; an inner quote has
    more of them. Fewer close what stands around: the text was cut off there.
    """
    level = len(run)
    step = 2 << level.bit_length()  # so many backslashes more are escaped ones of the text itself
    for found in _CLOSING[quote].finditer(text, start):
        count = found.end() - found.start() - len(quote)
        if count < level:
            return found.start(), found.start()
        if count == level:
            return found.start(), found.end()
        if (count - level) % step == 0 and _DELIMITED.match(text, found.end()):
            return found.end() - len(quote) - level, found.end()
    return len(text), len(text)


def _structure(text: str, at: int, wanted: _SecretName) -> _Value | None:
    """A list or an object with all its texts and numbers hidden; None for the schema of a field."""
    level = max(len(wanted.close) - 1, 0)
    parts, names = list[str](), set[str]()
    copied = place = at
    depth = 0
    while token := _TOKEN.search(text, place):
        place = token.end()
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
            if not depth:
                break
        elif token["number"]:
            hidden = wanted.hide(token[0], wanted.kind)
            parts += (text[copied : token.start()], wanted.close, hidden, wanted.close)
            copied = place
        else:
            run, quote = token[0][:-1], token[0][-1]
            if len(run) < level and quote == wanted.close[-1]:
                place = token.start()  # what stands around ends here: it was cut off
                break
            end, after = _closing(text, place, run, quote)
            if not _NAME_END.match(text, after):
                parts += (text[copied:place], wanted.hide(text[place:end], wanted.kind))
                copied = end
            elif depth == 1:
                names.add(text[place:end])
            place = after
    else:
        place = len(text)
    if names and SCHEMA_WORDS.issuperset(names) and not depth and place - at <= _LONGEST_SCHEMA:
        return None
    return _Value("".join((*parts, text[copied:place])), place)
