"""Taking secrets out of what is said of a subject, and out of records that are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TypeVar

import msgspec

from grice.identity import Redaction
from grice.identity.redacted_json import holds_secrets, redacted_json
from grice.identity.secret_names import kind_of
from grice.matching.context import record_of
from grice.matching.plain import plain_json
from grice.records import Evidence, Reply, Verdict
from grice.records.codec import encode

T = TypeVar("T")
_PLAIN = (str, int, float, bool, type(None), msgspec.Struct)
_NAMES = re.compile(r"[\w -]+")


def redacted_record(record: T, kind: type[T]) -> T:
    """The record of that kind as it is written to a journal, without secrets."""
    try:
        encoded = encode(record)
    except (TypeError, ValueError, RecursionError):  # somebody made it of what is no JSON
        return record
    clean = redacted_json(encoded)
    return record if clean is encoded else msgspec.json.decode(clean, type=kind)


def redaction_of(*seen: object) -> Redaction:
    """What takes out of texts the secrets of what was `seen`: values, replies, records. Never raises."""
    redaction = Redaction()
    for one in seen:
        with suppress(Exception):  # somebody's object, or one that holds itself
            if isinstance(one, (str, dict, list, tuple)):
                redaction.learn(one)
            elif may_need_redaction(record := _record(one)):
                redaction.learn(plain_json(record))
    return redaction


def _record(one: object) -> object:
    return one.turn if isinstance(one, Reply) else record_of(one) or one


def may_need_redaction(record: object) -> bool:
    """Whether there is anything to learn from a record, or to hide in it.

    Its JSON text says so long before all its values.
    """
    try:
        return holds_secrets(encode(record))
    except (TypeError, ValueError, RecursionError):  # somebody made it of what is no JSON
        return True


def at_place(place: str, *values: object) -> dict[str, object]:
    """Values as they stand at a JSON path, for what is `seen`: under its first secret name, or its last."""
    names = _NAMES.findall(place) or [""]
    return {next((one for one in names if kind_of(one) is not None), names[-1]): list(values)}


def without_secrets(answer: Verdict, *seen: object) -> Verdict:
    """The answer of a matcher with reasons and evidence that repeat no secret of what was `seen`."""
    with suppress(LookupError):  # a reply to a turn that is not there
        held = [dict(one) if isinstance(one, Mapping) else _record(one) for one in seen]
        if all(map(_is_shallow, held)) and not may_need_redaction([answer, held]):
            return answer
    return _clean(answer, redaction_of(*seen))


def _is_shallow(value: object) -> bool:
    """Whether its JSON is no longer than a value: of one that shares parts it may be without end."""
    if isinstance(value, dict | list | tuple):
        items: Iterable[object] = value.values() if isinstance(value, dict) else value
        return all(isinstance(item, _PLAIN) for item in items)
    return isinstance(value, _PLAIN)


def _clean(answer: Verdict, redaction: Redaction) -> Verdict:
    reason = redaction.text(answer.reason, quoted=True)
    evidence = tuple([_clean_evidence(one, redaction) for one in answer.evidence])
    parts = tuple([_clean(one, redaction) for one in answer.parts])
    if reason == answer.reason and evidence == answer.evidence and parts == answer.parts:
        return answer
    return msgspec.structs.replace(answer, reason=reason, evidence=evidence, parts=parts)


def _clean_evidence(evidence: Evidence, redaction: Redaction) -> Evidence:
    quote, note = (redaction.text(text, quoted=True) for text in (evidence.quote, evidence.note))
    return msgspec.structs.replace(evidence, quote=quote, note=note)
