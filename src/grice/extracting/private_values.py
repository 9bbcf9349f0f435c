"""What of a conversation should not be committed: secrets, names, addresses and ids, found by rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

import msgspec

from grice.identity.secret_hints import lower, may_hold_secrets
from grice.identity.secret_names import kind_of
from grice.identity.secret_search import without_shapes
from grice.records import JsonValue

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_PHONE = re.compile(r"(?<![\w.,+-])\+?\(?\d[\d ().-]{7,18}\d(?![\w-]|[.,]\d)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}")
_TIME = re.compile(r"\d{1,2}(?::\d{2}){1,2}")
_HOST = re.compile(
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\.?\w)"
    r"|(?<![\w:])(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}(?![\w:])"
    r"|(?<![\w:])(?:[0-9a-fA-F]{1,4}:){2,7}(?:(?::[0-9a-fA-F]{1,4}){1,6}|[0-9a-fA-F]{1,4}|:)(?![\w:])"
)
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ][\w'’.-]{1,30}"
_STREET_KINDS = (
    "Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Way|Court|Ct|Place|Pl|Close|Crescent|Square|Sq|"
    "Terrace|Gardens|Grove|Mews|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Row|Walk|Trail|Turnpike|Path|Loop|Alley"
)
_TOWN = rf"(?:, ?(?:\d{{4,6}} )?{_CAPITAL}(?: {_CAPITAL})?)?"
_OF = "(?:(?:de|du|des|della?|di|dos?|da|la|le|les|los|las|l['’]) ?){0,2}"
_STREET = re.compile(
    rf"(?<!\w)(?:(?:Flat|Apt\.?|Unit|Suite) \w{{1,5}},? )?\d{{1,5}}[A-Za-z]? (?:{_CAPITAL} ){{1,3}}"
    rf"(?:{_STREET_KINDS})\b\.?(?: (?:Apt\.?|Suite|Unit|Flat) \w{{1,5}})?"
    r"|(?<!\w)P\.? ?O\.? Box \d{1,7}"
    rf"|(?<!\w)[^\W\d_a-zß-öø-ÿ][\w-]{{1,30}}?(?:straße|strasse|str\.|weg|gasse|allee|platz|ring|ufer|straat|laan|singel|plein|kade|gade|gatan|vägen|torget) \d{{1,4}}"
    rf"[a-z]?{_TOWN}"
    rf"|(?<!\w)\d{{1,4}}(?: bis| ter)?,? (?:rue|avenue|boulevard|chemin) {_OF}{_CAPITAL}(?: {_CAPITAL}){{0,2}}{_TOWN}"
    rf"|(?<!\w)(?:[Cc]alle|[Aa]venida|[Pp]laza|[Pp]aseo|[Vv]iale?|[Pp]iazza|[Cc]amino|[Pp]asaje|[Rr]ua|[Uu]lica|ul\.) {_OF}{_CAPITAL}"
    rf"(?: {_CAPITAL}){{0,2}},? \d{{1,4}}{_TOWN}"
)
_PLACED = re.compile(
    r"\b(?:[Ll]ives? at|[Mm]ove[ds]? (?:from|to)|[Aa]ddress(?: on file)?(?: is|:)|"
    r"(?:[Ss]hip|[Ss]end|[Dd]eliver|[Mm]ail|[Pp]ost)(?:ed|s)?(?: it| them| this)? to:?|[Aa]rrives? at) +"
    rf"((?:(?:{_CAPITAL}|\d+\w?|[Aa]pt\.|de|la|du),? ?){{2,8}})"
)
_CODED = re.compile(
    r"\b(?:[Pp]late|[Rr]egistration|[Cc]ar|VIN|[Vv]ehicle|[Pp]assport|[Ll]icen[cs]e|[Cc]ode|[Nn]umber|[Rr]eference|"
    r"[Bb]ooking|[Rr]eservation|[Oo]rder|[Tt]icket|DNI|ID)(?: (?:number|no\.?|is))*:? "
    r"([A-Z0-9]+(?:[ -][A-Z0-9]+){0,3})(?![\w-])"
)
_USER_NAMED = re.compile(
    r"\b(?:[Uu]ser ?name|[Uu]ser ?id|[Hh]andle|[Ll]ogin(?: name)?)(?: is|:| =|=) *@?([\w.-]{3,40}\w)"
    r"|\blog(?:ged)? in as @?([\w.-]{3,40}\w)|\b[Uu]ser: ?@?([\w.-]{3,40}\w)|(?<![\w.@])@(\w[\w.-]{2,40}\w)"
)
_USER_FIELDS = frozenset("user_id userid username user_name login handle screen_name".split())
_TOKEN = re.compile(r"(?<![\w.-])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*(?![\w-])")
_GROUPED = re.compile(
    r"(?<!\w)(?:[A-Z]{2,6}(?:/\d{2,8}){1,3}"  # INV/2024/00123
    r"|[A-Z]{2}(?: ?\d{2}){3} ?[A-Z]"  # an insurance number
    r"|[A-Z]{2}\d{2} [A-Z]{3}|[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} \d{1,4}|[A-Z]{3}[ -]\d{3,4}|[A-Z]{2}-\d{3}-[A-Z]{2})"  # plates
    r"(?!\w)"
)
_WITH_PREFIX = re.compile(r"[a-z]{2,6}_[A-Za-z0-9]{10,}")
_MEASURE = re.compile(r"\d{1,6}[A-Za-z]{1,8}|(?:v\d+)|[A-Za-z]+-\d{1,3}|\d+-[A-Za-z-]+")
_LONG_NUMBER = re.compile(r"(?<![\w.,-])\d{7,19}(?![\w-]|[.,]\d)")

_PARTICLES = "van|von|der|den|de|del|della|di|da|do|dos|du|la|le|ten|ter|el|al|bin|ibn|y|zu"
_NAME = rf"{_CAPITAL}(?:(?: (?:{_PARTICLES})){{0,2}} {_CAPITAL}){{0,3}}"
_FAMILY = "wife|husband|partner|son|daughter|mother|father|mum|mom|dad|brother|sister|friend|colleague|boss|manager"
_ROLE = "passenger|customer|guest|client|patient|user|member|employee|agent|contact|owner|holder"
_ANNOUNCED = re.compile(
    r"(?:\b[Mm]y (?:full |first |last )?name is|\b[Nn]ame(?:'s|:)|\b[Tt]his is|\bI(?:'m|’m| am)|\b[Cc]all (?:me|her|him)|"
    r"\b(?:Mr|Mrs|Ms|Mx|Dr|Prof|Sr|Sra)\b\.?|\b(?:Miss|Herr|Frau|Mme|[Mm]adame|[Mm]onsieur|[Ss]eñora?|[Ss]ignora?|[Mm]evrouw)|"
    r"\b(?:Hi|Hello|Hey|Dear|Thanks|Thank you|Hallo|Hola|Bonjour|Ciao|Liebe[r]?|Estimad[oa]),?|"
    r"\b[Ii]ch (?:heiße|heisse|bin)|\b[Mm]ein Name ist|\b[Mm]e llamo|\b[Mm]i nombre es|\b[Ss]oy|\b[Jj]e m['’]appelle|"
    r"\b[Jj]e suis|\b[Mm]on nom est|\b[Mm]i chiamo|\b[Ii]l mio nome è|\b[Ss]ono|\b[Ii]k (?:ben|heet)|\b[Mm]ijn naam is|"
    r"\b(?:[Oo] )?[Mm]eu nome é|\b[Ee]u sou|\b[Jj]ag heter|\b[Nn]azywam się|"
    r"\b(?:under|in the name of|on behalf of|belongs to|registered to|signed by|[Ss]poke (?:with|to)|addressed to)|"
    r"\b(?:[Rr]egards|[Ss]incerely|[Cc]heers|[Bb]est|[Gg]rüßen|[Gg]ruß|[Ss]aludos|[Cc]ordialement|[Yy]ours),?|"
    rf"\b(?:{_FAMILY}),?(?: is| named| called|:)?|\b(?:{_ROLE})(?: is| named| called|:))"
    rf"(?: +|\s*\n)({_NAME})"
)
_OF_PLACES = frozenset("San Santa Saint St. Sankt São Los Las New Lake Fort Port Mount".split())
_CAPITALS = re.compile(_NAME)
_WORDS = (
    "a afraid and assistant bye certainly dear everyone for from good goodbye great hello here hi how i "
    "i'd i'll i'm i've i'd could would can may if in is it let maybe no not of okay ok please sir sorry sure thank thanks that the "
    "there this to madam we welcome well what when where which who why yes you your the an monday "
    "tuesday wednesday thursday friday saturday sunday january february march july september october "
    "november december looking trying calling writing going having just also very glad happy so still "
    "unable "
)
NO_NAMES = frozenset(_WORDS.split())
"""Words with a capital that begin a sentence, or stand where a name may."""
_PERSON_FIELDS = re.compile(
    r"(?:first|last|full|middle|given|family|maiden|user|customer|passenger|guest|contact|patient|person|account|"
    r"agent|employee|client|owner|member|holder|sender|recipient|billing|shipping|display|real|legal)_?names?"
    r"|surname|passengers?|traveller|traveler|customer|guest|client|patient|contact|(?:account_?|card_?)?holder|owner|"
    r"assignee|author|sender|recipient|attendees?|employee|signed_by|created_by|requested_by|"
    r"kunde|kundin|vorname|nachname|ansprechpartner|inhaber|titular|cliente|nombre|apellidos?|nom|prenom|prénom|"
    r"nome|cognome|naam|voornaam|achternaam"
)
_ADDRESS_FIELDS = re.compile(
    r"(?:.*_)?(?:address(?:_?line)?_?\d?|street\d?|zip|zip_?code|postal_?code|postcode|adresse|direccion|indirizzo)"
    r"|line[12]|(?:deliver|ship|send)_to"
)
_ID_FIELDS = re.compile(
    r"(?:.*_)?(?:u?ids?|uuid|guid|account|iban|ssn|number|reference|ref|plate|registration|vin|imei|mac|ip)|.*[a-z]Id"
)
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


def _is_id(field: str) -> bool:
    return field not in _CALL_FIELDS and _ID_FIELDS.fullmatch(field) is not None


def _of_field(value: str, field: str) -> Iterator[tuple[str, str]]:
    if not value.strip() or len(value) > 200:
        return
    folded = field.lower()
    if (kind := kind_of(field)) is not None:
        yield value, f"secret {kind}"
    elif _PERSON_FIELDS.fullmatch(folded):
        for part in value.split():
            if part[:1].isalpha():
                yield part.strip(".,\"'"), "name"
    elif _ADDRESS_FIELDS.fullmatch(folded):
        yield value, "address"
    elif folded in _USER_FIELDS and " " not in value:
        yield value, "id"
    elif _is_id(field) and _has_digit(value) and not _DATE.search(value):
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
        if words[0] in _OF_PLACES:
            continue
        for place, word in enumerate(words):
            if _bare(word) in _given_names():
                yield from _parts(words[place:])
                break


def _parts(words: list[str]) -> Iterator[tuple[str, str]]:
    """The words of a name, up to one that ends a sentence or is none."""
    for word in words:
        bare = _bare(word)
        if bare in _PARTICLES.split("|"):
            continue
        if bare.casefold().replace("’", "'") in NO_NAMES or (bare.isupper() and len(bare) < 4):
            return
        yield bare, "name"
        if word.endswith((".", "'s", "’s")) and len(bare) > 2:
            return


def _bare(word: str) -> str:
    return word.rstrip(".").removesuffix("'s").removesuffix("’s").rstrip("'’-.")


@cache
def _given_names() -> frozenset[str]:
    """Given names that are no common word of English besides."""
    return frozenset((files("grice.extracting") / "given_names.txt").read_text(encoding="utf-8").split())


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
