"""Which statements are limits rather than likings (S1.4)."""

from __future__ import annotations

from memory.policy.rule import Rule
from text import normalise

_HEALTH = Rule(
    "allerg|intoleran|anaphyla|epipen|asthma|diabet|insulin|epilep|pregnan|pacemaker|oxygen|cpap|dialysis|"
    "coeliac|celiac|medical condition|heart condition|medication|immunocompromised",
    r"allerg|intoleran|anaphyla|epipen|\basthma|diabet|insulin|epilep|pregnan|pacemaker|\boxygen|\bcpap\b|"
    r"dialysis|c(?:o)?eliac|"
    r"(?:medical|heart) condition|medication|immunocompromised",
    unless=r"(?:not|n't|no longer) (?:\w+ )?(?:allergic|diabetic|pregnant|intolerant)|no (?:known )?allerg",
)
_DIET = Rule(
    "vegan|vegetarian|pescatarian|pescetarian|halal|kosher|jain|gluten|lactose|dairy|nut-free|nuts|pork|beef|"
    "shellfish|alcohol|fodmap|low-sodium|low sodium|meat|dietary|fasting|seafood|fish|eggs|sugar",
    r"\bvegan|\bvegetarian|pesc[ae]tarian|\bhalal\b|\bkosher\b|\bjain\b|(?:gluten|dairy|lactose|nut|egg|"
    r"sugar)s?[- ]free|no gluten|low[- ]sodium|fodmap|"
    r"dietary (?:restriction|requirement|need|law)|(?:do not|don't|doesn't|does not|never|cannot|can't|can not|"
    r"stopped) (?:eat|have|touch|tolerate|digest|drink|eating|consume)"
    r"\w* (?:any )?(?:meat|pork|beef|gluten|dairy|lactose|nuts|peanuts|shellfish|seafood|fish|eggs|alcohol|"
    r"sugar|wheat|soy)",
)
_ACCESS = Rule(
    "wheelchair|mobility|accessib|disab|blind|deaf|hearing|crutch|walker|stairs|step-free|step free|guide dog|"
    "service animal|service dog|assistance dog|walking|cane|walk|prosthe|autis|claustrophob|scooter|impair|"
    "steps|grab rail|roll-in",
    r"wheelchair|\bmobility\b|\baccessib|\bdisab(?:led|ilit)|\bblind\b|\bdeaf\b|hard of hearing|hearing (?:aid|"
    r"loop|loss|impair)|crutches|walking frame|"
    r"\bwalker\b|step[- ]free|(?:guide|service|assistance) (?:dog|animal)|(?:use|with|need|uses|"
    r"walk with) a (?:cane|walking stick)|prosthe|\bautis|claustrophob|"
    r"(?:visually|hearing|mobility)[- ]impaired|roll-in shower|grab rail|(?:cannot|can't|can not|unable to|"
    r"couldn't|not able to|struggle to) "
    r"(?:\w+ )?(?:walk|climb|manage|use|take|do|stand|hear|see)\b.{0,20}(?:stairs|steps|far|long|distances?|"
    r"hills?|well)?",
    unless=r"wheelchair users? (?:are|were) (?:fun|nice)",
)
_DOCUMENT = Rule(
    "visa|passport|esta|residence permit|green card|travel ban|no-fly|nationality|stateless|citizen",
    r"(?:need|require|must have|without|have|hold|get|do not have|don't have|not have|no|my|only)s? (?:an? |"
    r"my |the )?(?:[\w-]+ ){0,3}(?:visas?|esta)\b|visas? "
    r"(?:is|are|was|run|expire|only|single|multiple|required|limit|for)|passport (?:\w+ ){0,3}(?:expire|valid|"
    r"runs out|only|is from|blank|full)|residence permit|"
    r"green card|travel ban|stateless|(?:cannot|can't|can not|not allowed to|banned from) (?:enter|travel to|"
    r"visit)|passport|citizen",
    unless=r"\bvisa (?:card|credit|debit|gold|platinum)|passport (?:bars?|control|queues?|cover)",
)
_JAPANESE = Rule(
    "アレルギ|不耐|ビーガン|ヴィーガン|ベジタリアン|菜食|ハラル|ハラール|コーシャ|セリアック|グルテン|乳糖|"
    "車椅子|車いす|バリアフリー|障害|障がい|盲導犬|介助犬|聴導犬|杖|妊娠|糖尿|喘息|ぜんそく|持病|酸素|ビザ|"
    "査証|パスポート|在留|透析|ペースメーカー|階段|食べられ|食べれ|目が見え|耳が聞こえ|てんかん|インスリン|"
    "飲めな|歩け",
    r"アレルギ|不耐|[ビヴ]ィ?ーガン|ベジタリアン|菜食|ハラー?ル|コーシャ|セリアック|グルテン|乳糖|車(?:椅子|"
    r"いす)|バリアフリー|障(?:害|がい)|(?:盲導|介助|聴導)犬|杖|妊娠|糖尿|"
    r"喘息|ぜんそく|持病|酸素|ビザ|査証|パスポート|在留|透析|ペースメーカー|階段.{0,6}(?:でき|無理|登れ|上れ|"
    r"使え|つら|辛)|食べら?れ(?:な|ま)|目が見え|耳が聞こえ|てんかん|インスリン|"
    r"飲めな|歩け(?:な|ま)",
    unless=r"アレルギーは(?:な|あ?りません)",
)
_RULES = (_HEALTH, _DIET, _ACCESS, _JAPANESE)


def is_hard(text: str, topic: str) -> bool:
    """True when `text` states a limit: allergy, diet, health, accessibility, or what documents allow.

    A plain dislike is not hard. The topic `accessibility` is hard whatever the words.
    """
    lowered = normalise(text).casefold()
    if topic == "accessibility" or any(rule.hits(lowered) for rule in _RULES):
        return True
    return _DOCUMENT.hits(lowered)
