"""A long sentence is read line by line, so that no pattern is matched against more than 400 characters of it."""

import re

from langchain_core.messages import HumanMessage

from models.offline.dialogue.transcript import read_transcript
from tests.tables import table
from text.words import in_lines


@table(
    "sentence",
    [
        "駅前、",
        "駅前",
        "駅前で静かな宿と",
        "the station, ",
        "the station and then ",
        "station",
        "3.5, ",
        "no!no!",
        "x   ",
    ],
)
def test_a_long_sentence_becomes_short_lines_of_the_same_words(sentence: str) -> None:
    message = (sentence * 5000)[:15_000]
    said = read_transcript([HumanMessage(message)]).now.said
    assert max(map(len, said.splitlines())) <= 400
    assert re.sub(r"\s", "", said) == re.sub(r"\s", "", message)


def test_a_line_ends_after_a_comma_or_space_if_it_can() -> None:
    assert {line[-1] for line in in_lines("駅前、" * 500).splitlines()} == {"、"}
    assert all(set(line.split()) == {"station", "the"} for line in in_lines("the station " * 200).splitlines())


@table(
    "message",
    [
        "京都に行きたいです。駅前の宿がいいです。" * 50,
        "I'd like a hotel in Kyoto. Near the station, please. " * 50,
        "two  spaces\n\nand a line",
        "窓側の席が好き",
    ],
)
def test_sentences_of_usual_length_are_left_alone(message: str) -> None:
    assert in_lines(message) == message
