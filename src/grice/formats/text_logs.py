"""Logs that are text: dumps of databases, lines of an application's log, and what people write."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal
from xml.etree import ElementTree

from grice.formats.errors import FormatError
from grice.formats.lines import parse_line
from grice.formats.mapping import role_in, told
from grice.formats.tables import delimiter_of, unescaped
from grice.records import JsonValue

Row = dict[str, JsonValue]

_STAMP = (
    r"(?:<\d+>\d* ?)?[\[(<]?(?:(?:\d{1,2}/[A-Z][a-z]{2}/\d{4}|"
    r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|"
    r"(?:[A-Z][a-z]{2},? )?(?:[A-Z][a-z]{2} +\d{1,2}|\d{1,2} [A-Z][a-z]{2})(?:,? \d{4})?),?[T: ] *)?"
    r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?(?: ?[AaPp]\.?[Mm]\.?)?[\])>]?"
)
_STAMPED = re.compile(rf"(?P<time>{_STAMP})(?=[\s|,;:\]-]|$)[\s|,;\u2013-]*")
_NAME = r"[^\W\d_][\w.'/&#@+-]{0,60}(?: [\w.'/&#@+()-]{1,60}){0,4}"
_SPEECH = re.compile(
    r"(?:(?P<arrow>>>|<<|->|<-|=>|<=|[<>\u2192\u2190])(?=\s)\s+"
    rf"|[*_> \t-]*(?P<name>{_NAME}?|\+\d[\d ()-]{{6,18}}\d)[*_]{{0,4}}"
    r"\s*+(?:[(\[](?P<aside>[^)\]\n]{0,40})[)\]])?[*_]{0,4}\s*+(?::|->|=>|>|\|)[*_]*"
    r"(?:\s+|$)|[<\[*](?P<inner>[^\W\d_][\w .@-]{0,24})[>\]*]:?\s+)(?P<text>.*)"
)
_TAG = re.compile(
    r"(\[[^\]\n]{1,60}\]|\([^)\n]{1,60}\)|\{[\w:=.-]{1,60}\}|[\w.<>-]+:[\w.<>:-]+(?=\s+[-|]\s)|"
    r"(?P<logger>[\w$]+(?:\.[\w$]+){2,})(?=\s+[:-]\s)|(?:[A-Z]{4,8}|#?[\w.-]*\d[\w.:/-]*)(?=\s))[\s|,:-]*"
)
_LONGEST_TAG = 200
_MOST_BRACES = 20
"""How many braces of a line are looked at for the one with which an object in JSON begins."""
_NAMED = re.compile(r"(?<![\w\"])([A-Za-z_][\w.-]{0,100})=")
_VALUE = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[^\s\"]*")
_CLOSING = re.compile(r"\}(?=\s|$)")
_RULE = re.compile(r"[-=*_#~+.]{3,}")
_SIGNS = "-=*#~+"
_NOTICE = re.compile(r"([-=*#~+]{2,})\s.*\s\1")
_SQL = re.compile(rb"(?im)^(?:COPY\s+\S+\s*(?:\(.*\))?\s*FROM\s+stdin;|INSERT\s+INTO\s)")
_SECTION = "section"


def text_kind(head: bytes) -> Literal["sql", "text", ""]:
    """Whether the beginning of a file is that of a dump or of a text; "" for JSON, a table, or neither."""
    if _SQL.search(head):
        return "sql"
    lines = [one.strip() for one in head.decode("utf-8", "replace").splitlines()[:400] if one.strip()]
    if not lines or sum(one.startswith("{") or one in ("[", "]") for one in lines) >= 0.3 * len(lines):
        return ""
    stamped = [_STAMPED.match(one) is not None for one in lines]
    mark = delimiter_of(lines[0].encode())
    width = lines[0].count(mark) if mark else 0
    alike = sum(one.count(mark) >= width for one in lines) if mark else 0
    if stamped[0]:  # a table without a header, but no times and speeches with a sign between
        is_table = width > 1 and mark != "," and 2 * sum(map(_names_speaker, lines)) < len(lines)
    else:
        is_table = ": " not in lines[0]
    if mark and is_table and alike >= 0.5 * len(lines):
        return ""
    speaking = [_SPEECH.match(one) is not None for one in lines]
    paired = [len(_pairs(one)) > 1 for one in lines]
    told = any(
        sum(one) >= share * len(lines) for one, share in ((stamped, 0.4), (speaking, 0.3), (paired, 0.4))
    )
    headed = [_speaker(_headed(one)) for one in lines]
    return "text" if told or sum(headed) > 1 else ""


def _names_speaker(line: str) -> bool:
    return "name" in (_speech(line) or {})


def _headed(line: str) -> str:
    """What stands behind the signs with which a heading begins, and before those at its end; "" for none."""
    said = line.lstrip(_SIGNS).lstrip()
    if said[:1] in ("", *_SIGNS) or line[0] not in _SIGNS:
        return ""
    return said.rstrip(_SIGNS).rstrip()


def _speaker(said: str) -> bool:
    """Whether a heading names who speaks below it."""
    return bool(said) and len(said.split()) <= 3 and role_in(said.strip(":")) in ("user", "assistant")


# -- lines and speeches


def text_rows(lines: Sequence[tuple[int, bytes]]) -> Iterator[tuple[int, JsonValue | FormatError]]:
    """What the lines of a text say, one row a speech or a line of a log, each with its line."""
    texts = [(number, line.decode("utf-8", "replace").rstrip()) for number, line in lines]
    said = [one for _, one in texts if one.strip()]
    stamped = sum(_STAMPED.match(one) is not None for one in said)
    sample = said[:400]
    if sum(_fields(one) is not None for one in sample) > 0.3 * len(sample):
        yield from _log_lines(texts)
    else:
        yield from _of_speaking_loggers([*_speeches(texts, stamped=stamped >= 0.25 * len(said))])


def _of_speaking_loggers(
    rows: Sequence[tuple[int, Row | FormatError]],
) -> Iterator[tuple[int, JsonValue | FormatError]]:
    """The rows; where some loggers write what people say, what the others write is no message."""
    loggers = [
        (row.get("logger"), "name" in row) if isinstance(row, dict) else (None, True) for _, row in rows
    ]
    speaking = {logger for logger, speaks in loggers if logger and speaks}
    for (number, row), (logger, _) in zip(rows, loggers, strict=True):
        silent = speaking and logger and logger not in speaking
        yield number, FormatError("nobody speaks in what this logger writes") if silent else row


def _stamped(line: str) -> tuple[Row, str]:
    """The time at the beginning of a line, and the rest."""
    found = _STAMPED.match(line)
    return ({"time": found["time"].strip("[]()<>")}, line[found.end() :]) if found else ({}, line)


def _fields(line: str) -> Row | None:
    """What a line of an application's log says as JSON or as pairs, and what stands before that."""
    row, rest = _stamped(line)
    braces = re.finditer("{", rest) if rest.rstrip().endswith("}") else iter(())
    for brace in (one.start() for one in islice(braces, _MOST_BRACES)):
        held = told(rest[brace:].strip())
        if isinstance(held, dict) and len(held) > 1:
            return {**row, **_tags(rest[:brace])[0], **held}
    pairs = _pairs(rest)
    if len(pairs) < 2:
        return None
    return {**row, **_tags(rest[: pairs[0][0]])[0], **{name: _bare(value) for _, name, value in pairs}}


def _pairs(text: str) -> list[tuple[int, str, str]]:
    """The `name=value` in a line: where each begins, the name, and the value with its quotes."""
    found: list[tuple[int, str, str]] = []
    closings = [one.end() for one in _CLOSING.finditer(text)]
    at = 0
    while (name := _NAMED.search(text, at)) is not None:
        begin = name.end()
        if text.startswith("{", begin) and closings and begin < closings[-1]:
            at = closings[bisect_right(closings, begin)]
        else:
            value = _VALUE.match(text, begin)
            at = value.end() if value is not None else begin
        found.append((name.start(), name[1], text[begin:at]))
    return found


def _speech(line: str) -> Row | None:
    """A speech: its time, what stands before the name, the name, and the text; with a time alone a notice."""
    row, rest = _stamped(line)
    tags, rest = _tags(rest)
    speech = _SPEECH.match(rest)
    if speech is None or _NOTICE.fullmatch(rest) or speech["text"].startswith("\u200e"):  # a messenger's own
        return {**row, **tags, "text": rest} if row else None
    name = speech["name"] or speech["inner"] or speech["arrow"]
    if role_in(speech["aside"]) and role_in(name) is None:  # as in `Tom (staff)`
        name = speech["aside"].strip()
    return {**row, **tags, "name": name, "text": speech["text"]}


def _tags(text: str) -> tuple[Row, str]:
    """What stands before the speech, as a level, a thread or the id of a session, and the rest."""
    found: Row = {}
    while tag := _TAG.match(text, 0, _LONGEST_TAG):
        if tag[1][0] == "[" and role_in(tag[1]) and _SPEECH.match(text):
            break
        bare = tag[1].strip("[](){}")
        key, mark, value = (
            re.split(r"([=:# ])", bare, maxsplit=1)
            if re.match(r"[A-Za-z]+(?:[=:#]\S| \S*\d\S*$)", bare)
            else ("", "", bare)
        )
        found["logger" if tag["logger"] else key if mark else f"tag {len(found) + 1}"] = value
        text = text[tag.end() :]
    return found, text


def _bare(value: str) -> str:
    if value[:1] not in ("'", '"'):
        return value
    try:
        told = parse_line(f'["{value[1:-1]}"]'.encode())
    except FormatError:
        return value[1:-1]
    return str(told[0]) if isinstance(told, list) else value


def _log_lines(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, JsonValue | FormatError]]:
    for number, line in lines:
        if line.strip():
            yield number, _fields(line) or FormatError("neither name=value pairs nor JSON in this line")


def _speeches(lines: Sequence[tuple[int, str]], *, stamped: bool) -> Iterator[tuple[int, Row | FormatError]]:
    """The speeches in a text; those of one conversation have one `section`, and the fields above them."""
    parsed = [(number, line, _speech(line.strip()) if line.strip() else None) for number, line in lines]
    logged = any("logger" in row for _, _, row in parsed if row)
    headings = _headings(parsed)
    sections = _sections(parsed, headings)
    speakers = _speakers(parsed, sections, headings, stamped=stamped)
    clocks = ["time" in row for _, _, row in parsed if row and row.get("name") in speakers]
    # whether a name without a time is no speech, as in a stack trace
    timed = logged or (stamped and sum(clocks) > 0.7 * len(clocks))
    closing = _closing(parsed, sections) - speakers
    shared: Row = {}
    spoken: Row = {}
    begin, gap, section_before = 0, 0, ""
    for (number, line, row), heading, section in zip(parsed, headings, sections, strict=True):
        if section != section_before:
            if spoken:
                yield begin, spoken
            spoken, section_before, shared = {}, section, {_SECTION: section}
        heads = _speaker(heading)
        if not line.strip() or _RULE.fullmatch(line.strip()) or (heading and not heads):
            gap += 1
            continue
        said: Row = {"name": heading.strip(":"), "text": ""} if heads else dict(row or {})
        name = said.get("name")
        speaks = bool(heads) or (name in speakers and ("time" in said or not timed))
        if speaks or (stamped and "time" in said):
            if spoken:
                yield begin, spoken
            begin, spoken = number, shared | (said if speaks else _notice(said))
        elif spoken and name not in closing:
            spoken["text"] = "\n".join((str(spoken["text"]), *[""] * gap, line)).strip()
        elif isinstance(name, str):
            (spoken or shared)[name] = said["text"]
        else:
            yield number, FormatError("nobody speaks; expected a name and a colon before what is said")
        gap = 0
    if spoken:
        yield begin, spoken


def _closing(parsed: _Parsed, sections: Sequence[str]) -> set[str]:
    """The names that stand below most conversations, as `Rating: 4/5` does, and have no time."""
    last = {
        section: row or {}
        for (_, line, row), section in zip(parsed, sections, strict=True)
        if line.strip() and not _RULE.fullmatch(line.strip())
    }
    names = Counter(str(row["name"]) for row in last.values() if "name" in row and "time" not in row)
    return {name for name, count in names.items() if count > max(2, 0.5 * len(last))}


def _notice(said: Row) -> Row:
    """What nobody speaks, with the colon in it that is behind no name."""
    name = said.get("name")
    rest = {key: one for key, one in said.items() if key != "name"}
    return {**rest, "text": f"{name}: {said['text']}"} if name else rest


_Parsed = Sequence[tuple[int, str, Row | None]]


def _headings(parsed: _Parsed) -> list[str]:
    """What stands above a conversation or a speech, "" for other lines; where signs mark it, only these."""
    found = [_heading(parsed, place) for place in range(len(parsed))]
    found = [
        "" if one and not _speaker(one) and _is_prose_below(parsed, found, place) else one
        for place, one in enumerate(found)
    ]
    bare = [line.strip() == one for one, (_, line, _) in zip(found, parsed, strict=True)]
    marked = any(one and not alone for one, alone in zip(found, bare, strict=True))
    return ["" if marked and alone else one for one, alone in zip(found, bare, strict=True)]


def _is_prose_below(parsed: _Parsed, found: Sequence[str], place: int) -> bool:
    """Whether what comes next is neither a speech nor a heading: so is the inside of a long reply."""
    for later in range(place + 1, len(parsed)):
        line = parsed[later][1].strip()
        if line and not _RULE.fullmatch(line):
            return not found[later] and parsed[later][2] is None
    return False


def _heading(parsed: _Parsed, place: int) -> str:
    """What a line says that stands above a conversation or a speech: by signs, or alone with a number."""
    _, line, row = parsed[place]
    bare = line.strip()
    if not bare or _STAMPED.match(bare):
        return ""
    found = _headed(bare)
    if found and not _RULE.fullmatch(bare) and not re.match(r"[-*+] |\*\*", bare):
        return found
    before = parsed[place - 1][1].strip() if place else ""
    alone = not before or _RULE.fullmatch(before) is not None
    if (
        alone
        and row is None
        and re.search(r"\d", bare)
        and len(bare.split()) <= 6
        and not re.search(r"[.?!]$", bare)
    ):
        return bare
    return ""


def _sections(parsed: _Parsed, headings: Sequence[str]) -> list[str]:
    """The conversation of each line: by headings, else by rules, else by blank lines; "" where it is one."""
    titles = [one for one in headings if one and not _speaker(one)]
    rules = [_RULE.fullmatch(line.strip()) is not None for _, line, _ in parsed]
    blanks = [not line.strip() for _, line, _ in parsed]
    found: list[str] = []
    if len(set(titles)) > 1:
        current = ""
        words = Counter(word for one in titles for word in set(_WORD.findall(one)))
        for one in headings:
            current = _id_in(one, words) if one and not _speaker(one) else current
            found.append(current)
        return found
    for breaks in (rules, blanks):
        parts, counts = _split(parsed, breaks)
        if _are_talks(counts):
            return parts
    return [""] * len(parsed)


def _are_talks(counts: Sequence[int]) -> bool:
    """Whether there are several parts, in most of which several speak."""
    return len(counts) > 1 and sorted(counts)[len(counts) // 2] > 1


def _split(parsed: _Parsed, breaks: Sequence[bool]) -> tuple[list[str], list[int]]:
    """The number of the part that each line is in, and how many speeches are in each part."""
    number, speeches = 1, 0
    found: list[str] = []
    counts: list[int] = []
    named = [row for _, _, row in parsed if row and row.get("name")]
    timed = 3 * sum("time" in row for row in named) > len(named)  # the others stand above or below
    for (_, _, row), is_break in zip(parsed, breaks, strict=True):
        if is_break and speeches:
            counts.append(speeches)
            number, speeches = number + 1, 0
        speeches += bool(row and row.get("name") and ("time" in row or not timed))
        found.append(str(number))
    return found, counts + [speeches] * bool(speeches)


def _id_in(title: str, words: Counter[str]) -> str:
    """The id in a heading: the first word with a digit, but for times, that no other heading has."""
    found = [
        one
        for one in _WORD.findall(title)
        if any(map(str.isdigit, one))
        and not re.fullmatch(r"[\d./:TZ-]*[/.:][\d./:TZ-]*|\d{4}-\d\d-\d\d\S*", one)
    ]
    return next((one for one in found if words[one] == 1), title)


_WORD = re.compile(r"[^\s,;()\[\]|#=\"']+")


def _speakers(
    parsed: _Parsed, sections: Sequence[str], headings: Sequence[str], *, stamped: bool
) -> set[str]:
    """The names that speak: those behind a time, or those of roles, those that come again within a
    conversation and those that say more in several; none where headings tell who speaks.
    """
    timed = [row for _, _, row in parsed if row and "time" in row]
    if stamped and sum("name" in row for row in timed) > 0.6 * len(timed):
        return {str(row["name"]) for row in timed if "name" in row}
    if sum(map(_speaker, headings)) > 1:
        return set()
    names = Counter(str(row["name"]) for _, _, row in parsed if row and row.get("name"))
    inside = Counter(
        (section, str(row["name"]))
        for (_, _, row), section in zip(parsed, sections, strict=True)
        if row and row.get("name")
    )
    many = len(set(sections))
    often = {name for (_, name), count in inside.items() if count > 1 and (names[name] > 2 or many > 1)}
    usual = {
        name
        for name, count in names.items()
        if role_in(name) in ("user", "assistant", "system", "tool", "skip")
        and (count > 0.5 * many or count > 2)
    }
    long = {  # what stands above the speeches, as `Date: 3 March`, is short
        str(row["name"])
        for _, _, row in parsed
        if row and row.get("name") and len(str(row["text"]).split()) > 4
    }
    late = {name for name in long if names[name] >= max(3, 0.3 * many)}
    return often | usual | late


# -- dumps of databases

_COPY = re.compile(r"(?i)COPY\s+(\S+)\s*(?:\((.*)\))?\s*FROM\s+stdin;")
_INSERT = re.compile(r"(?is)INSERT\s+(?:IGNORE\s+)?INTO\s+([^\s(]+)\s*(?:\(([^)]*)\))?\s*VALUES\s*")
_CREATE = re.compile(r"(?is)CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([^\s(]+)\s*\((.*?)\)[^()]*;")
_TOKEN, _MYSQL_TOKEN = (
    re.compile(
        rf"(?s)\s*(?:[Ee]'((?:[^'\\]|''|\\.)*)'|(?:[Nn]|_\w+ )?'({said})'|([(),;])|([^\s(),;']+))"
        r"(?:::[\w\[\] ]+)?"
    )
    for said in (r"[^']*(?:''[^']*)*", r"(?:[^'\\]|''|\\.)*")
)
_MYSQL = re.compile(r"(?im)^(?:-- (?:MySQL|MariaDB|phpMyAdmin)\b|(?:CREATE|INSERT)\s[^'\n]*`)|\\'\w")
"""A dump in which a backslash is an escape in every text, by its head, names in backticks or `don\'t`."""
_END = re.compile(r"(?im);[ \t\r]*$|^(?=INSERT\s)")


def sql_tables(text: str) -> dict[str, list[JsonValue]]:
    """The rows of the tables in a dump, as a document: `COPY ... FROM stdin` and `INSERT INTO`.

    A row that has not as many cells as its table stays the text that it is.
    """
    tables: dict[str, list[JsonValue]] = {}
    kinds = {_unquoted(one[1]): _columns_in(one[2]) for one in _CREATE.finditer(text)}
    for table, names, cells, raw in (*_copied(text), *_inserted(text)):
        usual = kinds.get(table, {})
        header = [_unquoted(one) for one in names.split(",")] if names else [*usual]
        header = header or [f"column {n}" for n in range(1, len(cells) + 1)]
        row: Row = {
            name: cell in ("t", "true", True) if usual.get(name, "").startswith("bool") else cell
            for name, cell in zip(header, cells, strict=False)
            if cell is not None
        }
        tables.setdefault(table, []).append(row if len(header) == len(cells) > 0 else raw)
    return tables


_Cells = tuple[str, str | None, list[JsonValue], str]
"""A row of a dump: its table, the names of its columns where they are told, the cells, and its text."""


def _columns_in(definition: str) -> dict[str, str]:
    """The columns of a table with their types."""
    parts = (_COLUMN.match(one) for one in re.split(r",(?![^()]*\))", definition))
    return {_unquoted(one[1]): one[2].lower() for one in parts if one and one[1].upper() not in _NO_COLUMN}


_COLUMN = re.compile(r"\s*([`\"\[]?\w+[`\"\]]?)\s+(\w+)")
_NO_COLUMN = frozenset({"PRIMARY", "UNIQUE", "KEY", "CONSTRAINT", "FOREIGN", "CHECK"})


def _copied(text: str) -> Iterator[_Cells]:
    for found in _COPY.finditer(text):
        begin = text.find("\n", found.end()) + 1
        end = text.find("\n\\.", begin - 1)
        body = text[begin : end if end >= 0 else None].removesuffix("\n")
        for line in body.split("\n") if body else ():
            line = line.removesuffix("\r")
            cells = [None if one == "\\N" else unescaped(one) for one in line.split("\t")]
            yield _unquoted(found[1]), found[2], [*cells], line


def _inserted(text: str) -> Iterator[_Cells]:
    """The rows of each statement. What cannot be told apart, up to its end, is one row without cells."""
    escapes = _MYSQL.search(text) is not None and not re.search(r"[\s,(]E'", text)
    tokens = _MYSQL_TOKEN if escapes else _TOKEN
    at = 0
    for found in _INSERT.finditer(text):
        if found.start() < at:
            continue  # it stands in a text
        at = read = found.end()
        row, depth = list[JsonValue](), 0
        while token := tokens.match(text, at):
            escaped, said, sign, bare = token.groups()
            if sign == ";" or (not depth and bare and bare.upper() == "INSERT"):
                break
            at = token.end()
            depth += (sign == "(") - (sign == ")")
            if sign == ")" and not depth:
                yield _unquoted(found[1]), found[2], row, text[read:at].strip(", \r\n")
                row, read = [], at
            elif sign is None and depth:
                row.append(
                    _literal(
                        said if escaped is None else escaped, bare, escapes=escapes or escaped is not None
                    )
                )
        if token is None or depth:
            end = _END.search(text, read)
            at = end.end() if end else len(text)
            if rest := text[read:at].strip(",; \t\r\n"):
                yield _unquoted(found[1]), found[2], [], rest


def _unquoted(name: str) -> str:
    return re.sub(r"[`\"\[\]]", "", name).strip()


def _literal(said: str | None, bare: str | None, *, escapes: bool) -> JsonValue:
    if said is not None:
        text = said.replace("''", "'")
        return unescaped(text) if escapes else text
    word = (bare or "").lower()
    if word in ("null", "true", "false"):
        return {"null": None, "true": True, "false": False}[word]
    try:
        return int(word) if re.fullmatch(r"[-+]?\d+", word) else float(word)
    except ValueError:
        return bare


# -- XML


def xml_tree(text: str) -> JsonValue | FormatError:
    """A document of XML as objects: attributes and what stands below as fields, the text as "text".

    What is there several times below another is a list; several such are one list, "items", in their order.
    """
    if "<!ENTITY" in text:
        return FormatError("XML with entities of its own, which are not read")
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 - without entities
    except ElementTree.ParseError as error:
        return FormatError(f"not valid XML: {error}")
    listed: dict[str, set[str]] = {}
    for element in root.iter():
        counts = Counter(child.tag for child in element)
        listed.setdefault(element.tag, set()).update(tag for tag, count in counts.items() if count > 1)
    try:
        return _of_element(root, listed)
    except RecursionError:
        return FormatError("nested too deep")


def _of_element(element: ElementTree.Element, listed: dict[str, set[str]]) -> JsonValue:
    tails = "".join(child.tail or "" for child in element)
    said = ((element.text or "") + tails).strip()
    whole = "".join(element.itertext()).strip() if tails.strip() else ""
    if whole and 3 * len(said) >= len(whole):  # a text with marks in it
        return {**element.attrib, "text": whole} if element.attrib else whole
    several = listed[element.tag]
    row: Row = {}
    for child in element:
        held = _of_element(child, listed)
        if len(several) > 1 and child.tag in several:
            items = row.setdefault("items", [])
            held = {"tag": child.tag, **(held if isinstance(held, dict) else {"text": held})}
        elif child.tag in several:
            items = row.setdefault(child.tag, [])
        else:
            row[child.tag] = held
            continue
        if isinstance(items, list):
            items.append(held)
    row = {**element.attrib, **row}
    if not row and not several:
        return said
    return {**row, "text": said} if said else row
