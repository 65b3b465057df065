"""What Japanese messages are read into."""

from __future__ import annotations

from models.offline.ja.form import matched
from models.offline.reading import read
from tests.models.offline.ja.reading.phrases import CONTEXTS, acts, marks, reading, rows
from tests.tables import table as cases


@cases(("said", "wanted"), rows("tuned.txt"), floor=0.98)
def test_what_was_tuned_is_read(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(("said", "wanted"), rows("measured.txt"), floor=0.7)
def test_what_nobody_tuned_is_read_as_well(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(("said", "wanted"), rows("measured.txt"), floor=0.85)
def test_acts_that_nobody_tuned_are_told(said: str, wanted: str) -> None:
    told = [clause.split()[0].partition(":")[0] for clause in wanted.split(" / ")]
    assert acts(said) == told, acts(said)


@cases(
    "said",
    [
        "予約していいですか?", "これ予約できるんでしたっけ", "キャンセル料はかかりますか", "予約したらすぐ払うの?",
        "変更は無料ですか", "はい、でもいくらですか?", "それって返金できますか?",
        "いつまで押さえてもらえますか", "わかりました、助かります", "了解です、また連絡します",
        "まあいいや",
    ],
)  # fmt: skip
def test_a_question_is_no_yes(said: str) -> None:
    acts = {clause.act for clause in read(said, CONTEXTS["*"], "ja").clauses}
    assert not acts & {"confirm", "book", "cancel", "hold"}, acts


@cases("said", ["まだ予約しないで", "予約はしないでください", "キャンセルしないでください", "やっぱり予約はやめます"])
def test_what_is_not_to_be_done_is_a_no(said: str) -> None:
    assert {clause.act for clause in read(said, CONTEXTS["*"], "ja").clauses} == {"reject"}


@cases(
    "said",
    [
        "def f(x):\n    return x  # 来月10日に東京からパリ",
        "次の文を英訳して：来月10日に東京からパリへ行きます",
        "件名：出張の件\n12月10日に大阪からソウルへ出張します",
        "主人公は12月3日にパリへ旅立った、という小説を読んだ",
    ],
)
def test_pasted_text_has_no_values(said: str) -> None:
    for clause in read(said, CONTEXTS[""], "ja").clauses:
        assert clause.act in ("chat", "tell")
        assert (clause.places, clause.dates, clause.party) == ((), None, None)


def test_full_width_and_blanks_are_one_form() -> None:
    assert matched("１２月 ３日　２人") == matched("12月3日 2人")
    assert matched("New York 行き") == "new york行き"
