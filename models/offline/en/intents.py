"""Tells what the user wants with a message."""

from __future__ import annotations

import re

from models.offline.en.control import CONTROL, asks_not_to_remember, without_refusal
from models.offline.en.wording import clean, plain
from models.offline.readings import Intent, Request

_PHRASES: tuple[tuple[Intent, str], ...] = (
    *CONTROL,
    (
        "forget",
        r"^(?:no, |okay,? |please,? |hey,? |actually,? |can you |could you |would you |will you |i want you to |i "
        r"would like you to |go ahead and |and |now )*(?:please )*(?:forget|unlearn|(?:delete|erase|remove|wipe|"
        r"drop|clear|discard|scrub)(?= (?:everything|all|that|this|them|those|what|my|the (?:note|memory|fact|"
        r"preference|thing|bit|part|one)|it\b|any|whatever))|stop remembering|do not remember|no longer "
        r"remember)\b(?! (?:to|"
        r"my (?:passport|charger|bag|keys|phone|ticket|card)|the (?:second|first|third|flight|hotel|trip|car|room|"
        r"night))\b)(?P<about>.*)$",
    ),
    (
        "profile",
        r"\bwhat (?:do|did|have|else do|all do) you (?:actually )?(?:know|remember|remembered|saved|stored|kept|"
        r"noted|have|got|recall|learned|learn)\b(?!.*\b(?:about (?!me\b|my\b|us\b)\w+))|\b(?:do|did) you (?:still "
        r")?(?:know|remember|recall|have) (?:any of |anything about |something about )?(?:me\b|my (?:\w+ "
        r")?(?:preferences?|tastes?|likes|dislikes|needs|diet|details|profile|allerg\w+|seat|habits|name|settings|"
        r"restrictions|requirements)|what i (?:like|prefer|told)|who i am|anything about me|us\b|about me)|"
        r"\b(?:list|show|see|tell me|read|view|display|give me)\b.*\b(?:memor(?:y|ies)|my (?:\w+ )?(?:preferences|"
        r"profile|notes)|what you (?:know|remember|have)|notes about me)\b|\bwhat (?:are|were) my (?:\w+ "
        r")?(?:preferences|likes|notes|needs|requirements|restrictions)\b|\bwhat is my (?:diet|seat preference|"
        r"preferred|usual|favorite|profile)\b|\bwhat (?:is|do you have) (?:in|on) my (?:profile|file|memory)\b|"
        r"\b(?:my|your) (?:notes|memory|memories) (?:on|of|about) me\b|\bwho am i\b|\bknow about me\b",
    ),
    (
        "recall",
        r"\b(?:do you (?:remember|recall)|did (?:we|i)|have we|what did (?:we|i|you)|which (?:\w+ )?(?:hotel|"
        r"flight|place|airline|restaurant|city|one)s? did (?:we|i|you)|where did (?:we|i)|when did (?:we|i)|what "
        r"was (?:the|my|that|our)|which was|remind me (?:what|which|where|when|of)|last time (?:we|i)|where was i|"
        r"my (?:last|previous|past|recent|earlier) (?:trips?|flights?|stay|booking|visits?|conversations?)|"
        r"(?:earlier|previous|past|other) conversations?|what (?:have we|had we) (?:discussed|talked|said))\b",
    ),
    (
        "help",
        r"\b(?:who|what) are you\b|\bwhat can you do\b|\bhow (?:do|does|can) (?:you|this|i use)\b.*\b(?:work|help|"
        r"use)\b|^help(?: me)?[.!?]*$|\bare you (?:a |an )?(?:bot|robot|human|ai|real|person|machine|offline|"
        r"online)\b|\byour name\b|\bwhat (?:are you|is this)\b|\bcan you help(?: me)?\??$|\bwhat do you do\b",
    ),
    (
        "chat",
        r"\b(?:do|are|have|did|were|will|would) you (?:ever |really |also |even |still )*(?:like|love|eat|sleep|think|"
        r"feel|prefer|dream|drink|enjoy|been|want|happy|human|real|a|an|tired|hungry|offline|married|there)\b|"
        r"\byour favorite\b|\bhow (?:are|old are) you\b|\bwhat (?:is|are) your\b|"
        r"\btell me (?:a joke|about yourself)\b|\bwhat are you\b",
    ),
    (
        "goodbye",
        r"^(?:(?:okay|thanks|thank you|many thanks|right|well|alright|great|that is all|so|no|perfect)\b[ "
        r",.!]*)*(?:bye|goodbye|good bye|see you|see ya|farewell|cheerio|good ?night|have a (?:nice|good|great) "
        r"(?:day|one|evening|weekend)|that (?:is|will be) all|i am done|talk (?:to you )?(?:later|soon)|catch you "
        r"later|ciao|until next time|take care|gotta go|i have to (?:go|run)|nothing else)\b",
    ),
    (
        "thanks",
        r"^(?:(?:okay|great|perfect|cool|awesome|wonderful|brilliant|lovely|excellent|super|no|yes)\b[ "
        r",.!]*)*(?:thank|thanks|many thanks|cheers|much appreciated|ta\b|appreciate it|nice one|good job|well "
        r"done)",
    ),
    (
        "greeting",
        r"^(?:hi|hello|hey|hiya|howdy|yo|good (?:morning|afternoon|evening|day)|greetings|hola|g'day|morning|"
        r"evening|welcome back|hey there|hi there|sup)\b[\w ,!.]{0,25}[!.?]*$",
    ),
    (
        "restart",
        r"\b(?:start (?:over|again|afresh)|(?:cancel|scrap|drop|forget)(?: about)? (?:the|this|my|that) (?:trip|"
        r"journey|request|plan))\b",
    ),
    ("decline", r"^(?:no(?: thanks| thank you)?|nope|never ?mind|not now|do not|stop|leave it|forget it|nah)[.! ]*$"),
    (
        "accept",
        r"^(?:yes|yep|yeah|sure|okay|alright|of course|correct|right|exactly|that is (?:right|correct)|sounds "
        r"(?:good|great)|go ahead|please do|perfect|great|do it|confirm\w*)[\w ,!.]{0,20}$|"
        r"^(?:(?:please|okay|then|so|now|can you|could you|will you|just),? )*(?:book|reserve|confirm) "
        r"(?:it|that|this|them)(?: (?:now|please|for me|then|all))*[.?!]*$",
    ),
    (
        "advice",
        r"\b(?:find|suggest|recommend|advise|ideas?|tips|advice|option|options|best way|way (?:from|to)|get "
        r"(?:from|to|me)|how (?:do|can|should|would) (?:i|we)|where (?:can|should|could|do) (?:i|we)|what should|"
        r"which .+ should|should (?:i|we)|book|reserve|arrange|somewhere|look(?:ing)? for|need|pick me up|help me|"
        r"plan|take us|search|what to|where to)\b",
    ),
    (
        "question",
        r"\?\s*$|^(?:what|which|who|when|where|why|how|is|are|do|does|did|can|could|would|will|should|has|have|was|"
        r"were)\b",
    ),
)

_ENOUGH = 3
"""Words beside "don't save that" from which they say something of their own."""


def request(text: str) -> Request:
    """What the user wants with `text`; trips are read elsewhere."""
    form = plain(text)
    if not form:
        return Request("unknown")
    if re.match(r"^(?:oh )?(?:forget it|never ?mind)\b", form) and len(form.split()) <= 4:
        return Request("decline")
    if asks_not_to_remember(text):
        rest = plain(without_refusal(text))
        if len(rest.split()) < _ENOUGH:
            return Request("forget")
        form = rest
    for intent, pattern in _PHRASES:
        if match := re.search(pattern, form):
            about = match.groupdict().get("about") or ""
            if intent == "source":
                return Request(intent, form[match.end() :].strip())
            return Request(intent, _about(about) if intent == "forget" else clean(text))
    return Request("smalltalk" if len(form.split()) <= 6 else "unknown", clean(text))


def _about(rest: str) -> str:
    """What is to be forgotten, without the words around it; empty for "that" alone."""
    rest = re.sub(
        r"^(?: that| what| the fact| about| everything| anything| all| whatever| the)*(?: (?:i|we) (?:\w+ "
        r")?(?:said|told you|mentioned|asked you to (?:remember|save)|just said)(?: (?:about|that|to you))?| "
        r"you (?:know|remember|have|saved|stored|kept|noted|wrote)(?: down)?(?: (?:about|on|of))?)?"
        r"(?: that| about| of| note| notes| memory| memories| preference| part| bit| thing| one)*\b",
        "",
        " " + rest.strip(" ?.!"),
    )
    rest = re.sub(
        r"\b(?:please|now|from (?:your )?(?:memory|notes|my profile)|again|any ?more|for me|preferences?|note|"
        r"memory)\b",
        " ",
        rest,
    )
    return re.sub(r"\s+", " ", rest).strip(" ,.!?")
