"""Telling apart the languages written in Latin letters, by their frequent words."""

from __future__ import annotations

import re
from functools import cache

from grice.text.packs.tables import listed

__all__ = ["latin_language"]

MAX_WORDS = 300

# Frequent words of each language, chat words among them. A word may stand in several; one that is English too
# tells little there, which is why the English list has those words as well.
_FREQUENT = {
    "en": """
        the a an and or of to in is are was were be been am i you he she it we they me him her us them my
        your his its our their this that these those there here what which who when where why how do does
        did have has had will would can could should may might must not no yes for with on at by from as but
        if so then than about into over under after before up out just also very more most all any some
        please thanks thank sorry hello hey sure let's don't can't won't i'm i'll i've it's that's you're
        we're we'll isn't doesn't didn't one two three need want like know see get go help best great good
        well now today only other new available order price return shipping size free flight booking account
        let look looks looking found find check welcome perfect i'd you'll you've there's here's what's
        they're he's she's book booked done right got glad happy credits number name time day anything else
        much many every each both such own same too still never always because while during between through
        again
        sold stock ticket tickets total due table seat room name email card pay paid item items product
        products customer support team company refund policy question questions problem issue save sale buy
        yesterday tomorrow weekend month week days hours minutes
        """,
    "de": """
        der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen ist
        sind war waren sein bin bist habe hat haben hatte ich du er sie es wir ihr mich mir dich dir uns
        euch ihnen mein dein unser mit von zu zum zur im auf für fuer aus bei nach über ueber unter vor
        durch gegen ohne um bis auch noch schon nur sehr mehr wie was wer wo wann warum welche welcher
        welches wenn dass weil als ja nein bitte danke gern gerne hallo leider kann können koennen könnte
        möchte moechte möchten werden wird wurde soll sollte muss müssen hier dort jetzt heute morgen ihre
        ihren ihrem sich dann geht gibt alles gut guten tag beim vom am ins diese dieser dieses diesen
        kostenlos lieferung rückgabe bestellung preis verfügbar tage monate helfen viel wir's natürlich
        natuerlich selbstverständlich genau stimmt zwei drei vier fünf sechs sieben acht neun zehn
        mindestens höchstens wurden worden wieder innerhalb jacke buchung flug hotel nächte stornieren
        storniert gefunden passt kostet nichts etwas alle weitere deine deinen meine meinen unsere unseren
        ihrer danken vielen ab
        """,
    "fr": """
        le la les un une des du de et ou mais ne pas plus que qui quoi dont où est sont était être avoir ai
        as avons avez ont je tu il elle nous vous ils elles mon ma mes ton ta tes son sa ses notre votre vos
        leur ce cette ces ça avec pour dans sur sous par sans chez en au aux très bien oui non merci bonjour
        salut désolé voici voilà peut peux pouvez puis faire fait aussi comme si tout tous toute c'est j'ai
        n'est qu'il d'un d'une l'on s'il quel quelle comment quand pourquoi aider bonne jours livraison
        retour commande prix disponible suis aujourd'hui volontiers deux trois quatre cinq six sept huit
        neuf dix moins entre depuis cours été fut réservation possible souhaitez voulez aimeriez faut cela
        donc alors car même toujours jamais rien quelque autre autres moi toi lui
        """,
    "es": """
        el la los las un una unos unas y o pero no sí que qué de del al en con por para sin sobre es son era
        está están estar ser hay soy somos tengo tiene tienen yo tú él ella nosotros usted ustedes ellos mi
        mis tu tus su sus nuestro este esta esto estos estas ese esa eso muy más también como cómo cuando
        cuándo dónde quién cuál si ya gracias hola claro puedo puede puedes ayudar ayudarte ayudarle gusto
        lo le les me te se nos buenos buenas días favor todo bien aquí ahora hoy precio envío pedido
        disponible devolución necesito quiero desea siento perdón vale ha han he sido fue fueron menos entre
        desde hasta otro otra otros cada dos tres cuatro cinco seis siete ocho nueve diez nuestra nuestros
        porque aunque siempre nunca nada algo alguien pedidos reserva cancelado cancelada podemos quieres
        quiere gustaría encontré encontrar
        """,
    "it": """
        il lo la i gli le un una uno e o ma non che chi di del della dello dei degli delle da dal dalla in
        nel nella con per su sul tra è sono era essere ho hai ha abbiamo avete hanno io tu lui lei noi voi
        loro mio tuo suo nostro vostro questo questa questi quello molto più anche come quando dove perché
        cosa quale sì grazie ciao buongiorno prego posso può puoi aiutare aiutarti aiutarla certo certamente
        si mi ti ci vi ne tutto bene oggi prezzo spedizione ordine disponibile giorni scarponi volentieri
        purtroppo dispiace stato stata due tre quattro cinque sei sette otto nove dieci meno fra fino altro
        altra ogni sempre mai niente qualcosa desideri vuoi vuole vorrebbe prenotazione annullato annullata
        """,
    "pt": """
        o a os as um uma e ou mas não sim que de do da dos das no na nos nas em com por para sem sobre é são
        era está estão estar ser tem tenho temos eu tu ele ela nós você vocês eles meu minha seu sua seus
        este esta isto esse essa isso muito mais também como quando onde quem qual se já obrigado obrigada
        olá posso pode ajudar ajudá-lo claro aqui agora hoje preço envio pedido disponível dias ao à pelo
        pela ainda desculpe oi bom boa foi foram sido dois duas três quatro cinco seis sete oito nove dez
        menos entre desde até outro outra cada sempre nunca nada algo quer gostaria reserva cancelado
        cancelada podemos encontrei
        """,
    "nl": """
        de het een en of maar niet geen is zijn was waren ben bent heb heeft hebben had ik jij je u hij zij
        ze wij we jullie mijn jouw uw ons onze met van voor naar op aan bij uit over onder door zonder om
        tot ook nog al alleen zeer meer hoe wat wie waar wanneer waarom welke als dat dit deze die ja nee
        graag bedankt dank hallo helaas kan kunnen kunt wil wilt zal zullen moet moeten hier daar nu vandaag
        er dan wel heel goed dag prijs levering bestelling beschikbaar dagen natuurlijk twee drie vier vijf
        zes zeven acht negen tien minder tussen ander andere elke altijd nooit niets iets boeking
        geannuleerd help helpen waterdicht
        """,
    "sv": """
        och eller men inte ingen är var vara har hade jag du han hon vi ni de mig dig oss er min din vår med
        av för till från på i en ett den det som att om när hur vad vem varför vilken också mycket mer bara
        ja nej tack hej tyvärr kan kunde vill ska måste här där nu idag bra gärna hjälpa leverans pris dagar
        tillgänglig
        """,
    "da": """
        og eller men ikke ingen er var være har havde jeg du han hun vi i de mig dig os jer min din vores
        med af for til fra på en et den det som at om når hvordan hvad hvem hvor hvorfor hvilken også meget
        mere kun ja nej tak hej desværre kan kunne vil skal må her der nu idag godt gerne hjælpe levering
        pris dage
        """,
    "no": """
        og eller men ikke ingen er var være har hadde jeg du han hun vi dere de meg deg oss min din vår med av
        for til fra på en et den det som at om når hvordan hva hvem hvor hvorfor hvilken også mye mer bare ja
        nei takk hei dessverre kan kunne vil skal må her der nå idag godt gjerne hjelpe levering pris dager
        """,
    "pl": """
        i oraz lub ale nie tak jest są był była być mam ma mamy ja ty on ona my wy oni mnie ci nas was mój
        twój nasz z ze w we na do od dla po przez bez o że żeby jak kiedy gdzie kto co dlaczego który która
        które też także bardzo więcej tylko proszę dziękuję cześć dzień dobry niestety mogę może można chcę
        tutaj teraz dzisiaj się to ten ta te cena dostawa zamówienie dni pomóc dwa trzy cztery pięć pana
        pani oczywiście
        """,
    "cs": """
        a nebo ale ne ano je jsou byl být mám má máme já ty on ona my vy oni mě nás vás můj náš s se v ve na
        do od pro po bez o že jak kdy kde kdo co proč který která také velmi více jen prosím děkuji ahoj
        dobrý den bohužel mohu může chci tady teď dnes to ten ta cena doprava objednávka dní pomoci dva tři
        čtyři pět objednávkou vám vašeho vaše
        """,
    "tr": """
        ve veya ama değil hayır evet bir bu şu o ben sen biz siz onlar için ile gibi daha çok en var yok mı mi
        mu mü ne nasıl nerede kim neden teşekkürler teşekkür merhaba lütfen maalesef olarak kadar sonra şimdi
        bugün ederim yardımcı olabilir miyim fiyat kargo sipariş gün
        """,
    "id": """
        dan atau tetapi tidak bukan ya adalah ini itu saya anda kamu dia kami kita mereka dengan dari untuk ke
        di pada yang akan sudah bisa dapat apa bagaimana kapan siapa mengapa juga sangat lebih hanya terima
        kasih halo maaf silakan tolong harga pengiriman hari ada membantu
        """,
    "vi": """
        và hoặc nhưng không có là được tôi bạn anh chị em của với cho trong trên này đó gì nào ai khi sao rất
        cũng chỉ vâng cảm ơn xin chào lỗi giá hàng ngày giúp
        """,
    "ro": """
        și sau dar nu da este sunt era fi am ai are avem eu tu el ea noi voi ei meu tău nostru cu de la pentru
        în pe din fără că ce cine când unde cum foarte mai doar mulțumesc bună salut vă rog pot poate puteți
        aici acum astăzi preț livrare comandă zile ajuta îmi pare rău ați dumneavoastră doi trei patru cinci
        """,
    "hu": """
        és vagy de nem igen van vannak volt lenni én te ő mi ti ők az egy ez ezt azt hogy mint ha ki mit
        mikor hol miért nagyon is csak több köszönöm köszönjük szia helló kérem sajnos tudok tud lehet itt
        ott most ma ár szállítás rendelés nap segíteni miben önnek ön önt segíthetek segíthetünk két három
        négy öt nekem neked nincs kell
        """,
    "fi": """
        ja tai mutta ei en et kyllä on ovat oli olla minä sinä hän me te he minun sinun meidän tämä se nämä
        joka mikä mitä kuka milloin missä miksi myös hyvin enemmän vain kiitos hei terve valitettavasti voin
        voi voitte täällä nyt tänään hinta toimitus tilaus päivää auttaa
        """,
}

_LETTERS = {
    "de": "ß",
    "es": "ñ¿¡",
    "pt": "ãõ",
    "fr": "œèùûë",
    "pl": "łąęśżźćń",
    "cs": "řěů",
    "tr": "ğışİ",
    "ro": "țșăţş",
    "hu": "őű",
    "vi": "ơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệ",
}


@cache
def _table() -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """The languages of each frequent word, and of each letter that few languages have."""
    languages: dict[str, list[str]] = {}
    for code, frequent in _FREQUENT.items():
        for word in dict.fromkeys(frequent.split()):
            languages.setdefault(word, []).append(code)
    letters = {letter: code for code, listed in _LETTERS.items() for letter in listed}
    return {word: tuple(codes) for word, codes in languages.items()}, letters


# Words of other languages that are English words too: alone they tell nothing.
_ALSO_ENGLISH = listed(
    """
    die war hat gut tag bin hier art also fort rot not pas car ton six plus dix on son sur fait non chez
    once he me ha come sei per tra do dos as no sea bent dank door wilt kan men den man bra fan ten ma
    my pan co to led van was
    """
)


def latin_language(text: str) -> str:
    """The ISO 639-1 code of a text in Latin letters, "" where its words do not tell."""
    by_word, by_letter = _table()
    found = re.findall(r"(?<![\w'\u2019])[^\W\d_]+(?:['\u2019][^\W\d_]+)?(?![\w])", text)[:MAX_WORDS]
    if not text.isupper():
        found = [word for word in found if len(word) < 2 or not word.isupper()]  # codes and abbreviations
    scores: dict[str, float] = {}
    distinct: dict[str, set[str]] = {}
    for place, raw in enumerate(found):
        share = 0.5 if place and raw[0].isupper() else 1.0  # El Pollo Loco is a name
        word = raw.casefold().replace("\u2019", "'")
        codes = by_word.get(word, ())
        for code in codes:
            weight = 1.0 if len(codes) == 1 else 0.6 if "en" not in codes else 0.4
            weight = min(weight, 0.7) if word in _ALSO_ENGLISH else weight
            scores[code] = scores.get(code, 0.0) + weight * share
            distinct.setdefault(code, set()).add(word)
    if not text.isascii():
        for letter in set(text):
            code = by_letter.get(letter, "")
            if code:
                scores[code] = scores.get(code, 0.0) + (2.0 if letter in "¿¡" else 0.8)
                distinct.setdefault(code, set()).add(letter)
    return _decided(scores, distinct, len(found))


def _decided(scores: dict[str, float], distinct: dict[str, set[str]], count: int) -> str:
    english = scores.pop("en", 0.0)
    best = max(scores, key=lambda code: (scores[code], code), default="")
    foreign = scores.get(best, 0.0)
    if english >= foreign and english > 0:
        return "en"
    enough = 1.0 if count <= 3 else 1.5
    if (
        foreign >= enough
        and foreign > 1.5 * english
        and foreign >= 0.15 * count
        and (len(distinct.get(best, ())) > 1 or count <= 3)
    ):
        return best
    return "en" if english > 0 else ""
