"""Tells which language a message is written in, by its script and its commonest words."""

from __future__ import annotations

import re

from text.tokens import fold, is_japanese

_COMMON = {
    "en": "the a an i you we is are to for from in on at with and or of my me it that this what how book please can do "
    "not no yes need want there one two any have get like would thanks hi hello hotel flight",
    "es": "el la los las un una de del que y en por para con no si quiero busco vuelo hola gracias mas algo hay es soy "
    "mi me al lo pero como donde cuando cuanto mejor todavia puedo noche noches reservar buenos buenas dias barato "
    "necesito nosotros somos esta tengo otro tambien cancelar ida vuelta persona personas desde hasta",
    "fr": "vols vers chers chere billet train "
    "le la les un une des de du et en pour avec pas non oui je tu nous vous est sont il elle bonjour merci vol "
    "cherche plus mon ma mes au aux ce cette que qui quoi ou quand combien voudrais suis moi nuit nuits reserver "
    "salut moins cher deux personne personnes aller retour svp faut chambre y a bonsoir annuler pouvez jusqu",
    "de": "der die das ein eine einen nen und ich du wir ist sind nicht nein ja mit fur von nach zu zum zur im am an "
    "auf den dem bitte danke flug suche brauch brauche hallo moin auch noch was wie wo wann mein meine mir mich geht "
    "immer erstmal zuruck gibt es tag tage nacht nachte buchen personen person gunstig billiger hin oder aber lieber "
    "wieviel kostet zimmer nee doch morgen gern mehr",
    "it": "il lo la gli un una di che e in per con non si voglio cerco volo ciao grazie piu sono mio mia vorrei dal al "
    "anche dove quando quanto buongiorno notte notti prenotare andata ritorno persona persone camera",
    "pt": "o os a as um uma de do da que e em por para com nao sim quero procuro voo ola obrigado obrigada mais meu "
    "minha onde quando quanto noite noites reservar ida volta pessoa pessoas quarto estou preciso",
    "nl": "de het een en ik je we is zijn niet nee ja met voor van naar in op te vlucht zoek hallo bedankt ook nog wat "
    "hoe waar wanneer mijn graag terug nacht nachten boeken kamer personen",
}
_WORDS = {code: frozenset(words.split()) for code, words in _COMMON.items()}
_SURE = 2
"""Words of a language that a message must have to be of another one than English."""
_OTHER_SCRIPT = re.compile(r"[\u0370-\u03ff\u0400-\u052f\u0590-\u06ff\u0900-\u0dff\u0e00-\u0eff\uac00-\ud7af]")
_SPOKEN = ("es", "fr", "de")
_MARKS = {"es": "¿¡ñ", "fr": "çœêâîûèà", "de": "ßäöü"}


def language_of(said: str, language: str = "en") -> str:
    """Return the language code of `said`; `language` where its words don't tell, empty for one that is not known."""
    if is_japanese(said):
        return "ja"
    if len(_OTHER_SCRIPT.findall(said)) >= max(2, sum(map(str.isalpha, said)) // 2):
        return ""
    words = re.findall(r"[a-z]+", fold(said))
    points = {code: sum(word in common for word in words) for code, common in _WORDS.items()}
    for code, marks in _MARKS.items():
        points[code] += any(mark in said.casefold() for mark in marks) and points[code] > 0
    best = max(points, key=lambda code: points[code])
    if points[best] < _SURE or points[best] <= points["en"]:
        return "en" if points["en"] or language not in points | {"ja": 0} else language
    return best if best in _SPOKEN else ""
