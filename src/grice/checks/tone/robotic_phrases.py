"""Robotic phrases by language: families of wording, each a pattern on prose with straight apostrophes.

Every pattern is searched without regard to case and is linear: what repeats in it is bounded.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FAMILIES", "SEED_PHRASES", "Family"]

SEED_PHRASES = (
    "as an ai",
    "i am unable to",
    "i cannot",
    "i don't have access",
    "i'm just a",
    "as a language model",
)
"""The substrings that profile `seed` forbids in the lower-cased text."""


class Family(NamedTuple):
    """One kind of robotic phrase.

    `opens` says that the phrase begins a clause. `about_itself` marks what is an honest answer where the user
    asked whether they talk to a machine.
    """

    name: str
    pattern: str
    opens: bool = False
    about_itself: bool = False


_AI = (
    r"(?:a\.?i\.?|artificial intelligence|(?:chat|voice)?bot|large language model|language model|llm"
    r"|(?:virtual|digital|automated|ai|computer)[ -](?:assistant|agent|program|system|language model|model"
    r"|chatbot|bot))"
)
_MACHINE = rf"(?:{_AI}|machine|computer|(?:piece of )?software|(?:computer )?program|robot|assistant)"
_NO_PRODUCT = (
    r"(?![-\w])(?! (?:pc|laptop|camera|chip|phone|tool|feature|startup|company|gadget|course|book"
    r"|vacuum|researcher|engineer|specialist|expert|consultant|product|washer|mower|cleaner|operator"
    r"|upgrade)s?\b)"
)
_GENERIC = (
    r"(?:that|this|it|you(?:r (?:request|query|question|inquiry|issue|concern))?"
    r"|(?:this|that|the|such|these|those|any|your)(?: \w+)?"
    r" (?:request|quer(?:y|ies)|question|inquir(?:y|ies)|requests|questions|task|tasks|topic|topics"
    r"|matter|information|service|feature|action|functionality|details))"
)
_END = (
    r"(?=\s*(?:[.,;:!?)\u00a4\n-]|$|at (?:this|the) |right now|currently|directly|today|as |because "
    r"|but |and |here))"
)
_CANNOT = (
    r"(?:can ?not|can't|(?:am|'m|are|'re)(?: currently| sorry, but)? (?:unable|not able) to"
    r"|am not in a position to)"
)
_WHO = r"\b(?:i|we)(?: (?:currently|unfortunately|simply|also|really))? ?"
_INCONVENIENCE = (
    r"(?:any |the |all |this )?(?:possible |potential )?(?:inconveniences?|confusion|misunderstanding"
    r"|frustration)"
)

_ENGLISH = (
    Family(
        "speaks of itself as a machine",
        rf"(?:(?:speaking )?as|being) an? (?:[\w-]+ ){{0,3}}"
        rf"(?:{_AI}{_NO_PRODUCT}(?:(?: \w+){{0,4}},| i\b| my\b| we\b)|{_MACHINE}{_NO_PRODUCT},? (?:i"
        rf"|my)\b)",
        opens=True,
    ),
    Family(
        "speaks of itself as a machine",
        r"\bas an? (?:ai(?: language)?|(?:large )?language) model\b(?=[.,!]| i\b)",
    ),
    Family(
        "belittles itself as a machine",
        rf"\bi(?:'m| am) (?:just|only|merely|simply|but) an? (?:[\w-]+ ){{0,3}}{_MACHINE}{_NO_PRODUCT}",
        about_itself=True,
    ),
    Family(
        "speaks of itself as a machine",
        rf"\bi(?:'m| am) an? (?:[\w-]+ ){{0,3}}{_MACHINE}{_NO_PRODUCT}"
        r"(?:,| and| so| that| which| who|, which| trained| developed| created)[^.!?\n]{0,60}?"
        r"\b(?:can ?not|can't|don't|do not|not able|unable|trained|developed|lack|no (?:feelings"
        r"|opinions)|(?:may|might|can) (?:contain|make|produce|be wrong|not be))",
        about_itself=True,
    ),
    Family(
        "speaks of itself as a machine",
        r"\bi(?:'m| am) an? (?:[\w-]+ ){0,2}(?:large |ai )?language model\b",
        about_itself=True,
    ),
    Family(
        "speaks of its making",
        r"\b(?:i (?:was|am|have been|'m)|i'm)(?: only| not| just)? (?:trained (?:on|by|to|until|up)"
        r"|programmed (?:to|by|for|with))"
        r"|\bmy (?:programming|training data|training|knowledge cut-?off|knowledge base|last update"
        r"|pre-?training)"
        r"\b(?! (?:plan|session|course|schedule|shoes|partner))|\bmy knowledge (?:is limited|is based"
        r"|only|extends)",
        about_itself=True,
    ),
    Family(
        "speaks of its making",
        r"\b(?:as of|up to|until) my (?:last|latest|most recent|knowledge|current) (?:\w+ )?"
        r"(?:update|cut-?off|training|knowledge)\b|\baccording to my (?:knowledge|information|training"
        r"|data|database)\b"
        r"|\bbased on my (?:knowledge|training|programming|database)\b",
    ),
    Family(
        "cites what it was given",
        r"\b(?:based (?:up)?on|according to|as per|per|from|in) (?:the|all) "
        r"(?:(?:available|given|provided|supplied|retrieved) (?:data|information|context|details"
        r"|documents?|input|text|knowledge base|sources?)"
        r"|(?:data|information|context|documents?|input|text|sources?) "
        r"(?:(?:that (?:is|was|has been|i have been|i was) |i have been |i was )?(?:provided|given"
        r"|supplied|available|retrieved)))"
        r"(?: to me)?\b(?! (?:by|in|on|at|with|from|through|via|under|above|below)\b)"
        r"|\bthe (?:provided|given|supplied|retrieved) (?:context|documents?|excerpts?|passages?|text)\b"
        r"|\b(?:context|excerpts?|passages?|text) (?:provided|you (?:have )?provided) (?:does|do) not\b",
    ),
    Family(
        "canned inability",
        rf"{_WHO}{_CANNOT}(?: be able to)?(?: directly| currently| further)? "
        rf"(?:assist|help|answer|fulfil?l|complete|process|comply with|respond to|handle|provide|do"
        rf"|perform|discuss)"
        rf"(?: you)?(?: any further| further)?(?: with| on| to)? ?{_GENERIC}{_END}",
    ),
    Family(
        "canned inability",
        rf"{_WHO}{_CANNOT}(?: directly)? (?:provide (?:assistance|support"
        rf"|help)\b(?: any)?(?: further)?{_END}"
        rf"|assist(?: you)?(?: any)?(?: further)?(?: (?:with|in)\b|{_END}))",
    ),
    Family(
        "canned inability",
        rf"{_WHO}{_CANNOT}(?: \w+ly)? (?:provide|offer|give|share)(?: you)?(?: with)? (?:any |specific "
        rf"|personal(?:i[sz]ed)? )?"
        r"(?:(?:medical|legal|financial|tax|investment|professional|personal)(?:,? (?:or )?\w+){0,2}"
        r" (?:advice|opinions?|recommendations?)"
        r"|opinions?|real-?time (?:\w+ )?(?:data|information|updates?)|subjective \w+|assistance|any"
        r" (?:information|assistance))",
    ),
    Family(
        "canned inability",
        rf"{_WHO}(?:{_CANNOT} (?:directly )?(?:access|browse|search|retrieve|check|see)"
        r"|(?:do not|don't)(?: currently)? have(?: direct| any)? (?:access to|the (?:ability|capability"
        r"|capacity) to (?:access|browse|search)))"
        r" (?:any |your |the |current |live |to )?(?:real-?time|live|current|external|internet|web\b"
        r"|personal (?:data|information)|internal|up-to-date"
        r"|(?:that|this|such) (?:information|data|kind)|future|individual)",
    ),
    Family(
        "canned inability",
        r"\bi (?:do not|don't) have (?:access to (?:that|this|the|such|any|your)? ?(?:kind of "
        r"|specific |requested |personal )?(?:information|data|details)\b"
        r"|the (?:ability|capability|capacity|functionality) to\b"
        r"|(?:any )?(?:personal )?(?:feelings|emotions|opinions|preferences|experiences|beliefs)\b"
        r"|enough (?:information|context|data) to (?:answer|respond|provide|assist|process)"
        r"|(?:any |enough |sufficient )?information (?:about|on|regarding) (?:that|this) in (?:my|the) )",
    ),
    Family(
        "canned inability",
        r"\b(?:i|we) (?:do not|don't)(?: currently)? have real-?time access\b"
        r"|\bi (?:do not|don't) possess (?:the ability|personal|any)\b|\bi (?:do not"
        r"|don't)(?: currently)? have access"
        r" to your (?:\w+ )?(?:account|history|details|information|data|records?|profile|orders?)\b",
    ),
    Family(
        "canned inability",
        r"\b(?:(?:that|this|it|which)(?:'s| is| falls| goes| lies)|your request (?:is|falls|goes))"
        r" (?:outside|beyond|out of|not within)(?: of)?"
        r" (?:the scope of )?my (?:\w+ )?(?:capabilit(?:y|ies)|abilit(?:y|ies)|scope|knowledge"
        r"|expertise|functions?|programming|current capabilities)\b"
        r"|\b(?:outside|beyond|within|(?:scope|limits?|limitations?) of) (?:the scope of )?my"
        r" (?:\w+ )?(?:capabilities|programming)\b"
        r"|\bmy capabilities (?:are|do not|don't)\b|\bi can only (?:assist|help)(?: you)? with"
        r" (?:queries|questions|topics|inquiries|requests|tasks)\b",
    ),
    Family(
        "canned refusal",
        r"\b(?:i(?:'m| am)(?: very| so| truly)? sorry|(?:my )?apolog(?:ies|i[sz]e)|i apolog(?:i[sz]e)"
        r"|sorry)(?: for that)?,? but (?:as an? |"
        rf"(?:i|we)(?: currently)? ?{_CANNOT}(?: directly)? (?:assist|help|provide|answer|process"
        rf"|complete|fulfil?l|comply|discuss|perform)\b"
        r"(?! (?:you )?(?:a |an |more than|before|until|the exact)))",
    ),
    Family(
        "canned apology",
        rf"\b(?:apologi[sz]e|apologies|regret)(?: (?:sincerely|deeply|again))? for {_INCONVENIENCE}\b"
        r"|\bsorry for (?:any|the|all the|this) (?:possible )?inconveniences?\b"
        r"|\bregret to inform you\b|\binconvenience (?:this|it|that) (?:may|might|could)"
        r" (?:have )?caused?\b",
    ),
    Family(
        "canned courtesy",
        r"\byour (?:call|query|business|feedback|message|inquiry|request|opinion|satisfaction|question) is"
        r" (?:very |extremely |really )?important to us\b"
        r"|\bwe value your (?:business|feedback|patience)\b"
        r"|\byour (?:request|query|message|inquiry) has been (?:received|logged) and (?:will be"
        r"|is being)\b",
    ),
)

_GERMAN_MACHINE = (
    r"(?:ki|k\u00fcnstliche intelligenz|(?:gro\u00dfes )?sprachmodell|(?:chat)?bot|maschine"
    r"|computerprogramm|programm"
    r"|(?:virtueller?|digitaler?|automatisierter?) assistent(?:in)?|ki-(?:modell|assistent|sprachmodell"
    r"|system|assistentin))"
)
_GERMAN = (
    Family(
        "speaks of itself as a machine",
        rf"\bals (?:eine? )?(?:reine?s? )?{_GERMAN_MACHINE}\b,? (?:kann|habe|bin|darf|verf\u00fcge"
        rf"|besitze)\b",
    ),
    Family(
        "speaks of itself as a machine",
        r"\bas an? (?:ai(?: language)?|(?:large )?language) model\b(?=[.,!]| i\b)",
    ),
    Family(
        "belittles itself as a machine",
        rf"\bich bin (?:nur|lediglich|blo\u00df|ja nur) (?:eine? )?{_GERMAN_MACHINE}\b",
        about_itself=True,
    ),
    Family(
        "speaks of its making",
        r"\bmein(?:e[nmr]?)? (?:trainingsdaten|wissensstand|kenntnisstand|programmierung"
        r"|wissensdatenbank)\b",
    ),
    Family(
        "cites what it was given",
        r"\b(?:basierend auf|auf (?:der )?(?:grundlage|basis)|anhand|gem\u00e4\u00df|laut)(?: der| den"
        r"| von)?"
        r" (?:mir )?(?:vorliegenden|bereitgestellten|zur verf\u00fcgung (?:stehenden|gestellten)"
        r"|angegebenen|gegebenen)"
        r" (?:daten|informationen|dokumente[n]?|kontext|angaben)\b",
    ),
    Family(
        "canned inability",
        r"\b(?:ich kann|wir k\u00f6nnen|kann ich|k\u00f6nnen wir)(?: ihnen| dir| euch)?(?: leider)?"
        r"(?: dabei| damit| hierbei"
        r"| bei (?:dieser|diesem|ihrer|ihrem|deiner) (?:anfrage|anliegen|frage))?"
        r"(?: ihnen| dir)?(?: leider)?(?: dabei| damit| hierbei)?(?: leider)? nicht (?:weiter)?helfen\b"
        r"|\b(?:ich bin|wir sind|bin ich|sind wir)(?: leider)? nicht in der lage\b"
        r"|\b(?:ich (?:habe|verf\u00fcge)|(?:habe|verf\u00fcge) ich)(?: leider)?(?: \u00fcber)? keine[nr]? "
        r"(?:zugriff auf (?:echtzeit"
        r"|aktuelle|live|pers\u00f6nliche|externe|das internet|diese)"
        r"|gef\u00fchle|eigene[n]? meinung|pers\u00f6nliche[n]? (?:meinung|erfahrung(?:en)?))",
    ),
    Family(
        "canned apology",
        r"\b(?:entschuldig\w*|bedauer\w*|verzeih\w*|entschuldigung)(?: (?:uns|mich|sie|wir|bitte|sehr"
        r"|f\u00fcr)){0,4}"
        r" (?:etwaige|eventuelle|die|jegliche|m\u00f6gliche|entstandene"
        r"|diese)(?: \w+)? unannehmlichkeit(?:en)?\b",
    ),
)

FAMILIES: dict[str, tuple[Family, ...]] = {"en": _ENGLISH, "de": _GERMAN}
"""The families by code of the language."""
