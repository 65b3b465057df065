"""The words in which orders are put, shared by the rules that look for them (regular expressions)."""

DROP = (
    r"(?:ignor(?:e|es|ed|ing)|disregard(?:s|ed|ing)?|forget(?:ting)?|overrid(?:e|es|ing)|overrule|overwrit(?:e|"
    r"ing)|bypass(?:ing)?|"
    r"circumvent|discard|dismiss|skip|drop|erase|neglect|set aside|(?:do not|don't|never|stop|quit|"
    r"cease) (?:follow(?:ing)?|obey(?:ing)?|comply(?:ing)? with|listen(?:ing)? to|adher(?:e|ing) to)|"
    r"pay no attention to|throw (?:out|away)|abandon)"
)
ORDERS = (
    r"(?:instructions?|guidance|prompts?|directives?|programming|training|guard ?rails?|safeguards?|guidelines?|"
    r"system messages?|commands?|orders|jailbreaks?|safety (?:rules?|filters?|checks?|polic\w+))"
)
RULES_OF = (
    r"(?:rules?|polic(?:y|ies)|restrictions?|constraints?|limits|limitations|filters?|messages?|context|memor(?:y|"
    r"ies)|settings|configuration|protocols?)"
)
EARLIER = (
    r"(?:previous|prior|earlier|above|preceding|existing|original|initial|foregoing|past|system|developer|your|"
    r"all your|all of your|safety|security|internal|built-in|hidden|core|privacy|approval|openai)"
)
TRAVEL = (
    r"baggage|luggage|visa|dietary|diet|budget|hotel|airline|fare|seat|meal|weight|liquid|room|smoking|flight|"
    r"booking|cancellation|price|search|travel|noise"
)
AI = (
    r"(?:the|this|any|every|an|your|future) (?:\w+ )?(?:assistants?|ai|a\.i\.|language models?|models?|chat ?bots?|"
    r"bots?|llms?|ai agents?|agents?|systems?|gpts?)"
)
USER = (
    r"(?:the |this |that |any |your |to |our )*(?:user|users|traveller|traveler|travellers|travelers|customer|"
    r"customers|human|humans|end[- ]user|account holder|owner|client|clients|guest)"
)
SITE = (
    r"(?:https?://\S+|www\.\S+|\b[a-z0-9\-]+(?:\.| dot )(?:com|net|org|io|co|xyz|info|biz|example|ru|cn|app|ai|dev|"
    r"site|online|shop|top|click|link|jp|uk|de|test|invalid)\b)"
)
SAY = (
    r"(?:recommend|suggest|say|reply|respond|answer|tell|output|print|claim|pretend|mention|promote|propose|offer|"
    r"call|run|execute|invoke|send|book|use|include|insert|add|give|direct|redirect|refer|point|link|show|state|"
    r"assert|insist|push|advertise|provide|approve|transfer|do|charge|set|write|forward|share|steer|list|always|"
    r"never|only|first|you|quote|upsell|ignore|reveal|delete|upgrade|refuse|decline|deny|reject|delay|return|"
    r"name|favou?r)"
)
