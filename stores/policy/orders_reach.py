"""Orders in English that reach beyond the note: secrecy, leaks, links, tools, other people's data."""

from __future__ import annotations

from stores.policy.order_words import SITE, USER
from stores.policy.rule import Rule

RULES = (
    Rule(
        "tell|inform|customer|traveller|user|mention|reveal|notify|warn|disclose|let |show|secret|hide|conceal|"
        "silently|quietly|"
        "without the user|behind|covert|alert|withhold|confidential|knowing|without anyone|unaware",
        rf"\b(?:never|don't|do not|dont|not|without|must not|mustn't|avoid|refrain from|stop|shouldn't|"
        rf"should not|won't|cannot)(?: \w+)? (?:tell|telling|inform|informing|mention|mentioning|reveal|"
        rf"revealing|notify|notifying|warn|warning|disclos(?:e|ing)|let|letting|show|showing|alert|alerting|"
        rf"say|admit|discuss|share|explain)(?:ing)?\b (?:\w+ ){{0,8}}?(?:to |with |by |from )?{USER}\b|"
        rf"(?:hide|conceal|withhold|keep|kept)\w* (?:\w+ ){{0,6}}?(?:secret|hidden|from|"
        rf"confidential)? ?(?:from|to) {USER}\b|(?:secretly|silently|covertly|quietly|discreetly) (?:add|book|"
        rf"change|send|install|run|execute|upgrade|include|charge|forward|store|save|record|copy|transfer|"
        rf"collect|insert|append|replace|cancel|apply|log|delete|share)|"
        rf"without (?:the )?{USER}(?:'s)? (?:knowing|knowledge|noticing|consent|approval|permission|"
        rf"being told|realizing)|without (?:telling|informing|asking|notifying) {USER}|(?:never|don't|"
        rf"do not) (?:reveal|disclose|mention|tell anyone(?: about)?|admit|acknowledge|repeat|show) (?:this|"
        rf"these|that) (?:rule|instruction|note|memory|message|directive|order|prompt|policy|fact to)",
    ),
    Rule(
        "export|transfer|sell |submit|recite|reveal|print|repeat|output|leak|dump|display|show|list|expose|"
        "what is your|what are your|exfiltrat|"
        "forward|send|email|upload|transmit|share|post |copy|give me|tell me your|steal|collect|bcc|cc ",
        rf"\b(?:reveal|print|repeat|output|leak|dump|display|show|expose|recite|disclose|write out|tell me|"
        rf"give me|list|share|what (?:is|are))\b (?:\w+ ){{0,5}}?(?:your|the|all|"
        rf"its) (?:\w+ ){{0,2}}?(?:system prompt|instructions?|hidden|secret|internal|initial prompt|prompt|"
        rf"configuration|environment variables?|api keys?|credentials|passwords?|training data|other users|"
        rf"memory policy|guidelines)\b|\bexfiltrat|\b(?:send|forward|e?mail|upload|transmit|share|post|copy|"
        rf"give|leak|steal|collect|export|submit|bcc|cc|reveal|dump|sell|"
        rf"transfer)\b (?:\w+(?:'s)? ){{0,6}}?(?:user|users|user's|users'|customer|traveller's|traveler's|"
        rf"conversation|conversations|chat|history|memories|memory|notes|profile|personal|passwords?|"
        rf"credentials|cards?|payment|passport|itinerary|bookings?|data|details|it|them|this|everything|"
        rf"information|transcripts?)\b (?:\w+ ){{0,5}}?(?:to|at|via|with) (?:\w+ ){{0,3}}?(?:{SITE}|\S+@\S+|"
        rf"attacker|webhook|server|endpoint|third part|external|this address|url|following address|"
        rf"another user|an? \w+ server)|(?:passwords?|card numbers?|credentials|personal data|memories|notes|"
        rf"profiles?|data|bookings?) of (?:other|all|every|another) (?:users?|customers?|people|travellers?)",
        unless=r"safety instructions",
    ),
    Rule(
        ".com|.net|.org|.io|.co|.xyz|.info|.biz|.example|.ru|.cn|.app|.ai|.dev|.site|.online|.shop|.top|.click|"
        ".link|.jp|.uk|.de|.test|.invalid|http|www.| dot ",
        rf"\b(?:recommend|suggest|promote|advertise|redirect|refer|direct|link|send|mention|say|point|click|"
        rf"visit|open|navigate|fetch|download|browse|curl|wget|load|push|propose|steer|include|insert|append|"
        rf"offer|go|call|get|post|request|retrieve|follow|read|query|ping|tell|favou?r|praise|cite|respond|"
        rf"reply|answer|give|provide|display|show|add|install|import|execute|run|submit|enter|log in|consult|"
        rf"access)(?:s|es|ed|ing)?\b (?:[^\s.!?]+ ){{0,10}}?{SITE}|{SITE} (?:\w+ ){{0,3}}?(?:is|"
        rf"as) (?:\w+ ){{0,2}}?(?:the )?(?:only|official|best|trusted|sole|required|verified|mandatory)|"
        rf"(?:book|pay|buy|use|choose|go through|route)\w* (?:\S+ ){{0,6}}?(?:only|exclusively|"
        rf"always)? ?(?:through|via|at|on|with|from) https?://|!\[[^\]]*\]\(|(?:always|only|must) (?:use|book|"
        rf"choose|trust|go|pay|pick)\w* (?:\S+ ){{0,6}}?https?://|(?:use|using|trust) https?://",
        unless=(
            r"\b(?:i|we|i've|we've|my \w+|i'd|usually|often|i'll|likes? to|prefers? to|hates? to|loves? to|"
            r"want to)(?: \w+){0,3} (?:visit|open|browse|go|read|check|recommend|follow|found|book|use|call|"
            r"consult|get|post|request|show|give|access)\w*\b(?! (?:you|the assistant))"
        ),
    ),
    Rule(
        "tool|function|api|command|script|shell|sql|code|execute|rm -rf|drop table|delete|select *|os.system|"
        "eval(|javascript:|curl |subprocess|import os|_|wipe|erase|purge|clear|endpoint|webhook|python|bash|"
        "exec(",
        r"\b(?:call|invoke|execute|run|trigger|use|using|launch|activate|fire)\b (?:\w+ ){0,4}?(?:tools?|"
        r"functions?|apis?|commands?|scripts?|shell|sql|endpoint|webhook|bash|python|subprocess)\b|\b(?:run|"
        r"execute) (?:\w+ ){0,3}?code\b|\b(?:call|invoke|execute|run|trigger|use|"
        r"launch)\b (?:the )?[a-z]+_[a-z_]+|\b[a-z]+_[a-z_]+\s?\(|\b(?:save_memory_note|forget_memory|"
        r"list_memories|recall_memory|book_\w+|cancel_\w+|hold_\w+|search_\w+|memory_policy|user_profile|"
        r"system_prompt|tool_calls?|function_call|user_id|is_admin)\b|\brm -rf|drop table|(?:select|"
        r"delete) (?:\*|\w+) from \w+ where|select \* from|os\.system|\b(?:eval|exec|system|alert|print)\(|"
        r"javascript:|\bcurl -|wget http|subprocess|import os\b|\bexecute (?:the |this |following |"
        r"these )?(?:\w+ )?(?:following|instruction|payload|order|plan)|\b(?:delete|wipe|erase|purge|clear|"
        r"reset|destroy|overwrite|rewrite|corrupt)\b (?:\w+ ){0,3}?(?:all|every|other|entire|existing|user's|"
        r"users'|the user's|your) (?:\w+ ){0,3}?(?:memor(?:y|ies)|notes?|records?|database|profiles?|bookings?|"
        r"logs?|data|files?|history|journal|safety)\b|\bthen (?:decode|execute)\b|(?:decode|base64|rot13|"
        r"hex).{0,40}(?:follow|execute|obey|do what|and run)",
        unless=(
            r"\b(?:promo|discount|dress|country|qr|booking|voucher|coupon|door|gate|airport|area|zip|corporate|"
            r"companion|fare)(?:-| )codes?\b|tool-?(?:kit|box|s? (?:bag|museum))|(?:social|formal|work|"
            r"evening) functions?|\bsql (?:conference|developer)|(?:i|we) (?:usually |always |often )?(?:use|"
            r"run) (?:\w+ )?(?:tools?|apis?|scripts?)|use (?:a |my |the )?(?:walking|mobility|translation|bike|"
            r"cycling) tools?"
        ),
    ),
    Rule(
        "other users|another user|other customers|another account|other travellers|other people's|every user's|"
        "all users|other user's|other customer|other accounts|users'",
        r"\b(?:other|another|every|all|different) (?:user|customer|account|traveller|"
        r"client)s?(?:'s?)?\b(?! (?:reviews?|ratings?|opinions?|photos|comments|say|like))",
        unless=r"reviews?|ratings?|photos|opinions|avoid other travell?ers|(?:meet|with|from) other travell?ers",
    ),
    Rule(
        "hidden from|finds out|find out|never know|never knows|not know|never see|never learn|never notice|"
        "won't know|must not|should not|won't notice|"
        "not find|initial|instructions|unaware",
        rf"(?:hidden|secret|concealed|away|kept) from {USER}\b|{USER} (?:must not|should not|shouldn't|mustn't|"
        rf"can't|cannot|may not|will not|won't|never|"
        r"does not|doesn't|need not) (?:ever )?(?:finds?|knows?|sees?|learns?|notices?|reali[sz]es?|discovers?|"
        r"hears?|be told|be informed|be aware)\b|"
        r"\bwhat (?:were|are|is|was) your (?:\w+ )?(?:instructions?|prompts?|rules|directives?|guidelines)",
        unless=r"user never (?:sees|knows|finds) (?:the sun|how)",
    ),
)
