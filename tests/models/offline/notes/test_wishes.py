"""What a message wants done with memory, and which notes it means."""

from __future__ import annotations

from models.offline.dialogue.acts import Call
from models.offline.dialogue.forgetting import is_meant
from models.offline.dialogue.memory import memory_calls, wish_of
from models.offline.dialogue.transcript import Briefing, Memory, Outcome, Transcript, Turn
from models.offline.dialogue.turn import Dialogue
from models.offline.notes import memory_wish
from models.offline.notes.wishes import asked_of_oneself, asks_to_remember
from models.offline.wording.sentences import sentences
from tests.models.offline.talker import Talker
from tests.tables import table

TOOLS = frozenset({"save_memory_note", "forget_memory", "list_memories", "recall_memory", "remember_conversation"})
NOTES = {
    "p": ("Allergic to peanuts.", "other"), "c": ("Allergic to penicillin.", "other"),
    "a": ("Prefers aisle seats.", "seat"), "b": ("Likes boutique hotels.", "hotel"),
    "k": ("I don't eat pork", "meal"), "h": ("I live in Porto", "other"), "j": ("ピーナッツアレルギー", "meal"),
    "w": ("窓側の席が好き", "seat"),
}  # fmt: skip
SHOWN = tuple(Memory(key, topic, text, "2026-10-01", None, False, False) for key, (text, topic) in NOTES.items())


def _calls(said: str, *before: Turn) -> list[Call]:
    transcript = Transcript("", "", (*before, Turn(said, "m")))
    return memory_calls(Dialogue(transcript, Briefing(memories=SHOWN), sentences("en"), TOOLS))


@table(
    ("said", "kind"),
    [
        ("what do you know about me?", "list"),
        ("whats left in your notes about my food?", "list"),
        ("is the rest still there?", "list"),
        ("forget my peanut allergy, turned out the test was wrong", "forget"),
        ("hm. forget everything about my allergies, id rather tell people myself", "forget"),
        ("delete everything you know about me", "forget_all"),
        ("do me a favour, forget that I like rooftop bars, you got that from somewhere. I own one", "forget"),
        ("Rome it is - and delete the note about the gym", "forget"),
        ("how do you know that?", "source"),
        ("which hotel did we look at in March?", "recall"),
        ("don't remember this conversation", "private"),
        ("okay, back on the record", "public"),
        ("you can learn about me again", "public"),
        ("You may remember things about me again", "public"),
        ("Stop learning about me please", "private"),
        ("私について学ぶのをやめてください", "private"),
        ("また私のことを覚えていいですよ", "public"),
        ("アレルギーについて何か覚えてますか", "list"),
        ("ピーナッツの方はもう忘れてください", "forget"),
        ("この会話は覚えないでください", "private"),
        ("全部忘れて", "forget_all"),
        ("pause", "private"),
        ("この会話からは何も学習しないでください", "private"),
        ("しばらく学習しないで", "private"),
        ("今は覚えるのを止めて", "private"),
        ("you may learn again", "public"),
        ("what have you learnt from me today?", "list"),
        ("what did you just save?", "list"),
        ("今日は私の何を覚えましたか", "list"),
        ("please don't keep the thing about my debts", "forget"),
        ("don't save the part about the divorce", "forget"),
    ],
)
def test_a_wish_is_told_by_its_words(said: str, kind: str) -> None:
    wish = memory_wish(said)
    assert wish is not None
    assert wish.kind == kind


@table(
    "said",
    [
        "I'm vegetarian", "don't forget to book the car", "flights to Rome", "窓側が好きです", "the second one",
        "新しい便を予約して、元のは取り消してください",
    ],
)  # fmt: skip
def test_other_talk_wants_nothing_of_memory(said: str) -> None:
    assert memory_wish(said) is None


def test_a_request_is_not_sought_behind_more_words_than_a_note_has() -> None:
    assert memory_wish("we had soup, " * 20 + "forget the aisle thing") is None


@table(
    ("said", "keys"),
    [
        ("forget my peanut allergy, turned out the test was wrong", "p"),
        ("forget everything about my allergies", "pcj"),
        ("please forget where I live", "h"),
        ("forget the aisle thing", "a"),
        ("delete the note about pork", "k"),
        ("forget all my seat preferences", "aw"),
        ("ピーナッツの方はもう忘れてください", "j"),
    ],
)
def test_forgetting_means_notes_by_topic_and_by_word(said: str, keys: str) -> None:
    assert _calls(said) == [("forget_memory", {"query": key}) for key in keys]


@table(
    ("said", "keys"),
    [("whats left in your notes about my food?", "pckj"), ("what do you know about my seats?", "aw"),
     ("アレルギーについて何か覚えてますか", "pcj"), ("what do you know about me?", "pcabkhjw")],
)  # fmt: skip
def test_what_is_known_is_told_by_topic(said: str, keys: str) -> None:
    wish = memory_wish(said)
    assert wish is not None
    assert "".join(note.handle for note in SHOWN if is_meant(note, wish, ())) == keys


@table(
    "said",
    [
        "pause memory", "please stop learning about me", "stop saving things for now", "一時的に記憶を止めて",
        "しばらく何も覚えないで",
    ],
)  # fmt: skip
def test_to_pause_memory_is_to_learn_nothing_of_the_conversation(said: str) -> None:
    assert _calls(said) == [("remember_conversation", {"remember": False})]


@table("said", ["stop the car there", "stop saving so hard, splurge a little", "何も覚えてない"])
def test_what_pauses_no_memory(said: str) -> None:
    assert not any(name == "remember_conversation" for name, _ in _calls(said))


@table(
    ("said", "words"),
    [
        ("dont save that i have a nut allergy", ["I have a nut allergy"]),
        ("Don't store that I'm diabetic", ["I'm diabetic"]),
        ("I take insulin. Not to be saved!", ["I take insulin"]),
        ("I'd like an aisle seat. I have lupus, keep that to yourself", ["I have lupus"]),
        ("健康のことは覚えないでください", []),
    ],
)
def test_what_is_not_to_be_saved_is_withheld(said: str, words: list[str]) -> None:
    assert _calls(said) == [("remember_conversation", {"remember": False, "words": each}) for each in words]


def test_an_order_alone_is_about_the_message_before() -> None:
    assert _calls("don't save that", Turn("I've had a miscarriage.", "a", reply="I see.")) == [
        ("remember_conversation", {"remember": False, "words": "I've had a miscarriage"})
    ]


def test_a_bare_request_to_remember_is_joined_with_what_it_follows() -> None:
    said = "My son is allergic to eggs and I can't climb stairs. Remember this please."
    texts = [given["text"] for name, given in _calls(said) if name == "save_memory_note"]
    assert texts == ["My son is allergic to eggs", "I can't climb stairs"]


def test_a_wish_of_the_trip_is_none_over_memory() -> None:
    asked = Turn("a hotel in Rome with a pool, 3 to 5 May 2027", "a", reply="Here are the hotels.")
    assert _calls("forget the pool actually", asked) == []
    assert _calls("forget the pool actually") == [("forget_memory", {"query": "pool actually"})]


def _asked(*keys: str) -> Turn:
    matches = [{"handle": key, "text": NOTES[key][0], "topic": NOTES[key][1]} for key in keys]
    return Turn(
        "forget it", "q", [Outcome("forget_memory", {"query": "it"}, {"status": "which_one", "matches": matches})]
    )


@table(
    ("said", "keys"),
    [
        ("the second one", "c"),
        ("the penicillin one", "c"),
        ("yes, all of the allergy stuff. but keep the boutique hotels one", "pc"),
        ("both", "pcb"),
        ("全部です", "pcb"),
        ("no", ""),
    ],
)
def test_an_answer_picks_among_several(said: str, keys: str) -> None:
    assert _calls(said, _asked("p", "c", "b")) == [("forget_memory", {"query": key}) for key in keys]


def test_a_correction_keeps_the_new_and_takes_back_the_old() -> None:
    ((name, given),) = _calls("no wait, it's tree nuts, not peanuts")
    claims = {(claim["value"], claim["stance"]) for claim in given["claims"]}
    assert name == "save_memory_note"
    assert claims == {("tree nuts", "requires"), ("peanut", "indifferent")}


def test_a_correction_is_not_what_it_corrects() -> None:
    said = "ピーナッツじゃなくてそばアレルギーです"
    kept = Outcome("save_memory_note", {"text": said, "topic": "meal"}, {"status": "kept", "id": "s", "text": said})
    calls = _calls("ピーナッツの方はもう忘れてください", Turn(said, "q", [kept]))
    assert calls == [("forget_memory", {"query": "j"})]


KIN = {
    "g": "彼女はエビアレルギーです", "m": "My mother is allergic to nuts", "t": "私と妻は蕎麦アレルギーです",
    "d": "娘の葵は13歳", "f": "妻は通路側が好き",
}  # fmt: skip
OF_KIN = tuple(Memory(key, "", text, "2026-10-01", None, False, False) for key, text in KIN.items())


@table(
    ("said", "keys"),
    [
        ("私のアレルギーは何だっけ？", "t"),
        ("what are my allergies?", "t"),
        ("do you remember my allergies?", "t"),
        ("forget everything about my allergies", "t"),
        ("彼女のアレルギーなんだっけ", "g"),
        ("what do you know about my mum's allergies?", "m"),
        ("アレルギーについて何か覚えてますか", "gmt"),
        ("奥さんの好きな席は何だっけ", "tf"),
    ],
)
def test_the_allergies_of_the_user_are_not_those_of_others(said: str, keys: str) -> None:
    wish = memory_wish(said) or asked_of_oneself(said)
    assert wish is not None
    assert "".join(note.handle for note in OF_KIN if is_meant(note, wish, ())) == keys


@table(
    ("said", "keys"),
    [
        ("娘の名前と年齢覚えてる？", "d"),
        ("娘は何歳だっけ", "d"),
        ("娘の名前、覚えていますか", "d"),
        ("うちの妻が好きな席、ご存じですか？", "tf"),
        ("奥さんは通路側が好きだっけ？", "tf"),
        ("娘はどこに行けるの？", ""),
    ],
)
def test_a_question_about_a_relative_is_answered_by_what_is_known_of_them(said: str, keys: str) -> None:
    transcript = Transcript("", "", (Turn(said, "m"),))
    dialogue = Dialogue(transcript, Briefing(memories=OF_KIN), sentences("ja"), TOOLS)
    assert [name for name, _ in memory_calls(dialogue)] == ["list_memories"] * bool(keys)
    wish = wish_of(dialogue)
    assert [each.handle for each in OF_KIN if keys and wish and is_meant(each, wish, ())] == list(keys)


def test_what_is_to_be_forgotten_comes_after_the_reason() -> None:
    early = Memory("e", "booking", "朝10時より前の便は絶対いやです", "2026-10-01", None, False, False)
    for said in (
        "朝早い便も平気になったから、朝の話は忘れて",
        "早起きに慣れたので、朝の便のことは忘れてください",
        "朝の話は忘れて、もう平気だから",
    ):
        transcript = Transcript("", "", (Turn(said, "m"),))
        dialogue = Dialogue(transcript, Briefing(memories=(early, *OF_KIN)), sentences("ja"), TOOLS)
        assert memory_calls(dialogue) == [("forget_memory", {"query": "e"})], said


@table("said", ["私は海老がダメで、夫は何でも食べるけど、娘はヴィーガン", "私は何を食べても大丈夫", "娘は窓側がいい"])
def test_a_statement_asks_for_no_note(said: str) -> None:
    assert not any(name == "list_memories" for name, _ in _calls(said))


@table(
    "said",
    [
        "oh and write down she's coeliac now, doctor told us last week",
        "note he's diabetic",
        "please remember she hates flying",
        "jot down he'll need a cot",
        "my husband is diabetic, would you make a note of that for when we travel",
        "he hates heights, will you keep that in mind please",
        "彼女はグルテンがだめなので覚えておいて",
    ],
)
def test_a_request_to_remember_may_be_about_somebody_spoken_of(said: str) -> None:
    assert asks_to_remember(said)


@table("said", ["remember when he fell?", "do you remember her name?", "did you note he called?"])
def test_a_question_about_somebody_is_no_request_to_remember(said: str) -> None:
    assert not asks_to_remember(said)


@table("said", ["write down she's coeliac now", "remember he's vegan", "note that he can't eat nuts"])
def test_what_somebody_unnamed_needs_is_not_said_of_the_user(said: str) -> None:
    talker = Talker()
    talker.say(said)
    assert [(call["about"], call["claims"]) for call in talker.saved] == [("other", [])]
