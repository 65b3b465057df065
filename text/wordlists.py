"""Words that carry no meaning of their own, and English forms that no stemmer joins."""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


def _forms(table: str) -> dict[str, str]:
    rows = (line.split() for line in table.splitlines() if line.strip())
    return {form: base for base, *forms in rows for form in forms}


STOP_WORDS = _words(
    """
    a about above after again against ain all also am an and any anything are aren as at be because been before
    being below between both but by can cannot cant could couldn did didn do does doesn doing don dont down
    during each either else even ever every few for from further had hadn has hasn have haven having he her here
    hers herself him himself his how however i if im in into is isn it its itself ive just kind let lets ll may
    me might mightn mine more most much must mustn my myself nor not now of off oh ok okay on once one only or
    other our ours ourselves out over own please quite rather re really s same shall shan she should shouldn so
    some someone something somewhat such t than that thats the their theirs them themselves then there these
    they thing things this those though through till to too under until up upon us ve very was wasn we well were
    weren what whatever when where whether which while who whom whose why will with won would wouldn yeah yes
    you your yours yourself yourselves ask asked mention mentioned remember remind said say says talk talked
    talking tell tells told
    """
)
"""Function words, and the verbs with which people ask a memory for something ("what did she say about …")."""

STOP_PAIRS = _words(
    """
    れは こで です でし した ます まし ませ せん った って てい いま いる いた ある あり りま から まで では には とか
    など なの のは のが のを こと もの これ それ あれ どれ どの どこ どん なに なん でも けど だっ たい たの
    たか たっ して しま すか るの るか んで んだ んな よう うな うに ので のに たち ちの さん れる られ れた
    いう いつ つで すね ねえ よね だよ だね ない かな いて いで てく くだ ださ さい ての との へは をし
    がい はあ もう えて とて はど はい いえ あの その この
    """
)
"""Pairs of Japanese characters that endings, particles and question words are made of."""

IRREGULAR = _forms(
    """
be was were been
become became
begin began begun
bite bit bitten
break broke broken
bring brought
build built
buy bought
catch caught
child children
choose chose chosen
come came
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown flies
foot feet
forget forgot forgotten
get got gotten
give gave given
go went gone
grow grew grown
hear heard
hide hid hidden
hold held
keep kept
knife knives
know knew known
leaf leaves
lead led
learn learnt
leave left
lend lent
lie lay lain
life lives
lose lost
make made
man men
mean meant
meet met
mouse mice
pay paid
person people
ride rode ridden
ring rang rung
rise rose risen
run ran
see saw seen
sell sold
send sent
shake shook shaken
shoot shot
sing sang sung
sink sank
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
stick stuck
swim swam swum
take took taken
teach taught
think thought
throw threw thrown
tooth teeth
understand understood
wake woke woken
wear wore worn
wife wives
win won
woman women
write wrote written
mom mum mother mommy mummy
dad father daddy
tv television
1 one
2 two
3 three
4 four
5 five
6 six
7 seven
8 eight
9 nine
10 ten
    """
)
"""From an irregular or second form to the one it is indexed under."""
