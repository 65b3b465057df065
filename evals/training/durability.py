"""Trains the classifiers of lasting statements: `python -m evals.training.durability`.

Writes `en.npz`, `ja.npz` and `net.npz` of `models/offline/notes/words` from `durability.jsonl` and from the sentence
frames of `frames_en.toml` and `frames_ja.toml`. Prints rates on the held-out rows, by words alone and with the net.
Deterministic, though another kind of processor may round a few weights of the net differently. Run it again when the
tables of the notes change.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from evals.training.drift import SAMPLE, inputs_digest
from evals.training.fit import Bag, Floats, fit, scales, tabulate
from evals.training.net import Net, Recipe, encode_batches, fit_net, write_net
from models.offline.notes.judge import HUNDREDTHS, NET, TENTHS, features, lasting, word_odds
from models.offline.tables import NOTES
from text.encoder import encode

_HERE = Path(__file__).parent
_TESTS = _HERE.parents[1] / "tests" / "models" / "offline" / "notes"
_TUNE = _HERE.parent / "statements" / "tune"
ORDINARY = frozenset({"question", "smalltalk", "trip_detail", "request", "exam", "code", "story"})
"""Kinds of passing remarks that are easy to classify; the others are rarer and harder."""
LANGUAGES = ("en", "ja")
_FEWEST_ROWS, _SIGN_SCALE, _PENALTY, _ROUNDS = 2, 0.2, 0.1, 250
_TOPIC_PENALTY, _TOPIC_ROUNDS = 0.05, 150
_RECIPE = Recipe(units=(256,), rounds=60, start=(18, 1))
_NEGLIGIBLE, _TOPIC_NEGLIGIBLE = 0.03, 0.7
_QUANTILES = (0.01, 0.02, 0.05)
_THINGS_A_FRAME = {"en": 4, "ja": 6}
_ELSEWHERE = 4
_FILLERS = {"n": "things", "v": "doings", "p": "places", "s": "choices", "d": "states", "f": "foods"}
"""The table of the things that replace each placeholder of a frame."""

Weights = dict[str, Floats]
"""The weight per class of each feature; the empty name has the intercept per class."""


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence with its label: `about` is its topic if it is lasting, else the kind of remark."""

    text: str
    lasting: bool
    about: str
    source: str


def main() -> None:
    """Train on every training row, write the weights, and print the rates on the held-out rows."""
    rows = {language: read("train", language) for language in LANGUAGES}
    for language, training in rows.items():
        write(NOTES.folder / f"{language}.npz", train_lasting(training), train_topics(training))
    write_net(NET, train_net([row for training in rows.values() for row in training]))
    for path in (*(NOTES.folder / f"{language}.npz" for language in LANGUAGES), NET):
        print(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
    print(f"inputs {digest()}")
    for language in LANGUAGES:
        held = read("held", language)
        for name, judge in (("by words", word_odds), ("by words and meaning", lasting)):
            _print_rates(f"{language}, held out, {name}", held, np.array([judge(row.text) for row in held]))


def read(split: str, language: str) -> list[Row]:
    """Return the rows of a split (`train` or `held`) in one language, ordered by the hash of their text."""
    records = [json.loads(line) for line in (_HERE / "durability.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [
        Row(record["text"], record["label"] == "lasting", record["about"], record["source"])
        for record in records
        if record["split"] == split and record.get("lang", "en") == language
    ]
    framed = [row for row in _framed(language) if bare(row.text) not in _excluded()] if split == "train" else []
    return sorted([*rows, *framed], key=lambda row: _digest(row.text))


def digest() -> str:
    """Return the digest of the inputs of the training."""
    rows = [row for language in LANGUAGES for row in read("train", language)]
    linear = (_FEWEST_ROWS, _SIGN_SCALE, _PENALTY, _ROUNDS, _TOPIC_PENALTY, _TOPIC_ROUNDS)
    return inputs_digest((_RECIPE, *linear), rows, (features(row.text) for row in rows[::SAMPLE]))


def bare(text: str) -> str:
    """Return a sentence case-folded and without its final punctuation."""
    return text.casefold().strip(" .!。！")


@cache
def _excluded() -> frozenset[str]:
    """Return the sentences of the tests and of the part `tune`, which no frame may repeat."""
    lines = [line for path in sorted(_TESTS.glob("*.txt")) for line in path.read_text(encoding="utf-8").splitlines()]
    cases = [line for path in sorted(_TUNE.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
    texts = [part for line in lines for part in (line, line.partition(": ")[2])]
    return frozenset(map(bare, [*texts, *(json.loads(line)["text"] for line in cases)]))


def _framed(language: str) -> Iterator[Row]:
    """Yield each frame filled with a few of the things that fit it, chosen by the hash of the sentence."""
    frames = tomllib.loads((_HERE / f"frames_{language}.toml").read_text(encoding="utf-8"))
    for kind, filler in _FILLERS.items():
        things = [(topic, thing) for topic, listed in frames[filler].items() for thing in listed]
        unrelated = [("smalltalk", thing) for thing in frames["elsewhere"].get(kind, ())]
        for label in ("lasting", "passing"):
            for frame in frames[label][kind]:
                for topic, text in _filled(frame, kind, things)[: _THINGS_A_FRAME[language]]:
                    yield Row(text, label == "lasting", topic if label == "lasting" else "frame", "frames")
                yield from (
                    Row(text, False, about, "frames") for about, text in _filled(frame, kind, unrelated)[:_ELSEWHERE]
                )


def _filled(frame: str, kind: str, things: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the topic and the sentence for each thing put into the frame, in the order of the sentences' hashes."""
    texts = [(about, frame.replace("{" + kind + "}", thing)) for about, thing in things]
    return sorted(((about, text[:1].upper() + text[1:]) for about, text in texts), key=lambda pair: _digest(pair[1]))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def train_lasting(rows: Sequence[Row]) -> Weights:
    """Return the weights of the one class of lasting sentences."""
    targets = np.array([[float(row.lasting)] for row in rows])
    return _trained([features(row.text) for row in rows], targets, _PENALTY, _ROUNDS)


def train_net(rows: Sequence[Row]) -> Net:
    """Return the net that predicts from the vector of a sentence whether it is lasting."""
    vectors = encode_batches([row.text for row in rows], encode)
    return fit_net(vectors, np.array([row.lasting for row in rows], np.float32), _RECIPE)


def train_topics(rows: Sequence[Row]) -> Weights:
    """Return the weights of one class per topic, trained on the lasting sentences only."""
    lasting = [row for row in rows if row.lasting and row.about]
    targets = np.array([[float(row.about == topic) for topic in topics()] for row in lasting])
    return _trained([features(row.text) for row in lasting], targets, _TOPIC_PENALTY, _TOPIC_ROUNDS)


def topics() -> tuple[str, ...]:
    """Return the topics that a statement may be about."""
    return tuple(NOTES.table("en_topics"))


def _trained(bags: Sequence[Bag], targets: Floats, penalty: float, rounds: int) -> Weights:
    scale = scales(bags, _FEWEST_ROWS, _SIGN_SCALE)
    fitted, intercepts = fit(tabulate(bags, scale), targets, penalty, rounds)
    return {"": intercepts, **{name: fitted[at] * scale[name] for at, name in enumerate(scale)}}


def write(path: Path, weights: Weights, about: Weights) -> None:
    """Write the weights, rounded and without negligible ones, as an uncompressed `.npz`: same weights, same bytes."""
    names = sorted(name for name, weight in weights.items() if not name or abs(weight[0]) >= _NEGLIGIBLE)
    rows = sorted(name for name, weight in about.items() if not name or np.abs(weight).max() >= _TOPIC_NEGLIGIBLE)
    strong = [np.where((np.abs(about[name]) >= _TOPIC_NEGLIGIBLE) | (not name), about[name], 0.0) for name in rows]
    np.savez(
        path,
        allow_pickle=False,
        features=_packed(names),
        weights=np.array([round(float(weights[name][0]) * HUNDREDTHS) for name in names], np.int16),
        topics=_packed(topics()),
        topic_features=_packed(rows),
        topic_weights=np.round(np.array(strong) * TENTHS).astype(np.int16),
    )


def _packed(names: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer("\n".join(names).encode(), np.uint8)


def _print_rates(name: str, rows: Sequence[Row], scores: Floats) -> None:
    """Print the shares kept at the thresholds that 1 %, 2 % and 5 % of the passing rows exceed."""
    is_lasting = np.array([row.lasting for row in rows])
    ordinary = np.array([row.about in ORDINARY and not row.lasting for row in rows])
    print(f"{name}, {int(is_lasting.sum())} lasting and {int((~is_lasting).sum())} passing rows")
    for share in _QUANTILES:
        threshold = float(np.quantile(scores[~is_lasting], 1 - share))
        kept, false, passing = ((scores[part] > threshold).mean() for part in (is_lasting, ordinary, ~is_lasting))
        print(f"  above {threshold:5.2f}: kept {kept:.3f}, false {false:.3f} of ordinary, {passing:.3f} of all")


if __name__ == "__main__":
    main()
