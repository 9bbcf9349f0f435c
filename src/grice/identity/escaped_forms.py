"""All the ways in which a text stands in another one: escaped as JSON, in an address, or in a repr."""

from __future__ import annotations

import re
import string

_PLAIN = frozenset(string.ascii_letters + string.digits + "-._~")
"""What nothing escapes."""
_BLANKS = r"(?:\s|\+|%(?:20|0[9A-Da-d])|\\+(?:[fnrtv]|u0020|(?:u00|x)[01][0-9A-Fa-f]))+"


def any_form(text: str) -> str:
    """A pattern for a text in all the ways in which it is escaped. White space may have been folded.

    The text has something besides white space.
    """
    first, *others = (re.findall(r"\\+|[^\\]", word) for word in text.split())
    begin = _any_form_of(first[0], r"(?<!\\)")  # a run of backslashes is tried once, not from each of them
    words = [first[1:], *others]
    return begin + _BLANKS.join("".join(map(_any_form_of, word)) for word in words)


def _any_form_of(part: str, before: str = "") -> str:
    """A pattern for one character, or for a run of backslashes, of which escaping makes more.

    `before` is what must stand before backslashes.
    """
    character = part[0]
    if character in _PLAIN:
        return re.escape(character)
    units = character.encode("utf-16-be", "surrogatepass").hex()
    octets = character.encode("utf-8", "surrogatepass").hex()
    forms = [
        before + (r"\\++" if character == "\\" else rf"\\*+{re.escape(character)}"),
        before + "".join(rf"\\++u(?i:{units[at : at + 4]})" for at in range(0, len(units), 4)),
        rf"{before}\\++(?:x(?i:{ord(character):02x})|U(?i:{ord(character):08x}))",
        "".join(f"%(?i:{octets[at : at + 2]})" for at in range(0, len(octets), 2)),
    ]
    if character == "\\":
        forms[1:] = [f"(?:{form}){{{len(part)}}}" for form in forms[1:]]
    return f"(?:{'|'.join(forms)})"
