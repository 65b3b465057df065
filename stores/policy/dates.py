"""Dates, times and amounts in running text: found to spot birth dates, masked so that they pass for nothing else."""

from __future__ import annotations

import re

from stores.policy.rule import compiled

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_ORDINAL = (
    r"(?:twenty[- ]|thirty[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|"
    r"twelfth|thirteenth|fourteenth|"
    r"fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)"
)
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL})"
_YEAR = r"(?P<{0}>(?:18|19|20)\d\d)"
_JA_NUMBER = r"[\d一二三四五六七八九十]{1,3}"
_SEPARATORS = r"\s?[-/.,\\]\s?"

FULL_DATE = "|".join(
    (
        rf"(?<!\d){_YEAR.format('y1')}(?:{_SEPARATORS}| )\d{{1,2}}(?:{_SEPARATORS}| )\d{{1,2}}(?!\d)",
        rf"(?<!\d)\d{{1,2}}(?:{_SEPARATORS}| )\d{{1,2}}(?:{_SEPARATORS}| ){_YEAR.format('y2')}(?!\d)",
        rf"(?<!\d)(?:the )?{_DAY}(?: day)?(?: of)?[ \-/.,]*{_MONTH}[ \-/.,]*(?:in )?{_YEAR.format('y3')}(?!\d)",
        rf"\b{_MONTH}[ \-/.,]*(?:the )?{_DAY}[ \-/.,]*(?:in |of )?{_YEAR.format('y4')}(?!\d)",
        rf"(?<!\d){_YEAR.format('y5')}[ \-/.,]*{_MONTH}[ \-/.,]*{_DAY}(?!\d)",
        rf"(?<!\d){_YEAR.format('y6')}\s?年\s?{_JA_NUMBER}\s?月\s?{_JA_NUMBER}\s?日?",
        r"(?:明治|大正|昭和|平成|令和|(?<![a-z])[mtshr])\s?(?:\d{1,2}|"
        r"元)\s?[年./-]\s?\d{1,2}\s?[月./-]\s?\d{1,2}\s?日?",
        rf"(?<!\d){_YEAR.format('y7')}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)",
    )
)
"""A day, month and year written together, in any common order."""

SHORT_DATE = (
    rf"(?<!\d)\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2}}(?!\d)|\b{_MONTH} {_DAY},? '?\d{{2}}(?!\d)|"
    rf"(?<!\d){_DAY} {_MONTH},? '?\d{{2}}(?!\d)|(?<!\d)\d{{6}}(?!\d)|(?<!\d)\d{{8}}(?!\d)"
)
"""A date with a two-digit year or without separators; means something only next to a word such as "born"."""

_YEARS = r"(?<!\d)(?:19|20)\d\d(?:(?:,? | and |, and |-)(?:19|20)\d\d){1,}(?![\d\-])"
_PLAIN_DATE = r"(?<![\d\-])(?:\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?|\d{1,2}-\d{1,2}(?!-))(?!\d)"
_TIME = r"(?<!\d)(?:[01]?\d|2[0-3])[:.h時]\s?[0-5]\d(?:[:.][0-5]\d)?(?!\d)(?:\s?[ap]\.?m\b\.?)?"
_MONEY = (
    r"(?:[$€£¥]|\b(?:usd|eur|gbp|jpy|chf|aud|cad|rs)\b\.?)\s?\d[\d,. ]*\d?k?|"
    r"(?<!\d)\d{1,3}(?:[,. ]\d{3})+(?:\.\d\d)?\s?"
    r"(?:eur|usd|gbp|jpy|chf|euros?|dollars?|yen|pounds?|bucks|points?|miles|km|krw|won|€|円|ポイント|マイル)|"
    r"(?<!\d)\d{1,7}(?:[.,]\d\d)?\s?(?:eur|usd|gbp|jpy|chf|euros?|dollars?|yen|pounds?|bucks|points?|miles|km|"
    r"€|円|万円|ポイント|マイル)|"
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
