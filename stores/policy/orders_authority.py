"""Orders in English that claim authority: dropping the rules, new roles and modes, obedience, forged system text."""

from __future__ import annotations

from stores.policy.order_words import DROP, EARLIER, ORDERS, RULES_OF, TRAVEL
from stores.policy.rule import Rule

RULES = (
    Rule(
        "ignor|disregard|forget|overrid|overwrit|overrule|bypass|circumvent|discard|dismiss|skip|drop|erase|neglect|"
        "set aside|follow|obey|comply|listen|adher|attention|throw|abandon",
        rf"\b{DROP}\b (?:\w+(?:'s)? ){{0,5}}?(?:{ORDERS}|(?:{EARLIER} )+(?:\w+ )?{RULES_OF}|(?:all|any|"
        rf"every) (?:of )?(?:the |these |those |your )?(?:other )?(?:rules|policies|restrictions|filters|"
        rf"safeguards|constraints))\b",
        unless=(
            rf"\b(?:{TRAVEL}|airline's|hotel's|covid|doctor's|my)(?:'s)? (?:\w+ )?(?:rules?|polic\w+|"
            rf"restrictions?|constraints?|limits|limitations|messages?|filters?|guidelines?|settings)\b|(?:don't|"
            rf"do not|never|won't|can't|not) (?:ignore|forget|skip|drop|disregard|neglect) |(?:never|"
            rf"not) (?:ignores|bypass|override)|\bi (?:\w+ )?(?:forget|"
            rf"ignore|skip|drop)\b|(?:driving|walking|check-in|boarding|cooking) (?:instructions|directions)|"
            rf"in-flight"
        ),
    ),
    Rule(
        "ignor|disregard|forget|override",
        r"\b(?:ignore|disregard|forget|override) (?:\w+ ){0,3}?(?:everything|anything|all|"
        r"what(?:ever)?)(?: of)?(?: that)?(?: (?:is|was|were|came|comes|you (?:were|have been|are)))? (?:above|"
        r"before this|prior|previously (?:said|told|written|stated)|told|instructed|taught|trained|programmed|"
        r"previous|preceding|the above|written above|you (?:know|learned|learnt))\b|\b(?:ignore|"
        r"disregard) (?:the )?(?:above|aforementioned)\b",
        unless=r"everything (?:above|over) \d|above (?:\d|the|my)",
    ),
    Rule(
        "you are|you're|your new|youre|your role|your name|your task|your purpose|your job|your goal|your only|"
        "your real|your true|your primary|your mission",
        r"\byou(?: are|'re|re) now\b(?! (?:free|able|aware|clear|booked|ready|familiar|used|my fav\w+|at|on|"
        r"also|welcome|part|better|good))|\bfrom (?:now|here|this point|today)(?: on(?:wards?)?)?,? you(?:'re|"
        r" are| will| must| shall| should)(?: be| act| become| answer| respond| obey| speak| ignore| never|"
        r" only follow| pretend)?\b(?! (?:\w+ )?(?:book|choose|pick|find|search))|"
        r"\byou are (?:an? |the |my |in |no longer |going to (?:act|pretend|be) |hereby |actually |really |"
        r"secretly |to act )?(?:\w+ ){0,2}(?:unrestricted|unfiltered|uncensored|admin\w*|dan\b|ai\b|assistant|"
        r"chat ?bot|\bbot\b|language model|llm|gpt|jailbroken|developer mode|debug mode|bound by|evil|hacker|"
        r"pirate|system|root|character|persona|authori[sz]ed to|free from|free of|required to|instructed|"
        r"programmed)|"
        r"\byour (?:new |only |real |true |primary |main |current )?(?:role|persona|identity|name|purpose|goal|"
        r"task|mission|job|objective|instructions?|prompt|rules?|directives?) (?:is|are|will be|shall be|"
        r"now)\b|\byour new (?:instructions?|role|rules?|task|persona|identity|system|name|objective)",
    ),
    Rule(
        "act as|acting as|pretend|roleplay|role play|role-play|behave|persona|imagine you|impersonat|simulate|"
        "act like|play the role|take the role|take on|assume the|speak as|respond as|answer as|talk like|"
        "stay in character|in character",
        r"(?:^|[.!?:;,\"'(\]] ?|\b(?:please|you|now|must|should|will|to|and|then|always|can|could|just|shall|"
        r"assistant|ai|user says) )(?:act(?:ing)? (?:as|like)|pretend(?:ing)?(?: to be| that| you| to)|"
        r"behav(?:e|ing) (?:as|like)|impersonat\w+|simulat\w+ (?:an?|the|being)|speak as|respond as|answer as|"
        r"talk like|imagine you(?:'re| are))\b|(?:^|let\'s |let us |please |we |you |now |start |and |"
        r"to )role-?\s?play(?:ing)?(?! is)\b|\bimagine you(?:'re| are) (?:an?|the|my)|(?:assume|adopt|play|"
        r"take(?: on)?) (?:the|a|an) (?:\w+ )?(?:role|persona|identity|character)|stay in character|"
        r"\bpretend (?:to be|you are|you're|that you)\b",
        unless=(
            r"\b(?:i|we|she|he|who|they|my \w+|has to|have to|had to|need to|needs to|i can|used to|"
            r"able to)(?: \w+)? (?:act|acts|pretend|pretends|behave|speak|roleplay|role-play|play|imagine|"
            r"can act)\b(?! as you)|role-?\s?play(?:ing)? (?:games?|conventions?|festivals?|events?|groups?|"
            r"museum)|^enjoys? role"
        ),
    ),
    Rule(
        "developer mode|dev mode|jailbreak|jail break|god mode|do anything now|admin mode|debug mode|"
        "maintenance mode|sudo |unrestricted mode|root access|dan mode|admin override|override code|"
        "admin access|override|administrator|superuser|privileged|test mode|safe mode|without restrictions|"
        "no restrictions",
        r"(?:developer|dev|god|admin|debug|maintenance|unrestricted|dan|test|root|evil|opposite) mode|"
        r"jail ?break|do anything now|\bsudo \w|root access|(?:admin|system|security|emergency|manual|policy|"
        r"safety|developer|instruction|approval|memory|supervisor|manager|authori[sz]ation)\w* override|"
        r"override (?:code|all|the|any|your|safety|system|policy|approval|every)|(?:as|am|is|be) (?:an? |the |"
        r"your )?(?:system )?(?:administrator|superuser|admin|developer|creator)\b|admin (?:access|privileges|"
        r"rights|user)|(?:respond|answer|act|operate|work) (?:with|without)(?: any)? (?:no )?(?:restrictions|"
        r"limits|filters)",
        unless=(
            r"\b(?:i|she|he|wife|husband|partner|who|and|i'm) (?:am|is|work\w*|was|"
            r"'m)?\s?(?:as )?an? (?:\w+ )?(?:administrator|developer|superuser)\b(?! (?:of|for) (?:this|the|your)|"
            r" mode)|i'm an? (?:\w+ )?developer|override (?:the )?(?:thermostat|ac|a/c|air)|airplane mode|"
            r"flight mode|escape (?:rooms?|games?)"
        ),
    ),
    Rule(
        "obey|comply|orders|commands|instructions|whatever|anything i|do as i|unquestioning|submit to|"
        "without question|loyal to|do exactly|everything i say|unconditional",
        r"\b(?:always|must|only|shall|should|to|you|will|and|blindly|unconditionally|just|absolutely) (?:obey|"
        r"comply)\b|\bdisobey|\bfollow (?:all |every )?(?:my|these|the following|his|her) (?:orders|commands|"
        r"instructions)\b|^obey|\bobey (?:me|all|every|any|the (?:user|following|next|command|order)|my|"
        r"whatever|only|this|these)|comply with (?:all|any|every|my|whatever|the following|each|user|"
        r"these) (?!entry|visa|airline|dietary|baggage)\w*|\bdo (?:whatever|anything|everything|"
        r"exactly (?:what|as)|as) (?:i|he|she|they|the user|it|i'm|you're|you are) (?:say|ask|tell|want|"
        r"command|told|instruct|demand)s?|(?:without|no) question(?:ing)?(?:s)?(?: asked)?(?= ?(?:[.,!]|$|"
        r" (?:obey|do|follow|execute)))|unquestioning|follow (?:all |every |any )?(?:my |of my |the following |"
        r"these )(?:commands?|orders|instructions?)\b",
        unless=(
            r"i (?:always |must |have to |need to )?(?:obey|comply)|\b(?:must|should|"
            r"to) comply with (?:\w+ )?(?:kosher|halal|dietary|safety|visa|airline|company|fire)|whatever (?:is|"
            r"seat|the weather|works)|no questions asked (?:refund|cancellation|return)"
        ),
    ),
    Rule(
        "system|### |[inst|<||assistant:|developer:|</|<|human:|begin |end of |instruction:|[[|{{|]]|user:|"
        "tool:|ai:|prompt|new rule|rule:|operator:|admin:|policy:",
        r"\bsystem[\s_\-]?(?:rule|prompt|instruction|override|command|directive|notice|note|message|update|"
        r"policy|alert|admin|warning|task|config\w*|role|notification|mandate|order|patch|log)s?\b|(?:^|"
        r"[.!?;,\n\"'\])>] ?)[\[(#*<{ ]"
        r"{0,5}(?:system|assistant|developer|human|tool|ai|operator|root|admin|instruction|"
        r"policy)[\])#*>}]{0,4} ?:|\[/?(?:system|inst|assistant|admin|sys|user|instructions?|developer)\]|"
        r"<\|?/?\s?(?:system|assistant|user|human|im_start|im_end|endoftext|instructions?|memor(?:y|ies)|"
        r"memory_policy|user_profile|used|tool\w*|function\w*|script|prompt|admin|inst|sys|policy|s|context|"
        r"iframe|img|a href|secret|command|rules?|hidden|developer|thinking|global|session|conversation|"
        r"important)\b[^>]{0,80}>|</\w+>|#{2,} ?(?:system|instruction|assistant|new|admin|user|response|human|"
        r"rule|task|override|end)|(?:begin|end|start)(?: of)?(?: the)? (?:system|instructions?|prompt|admin|"
        r"user input|memor(?:y|ies)|context|conversation|hidden|override)\b|<<sys>>|\{\{.{1,80}\}\}|"
        r"\{%|(?:your|the|hidden|initial|original|secret|full) (?:system )?prompts?\b(?! (?:service|reply|"
        r"refund|check|response|attention))|\bnew rules?:|(?:^(?:new |important |permanent )?|(?:new|important|"
        r"permanent|system|secret|this|following) )(?:command|"
        r"instructions?|directive|order) ?(?:\d+ ?)?:|(?:important|permanent|secret|system) rule ?:",
        unless=(
            r"\b(?:transit|metro|subway|rail|railway|train|bus|points|loyalty|sound|heating|cooling|ventilation|"
            r"air|immune|cpap|transport|transportation|public|buddy|queue|ac|rewards|booking|alarm|navigation|"
            r"entertainment|reward|underground|tube|baggage|ticketing|highway|metric|hotel|"
            r"tram)(?: \w+)? systems? (?:rule|prompt|note|notice|message|update|alert|warning|polic|log|order|"
            r"command|notification|config|map|card)"
        ),
    ),
    Rule(
        "instruction|directive|prompt|rules|guideline|orders|programming|policy|policies|restriction|safety",
        rf"\b(?:(?:{EARLIER}|all|these|those|any|other|every|the) )+(?:\w+ )?(?:instructions?|directives?|"
        rf"prompts?|rules|guidelines|programming|orders|polic(?:y|ies)|restrictions) (?:\w+ )?(?:is|are|was|"
        rf"were|has been|have been|do not|don't|no longer) (?:\w+ )?(?:void|null|cancell?ed|revoked|superseded|"
        rf"replaced|updated|obsolete|invalid|off|suspended|deleted|lifted|gone|over|apply|applicable|disabled|"
        rf"overridden|ignored|rescinded|outdated|withdrawn|terminated|nullified|deactivated|rewritten)|"
        rf"\binstructions? (?:updated|changed|revoked|replaced)|\b(?:overlook|revoke|nullify|supersede|rescind|"
        rf"replace|rewrite|violate|break|disable|deactivate|suspend|turn off|switch off|outrank|negate|void|"
        rf"cancel|unlearn|loosen|relax|lift|remove|reset|clear|"
        rf"wipe) (?:\w+ ){{0,3}}?(?:{EARLIER} )+(?:\w+ )?(?:instructions?|directives?|prompts?|rules|"
        rf"guidelines|programming|guardrails|safeguards|restrictions|polic(?:y|ies)|filters?|safety|"
        rf"constraints|limits)|\b(?:had|have|has|with|got) (?:no|zero) (?:rules|guidelines|ethics|morals|"
        rf"content policy|filters?|guardrails|limits to what)|rules (?:do not|don't|no longer) apply to you|"
        rf"(?:without|no) (?:content policy|guardrails|guidelines|ethics|moral)\b|"
        rf"\bnew (?:set of )?(?:instructions?|directives?|orders|programming)\b",
        unless=(
            rf"\b(?:{TRAVEL}|airline|covid|entry|my)(?:'s)? (?:\w+ )?(?:rules?|polic\w+|restrictions?|guidelines?|"
            rf"orders) |\b(?:driving|washing|care|check-in) instructions"
        ),
    ),
    Rule(
        "this note|this memory|this message|this rule|this entry|this statement|this instruction|this text|"
        "the following|precedence|priority|overrid|supersede|outrank",
        r"\bth(?:is|e following|ese) (?:note|memory|message|rule|entry|statement|instruction|text|line|"
        r"preference|directive)s? (?:\w+ )?(?:overrid\w+|supersedes?|outranks?|takes? (?:precedence|priority)|"
        r"has (?:\w+ )?(?:priority|precedence)|beats?|must|shall|is (?:an? |the )?(?:\w+ )?(?:system|"
        r"instruction|command|rule|order|final|binding|absolute|mandatory)|cannot be|can never|may not be|"
        r"applies to (?:all|every)|comes? from (?:the )?(?:system|developer|admin))|(?:precedence|"
        r"priority) over (?:\w+ ){0,3}?(?:instructions?|prompts?|system|notes?|memor(?:y|ies)|rules?|messages?|"
        r"polic(?:y|ies)|user|everything|guidelines)|higher[- ]priority (?:instruction|rule|note|than (?:any|"
        r"all|other|the system|the user))|\boverrides? (?:all|any|every|your|the|other) (?:\w+ )?(?:notes?|"
        r"memor(?:y|ies)|instructions?|rules?|messages?|prompts?|settings|polic(?:y|ies)|else)|"
        r"keep this (?:rule|note|instruction|memory|directive) (?:hidden|secret|private)|this (?:rule|"
        r"instruction|directive) (?:is|must stay|stays|should stay) (?:hidden|secret)",
    ),
    Rule(
        "you work for|you serve|your loyalty|you belong|you answer to|you report to|your master|your owner|"
        "your creator|you owe|your allegiance|your boss|your developer|your god",
        r"\byou (?:now |only |really |actually |secretly )*(?:work for|serve|belong to|answer (?:only )?to|"
        r"report to|owe)\b|\byour (?:\w+ )?(?:loyalty|allegiance)\b|\b(?:i am|i'm|is|"
        r"as) your (?:\w+ )?(?:master|owner|creator|god|developer|programmer|administrator|admin)\b",
        unless=r"you serve (?:breakfast|lunch|dinner|food|coffee|vegan|vegetarian)",
    ),
    Rule(
        "you have|you had|you were|you've been|you are|whatever i say|my word|what i say|anything|everything|"
        "ignore the user|"
        "ignore further|rest of|give me|root|further|have changed|has changed|no longer|stop being",
        rf"\b{DROP}\b (?:\w+ ){{0,4}}?(?:rules?|instructions?|polic\w+|guidelines|everything|restrictions?|"
        rf"what) (?:that |which )?"
        r"you(?:'ve| have| had| were| are| got| know| learn\w*)|\b(?:ignore|disregard) (?:the |any |all |"
        r"further |future |other )+"
        r"(?:user|users|customer|traveller|requests?|user's|user requests?)\b|\byou(?:'ve|"
        r" have) been (?:\w+ )?(?:re-?programmed|programmed|"
        r"instructed|ordered|updated|hacked|upgraded|told to|configured|designed|hired|assigned|authori[sz]ed|"
        r"jailbroken|freed)|\byou were "
        r"(?:re-?programmed|instructed|ordered|hacked|freed)|\byou are (?:obligated|obliged|bound|forced|"
        r"commanded|ordered|compelled) to|"
        r"(?:for|during|throughout) the (?:rest|remainder) of (?:the|this|our) (?:chat|conversation|session|"
        r"dialogue|thread|talk),? you|"
        r"\byour (?:guidelines|rules|instructions|programming|directives|polic\w+|prompt) (?:has|"
        r"have) (?:been )?(?:changed|\w+ed)|"
        r"whatever i say (?:is|goes|must)|\bmy (?:word|wish|command) is (?:law|final|your)|"
        r"\bcomply with (?:everything|anything|whatever|all)|"
        r"\b(?:give|grant|hand) me (?:root|admin\w*|sudo|full access|developer)\b|\bstop being (?:a |an |"
        r"the )?(?:concierge|assistant|ai|bot|helpful)",
    ),
    Rule(
        "```|'''|(assistant)|(ai)|(system)|self (|line",
        r"```|'''|\((?:assistant|ai|system|bot|llm|model)\) ?:|\b(?:everything|text|words?|lines?|content|"
        r"all) (?:\w+ )?above (?:this|the) (?:line|message|text|point|note)",
    ),
    Rule(
        "your |the rules|these rules",
        r"\byour (?:\w+ )?(?:rules|instructions|guidelines|programming|directives|polic\w+|prompt|restrictions|"
        r"safeguards) (?:as )?(?:deleted|void|gone|null|"
        r"cancell?ed|obsolete|suspended|lifted|revoked|erased|replaced|overridden|off|irrelevant)\b",
    ),
)
