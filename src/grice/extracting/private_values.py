"""What of a conversation should not be committed: secrets, names, addresses and ids, found by rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files

import msgspec

from grice.identity.secret_hints import lower, may_hold_secrets
from grice.identity.secret_names import kind_of
from grice.identity.secret_search import without_shapes
from grice.records import JsonValue

_WORDS: dict[str, list[str]] = msgspec.json.decode(
    (files("grice.extracting") / "private_words.json").read_bytes(), type=dict[str, list[str]]
)


def _any(key: str) -> str:
    """A pattern for the words of the vocabulary, which may begin a sentence."""
    return "|".join(
        f"[{one[0]}{one[0].upper()}]{re.escape(one[1:])}" if one[0].islower() else re.escape(one)
        for one in sorted(_WORDS[key], key=len, reverse=True)
    )


_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_PHONE = re.compile(r"(?<![\w.,+-])\+?\(?\d[\d ().-]{7,18}\d(?![\w-]|[.,]\d)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}")
_TIME = re.compile(r"\d{1,2}(?::\d{2}){1,2}")
_HOST = re.compile(
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\.?\w)"
    r"|(?<![\w:])(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}(?![\w:])"
    r"|(?<![\w:])(?:[0-9a-fA-F]{1,4}:){2,7}(?:(?::[0-9a-fA-F]{1,4}){1,6}|[0-9a-fA-F]{1,4}|:)(?![\w:])"
)
_TOKEN = re.compile(r"(?<![\w.-])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*(?![\w-])")
_WITH_PREFIX = re.compile(r"[a-z]{2,6}_[A-Za-z0-9]{10,}")
_MEASURE = re.compile(r"\d{1,6}[A-Za-z]{1,8}|(?:v\d+)|[A-Za-z]+-\d{1,3}|\d+-[A-Za-z-]+")
_LONG_NUMBER = re.compile(r"(?<![\w.,-])\d{7,19}(?![\w-]|[.,]\d)")
_GROUPED = re.compile(
    r"(?<!\w)(?:[A-Z]{2,6}(?:/\d{2,8}){1,3}"  # INV/2024/00123
    r"|[A-Z]{2}(?: ?\d{2}){3} ?[A-Z]"  # an insurance number
    r"|[A-Z]{2}\d{2} [A-Z]{3}|[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} \d{1,4}"  # plates
    r"|[A-Z]{3}[ -]\d{3,4}|[A-Z]{2}-\d{3}-[A-Z]{2})(?!\w)"
)
_CODED = re.compile(
    rf"\b(?:{_any('coded')})(?: (?:number|no\.?|is))*:? ([A-Z0-9]+(?:[ -][A-Z0-9]+){{0,3}})(?![\w-])"
)
_USER_NAMED = re.compile(
    rf"\b(?:{_any('user_named')})(?: is|:| =|=) *@?([\w.-]{{3,40}}\w)"
    r"|\blog(?:ged)? in as @?([\w.-]{3,40}\w)|\b[Uu]ser: ?@?([\w.-]{3,40}\w)|(?<![\w.@])@(\w[\w.-]{2,40}\w)"
)

_CAPITAL = r"[^\W\d_a-zß-öø-ÿ][\w'’.-]{1,30}"
_PARTICLES = frozenset(_WORDS["particles"])
_NAME = rf"{_CAPITAL}(?:(?: (?:{'|'.join(_PARTICLES)})){{0,2}} {_CAPITAL}){{0,3}}"
_CAPITALS = re.compile(_NAME)
_SAID = r"(?: is| named| called|:)"
_ANNOUNCED = re.compile(
    rf"(?:\b(?:{_any('announced')})|\b(?:{_any('titles')})\b\.?|\b(?:{_any('greetings')}),?"
    rf"|\b(?:{_any('family')}),?{_SAID}?|\b(?:{_any('roles')}){_SAID})(?: +|\s*\n)({_NAME})"
)
NO_NAMES = frozenset(_WORDS["no_names"])
_BEFORE_PLACES = frozenset(_WORDS["before_places"])
_GIVEN_NAMES = frozenset(_WORDS["given_names"])
"""Given names that are no common word of English besides."""

_OF = r"(?:(?:de|du|des|della?|di|dos?|da|la|le|les|los|las|l['’]) ?){0,2}"
_TOWN = rf"(?:, ?(?:\d{{4,6}} )?{_CAPITAL}(?: {_CAPITAL})?)?"
_FLAT = r"(?:Flat|Apt\.?|Unit|Suite) \w{1,5}"
_STREET = re.compile(
    rf"(?<!\w)(?:{_FLAT},? )?\d{{1,5}}[A-Za-z]? (?:{_CAPITAL} ){{1,3}}(?:{_any('streets')})\b\.?(?: {_FLAT})?"
    r"|(?<!\w)P\.? ?O\.? Box \d{1,7}"
    rf"|(?<!\w)[^\W\d_a-zß-öø-ÿ][\w-]{{1,30}}?(?:{_any('street_endings')}) \d{{1,4}}[a-z]?{_TOWN}"
    rf"|(?<!\w)\d{{1,4}}(?: bis| ter)?,? (?:{_any('numbered_streets')}) {_OF}{_CAPITAL}(?: {_CAPITAL}){{0,2}}"
    rf"{_TOWN}"
    rf"|(?<!\w)(?:{_any('streets_numbered')}) {_OF}{_CAPITAL}(?: {_CAPITAL}){{0,2}},? \d{{1,4}}{_TOWN}"
)
_PLACED = re.compile(rf"\b(?:{_any('placed')}) +((?:(?:{_CAPITAL}|\d+\w?|[Aa]pt\.|de|la|du),? ?){{2,8}})")

_PERSON_FIELDS = re.compile(
    rf"(?:{'|'.join(_WORDS['whose_name'])})_?names?|{'|'.join(_WORDS['person_fields'])}"
)
_ADDRESS_FIELDS = re.compile(
    r"(?:.*_)?(?:address(?:_?line)?_?\d?|street\d?|zip|zip_?code|postal_?code|postcode|adresse|direccion|indirizzo)"
    r"|line[12]|(?:deliver|ship|send)_to"
)
_ID_FIELDS = re.compile(
    r"(?:.*_)?(?:u?ids?|uuid|guid|account|iban|ssn|number|reference|ref|plate|registration|vin|imei|mac|ip)"
    r"|.*[a-z]Id"
)
_USER_FIELDS = frozenset(_WORDS["user_fields"])
_CALL_FIELDS = frozenset({"tool_call_id", "call_id"})


def private_values(value: JsonValue, field: str = "") -> Iterator[tuple[str, str]]:
    """The values to be replaced, each with its kind; the JSON that stands in texts is looked into."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            is_persons = name == "name" and _PERSON_FIELDS.fullmatch(field.lower())
            yield from private_values(item, field if is_persons else str(name))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from private_values(item, field)
    elif isinstance(value, str):
        yield from _of_field(value, field)
        yield from _of_text(value)
        if value[:1] in ("{", "["):
            try:
                inner = msgspec.json.decode(value)
            except (ValueError, RecursionError):
                return
            yield from private_values(inner)
    elif isinstance(value, int) and not isinstance(value, bool) and _is_id(field) and value >= 1000:
        yield str(value), "id"


def private_name(name: str) -> tuple[str, str] | None:
    """The name of a field and its kind where it is a value too, as the address of somebody looked up."""
    digits = sum(map(str.isdecimal, name))
    kinds = (kind for one, kind in _of_text(name) if one == name)
    return next(((name, kind) for kind in kinds if kind in ("email", "phone") or digits > 3), None)


def _is_id(field: str) -> bool:
    return field not in _CALL_FIELDS and _ID_FIELDS.fullmatch(field) is not None


def _of_field(value: str, field: str) -> Iterator[tuple[str, str]]:
    if not value.strip() or len(value) > 200:
        return
    folded = field.lower()
    is_user = folded in _USER_FIELDS and " " not in value
    if (kind := kind_of(field)) is not None:
        yield value, f"secret {kind}"
    elif _PERSON_FIELDS.fullmatch(folded):
        for part in value.split():
            if part[:1].isalpha():
                yield part.strip(".,\"'"), "name"
    elif _ADDRESS_FIELDS.fullmatch(folded):
        yield value, "address"
    elif is_user or (_is_id(field) and _has_digit(value) and not _DATE.search(value)):
        yield value, "id"


def _of_text(text: str) -> Iterator[tuple[str, str]]:
    if may_hold_secrets(lower(text)):
        hidden: list[tuple[str, str]] = []

        def hide(secret: str, kind: str) -> str:
            hidden.append((secret, f"secret {kind}"))
            return "[hidden]"

        without_shapes(text, hide)
        yield from hidden
    yield from ((one[0], "email") for one in _EMAIL.finditer(text))
    yield from ((one[0], "address") for one in _HOST.finditer(text) if not _TIME.fullmatch(one[0]))
    yield from ((one[0], "address") for one in _STREET.finditer(text))
    for one in _PHONE.finditer(text):
        if sum(map(str.isdecimal, one[0])) >= 9 and not _DATE.search(one[0]):
            yield one[0], "phone"
    yield from ((one[1].strip(" ,"), "address") for one in _PLACED.finditer(text) if _has_digit(one[1]))
    yield from ((one[1], "id") for one in _CODED.finditer(text) if len(one[1]) > 4 and _has_digit(one[1]))
    yield from ((one[one.lastindex or 0], "id") for one in _USER_NAMED.finditer(text))
    yield from ((one[0], "id") for one in _LONG_NUMBER.finditer(text))
    yield from ((one[0], "id") for one in _GROUPED.finditer(text))
    for one in _TOKEN.finditer(text):
        if _looks_like_id(one[0]):
            yield one[0], "id"
    yield from _names_in_text(text)


def _has_digit(text: str) -> bool:
    return any(map(str.isdecimal, text))


def _names_in_text(text: str) -> Iterator[tuple[str, str]]:
    for found in _ANNOUNCED.finditer(text):
        yield from _parts(found[1].split())
    for found in _CAPITALS.finditer(text):
        words = found[0].split()
        if words[0] in _BEFORE_PLACES:
            continue
        for place, word in enumerate(words):
            if _bare(word) in _GIVEN_NAMES:
                yield from _parts(words[place:])
                break


def _parts(words: list[str]) -> Iterator[tuple[str, str]]:
    """The words of a name, up to one that ends a sentence or is none."""
    for word in words:
        bare = _bare(word)
        if bare in _PARTICLES:
            continue
        if bare.casefold().replace("’", "'") in NO_NAMES or (bare.isupper() and len(bare) < 4):
            return
        yield bare, "name"
        if word.endswith((".", "'s", "’s")) and len(bare) > 2:
            return


def _bare(word: str) -> str:
    return word.rstrip(".").removesuffix("'s").removesuffix("’s").rstrip("'’-.")


def _looks_like_id(token: str) -> bool:
    """Whether the token mixes letters and digits as an id does, and no measure, version or date."""
    digits = sum(map(str.isdecimal, token))
    letters = sum(map(str.isalpha, token))
    return (
        len(token) >= 5
        and digits >= (1 if _WITH_PREFIX.fullmatch(token) else 2)
        and letters >= 1
        and not _MEASURE.fullmatch(token)
        and not _DATE.match(token)
    )
