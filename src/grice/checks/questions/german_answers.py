"""What values of slots look like in German messages."""

from __future__ import annotations

import re

from grice.checks.questions.answer_patterns import Patterns

__all__ = ["PATTERNS"]

_COUNT = (
    r"(?:\d{1,3}|ein|eine|einen|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|"
    r"ein paar|ein dutzend)"
)
_PEOPLE = (
    r"(?:personen|person|leute|gäste|gästen|erwachsene[nr]?|kinder[n]?|passagiere[n]?|reisende[nr]?|teilnehmer[n]?|"
    r"freunde[n]?|plätze)"
)
_PLACE = r"(?:der\s+|die\s+|den\s+)?(?P<a>[A-ZÄÖÜ][\w.'-]+(?: (?:am |an der |im )?[A-ZÄÖÜ][\w.'-]+){0,2})"
_TIMES = r"(?:nächte?n?|tage?n?|wochen?|stunden?|monate?n?|minuten?|jahre?n?)"
_MONTHS = r"(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)"

PATTERNS = Patterns(
    count_word=re.compile(_COUNT, re.IGNORECASE),
    people=re.compile(
        rf"\b{_COUNT}\s+(?:\w+\s+)?{_PEOPLE}\b|\bzu (?:zweit|dritt|viert|fünft|sechst|siebt|acht)\b"
        rf"|\bwir (?:sind|wären|kommen|reisen)\s+(?:zu\s+|insgesamt\s+)?{_COUNT}\b"
        r"|\b(?:nur|bloß) (?:ich|für mich|wir beide)\b|\b(?:alleine?|wir beide)\b"
        rf"|\b(?:familie|gruppe|tisch)\s+(?:mit|von|für)\s+{_COUNT}\b",
        re.IGNORECASE,
    ),
    day=re.compile(
        r"\b(?:heute|übermorgen|sofort|schnellstmöglich|so bald wie möglich|so schnell wie möglich)\b"
        r"|(?<!guten )(?<!am )(?<!jeden )\bmorgen\b"
        rf"|\b\d{{1,2}}\.(?:\s*{_MONTHS}\b|\s*(?:0?[1-9]|1[0-2])\.(?!\d))",
        re.IGNORECASE,
    ),
    clock=re.compile(
        r"\b\d{1,2}(?:[:.]\d{2})?\s*uhr\b|\b(?:gegen|um)?\s*(?:mittags?|mitternacht)\b"
        rf"|\b(?:halb|viertel (?:vor|nach)|dreiviertel|kurz (?:vor|nach))\s+{_COUNT}\b",
        re.IGNORECASE,
    ),
    bare_clock=re.compile(rf"\b(?:um|gegen|ab)\s+{_COUNT}\b|\A\s*\d{{1,2}}\s*\.?\s*\Z", re.IGNORECASE),
    size=re.compile(
        r"\b\w{0,20}gr(?:öße|össe)\s+(?:ist\s+)?(?:die\s+)?(?:us|uk|eu)?\s*"
        r"(?:\d{1,3}(?:[.,]\d)?|[smlx]{1,3}|small|medium|large)\b"
        r"|\b(?:us|uk|eu)\s*\d{1,2}(?:[.,]5)?\b|\b\d{1,3}(?:[.,]\d)?\s*cm\b"
        r"|\b(?:trage|habe|nehme|brauche)\s+(?:meist\s+|normalerweise\s+|immer\s+)?(?:eine\s+)?(?:\d{2}(?:[.,]5)?|[sml]|x+[sl])\b(?!\s*\w)",
        re.IGNORECASE,
    ),
    number=re.compile(
        rf"(?<![\w$\u20ac\u00a3.])(?:\d{{1,6}}(?:[.,]\d{{1,3}})*(?:[gtm]b|kg|[cm]m)?|{_COUNT})\b(?!-)",
        re.IGNORECASE,
    ),
    length=re.compile(rf"\b{_COUNT}\s*-?\s*(?:weitere\s+|volle\s+)?{_TIMES}\b", re.IGNORECASE),
    for_length=re.compile(
        rf"\b{_COUNT}\s*nächten?\b|\b{_COUNT}\s*übernachtungen\b|\bfür\s+{_COUNT}\s*{_TIMES}\b", re.IGNORECASE
    ),
    address=re.compile(
        r"\b[\w-]{2,30}(?:straße|strasse|str\.|weg|gasse|platz|allee|ring|ufer|damm|chaussee)\s+\d{1,4}\s?[a-z]?\b",
        re.IGNORECASE,
    ),
    called=re.compile(
        r"\b(?:(?:mein )?name ist|ich heiße|ich heisse|nennen sie mich|auf den namen|unter dem namen|auf)\s+"
        r"(?P<a>(?-i:[A-ZÄÖÜ][\w'-]*(?: [A-ZÄÖÜ][\w'-]*){0,3}))(?=[\s.,!?]*(?:$|[.,!?]|und\b))",
        re.IGNORECASE,
    ),
    i_am=re.compile(
        r"\b(?:[Ii]ch bin(?: der| die)?|[Hh]ier ist|[Hh]ier spricht)\s+"
        r"(?P<a>[A-ZÄÖÜ][a-zäöüß'-]+(?: [A-ZÄÖÜ][\w'-]*){0,2})"
        r"(?=[.,!?]|$)"
    ),
    aged=re.compile(r"\bich bin \d{1,2}(?=\s+(?:und|jahre|aber)\b|[.,;!]|$)", re.IGNORECASE),
    counted=re.compile(
        rf"\b(?:brauche|brauchen|möchte|möchten|nehme|nehmen|kaufe|bestelle|bestellen|hätte gern|hätte gerne|"
        rf"benötige|benötigen|suche)\s+(?:etwa\s+|ungefähr\s+)?(?!ein)(?:{_COUNT})\s+"
        r"(?:[a-zäöü]+\s+)?(?-i:[A-ZÄÖÜ])[\wäöüß]{2,}",
        re.IGNORECASE,
    ),
    place=_PLACE,
    prepositions={"in": "wohne in|lebe in|wohnen in|leben in|komme aus", "from": "von|ab|aus", "to": "nach"},
    lower={
        "from": re.compile(r"\b(?:von|ab) (?P<a>[a-zäöüß]{3,}) nach [a-zäöüß]{3,}"),
        "to": re.compile(
            r"\b(?:(?:von|ab) [a-zäöüß]{3,}|flug|flüge|zug|ticket|reise|fahrt|fliegen|fahren) nach "
            r"(?!hause\b)(?P<a>[a-zäöüß]{3,})"
        ),
    },
    pair=None,
    back=re.compile(r"zurück|rück|bis|abreise|heim"),
    until=re.compile(r"\W*(?:bis(?: zum)?|-)?\W*"),
    joint=re.compile(r"\s*(?:,|/|\boder\b|\bund\b|,\s*oder\b)\s*(?:(?:vielleicht|auch|ein|eine|in)\s+){0,2}"),
    ends=re.compile(r"\s*(?:[.,;!]|$|maximal\b|höchstens\b|bitte\b)"),
    clauses=re.compile(r"(?:(?!\b(?:aber|und|während)\b)[^,;])+|.", re.IGNORECASE | re.DOTALL),
    own_number=re.compile(r"\bmeine (?:nummer|handynummer)(?:\s+ist|\s+lautet)?\W*$", re.IGNORECASE),
)
