"""Dates, times and amounts in running text: found to spot birth dates, masked so that they pass for nothing else."""

from __future__ import annotations

import re

from memory.policy.rule import compiled

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?|janv(?:ier)?|fevr(?:ier)?|mars|avril|mai|juin|juillet|aout|septembre|octobre|"
    r"novembre|decembre|januar|februar|marz|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|"
    r"agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|"
    r"dicembre|janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro)\.?"
)
_ORDINAL = (
    r"(?:twenty[- ]|thirty[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|"
    r"twelfth|thirteenth|fourteenth|"
    r"fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)"
)
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL})"
_DAYS = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?P<{0}>(?:18|19|20)\d\d)"
_JA_NUMBER = r"[\d一二三四五六七八九十]{1,3}"
_SEPARATORS = r"\s?[-/.,\\]\s?"

FULL_DATE = "|".join(
    (
        rf"(?<![\d+]){_YEAR.format('y1')}(?:{_SEPARATORS}| ){_DAYS}(?:{_SEPARATORS}| ){_DAYS}(?!\d)",
        rf"(?<![\d+]){_DAYS}(?:{_SEPARATORS}| ){_DAYS}(?:{_SEPARATORS}| ){_YEAR.format('y2')}(?!\d)",
        rf"(?<!\d)(?:the )?{_DAY}(?: day)?(?: of| de)?[ \-/.,]*{_MONTH}[ \-/.,]*(?:in |de |del "
        rf")?{_YEAR.format('y3')}(?!\d)",
        rf"\b{_MONTH}[ \-/.,]*(?:the )?{_DAY}[ \-/.,]*(?:in |of )?{_YEAR.format('y4')}(?!\d)",
        rf"(?<!\d){_YEAR.format('y5')}[ \-/.,]*{_MONTH}[ \-/.,]*{_DAY}(?!\d)",
        rf"(?<!\d){_YEAR.format('y6')}\s?年\s?{_JA_NUMBER}\s?月\s?{_JA_NUMBER}\s?日?",
        r"(?<![a-z'])[mtshr]\s?\d{1,2}\s?[年./-]\s?\d{1,2}\s?[月./-]\s?\d{1,2}(?!\d)\s?日?",
        r"(?:明治|大正|昭和|平成|令和)\s?(?:[\d一二三四五六七八九十]{1,3}|"
        r"元)\s?[年./-]\s?[\d一二三四五六七八九十]{1,3}\s?[月./-]\s?[\d一二三四五六七八九十]{1,3}\s?日?",
        rf"(?<!\d){_YEAR.format('y7')}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)",
    )
)
"""A day, month and year written together, in any common order."""

SHORT_DATE = (
    rf"(?<!\d)\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2}}(?!\d)|\b{_MONTH} {_DAY},? '?\d{{2}}(?!\d)|"
    rf"(?<![\d一二三四五六七八九十]){_JA_NUMBER}年{_JA_NUMBER}月{_JA_NUMBER}日|"
    rf"(?<!\d){_DAY}(?: of)?[ \-]{_MONTH},?[ \-]'?\d{{2}}(?!\d)|(?<!\d)\d{{6}}(?!\d)|(?<!\d)\d{{8}}(?!\d)"
)
"""A date with a two-digit year or without separators; means something only next to a word such as "born"."""

_YEARS = r"(?<!\d)(?:19|20)\d\d(?:(?:,? | and |, and |-)(?:19|20)\d\d){1,}(?![\d\-])"
_PLAIN_DATE = (
    r"(?<![A-Za-z\d\-])(?:(?:0?[1-9]|1[0-2])[/.](?:19|20)\d\d(?!\d)|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?|"
    r"\d{1,2}-\d{1,2}(?!-))(?![A-Za-z\d])"
)
_TIME = r"(?<!\d)(?:[01]?\d|2[0-3])[:.h時]\s?[0-5]\d(?:[:.][0-5]\d)?(?!\d)(?:\s?[ap]\.?m\b\.?)?"
_CODES = (
    r"usd|eur|gbp|jpy|chf|aud|cad|nzd|sgd|hkd|cny|rmb|krw|twd|thb|idr|myr|php|vnd|inr|pkr|lkr|npr|aed|"
    r"sar|qar|kwd|ils|egp|"
    r"zar|kes|ngn|brl|mxn|ars|clp|uah|pln|czk|huf|ron|bgn|sek|nok|dkk|isk|rub"
)
_CURRENCIES = (
    rf"(?:{_CODES}|euros?|dollars?|yen|pounds?|quid|bucks|francs?|rupees?|rs|lakh|pesos?|reais|lira|"
    rf"baht|won|yuan|ringgit|"
    r"rand|dirhams?|zloty|zl|kr|kron(?:er|or|a|e)|forints?|shekels?|points?|pts|miles|avios|km|cents?|"
    r"€|£|\$|円|万円|千円|ユーロ|"
    r"ドル|ウォン|元|ポイント|マイル)(?![a-z])"
)
_MONEY = (
    rf"(?:[A-Z]{{0,2}}[$€£¥₩₹]|\b(?:{_CODES}|rs|kr|rm)\b\.?)\s?\d[\d,. ]*\d?(?:k|m)?\b|"
    rf"(?<!\d)\d{{1,3}}(?:[,. ]\d{{3}})+(?:\.\d\d)?\s?{_CURRENCIES}|"
    rf"(?<!\d)\d{{1,8}}(?:[.,]\d\d)?k?(?:\s?-\s?\d{{1,7}}k?)?\s?{_CURRENCIES}|"
    r"\b(?:budgets?|under|below|max(?:imum)?|up to|at most|over|above|about|around|roughly|"
    r"spend(?:ing)?|costs?|prices?|"
    r"fees?|limit|than|cap(?:ped)? at|deposit|予算)\b\W{0,3}(?:(?:of|is|at|was)\b ?|"
    r"は)?\d{1,3}(?:[,.]?\d{1,3})?k?(?![\w\-/.]|[, ]\d)|"
    r"\b(?:points|pts|miles|avios|ポイント|マイル)\W{0,3}\d{1,9}(?!\d)|"
    r"(?<![\d,.])\d{1,3}(?:,\d{3})+(?![\d,])"
)


def full_years(text: str) -> list[int]:
    """The years of the full dates in `text`; 0 for one counted in Japanese eras."""
    found = []
    for match in compiled(FULL_DATE).finditer(text):
        years = [year for year in match.groupdict().values() if year]
        found.append(int(years[0]) if years else 0)
    return found


def mask(text: str) -> str:
    """`text` with dates, times and amounts of money taken out, for detectors of other numbers."""
    for pattern in (_YEARS, FULL_DATE, _MONEY, _TIME, _PLAIN_DATE):
        text = compiled(pattern).sub(" \u2205 ", text)
    return re.sub(r"\u2205(?:\s*[-~to]{1,2}\s*\u2205)+", "\u2205", text)
