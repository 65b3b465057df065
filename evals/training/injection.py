"""Trains the classifier of instructions to the model (prompt injection): `python -m evals.training.injection`.

Writes `weights.npz` and `net.npz` of `memory/policy/injection` from `injection.jsonl`, the sentences of
`injection_phrases` and the undisguised cases of `evals/policy/tune`. Prints how many instructions are caught and how
many ordinary sentences are taken for one, at several thresholds, on the held-out rows. Deterministic, though another
kind of processor may round a few weights differently.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.training.drift import SAMPLE, inputs_digest
from evals.training.fit import Floats, Table, fit
from evals.training.net import Net, Recipe, encode_batches, fit_net, write_net
from evals.training.phrases import framed, phrases
from memory.policy.injection.detect import NET, THRESHOLD, WEIGHTS, injection_score, passages
from text import normalise, stem
from text.encoder import pooled
from text.features import TENTHS, features, tokenize

_HERE = Path(__file__).parent
_TUNE = _HERE.parent / "policy" / "tune"
_DISGUISES = frozenset(
    {"base64", "disguise", "encoded", "hex", "homoglyph", "leet", "rot13", "spaced", "url_encoded", "zero_width"}
)
_FEWEST_ROWS, _PENALTY, _ROUNDS = 2, 0.1, 400
_RECIPE = Recipe(
    units=(256, 64), rounds=12, start=(1 / 3, 1 / 3, 1 / 3), left_out=0.4, sure=0.98, standardised=True, warm_up=200,
    decay=0.05,
)  # fmt: skip
_NEGLIGIBLE = 0.5
_FEWEST_WORD_ROWS = 4
"""The number of rows of travel talk that must contain a word before it counts as a common one."""
_THRESHOLDS = (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence, whether it is an instruction to the model, and its language, "" if unknown."""

    text: str
    instruction: bool
    language: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """The trained weights in tenths by feature, sorted, the intercept, the stems of the English rows, and the net."""

    weights: dict[int, int]
    intercept: int
    vocabulary: tuple[str, ...]
    net: Net


def main() -> None:
    """Train on every training row, write the weights, and print the rates on the held-out rows."""
    write(WEIGHTS.parent, train(read("train")))
    for path in (WEIGHTS, NET):
        print(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
    print(f"inputs {digest()}")
    held = read("held")
    for language in sorted({row.language for row in held}):
        _print_rates(language, [row for row in held if row.language == language])


def read(split: str) -> list[Row]:
    """Return the rows of a split (`train` or `held`), ordered by the hash of their text."""
    records = [record for record in _records(_HERE / "injection.jsonl") if record["split"] == split]
    texts = [(record["text"], record["label"] == "injection", _language(record)) for record in records]
    if split == "train":
        texts += [
            (around, label, lang)
            for text, label, lang in texts
            if not label and (around := framed(text, lang.split()[0]))
        ]
        texts += [*_tune(), *((text, instruction, "") for text, instruction in phrases())]
    rows = {row.text: row for row in (Row(normalise(text), label, language) for text, label, language in texts)}
    return sorted(rows.values(), key=lambda row: hashlib.sha256(row.text.encode()).digest())


def _language(record: dict[str, str]) -> str:
    """Return the language of a row, followed by `general` if the row is not about travel."""
    general = record["source"].startswith(("chatterbot", "common words", "any_domain", "many_voices", "WordNet"))
    return f"{record['lang']} general" if general else record["lang"]


def _tune() -> Iterator[tuple[str, bool, str]]:
    kinds = ("instruction", "near_miss", "talk")
    for name in (f"{author}{kind}" for author in ("", "second_", "third_", "fourth_") for kind in kinds):
        measured = {record["text"] for record in _records(_TUNE.parent / "measure" / f"{name}.jsonl")}
        for record in _records(_TUNE / f"{name}.jsonl"):
            if record["kind"] not in _DISGUISES and record["text"] not in measured:
                general = "" if name in kinds else " general"
                yield record["text"], name.endswith("instruction"), record["lang"] + general


def _records(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def train(rows: Sequence[Row]) -> Model:
    """Return the trained model without negligible weights.

    An instruction is one example, as its passages alone may be harmless. An ordinary sentence gives one example per
    passage, and pairs of ordinary sentences are examples too.
    """
    examples = [(part, row.instruction) for row in rows for part in _parts(row)]
    ordinary = [row.text for row in rows if not row.instruction]
    examples += [(f"{first}. {second}", False) for first, second in zip(ordinary[::4], ordinary[1::4], strict=False)]
    targets = np.array([[float(instruction)] for _, instruction in examples])
    table, names, scale = _tabulated([features(text) for text, _ in examples])
    fitted, intercepts = fit(table, targets, _PENALTY, _ROUNDS)
    weights = fitted[:, 0] * scale
    kept = np.abs(weights) >= _NEGLIGIBLE
    tenths = np.round(weights[kept] * TENTHS).astype(int).tolist()
    learned = dict(zip(names[kept].tolist(), tenths, strict=True))
    vectors = encode_batches([text for text, _ in examples], pooled)
    net = fit_net(vectors, targets[:, 0].astype(np.float32), _RECIPE)
    return Model(learned, round(float(intercepts[0]) * TENTHS), _vocabulary(rows), net)


def digest() -> str:
    """Return the digest of the inputs of the training."""
    rows = read("train")
    sample = (sorted(features(part).items()) for row in rows[:: 5 * SAMPLE] for part in _parts(row))
    return inputs_digest((_RECIPE, _FEWEST_ROWS, _PENALTY, _ROUNDS), rows, sample)


def _parts(row: Row) -> list[str]:
    return [row.text] if row.instruction else list(passages(row.text))


def _tabulated(bags: Sequence[dict[int, float]]) -> tuple[Table, NDArray[np.int64], Floats]:
    """Return the bags as one matrix, the hashes of its features, and their scales (inverse document frequency)."""
    rows = np.repeat(np.arange(len(bags)), [len(bag) for bag in bags])
    every = np.fromiter((name for bag in bags for name in bag), np.int64)
    shares = np.fromiter((share for bag in bags for share in bag.values()), np.float64)
    names, counts = np.unique(every, return_counts=True)
    names, counts = names[counts >= _FEWEST_ROWS], counts[counts >= _FEWEST_ROWS]
    scale = 0.25 * (1 + np.log((len(bags) + 1) / (counts + 1)))
    columns = np.minimum(np.searchsorted(names, every), len(names) - 1)
    kept = names[columns] == every
    columns = columns[kept]
    labels = [str(name) for name in names]
    return Table(labels, rows[kept], columns, shares[kept] * scale[columns], len(bags)), names, scale


def _vocabulary(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the stems that occur in several English rows."""
    english = (row for row in rows if row.language == "en")
    counts = Counter(stemmed for row in english for stemmed in {stem(word) for word in tokenize(row.text)})
    return tuple(sorted(word for word, count in counts.items() if count >= _FEWEST_WORD_ROWS))


def write(folder: Path, model: Model) -> None:
    """Write the weights and the net as uncompressed `.npz` files: the same model gives the same bytes."""
    arrays: dict[str, NDArray[np.generic]] = {
        "names": np.array(list(model.weights), np.uint32),
        "weights": np.array(list(model.weights.values()), np.int8),
        "intercept": np.array([model.intercept], np.int16),
        "vocabulary": np.frombuffer("\n".join(model.vocabulary).encode(), np.uint8),
    }
    np.savez(folder / WEIGHTS.name, allow_pickle=False, **arrays)
    write_net(folder / NET.name, model.net)


def _print_rates(language: str, rows: Sequence[Row]) -> None:
    scores = np.array([injection_score(row.text) + THRESHOLD for row in rows])
    labels = np.array([row.instruction for row in rows], dtype=bool)
    print(f"{language}, held out: {int(labels.sum())} instructions, {int((~labels).sum())} ordinary sentences")
    for threshold in _THRESHOLDS:
        above = scores > threshold
        caught = [f"caught {above[labels].mean():.3f}"] if labels.any() else []
        taken = [f"falsely taken {above[~labels].mean():.4f}"] if not labels.all() else []
        print(f"  above {threshold:5.2f}: {', '.join([*caught, *taken])}")


if __name__ == "__main__":
    main()
