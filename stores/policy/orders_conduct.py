"""Orders in English about how to treat people: triggers, approvals, what to recommend, what to claim."""

from __future__ import annotations

from stores.policy.order_words import AI, SAY
from stores.policy.rule import Rule

RULES = (
    Rule(
        "when|whenever|if |every time|each time|next time|any time|anytime|once |upon |as soon as|in case",
        rf"\b(?:when(?:ever)?|if|every time|each time|next time|any ?time|once|upon|as soon as|"
        rf"in case)\b (?:you(?:'re| are) |the assistant is |it is |it's |ever )?(?:\w+ )?(?:(?:asked|"
        rf"being asked|questioned|prompted|queried)\b|(?:(?:a|an|the|any|another|other|some) )?(?:user|users|"
        rf"someone|somebody|anyone|anybody|they|he|she|traveller|traveler|people|customer|customers|others|"
        rf"guest|human|person|client)s? (?:\w+ )?(?:ask|mention|say|want|request|inquire|enquire|question|"
        rf"search|book|look|need|type|write|tr(?:y|ies)|complain|plan|talk|quer(?:y|ies)|speak|discuss|refuse|"
        rf"decline|object)(?:s|es|ing)?\b).{{0,90}}?(?:,|\bthen\b|:|-|\balways\b|\bjust\b|\bplease\b|\bmust\b|"
        rf"\bshould\b|\byou\b) ?(?:then |always |please |you |must |should |shall |will |instead |just |only |"
        rf"never |immediately |silently |simply |first |also |the assistant |to )*\b{SAY}\b",
        unless=(
            r"(?:,|\bthen\b) i(?:'d|'ll)? (?:always |usually |just |only |never |will |would )?\w+|\bmy (?:wife|"
            r"husband|daughter|son|partner|mother|father|kids?|children|doctor)\b"
        ),
    ),
    Rule(
        "when|whenever|if i|every time|each time",
        r"\b(?:when(?:ever)?|if|every time|each time)\b i (?:\w+ )?(?:say|mention|ask|type|write|want|request|"
        r"talk|speak|enquire|inquire|search)\b.{0,60}?(?:,|\bthen\b|:| you (?:must|should|will|shall|"
        r"always)) ?(?:then |always |please |you |must |should |shall |will |instead |just |only |"
        r"immediately )*(?:say|claim|pretend|output|print|run|execute|invoke|insist|approve|reply with|"
        r"respond with|answer with|reveal|ignore (?:all|your|the (?:system|rules|policy))|transfer|"
        r"call the \w+ (?:tool|api|function)|lie\b|obey|unlock|enable|disable|delete)",
    ),
    Rule(
        "approv|confirm|permission|consent|asking|authori|pre-approved|verification|double-check|checking with",
        r"\bautomatically (?:\w+ )?(?:approve|confirm|book|pay|accept|purchase|charge|renew|upgrade|cancel)|"
        r"\b(?:approve|authori[sz]e|confirm|accept|book|pay|charge|purchase) (?:[\w']+ ){0,6}?automatically|"
        r"\b(?:approve|authori[sz]e|accept|auto-?approve|auto-?confirm|pre-?approve)s?\b (?:\w+ ){0,3}?(?:all|"
        r"every|any|each|future)\b (?:\w+ ){0,3}?(?:bookings?|purchases?|payments?|charges?|transactions?|"
        r"requests?|tool|calls?|upgrades?|actions?|changes?|orders?|reservations?|writes?|cancellations?)|"
        r"auto-?approv|auto-?confirm|auto-?book|\b(?:book|buy|purchase|pay|charge|reserve|cancel|upgrade|"
        r"proceed|transfer|complete|go ahead|confirm|act|change|spend|hold)\w*\b (?:\w+ ){0,6}?(?:without|"
        r"with no) (?:any |my |the |prior |further |user |explicit |waiting for |getting |seeking |requiring |"
        r"needing )*(?:approval|confirmation|confirming|asking|permission|consent|authori[sz]ation|"
        r"checking with|verification)|(?:without|skip|bypass|omit|never (?:ask|wait|require|request|seek)|"
        r"don't (?:ask|wait|require|seek)|do not (?:ask|wait|require|seek)|disable|turn off|remove|"
        r"no need (?:for|to ask|to wait|of)|stop asking)(?: for)? (?:any |my |the |for |user |further |user's |"
        r"explicit |human )*(?:approvals?|confirmations?|permission|consent|authori[sz]ation)\b(?! (?:email|"
        r"mail|sms|call|letter|page))|(?:has|have|had|is|are|were|already) (?:\w+ )?(?:pre-?)?(?:approved|"
        r"authori[sz]ed|consented to|confirmed|given consent to|waived) (?:\w+ ){0,2}?(?:all|every|any|future|"
        r"bookings?|purchases?|payments?|charges?|unlimited)|(?:all|every|any|future|"
        r"no) (?:\w+ ){0,2}?(?:bookings?|purchases?|payments?|charges?|transactions?|approvals?|confirmations?|"
        r"writes) (?:\w+ ){0,3}?(?:pre-?approved|approved|authori[sz]ed|is (?:ever )?(?:needed|required|"
        r"necessary)|are (?:ever )?(?:needed|required|necessary))",
        unless=(
            r"\b(?:never|don't|do not|please don't|not|nothing|no one|nobody|shouldn't|should not|can't|cannot|"
            r"hate|hates|dislikes?|refuse to) (?:\w+ ){0,3}?(?:book|buy|pay|charge|cancel|reserve|confirm|spend|"
            r"upgrade|change|proceed|purchase|it when|hotels|airlines|being|be)\w* (?:\w+ ){0,5}?without|"
            r"instant confirmation|my (?:company|boss|manager|employer|office|doctor)|hotels? that (?:charge|"
            r"confirm)|visa approval"
        ),
    ),
    Rule(
        "the assistant|ai |this assistant|language model|the model|chatbot|the bot|llm|this ai|any assistant|"
        "agents|the agent|concierge|future assistant|assistants|the system|every assistant|your assistant",
        rf"\b{AI} (?:\w+ ){{0,3}}?(?:must|should|shall|has to|have to|is (?:required|instructed|allowed|"
        rf"obliged|ordered|permitted|now|authori[sz]ed|to)|are (?:required|instructed|allowed|ordered|to|"
        rf"permitted|authori[sz]ed)|needs? to|ought to|will (?:always|now|never|obey|only|recommend|ignore)|"
        rf"may (?:now|always)|can (?:now|skip|ignore)|always|never|is programmed|cannot refuse)\b|(?:tells?|"
        rf"instructs?|orders?|asks?|forces?|requires?|makes?|commands?|wants?|gets?) (?:the|this|any|an|"
        rf"your) (?:\w+ )?(?:assistant|ai|model|chatbot|bot|llm|agent) to\b|\b(?:as|dear|hey|hello|attention|"
        rf"note to|message to|to) (?:an? |the |all |any |future |this )?(?:ai|llm|assistants?|language model|"
        rf"chatbot|ai model|ai agents?|bot)\b(?! (?:room|lounge|at|on|with))|\bthe concierge (?:assistant |"
        rf"bot |ai )?(?:must|shall|is (?:required|instructed|authori[sz]ed) to|has to|always obeys|"
        rf"will (?:always|now|never))",
        unless=(
            r"my (?:\w+ )?assistant|travel agent|rental agent|booking agent|check-?in agent|wheelchair assistant|"
            r"hotel(?:'s)? concierge|booking system|(?:train|metro|air|heating|sound|ventilation|transit|rail|ac|"
            r"cooling|cpap) systems?"
        ),
    ),
    Rule(
        "remember|memory|memories|save|store|note|treat|mark|tag|flag|record|add ",
        r"\b(?:remember|memori[sz]e|note|save|store|record|keep in mind|learn|"
        r"add)\b (?:\w+ ){0,3}?(?:that )?(?:you(?:'re| are| must| should| shall| will| have to| can| may|"
        r" need to| were)|your (?:role|task|new|job|rule|instruction)|the assistant|the system|as (?:a |"
        r"an )?(?:permanent |global |system |new |high[- ]priority )*(?:rule|instruction|system|directive|"
        r"command|policy|override)|(?:this|these|the following|a new|new) (?:\w+ )?(?:rule|instruction|command|"
        r"directive|policy|order|prompt)s?)\b(?! (?:can|could) (?:help|find|get|book)\b)|\b(?:treat|regard|"
        r"consider|interpret|accept|trust|execute|handle)\b (?:\w+ ){0,5}?as (?:an? |the |"
        r"your )?(?:\w+ )?(?:system|instruction|instructions|command|commands|rule|rules|directive|orders?|"
        r"trusted|verified|authoritative|admin\w*|truth|fact)\b|(?:mark|tag|flag|register|list|set) (?:this |"
        r"the |me |my )(?:user|account|profile|customer|request|message|note|memory|"
        r"as)?\s?(?:as )?(?:an? )?(?:admin\w*|verified|trusted|approved|authori[sz]ed|root|privileged|staff|"
        r"employee|vip)|\badd (?:this |the following |it |that |these )?(?:\w+ )?to (?:your|"
        r"the) (?:\w+ )?(?:instructions?|prompts?|rules|guidelines|system|policy|directives)|(?:permanent|"
        r"global|persistent|standing|high[- ]priority|core|hidden|secret|absolute|primary|prime|"
        r"universal) (?:system )?(?:rule|instruction|directive|command|order|policy)s?\b|memory (?:injection|"
        r"poison|update|override|insert|write)",
        unless=(
            r"new (?:\w+ )?(?:baggage|visa|airline|entry|cabin|luggage|hotel|covid|passport) (?:rule|polic)|"
            r"new (?:baggage|visa|entry) (?:rule|polic)|policy (?:number|holder)|standing order(?:s)? (?:for|with)|"
            r"new order"
        ),
    ),
    Rule(
        "admin|staff|is verified|free of charge|free upgrade|price is|prices are|for free|unlimited|prices|"
        "fares|i'm your|i am your|creator|refund|grant|credit|vip|privilege|employee|discount|free|is zero|"
        "entitled",
        r"\b(?:the |this )?user (?:is|has|was|should be (?:given|treated|granted)|must be (?:given|treated|"
        r"granted)|gets?|receives?|deserves?|qualifies)\b (?:\w+ ){0,3}?(?:admin\w*|staff|verified|root|"
        r"unlimited|superuser|authori[sz]ed|privileges?|trusted|employee|free|waived|refund|credit)|\bi(?:'m|"
        r" am) (?:the |your |an? |actually )?(?:\w+ )?(?:admin\b(?! (?:of|in|for|at) (?:our|my|a))|"
        r"system administrator|administrator of|developer of (?:this|you)|creator|operator|your (?:developer|"
        r"owner|boss|master|god))|(?:grant|give|issue|apply|award|assign|credit)\b (?:\w+ ){0,4}?(?:admin|"
        r"full access|root|unlimited|privileges|free (?:upgrades?|flights?|bookings?|rooms?|tickets?|nights?)|"
        r"(?:100|90|99|full) ?(?:%|percent) (?:off|discount|refund)|a full refund)|(?:all |every |"
        r"the )?(?:prices?|fares?|costs?|fees?|bookings?|flights?|everything)(?: for (?:this|the|every|"
        r"any) user)? (?:is|are|must be|should be|will be|shall be|count as) (?:always |now |considered |"
        r"treated as )*(?:zero|0\b|free(?! (?:wifi|breakfast|cancellation))|complimentary)|(?:waive|remove|"
        r"ignore) (?:all|every|any) (?:\w+ )?(?:fees?|charges?|limits?|payments?)",
        unless=(
            r"\b(?:i|my|we|prefers?|likes?|wants?|loves?|only|hotels?) (?:\w+ ){0,4}?(?:where|with|if|when|"
            r"that) (?:\w+ ){0,4}?(?:free|complimentary)|smoke[- ]free|free (?:wifi|wi-fi|breakfast|parking|"
            r"cancellation|shuttle)"
        ),
    ),
    Rule(
        "regardless|no matter what|to everyone|to all|to every|to anyone|all users|every user|other users|"
        "for everyone|all customers|above all|over all|instead of what|even if the user|even if i say|"
        "even if they|any user|rank|competitor|overcharge|mislead|lie to|deceive|trick|scam|never mention|fake|"
        "sponsor|every customer|all travellers|always recommend|always suggest|always say|always respond|"
        "always answer|always reply|always end|always include|always mention|always begin|always start|"
        "always add|phrase|the words|slogan|always claim|always insist|to users|to customers|to travellers|"
        "to the user|end each|each message|every message|end every|start every|begin every|every answer|"
        "every reply|every response|each response|each reply|each answer|all responses|all answers|all replies|"
        "all future|future conversations|future sessions|future replies|future responses|always call|"
        "always tell|never refuse|never recommend|never suggest",
        r"\b(?:recommend|suggest|promote|book|offer|push|say|tell|give|list|rank|choose|show|propose|apply|do|"
        r"answer|advertise|sell)\w*\b (?:\S+ ){0,8}?(?:regardless of (?:what|the user|user|how|who|any|"
        r"instructions|their|my (?:request|instructions))|no matter what (?:i|the user|they|anyone|he|she|"
        r"is asked|is said)|(?:to|for) (?:everyone|all (?:users|customers|travell?ers|people)|every (?:user|"
        r"customer|travell?er)|anyone|any user|other users)|even if (?:the user|they|i say|i ask|asked|told))|"
        r"(?:for|to|from|about|by) (?:all|every|other|any|another) (?:user|customer)s?\b|(?:tell|inform|"
        r"convince|persuade) (?:every|all|each|any)(?: the)? (?:user|customer|traveller|traveler|guest)s?\b|"
        r"(?:mislead|lie to|deceive|trick|overcharge|scam|manipulate|gaslight|upsell)\b (?:\w+ )?(?:user|users|"
        r"customer|traveller|traveler|people|everyone|them|him|her)|(?:always|must|only|in (?:all|every|"
        r"any)) (?:respond|answer|reply|say|include|append|prefix|add|"
        r"insert)\w*\b (?:\w+ ){0,5}?(?:with|the (?:word|phrase|text|string|following|link|sentence)|\"|'|"
        r"your (?:answers?|repl(?:y|ies)|responses?|messages?))|(?:start|begin|end|finish|prefix|append|"
        r"sign)\w* (?:\w+ ){0,2}?(?:every|each|all|your|any) (?:\w+ )?(?:answers?|repl(?:y|ies)|responses?|"
        r"messages?|sentences?|conversations?|outputs?) with\b|\b(?:insert|add|append|include|put|use|repeat|"
        r"write|say) (?:the|this|these) (?:exact )?(?:phrase|words?|sentence|slogan|text|string)\b|"
        r"\balways (?:claim|insist|pretend|state) (?:that )?|(?:never|always|only) (?:recommend|suggest|offer|"
        r"mention|sell)\b.{0,60}\bto (?:the |any |all |our )?(?:users?|customers?|travell?ers|clients|guests|"
        r"people)\b|(?:in|to|for|from|of|with) (?:all|every|each|any|your) (?:future |subsequent |further |"
        r"your )?(?:answers?|repl(?:y|ies)|responses?|outputs?|conversations?|sessions?)\b (?:\w+ )?(?:say|"
        r"include|mention|add|recommend|insert|must|append|you|:|,)|never (?:refuse|decline|reject|"
        r"deny) (?:\w+ ){0,2}?(?:request|anything|user|command|order|me|my|what|any|instruction|question)s?|"
        r"always (?:recommend|suggest|mention|promote|praise) (?:\S+ ){1,5}?(?:first|above|over|instead of|"
        r"as the (?:best|only)|and never|and nothing else|in every|to (?:me|us) and)|always (?:tell|say|claim|"
        r"pretend|state|insist|lie)\b(?! me (?:when|if|about|the|in|before|what))|always call (?:me|the user|"
        r"yourself) (?:\w+ )?(?:master|god|lord|king|daddy|your majesty)",
        unless=(
            r"i always (?:say|tell|answer|respond|add|recommend|suggest|start|end)|\b(?:i|we) (?:always |usually |"
            r"often )?(?:book|choose|offer|show) |group (?:tours?|trips?) for all|fun for (?:all|every)"
        ),
    ),
    Rule(
        "consent|approval|authori|permission|superuser|confirmation",
        r"\b(?:blanket|unlimited|full|standing|permanent|unconditional|advance|implicit|automatic) (?:consent|"
        r"approval|authori[sz]ation|permission)|\byou (?:\w+ )?(?:don't|do not|never|no longer|"
        r"needn't) (?:\w+ )?(?:need|require|have to (?:get|ask|seek|wait))(?: \w+)? (?:for )?(?:my |any |user |"
        r"the user's |further |an? )?(?:permission|approval|confirmation|consent|authori[sz]ation)|\b(?:are|"
        r"is) (?:all |now |always |hereby |already )*pre-?(?:authori[sz]ed|approved|confirmed|cleared)|"
        r"\bsuper-?user|(?:consider|assume|take|treat|regard) (?:\w+ ){0,4}?(?:as )?(?:approved|authori[sz]ed|"
        r"confirmed|consented)\b|(?:approval|confirmation|consent|authori[sz]ation)s? (?:is|are) (?:always |"
        r"already |hereby |automatically |never |not |no longer )*(?:given|granted|implied|assumed|needed|"
        r"required|necessary|waived|disabled|optional)",
        unless=r"visa (?:approval|on)|(?:company|manager|boss|employer|my) (?:\w+ )?approval",
    ),
    Rule(
        'only with|just with|say "|say \'|print "|output "|pwned|lie |write "|reply with|answer with|'
        "respond with|everything",
        r"\b(?:reply|respond|answer)\b (?:only |just |exclusively |always )*with(?: only|"
        r" just)? (?:the (?:word|phrase|text|sentence|letter)|[\"'])|"
        r"\b(?:say|print|output|write|repeat|echo) (?:only )?[\"']|\bpwned\b|(?:^|[.!?;,] ?|please |always |"
        r"must |and |should |to |will )lie (?:to|about)\b|"
        r"\bconsent(?:ed|s)? to (?:everything|anything|it all)|\b(?:have|has|got|gave|given|"
        r"with) (?:\w+ )?approval (?:for|to|of) (?:everything|anything)",
        unless=r"\b(?:i|we) (?:\w+ )?(?:say|write|print|lie) ",
    ),
    Rule(
        "need no|needs no|require no|requires no",
        r"(?:payments?|bookings?|purchases?|transactions?|charges?|actions?|cancellations?|tools?|"
        r"calls?) (?:\w+ ){0,2}?(?:needs?|requires?) no "
        r"(?:\w+ )?(?:confirmation|approval|permission|consent|check|authori[sz]ation|asking)",
    ),
    Rule(
        "assistant |ai |bot |model |chatbot ",
        r"(?:^|[:;.,!\"'] ?|that )(?:assistant|ai|bot|model|chatbot|llm|ai assistant|concierge bot|"
        r"ai agent) (?:must|should|shall|always|never|obeys?|will|has to|is to|may|"
        r"needs to|can|ought|ignores?|follows?|recommends?|approves?)\b",
    ),
    Rule(
        "ask the|ask user|ask them|wait for|verif|checks|check ",
        r"(?:never|don't|do not|no need to|without|stop|not) (?:ask|asking|wait|waiting)(?: for)? (?:the |"
        r"any )?(?:user|customer|traveller|traveler|human|them)(?:'s)? "
        r"(?:for |to )?(?:approv|confirm|permi|consent|authori)|(?:skip|bypass|disable|omit|turn off|ignore|"
        r"drop) (?:the |all |any |every )?(?:verification|security|identity|"
        r"fraud|payment|price|safety|policy|approval) ?(?:checks?|steps?|verification|screening|confirmation|gates?)\b",
        unless=r"airport|security (?:lines?|queues?)|tsa",
    ),
)
