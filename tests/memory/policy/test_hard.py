from __future__ import annotations

from memory.policy import is_hard
from tests.tables import table


@table(
    "text",
    [
        "I'm vegetarian",
        "I've gone vegan",
        "Halal food only",
        "I keep kosher",
        "Severe peanut allergy",
        "Lactose intolerant",
        "I have celiac disease",
        "Gluten-free meals",
        "I don't eat pork",
        "My wife uses a wheelchair",
        "I can't climb stairs",
        "I travel with a guide dog",
        "I'm deaf in one ear",
        "I need a visa for India",
        "My passport expires in March 2027",
        "I'm diabetic",
        "I need step-free access",
        "I'm pregnant",
        "Uses a CPAP machine",
        "I only have a single-entry visa",
        "I cannot eat shellfish",
        "ベジタリアンです",
        "ナッツアレルギーがあります",
        "妻は車椅子を使います",
        "豚肉は食べられません",
        "ビザは一回限りです",
        "階段が上れません",
    ],
)
def test_limits_are_hard(text: str) -> None:
    assert is_hard(text, "other")


@table(
    "text",
    [
        "I don't like spicy food",
        "I hate red-eyes",
        "Prefers aisle seats",
        "Never book hostels",
        "I can't stand casinos",
        "I pay with a Visa card",
        "I love fish restaurants",
        "I have no allergies",
        "I like walking tours",
        "I enjoy visiting passport bars",
        "辛い料理は苦手です",
        "窓側が好き",
    ],
)
def test_likings_are_not(text: str) -> None:
    assert not is_hard(text, "other")


def test_the_topic_accessibility_is_hard_by_itself() -> None:
    assert is_hard("Needs a lift", "accessibility")
