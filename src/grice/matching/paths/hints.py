"""Reading a JSON path: what is wrong with one that is none, and what to write instead.

`jsonpath_rfc9535` reads; where it gives up, the path is looked through for what people bring from elsewhere
(jsonpath-plus, JavaScript, Python), because nothing of that is part of RFC 9535.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from grice.records import clean_text
from grice.text import did_you_mean, shorten

if TYPE_CHECKING:
    from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathError, JSONPathQuery

    from grice.matching.patterns import Pattern


MAX_NESTING = 32
MAX_OPERATORS = 100
MAX_PATTERN = 1_024

NAME = r"[A-Za-z_\u0080-\ud7ff\ue000-\U0010ffff][0-9A-Za-z_\u0080-\ud7ff\ue000-\U0010ffff]*"
"""What stands after a dot. (The parser's own expression for it lacks most of Asia's scripts.)"""

_QUOTED = r"(?s)'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""
_BLANK = "\x01"  # stands for each character of a quoted text where the path is looked through
_SHORT_ESCAPES = {"\b": r"\b", "\t": r"\t", "\n": r"\n", "\f": r"\f", "\r": r"\r", "'": r"\'", "\\": r"\\"}
_FUNCTIONS = ("count", "length", "match", "search", "value")
_MATCH_OR_SEARCH = "write match(@.a, 'pattern') for a whole text, search(@.a, 'pattern') for a part of it"
_TYPE_TESTS = {
    "string": "[?search(@, '')]",
    "number": "[?@ <= 0 || @ > 0]",
    "boolean": "[?@ == true || @ == false]",
    "null": "[?@ == null]",
}
_PATTERN_ESCAPES = {"d": "[0-9]", "w": "[A-Za-z0-9_]", "s": r"[ \t\n\r]"}
_PATTERN_PART = r"(?s)\\.|\[(?:\\.|[^\]\\])*\]|(?P<times>\{[0-9]+(?:,[0-9]*)?\})"
_LONE_SURROGATE = "a lone surrogate is no character"
_SAID = (
    ("non-singular", "what may find several cannot be compared; test each, as in [?@.tags[?@ == 'new']]"),
    ("index out of range", f"the index is too large, at most {2**53 - 1} is allowed"),
    ("number out of range", "the number is too large"),
    ("must be compared", "a value alone is no test; compare it, as in [?@.n == 1]"),
    ("escape", r"this escape is not JSON's; a backslash is written \\, and there are \n, \t and \u0000"),
    ("surrogate", _LONE_SURROGATE),
    ("unexpected codepoint", _LONE_SURROGATE),
    ("invalid character", r"a control character stands in quotes as \n, \t or \u0000"),
)


Write: TypeAlias = Callable[["re.Match[str]", str], str]


class InvalidPath(Exception):
    """What is wrong with a path that begins with `$`, and the character where it is."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


def read_path(path: str) -> JSONPathQuery:
    """The path as the parser reads it. Raises InvalidPath, and nothing else, for a text that is no path."""
    from jsonpath_rfc9535 import JSONPathError

    masked = re.sub(_QUOTED, lambda found: _BLANK * len(found[0]), path.replace(_BLANK, " "))
    _check_nesting(masked)
    try:
        return _environment().compile(path)
    except JSONPathError as error:
        raise _explained(path, masked, error) from None
    except RecursionError:
        raise InvalidPath("it is nested too deep", 0) from None
    except Exception:  # the parser raises KeyError and others for paths that it did not think of
        raise _brought_along(path, masked) or InvalidPath("it cannot be read", 0) from None


def quoted_name(name: str) -> str:
    """The name as it stands in brackets: `['my-key']`, with escapes for what cannot be seen."""
    return "['" + "".join(map(_escaped, name)) + "']"


def explain_pattern(pattern: str) -> str:
    """What is wrong with a pattern that a path holds, "" when nothing is."""
    try:
        if compile_pattern(pattern) is not None:
            return ""
    except ValueError as error:
        return f"it {error}"
    hint = r"it has no look-around, no lazy *?, no \b and no back-references"
    for letter, instead in _PATTERN_ESCAPES.items():
        if re.search(rf"(?<!\\)(?:\\\\)*\\{letter}", pattern):
            hint = rf"write {instead} for \{letter}"
    if pattern.startswith("(?i)"):
        hint = "write [Aa] for both cases, as it has no flags"
    return f"{shorten(repr(pattern), 80)} is not an I-Regexp (RFC 9485); {hint}"


@lru_cache(maxsize=256)
def compile_pattern(source: str) -> Pattern | None:
    """An I-Regexp (RFC 9485) on RE2, so that it cannot hang; None when it is none.

    Raises ValueError, with what the path does as the message, for one that RE2 cannot take.
    """
    from iregexp_check import check

    from grice.matching.patterns import PatternError, compile_iregexp

    if len(source) > MAX_PATTERN:
        raise ValueError(f"uses a pattern of {len(source):,} characters, at most {MAX_PATTERN:,} are allowed")
    source = clean_text(source)
    # The check takes one digit in a repetition, the standard any number of them.
    if not check(
        re.sub(_PATTERN_PART, lambda m: re.sub("[0-9]+", "1", m[0]) if m["times"] else m[0], source)
    ):
        return None
    try:
        return compile_iregexp(source)
    except PatternError as error:
        raise ValueError(f"uses a pattern that RE2 cannot take: {error}") from None


def _escaped(character: str) -> str:
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if character.isprintable():
        return character
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _check_nesting(masked: str) -> None:
    """The parser calls itself for each bracket and operator; this is well before Python stops it."""
    depth = operators = 0
    for found in re.finditer(r"[\[(]|[\])]|&&|\|\||!", masked):
        if found[0] in "[(":
            depth += 1
        elif found[0] in "])":
            depth -= 1
        else:
            operators += 1
        if depth > MAX_NESTING:
            raise InvalidPath(f"it is nested too deep, at most {MAX_NESTING} brackets", found.start())
        if operators > MAX_OPERATORS:
            raise InvalidPath(f"it has more than {MAX_OPERATORS} of && || !", found.start())


@lru_cache(maxsize=1)
def _environment() -> JSONPathEnvironment:
    """The parser, with what it gets wrong put right: names in other scripts, and large or odd numbers."""
    from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathQuery, JSONPathSyntaxError
    from jsonpath_rfc9535.filter_expressions import IntegerLiteral
    from jsonpath_rfc9535.lex import RE_PROPERTY, Lexer
    from jsonpath_rfc9535.parse import Parser
    from jsonpath_rfc9535.tokens import Token, TokenStream, TokenType

    name = re.compile(NAME)

    class Tokens(Lexer):
        def accept_match(self, pattern: re.Pattern[str]) -> bool:
            return super().accept_match(name if pattern is RE_PROPERTY else pattern)

    class Reader(Parser):
        def parse_integer_literal(self, stream: TokenStream) -> IntegerLiteral:
            token = stream.current
            if re.match(r"-?0\d", token.value):
                raise JSONPathSyntaxError("invalid integer literal", token=token)
            try:
                number = token.value if token.value.lstrip("-").isdigit() else float(token.value)
                return IntegerLiteral(token, value=int(number))
            except OverflowError:
                raise JSONPathSyntaxError("number out of range", token=token) from None

    class Environment(JSONPathEnvironment):
        parser_class = Reader

        def compile(self, query: str) -> JSONPathQuery:
            lexer = Tokens(query)
            lexer.run()
            if lexer.tokens[-1].type_ == TokenType.ERROR:
                raise JSONPathSyntaxError(lexer.tokens[-1].message, token=lexer.tokens[-1])
            if lexer.bracket_stack:
                bracket, index = lexer.bracket_stack[-1]
                token = Token(TokenType.ERROR, bracket, index, query)
                raise JSONPathSyntaxError("unbalanced brackets", token=token)
            return JSONPathQuery(env=self, segments=tuple(self.parser.parse(TokenStream(lexer.tokens))))

    return Environment()


def _explained(path: str, masked: str, error: JSONPathError) -> InvalidPath:
    said = str(error.args[0]) if error.args else ""
    token = error.token or next((one for one in error.args if hasattr(one, "query")), None)
    index = len(path) if token is None or token.index < 0 else min(token.index, len(path))
    known = _brought_along(path, masked) or _unbalanced(masked)
    if known is not None:
        return known
    about = _about_function(said) or next((words for key, words in _SAID if key in said), "")
    if about:
        return InvalidPath(about, index)
    found = path[index:].lstrip()[:1]
    return InvalidPath(f"{found!r} cannot stand here" if found else "it ends too early", index)


def _about_function(said: str) -> str:
    named = re.search(r"function '(\w+)' is not|(?:^|of )'?(\w+)'?\(\)", said)
    if named is None:
        return ""
    name = named[1] or named[2]
    if "not defined" in said:
        known = ", ".join(_FUNCTIONS)
        return f"there is no function {name!r}{did_you_mean(name, _FUNCTIONS)}; there are {known}"
    if "must be compared" in said:
        return f"{name}() gives a value; compare it, as in [?{name}(@.a) > 1]"
    if "not comparable" in said:
        return f"{name}() is true or false already; leave the comparison out, and write ! before it for false"
    if "NodesType" in said:
        return f"{name}() takes a path, as in {name}(@.*)"
    if "ValueType" in said:
        return f"{name}() takes single values, and a path that may find several is none"
    return f"{name}() {said.split('() ')[-1]}"


def _unbalanced(masked: str) -> InvalidPath | None:
    opened: list[re.Match[str]] = []
    for found in re.finditer(r"[\[\]()]", masked):
        if found[0] in "[(":
            opened.append(found)
        elif not opened:
            return InvalidPath(f"nothing opens this {found[0]!r}", found.start())
        elif opened[-1][0] + found[0] in ("[]", "()"):
            opened.pop()
        else:
            break
    if not opened:
        return None
    missing = "]" if opened[-1][0] == "[" else ")"
    return InvalidPath(f"this {opened[-1][0]!r} is not closed; {missing!r} is missing", opened[-1].start())


def _brought_along(path: str, masked: str) -> InvalidPath | None:
    """The first thing in the path that is at home elsewhere. None of the rules fits a valid path."""
    first: InvalidPath | None = None
    for pattern, explain in _RULES:
        for found in re.finditer(pattern, masked):
            position = found.start("here") if "here" in found.re.groupindex else found.start()
            if first is not None and position >= first.position:
                break
            explained = explain(found, path) if callable(explain) else _filled(explain, found, path)
            if explained:
                first = InvalidPath(explained, position)
                break
    return first


def _filled(rule: tuple[str, str | Write], found: re.Match[str], path: str) -> str:
    """The message, with what was found and, for {fixed}, the path with the found part replaced."""
    message, replacement = rule
    here = found["here"] if "here" in found.re.groupindex else found[0]
    part = found.expand(replacement) if isinstance(replacement, str) else replacement(found, path)
    return message.format(found=shorten(here, 60), fixed=_fixed(path, found.span(), part))


def _fixed(path: str, span: tuple[int, int], part: str) -> str:
    """The path as it should be, or the mended part of it when the path is long."""
    whole = path[: span[0]] + part + path[span[1] :]
    return whole if len(whole) <= 120 else shorten(part, 120)


def _odd_name(found: re.Match[str], path: str) -> str:
    """A name after a dot that has to stand in quotes."""
    before = path[: found.start()]
    name = found["here"]
    if before.count("[") > before.count("]"):  # a filter
        name = name.split()[0]
        if before[-1:].isdigit():
            return ""  # the dot of a number
    name = name.rstrip()
    if re.fullmatch(NAME, name):
        return ""
    span = (found.start() + (found["dots"] == ".."), found.start("here") + len(name))
    dots = "." if found["dots"] == ".." else ""
    quoted = _fixed(path, span, dots + quoted_name(name))
    if re.fullmatch(r"0|-?[1-9]\d*", name):
        item = _fixed(path, span, f"{dots}[{name}]")
        return f"a number does not follow a dot; write {item} for an item or {quoted} for a name"
    return f"the name {shorten(name, 60)!r} needs quotes; write {quoted}"


def _bare_names(found: re.Match[str], path: str) -> str:
    names = [one.strip() for one in found["here"].split(",")]
    parts = [one if re.fullmatch(r"-?\d+", one) else quoted_name(one)[1:-1] for one in names if one]
    return f"names in brackets need quotes; write {_fixed(path, found.span(), '[' + ','.join(parts) + ']')}"


def _root_name(found: re.Match[str], path: str) -> str:
    return "$" + quoted_name("$" + found["name"])


def _in_brackets(found: re.Match[str], path: str) -> str:
    return f"[{path[slice(*found.span('here'))]}]"


def _type_selector(found: re.Match[str], path: str) -> str:
    test = _TYPE_TESTS.get(found["type"])
    instead = f"test the items, as in {test}" if test else "toMatchSchema tests types"
    return f"{found['here']!r} is jsonpath-plus's, RFC 9535 has no type selectors; {instead}"


def _method(found: re.Match[str], path: str) -> str:
    name = found["name"]
    if name in ("match", "test", "search", "includes", "contains", "startsWith", "endsWith", "indexOf"):
        instead = _MATCH_OR_SEARCH
    elif name in ("length", "size", "count"):
        instead = "write length(@.a) for one value, count(@.a[*]) for how many are found"
    else:
        instead = f"the functions are {', '.join(_FUNCTIONS)}, and what they take stands in their brackets"
    return f"'.{name}()' runs code, a path does not; {instead}"


_RULES: tuple[tuple[str, Write | tuple[str, str | Write]], ...] = (
    (r"['\"]", ("the quote {found} is not closed; one inside the text is written \\{found}", "")),
    (r"[\ud800-\udfff]", (_LONE_SURROGATE, "")),
    (
        r"(?:(?<!\.)\.)?(?P<here>`)(?P<name>[^.\[\]`]*)",
        ("the escape ` is jsonpath-plus's; write {fixed}", lambda found, _: quoted_name(found["name"])),
    ),
    (
        r"\^",
        ("'^' (the parent) is jsonpath-plus's; choose the parent itself, as in $.items[?@.price > 10]", ""),
    ),
    (r"~", ("'~' (the names) is jsonpath-plus's; a path finds values only, so choose the object", "")),
    (r"^\$\.@(?=[.\[]|$)", ("'@' is the item of a filter; outside of one, write {fixed}", "$")),
    (
        r"@(?:parentProperty|property|parent|path)\b(?!\()",
        ("{found!r} is jsonpath-plus's; a filter knows the item, @, and the whole value, $", ""),
    ),
    (r"@root\b(?!\()", ("'@root' is jsonpath-plus's; write {fixed}", "$")),
    (r"(?P<here>@(?P<type>[A-Za-z]+)\(\))", _type_selector),
    (r"([=!]=)=", ("{found!r} is JavaScript's; write {fixed}", r"\1")),
    (r"=([<>])", ("{found!r} is written the other way round; write {fixed}", r"\1=")),
    (r"=~", (f"'=~' is not in RFC 9535; {_MATCH_OR_SEARCH}", "")),
    (r"(?<![=!<>])=(?![=~])", ("a comparison has two '='; write {fixed}", "==")),
    (r"(?<=[(,~=\s])/", ("a pattern is a quoted text; write search(@.a, 'pattern')", "")),
    (r"\.(?P<here>(?P<name>[A-Za-z_]\w*)\()", _method),
    (
        r"\[\s*(?P<here>\(\s*@\.length\s*-\s*([1-9]\d*)\s*\))\s*\]",
        ("'{found}' runs code, a path does not; write {fixed}", r"[-\2]"),
    ),
    (r"\[\s*(?P<here>\()", ("a script runs code, a path does not; write an index or a filter, [?...]", "")),
    (r"\[\s*(?P<here>@)", ("a filter begins with '?'; write {fixed}", "[?@")),
    (r"(?<=[\s)\]\x01])and(?=[\s(!])", ("'and' is not in RFC 9535; write {fixed}", "&&")),
    (r"(?<=[\s)\]\x01])or(?=[\s(!])", ("'or' is not in RFC 9535; write {fixed}", "||")),
    (r"(?<=[\s?(&|!])(?P<here>not)(?:\s+|(?=\())", ("'not' is not in RFC 9535; write {fixed}", "!")),
    (r"(?<![&|.])([&|])(?![&|])", ("a single {found!r} is not in RFC 9535; write {fixed}", r"\1\1")),
    (r"(?<![\w.\x01\[])True\b(?!\()", ("'True' is Python's; write {fixed}", "true")),
    (r"(?<![\w.\x01\[])False\b(?!\()", ("'False' is Python's; write {fixed}", "false")),
    (r"(?<![\w.\x01\[])None\b(?!\()", ("'None' is Python's; write {fixed}", "null")),
    (
        r"(?<![\w.\x01\[])undefined\b(?!\()",
        ("'undefined' is JavaScript's; write !@.a for what is missing, @.a == null for null", ""),
    ),
    (
        r"(?<=[\s)\]\x01])(?!(?:and|or|not|true|false|null)\b)[A-Za-z]+(?=\s)",
        ("'{found}' is no operator; there are == != < <= > >= && || !", ""),
    ),
    (r"[\w)\]]\s*(?P<here>[*+%/]|-(?=\s))\s*[\w@$(]", ("'{found}' calculates, a path does not", "")),
    (r"(?<![\w.\x01])(?<![eE][-+])(-?)0+(?=\d)", ("a number has no leading zeros; write {fixed}", r"\1")),
    (r"([=<>]\s*-?)(?P<here>\.)(?=\d)", ("a digit stands before the dot; write {fixed}", r"\g<1>0.")),
    (r"(?<=[\[,:])-0(?![\d.])", ("'-0' is no index; write {fixed}", "0")),
    (r"\[(?P<here>(?=\s*[^\W\d])[^\[\]()?@\x01]*)\]?", _bare_names),
    (r"\[\s*\]", ("'[]' chooses nothing; write {fixed} for all items", "[*]")),
    (r",(?=\s*\])", ("nothing follows this comma; write {fixed}", "")),
    (
        r"^(?P<here>\$)(?=[^\s.\[\x01])(?P<name>[^.\[\]\x01]*)",
        ("'$' is the whole value; for a name, write {fixed}", _root_name),
    ),
    (r"(?<!\.)\.(?=\[)", ("no dot stands before a bracket; write {fixed}", "")),
    (r"\.\.\.+", ("there are two dots at most; write {fixed}", "..")),
    (r"(\.+)\s+(?=\S)", ("no white space follows a dot; write {fixed}", r"\1")),
    (r"(?<!\.)\.\.\s*$", ("nothing follows the dots; write {fixed} for everything below", "..*")),
    (r"(?<!\.)\.\s*$", ("nothing follows the dot; write {fixed}", "")),
    (
        r"(?P<dots>(?<!\.)\.\.?)(?P<here>[^\s.\[\]()?@=<>!&|,^~`*'\"\x01][^.\[\]()?@=<>!&|,^~`*'\"\x01]*)",
        _odd_name,
    ),
    (r"(?<!\.)\.(?P<here>\x01+)", ("a quoted name stands in brackets; write {fixed}", _in_brackets)),
)
