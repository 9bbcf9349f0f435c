"""German: what is needed to show that packs work."""

from __future__ import annotations

from decimal import Decimal

from grice.text.packs.pack import LanguagePack
from grice.text.packs.units import units_of

__all__ = ["PACK", "stem"]

_ONES = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_SUFFIXES = ("ern", "em", "en", "er", "es", "e", "n", "s")


def stem(word: str) -> str:
    """The part a casefolded word shares with its forms: endings of cases and plurals go, umlauts too."""
    if len(word) < 5 or not word.isalpha():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            word = word[: -len(suffix)]
            break
    return word.translate(str.maketrans("äöü", "aou"))


def _numbers() -> dict[str, Decimal]:
    found = {word: Decimal(value) for value, word in enumerate(_ONES.split())}
    units = {"ein": 1} | {word: value for value, word in enumerate(_ONES.split()) if 1 < value < 10}
    for place, ten in enumerate(_TENS.split(), 2):
        found[ten] = Decimal(place * 10)
        found |= {f"{one}und{ten}": Decimal(place * 10 + value) for one, value in units.items()}
    return {word.casefold(): value for word, value in found.items()}  # casefolding makes dreißig dreissig


PACK = LanguagePack(
    code="de",
    name="German",
    stop_words=frozenset(
        word.casefold()
        for word in (
            "der die das den dem des ein eine einen einem einer eines und oder aber denn doch sondern wenn als wie ob dass weil da "
            "ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch ihnen mein meine meinen dein deine sein seine ihre ihren ihrem unser "
            "unsere unseren euer dies diese dieser dieses diesen diesem jener jene welche welcher welches man jemand etwas nichts alles alle "
            "bin bist ist sind seid war waren wäre sein gewesen habe hast hat haben hatte hatten werde wirst wird werden wurde wurden worden "
            "kann kannst können könnt konnte könnte könnten muss musst müssen soll sollen sollte will wollen möchte möchten darf dürfen mag "
            "in im ins an am ans auf aus bei beim bis durch für gegen hinter mit nach neben ohne über um unter von vom vor während wegen zu "
            "zum zur zwischen seit ab nicht kein keine keinen keinem keiner keines nie niemals ja nein bitte danke auch noch schon nur sehr "
            "mehr so dann hier dort da jetzt nun immer wieder sich gern gerne was wer wo wann warum wieso mal halt eben eigentlich also"
        ).split()
    ),
    negations=frozenset("nicht nie niemals nirgends nirgendwo niemand nichts weder kaum keinesfalls keineswegs".split()),
    noun_negations=frozenset("kein keine keinen keinem keiner keines ohne".split()),
    not_negations=("nicht nur", "kein problem", "keine sorge", "keine frage", "kein thema", "kein wunder", "nicht mehr als", "nicht weniger als", "nichts zu danken", "gar kein problem"),
    clause_words=frozenset("aber sondern jedoch weil denn da obwohl wenn falls während sobald bis damit dass sodass trotzdem deshalb".split()),
    pronouns=frozenset("ich du er sie es wir ihr man das dies diese dieser".split()),
    joining_words=frozenset({"und", "oder"}),
    prepositions=frozenset("in im an am auf aus bei bis durch für gegen hinter mit nach neben über um unter von vom vor während wegen zu zum zur zwischen seit ab innerhalb".split()),
    clause_verbs=frozenset("ist sind war waren hat haben hatte wird werden kann können soll muss müssen darf gibt kommt kostet bietet passt liegt wiegt".split()),
    modal_verbs=frozenset("kann können könnte könnten muss müssen soll sollen sollte will wollen möchte darf dürfen".split()),
    number_words=_numbers(),
    multipliers={"hundert": Decimal(100), "tausend": Decimal(1000), "million": Decimal(10**6), "millionen": Decimal(10**6), "dutzend": Decimal(12)},
    fractions={"halbe": Decimal("0.5"), "halben": Decimal("0.5"), "halbes": Decimal("0.5"), "viertel": Decimal("0.25")},
    number_joiners=frozenset({"und"}),
    unit_articles=frozenset({"ein", "eine", "einen", "einem", "einer", "eines"}),
    units=units_of(
        time="second=1: s sek sekunde sekunden; minute=60: min minute minuten; hour=3600: h std stunde stunden; "
        "day=86400: tag tage tagen tags; week=604800: woche wochen; month=2629800: monat monate monaten; year=31557600: jahr jahre jahren",
        length="mm=0.001: mm millimeter; cm=0.01: cm zentimeter; m=1: m meter metern; km=1000: km kilometer kilometern; in=0.0254: zoll",
        mass="mg=0.001: mg; g=1: g gramm; kg=1000: kg kilo kilogramm; lb=500: pfund; t=1000000: tonne tonnen",
        volume="ml=0.001: ml milliliter; cl=0.01: cl; l=1: l liter litern",
        data="kb=1000: kb; mb=1000000: mb; gb=1000000000: gb; tb=1000000000000: tb",
        power="w=1: w watt; kw=1000: kw kilowatt",
        energy="wh=3600: wh; kwh=3600000: kwh",
        percent="%=1: prozent",
        rating="/5=1: stern sterne sternen",
    ),
    months={
        name: number
        for number, names in enumerate(
            ("januar jänner jan", "februar feb", "märz mär", "april apr", "mai", "juni jun", "juli jul", "august aug",
             "september sep sept", "oktober okt", "november nov", "dezember dez"), 1)
        for name in names.split()
    },
    weekdays={
        name: number
        for number, names in enumerate(("montag montags mo", "dienstag dienstags di", "mittwoch mittwochs mi", "donnerstag donnerstags do",
                                        "freitag freitags fr", "samstag samstags sonnabend sa", "sonntag sonntags so"))
        for name in names.split()
    },
    day_times={"mittag": 12, "mittags": 12, "mitternacht": 0},
    approximations=("etwa", "ungefähr", "circa", "ca", "rund", "fast", "knapp", "um die"),
    comparisons={"unter": "<", "weniger als": "<", "höchstens": "<=", "maximal": "<=", "bis zu": "<=", "nicht mehr als": "<=", "über": ">",
                 "mehr als": ">", "mindestens": ">=", "minimal": ">=", "ab": ">="},
    comparisons_after={"oder weniger": "<=", "oder mehr": ">=", "maximal": "<=", "höchstens": "<="},
    range_words=frozenset({"bis", "oder"}),
    periods={"sekunde": "second", "minute": "minute", "stunde": "hour", "tag": "day", "nacht": "night", "woche": "week", "monat": "month",
             "monatlich": "month", "jahr": "year", "jährlich": "year", "stück": "unit", "person": "unit"},
    period_words=frozenset({"pro", "je", "im"}),
    opinion_words=frozenset("toll super perfekt ideal schön schick gut grossartig hervorragend wunderbar beliebt empfehlenswert ausgezeichnet klasse prima".split()),
    comparatives={"besser": "gut", "mehr": "viel", "weniger": "wenig", "günstiger": "günstig", "billiger": "billig", "teurer": "teuer", "leichter": "leicht",
                  "schwerer": "schwer", "grösser": "gross", "kleiner": "klein", "wärmer": "warm", "schneller": "schnell"},
    superlatives={"beste": "gut", "besten": "gut", "günstigste": "günstig", "günstigsten": "günstig", "leichteste": "leicht", "wärmste": "warm"},
    greetings=("hallo", "hi", "guten tag", "guten morgen", "guten abend", "servus", "moin", "grüss gott", "willkommen"),
    pleasantries=("ja", "gern", "gerne", "natürlich", "klar", "sicher", "selbstverständlich", "kein problem", "alles klar", "danke", "vielen dank",
                  "super", "toll", "perfekt", "sehr gern", "sehr gerne"),
    closings=("sagen sie mir bescheid", "sag mir bescheid", "kann ich ihnen sonst noch helfen", "kann ich sonst noch", "schönen tag noch", "wie kann ich ihnen helfen"),
    question_words=frozenset("was wer wen wem wessen wann wo woher wohin warum wieso weshalb wie welche welcher welches".split()),
    first_person=frozenset("ich mich mir mein meine meinen meinem wir uns unser unsere unseren".split()),
    second_person=frozenset("du dich dir dein deine sie ihnen ihr ihre ihren euch euer".split()),
    yes_words=("ja", "jawohl", "klar", "natürlich", "gern", "gerne", "genau", "stimmt", "ok", "okay", "sicher"),
    no_words=("nein", "nö", "nicht wirklich", "auf keinen fall", "nein danke", "niemals", "leider nein", "leider nicht"),
    stemmer=stem,
)  # fmt: skip
